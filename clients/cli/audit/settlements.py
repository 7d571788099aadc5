"""Every settlement recomputed by the engine from the recorded round and the terms it was stamped with."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import CORRECTIONS, RESULTS, History, Recorded, name_of
from services.games.results import read_history
from services.games.settlement import settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import NoSubmission, Refusal
from services.kernel.ids import RoundKey, jackpot_id

NOT_COMPARED = ("engine_version",)
OUTCOMES = {
    "win": settlement.OUTCOME_WIN,
    "lose": settlement.OUTCOME_LOSE,
    "push": settlement.OUTCOME_PUSH,
    "pending": settlement.OUTCOME_PENDING,
}

Given = Mapping[int, list[Any]]
"""What settlement says of each position of the rounds feed."""


def check_settlements(history: History, through: int) -> list[Findings]:
    """Every recorded result up to a rounds position has exactly one settlement, and it says what the rules say."""
    settled, wagers = Findings("audit: rounds settled anew"), Findings("audit: wagers priced anew")
    given: defaultdict[int, list[Any]] = defaultdict(list)
    for _, _, body in history.bodies("settlements"):
        given[body.rounds_position].append(body)
    revisions: Counter[str] = Counter()
    terms, latest = history.terms(), dict[str, settlement.SettledRound]()
    for recorded in history.recorded(*RESULTS, *CORRECTIONS):
        if recorded.position <= through:
            name = name_of(recorded.key)
            expected = _expected(recorded, terms, revisions[name], latest.get(name))
            if isinstance(expected, settlement.SettledRound):
                revisions[name] += 1
                latest[name] = expected
                wagers.checked += len(expected.wager_no)
            _compare(settled, wagers, recorded, expected, given.pop(recorded.position, []))
    for position, extra in given.items():
        if position <= through:
            settled.differs(f"rounds position {position}: expected no settlement, given {len(extra)}")
    return [settled, wagers]


def _expected(
    recorded: Recorded,
    terms: Mapping[tuple[str, str], Terms],
    revision: int,
    before: settlement.SettledRound | None,
) -> settlement.SettledRound | Refusal:
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
    found.rounds_position, found.revision = recorded.position, revision
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
    results = [getattr(each, filed.game) for each in read.history if each.WhichOneof("game") == filed.game]
    wagers = [
        PlacedWager(each.wager_no, each.seat, each.code, each.paytable, each.stake_cents, each.placement)
        for each in read.wagers
    ]
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
    )
    _price(found, wagers, read_history(filed.game, results, filed.decks), filed)
    return found


def _price(found: settlement.SettledRound, wagers: list[PlacedWager], history: Any, terms: Terms) -> None:
    key = round_key(found.key)
    for placed, each in zip(wagers, settle_round(history, wagers, terms), strict=True):
        elsewhere = sum(award.cents for award in each.awards if award.paid_from != "inventory")
        found.wager_no.append(placed.wager_no)
        found.seat.append(placed.seat)
        found.code.append(placed.code)
        found.paytable.append(placed.paytable)
        found.stake_cents.append(placed.stake_cents)
        found.outcome.append(OUTCOMES[each.outcome])
        found.line.append(each.line)
        found.payout_cents.append(each.payout_cents)
        found.inventory_cents.append(each.payout_cents - elsewhere)
        found.breakage_micros.append(each.breakage_micros)
        for award in each.awards:
            if award.kind != "odds":
                jackpot = jackpot_id(key, placed.wager_no, award.level) if award.kind == "meter" else ""
                named = settlement.Award(wager_no=placed.wager_no, jackpot_id=jackpot, **award._asdict())
                found.awards.append(named)


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
