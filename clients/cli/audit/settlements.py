"""Every settlement recomputed by the engine from the recorded round and the terms it was stamped with."""

from collections import Counter, defaultdict
from collections.abc import Container, Mapping
from datetime import date
from typing import Any

from casino.floor.v1 import events_pb2 as events
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.carried import check_carried
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import CORRECTIONS, RESULTS, History, Recorded, name_of
from services.games.results import GAMES, read_history
from services.games.settlement import Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import NoSubmission, Refusal
from services.kernel.ids import RoundKey, jackpot_id

NOT_COMPARED = ("engine_version",)
"""Fields that say who settled, not what."""
OUTCOMES = {
    "win": settlement.OUTCOME_WIN,
    "lose": settlement.OUTCOME_LOSE,
    "push": settlement.OUTCOME_PUSH,
    "void": settlement.OUTCOME_VOID,
    "pending": settlement.OUTCOME_PENDING,
}

Given = Mapping[int, list[Any]]
"""What settlement says of each position of the rounds feed."""


def check_settlements(history: History, through: int) -> list[Findings]:
    """Every recorded result up to a rounds position has exactly one settlement, and it says what the rules say.

    And every wager that betting closed or a later stake brought comes with each result until one decides it.
    """
    settled, wagers = Findings("audit: rounds settled anew"), Findings("audit: wagers priced anew")
    decided: dict[int, set[int]] = {}
    given: defaultdict[int, list[Any]] = defaultdict(list)
    for _, _, body in history.bodies("settlements"):
        given[body.rounds_position].append(body)
    revisions: Counter[str] = Counter()
    terms, latest = history.terms(), dict[str, settlement.SettledRound]()
    for recorded in history.recorded(*RESULTS, *CORRECTIONS):
        if recorded.position <= through and settles(recorded, latest):
            name = name_of(recorded.key)
            expected = settled_anew(recorded, terms, revisions[name], latest.get(name))
            if isinstance(expected, settlement.SettledRound):
                revisions[name] += 1
                latest[name] = expected
                wagers.checked += len(expected.wager_no)
                decided[recorded.position] = set(expected.wager_no)
            _compare(settled, wagers, recorded, expected, given.pop(recorded.position, []))
    for position, extra in given.items():
        if position <= through:
            settled.differs(f"rounds position {position}: expected no settlement, given {len(extra)}")
    return [settled, wagers, check_carried(history, through, decided)]


def settles(recorded: Recorded, latest: Container[str]) -> bool:
    """Whether an entry calls for a settlement; `latest` has the names of the rounds that have one.

    Not the void of a round that had no settlement, nor what was let in before the result.
    """
    if recorded.round is None:
        return name_of(recorded.key) in latest
    return recorded.kind != "release" or bool(recorded.round.history)


def settled_anew(
    recorded: Recorded,
    terms: Mapping[tuple[str, str], Terms],
    revision: int,
    before: settlement.SettledRound | None,
) -> settlement.SettledRound | Refusal:
    """What the engine says of a recorded round, or why it settles none; `before` is the settlement it supersedes."""
    if recorded.round is None:
        return _voided(recorded, before, revision)
    try:
        return _settled(recorded.position, recorded.round, terms, revision)
    except Refusal as refusal:
        return refusal


def _voided(
    recorded: Recorded, before: settlement.SettledRound | None, revision: int
) -> settlement.SettledRound | Refusal:
    """A void gives every stake back."""
    if before is None:
        return Refusal("a void of a round that was not settled")
    count, found = len(before.wager_no), settlement.SettledRound()
    found.CopyFrom(before)
    for name in ("outcome", "line", "payout_cents", "inventory_cents", "breakage_micros", "awards"):
        found.ClearField(name)
    found.rounds_position, found.revision, found.void = recorded.position, revision, True
    found.outcome.extend([settlement.OUTCOME_VOID] * count)
    found.line.extend([""] * count)
    found.payout_cents.extend(before.stake_cents)
    found.inventory_cents.extend(before.stake_cents)
    found.breakage_micros.extend([0] * count)
    return found


def _settled(
    position: int, read: rounds.Round, terms: Mapping[tuple[str, str], Terms], revision: int
) -> settlement.SettledRound:
    filed = terms.get((read.submission_id, read.key.table_id))
    if filed is None:
        raise NoSubmission(f"expected submission {read.submission_id} to name {read.key.table_id}")
    found = settlement.SettledRound(
        key=read.key,
        shift=read.shift,
        pit=read.pit,
        dealer=read.dealer,
        submission_id=read.submission_id,
        game=filed.game,
        decks=filed.decks,
        rounds_position=position,
        revision=revision,
        wheel=filed.wheel,
    )
    history = history_of(read, filed)
    priced = {each.wager_no: each for each in _priced(read, history, filed)}
    last = read.key.roll == 0 or GAMES[filed.game].over(history)
    for wager in read.wagers:
        each = priced[wager.wager_no]
        # A roll settles what it decides; what stays up comes again with the next, if there is one.
        if each.outcome != "pending" or last:
            _enter(found, wager, each)
    return found


def history_of(read: rounds.Round, terms: Terms) -> Any:
    """The results of a recorded round as the engine reads them. Raises what they are refused with."""
    results = [getattr(each, terms.game) for each in read.history if each.WhichOneof("game") == terms.game]
    before = getattr(read.previous, terms.game) if read.previous.WhichOneof("game") == terms.game else None
    history = read_history(terms.game, results, terms.decks, previous=before)
    GAMES[terms.game].check(history, terms)
    return history


def _priced(read: rounds.Round, history: Any, terms: Terms) -> list[Settled]:
    """What the results so far say of each wager; what was taken down before them goes back."""
    back = [each for each in read.wagers if each.wager_no in read.taken_down]
    working = [placed_wager(each) for each in read.wagers if each.wager_no not in read.taken_down]
    returned = [Settled(each.wager_no, "void", "", each.stake_cents, 0, ()) for each in back]
    stated = {each.wager_no: each.payout_cents for result in read.history for each in result.stated_payouts}
    return [*settle_round(history, working, terms, stated), *returned]


def placed_wager(given: events.Wager) -> PlacedWager:
    """A recorded wager as the engine reads it."""
    placed = given.wager_no, given.seat, given.code, given.paytable, given.stake_cents, given.placement
    return PlacedWager(*placed, roll=given.roll)


def _enter(found: settlement.SettledRound, wager: events.Wager, each: Settled) -> None:
    key, by_slip = round_key(found.key), sum(award.cents for award in each.awards if award.paid_from == "slip")
    found.wager_no.append(wager.wager_no)
    found.seat.append(wager.seat)
    found.code.append(wager.code)
    found.paytable.append(wager.paytable)
    found.stake_cents.append(wager.stake_cents)
    found.outcome.append(OUTCOMES[each.outcome])
    found.line.append(each.line)
    found.payout_cents.append(each.payout_cents)
    found.inventory_cents.append(each.payout_cents - by_slip)
    found.breakage_micros.append(each.breakage_micros)
    for award in each.awards:
        if award.kind != "odds":
            jackpot = jackpot_id(key, wager.wager_no, award.level) if award.kind == "meter" else ""
            found.awards.append(settlement.Award(wager_no=wager.wager_no, jackpot_id=jackpot, **award._asdict()))


def _compare(
    settled: Findings,
    wagers: Findings,
    recorded: Recorded,
    expected: settlement.SettledRound | Refusal,
    given: list[Any],
) -> None:
    name = f"round {name_of(recorded.key)} at {recorded.position}"
    if not settled.expect(len(given), 1, f"{name}: settlements") or not given:
        return
    if isinstance(expected, Refusal):
        reason = given[0].reason if isinstance(given[0], settlement.SettlementException) else "a settlement"
        if reason != expected.reason:
            settled.differs(f"{name}: expected the exception {expected.reason}, given {reason}")
    elif not isinstance(given[0], settlement.SettledRound):
        settled.differs(f"{name}: expected a settlement, given the exception {given[0].reason}")
    else:
        _compare_fields(settled, wagers, name, expected, given[0])


def _compare_fields(
    settled: Findings,
    wagers: Findings,
    name: str,
    expected: settlement.SettledRound,
    given: settlement.SettledRound,
) -> None:
    fields: Any = expected.DESCRIPTOR.fields
    for field in fields:
        right, told = getattr(expected, field.name), getattr(given, field.name)
        if field.name not in NOT_COMPARED and right != told:
            findings = wagers if field.is_repeated else settled
            findings.differs(f"{name}: {field.name}: expected {_short(right)}, given {_short(told)}")


def _short(value: Any) -> str:
    return " ".join(str(value).split())


def round_key(key: rounds.RoundKey) -> RoundKey:
    """The key as ids are derived from it."""
    return RoundKey(date.fromisoformat(key.gaming_day), key.table_id, key.shoe, key.round_no, key.roll)
