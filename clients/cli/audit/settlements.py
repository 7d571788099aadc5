"""Every settlement recomputed by the engine from the recorded round and the terms it was stamped with."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from datetime import date
from typing import Any

from casino.floor.v1 import events_pb2 as events
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.carried import Carried
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import CORRECTIONS, RESULTS, Body, History, Recorded, name_of, recorded_as, round_of
from clients.cli.audit.passage import Quiet, pass_through, stands_on
from services.games.results import GAMES, read_history
from services.games.settlement import Award, Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import NoSubmission, Refusal
from services.kernel.ids import RoundKey, jackpot_id

SETTLING = RESULTS + CORRECTIONS
"""Kinds of entries that may call for a settlement."""
NOT_COMPARED = ("engine_version",)
"""Fields that say who settled, not what."""
OUTCOMES = {
    "win": settlement.OUTCOME_WIN,
    "lose": settlement.OUTCOME_LOSE,
    "push": settlement.OUTCOME_PUSH,
    "void": settlement.OUTCOME_VOID,
    "pending": settlement.OUTCOME_PENDING,
}


class Settlements(Quiet):
    """The settlements of rounds as they come, beside what the engine says.

    Every recorded result up to a rounds position has exactly one settlement, and it says what the rules say; every
    wager that betting closed or a later stake brought comes with each result until one decides it.
    """

    def __init__(self, terms: Mapping[tuple[str, str], Terms], corrected: Container[str], through: int) -> None:
        """`corrected`: the rounds that will be corrected, by name without roll; of no other anything is kept."""
        self.settled, self.wagers = Findings("audit: rounds settled anew"), Findings("audit: wagers priced anew")
        self._carried = Carried()
        self._terms, self._corrected, self._through = terms, corrected, through
        self._latest: dict[str, settlement.SettledRound] = {}
        self._revisions: Counter[str] = Counter()

    @property
    def findings(self) -> list[Findings]:
        """What was found of rounds, of wagers and of those carried."""
        return [self.settled, self.wagers, self._carried.findings]

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        if entry.position > self._through:
            return
        decided: set[int] = set()
        recorded = recorded_as(entry) if entry.kind in SETTLING else None
        if recorded is not None and settles(recorded, self._latest):
            decided = self._settle(recorded, settled)
        elif settled:
            self._unexpected(entry.position, len(settled))
        self._carried.take(entry, decided)

    def stray(self, entry: Body) -> None:
        """A settlement of no round that calls for one."""
        if (position := stands_on(entry)) <= self._through:
            self._unexpected(position, 1)

    def _unexpected(self, position: int, count: int) -> None:
        self.settled.differs(f"rounds position {position}: expected no settlement, given {count}")

    def _settle(self, recorded: Recorded, given: Sequence[Body]) -> set[int]:
        """Compares; the numbers of the wagers that the round decides."""
        kept = round_of(recorded.key) in self._corrected
        name = name_of(recorded.key) if kept else ""
        expected = settled_anew(recorded, self._terms, self._revisions[name] if kept else 0, self._latest.get(name))
        _compare(self.settled, self.wagers, recorded, expected, [each.body for each in given])
        if not isinstance(expected, settlement.SettledRound):
            return set()
        if kept:
            self._revisions[name] += 1
            self._latest[name] = expected
        self.wagers.checked += len(expected.wager_no)
        return set(expected.wager_no)


def check_settlements(history: History, through: int) -> list[Findings]:
    """The settlements of a history that is kept."""
    settlements = Settlements(history.terms(), history.corrected(), through)
    pass_through(history, settlements)
    return settlements.findings


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
    history = history_of(read, filed)
    priced = {each.wager_no: each for each in _priced(read, history, filed)}
    last = read.key.roll == 0 or GAMES[filed.game].over(history)
    # A roll settles what it decides; what stays up comes again with the next, if there is one.
    placed = [(each, priced[each.wager_no]) for each in read.wagers]
    told = [(each, found) for each, found in placed if last or found.outcome != "pending"]
    return settlement.SettledRound(
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
        **_columns(read.key, told),
    )


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
    return PlacedWager._make((*placed, None, given.roll))


def _columns(key: rounds.RoundKey, told: Sequence[tuple[events.Wager, Settled]]) -> dict[str, Any]:
    """The parallel lists of a settlement's wagers, and the awards other than odds."""
    awards = [(wager, award) for wager, each in told for award in each.awards]
    by_slip = Counter[int]()
    for wager, award in awards:
        if award.paid_from == "slip":
            by_slip[wager.wager_no] += award.cents
    return {
        "wager_no": [wager.wager_no for wager, _ in told],
        "seat": [wager.seat for wager, _ in told],
        "code": [wager.code for wager, _ in told],
        "paytable": [wager.paytable for wager, _ in told],
        "stake_cents": [wager.stake_cents for wager, _ in told],
        "outcome": [OUTCOMES[each.outcome] for _, each in told],
        "line": [each.line for _, each in told],
        "payout_cents": [each.payout_cents for _, each in told],
        "inventory_cents": [each.payout_cents - by_slip[each.wager_no] for _, each in told],
        "breakage_micros": [each.breakage_micros for _, each in told],
        "awards": [_award(key, wager.wager_no, award) for wager, award in awards if award.kind != "odds"],
    }


def _award(key: rounds.RoundKey, wager_no: int, award: Award) -> settlement.Award:
    jackpot = jackpot_id(round_key(key), wager_no, award.level) if award.kind == "meter" else ""
    return settlement.Award(wager_no=wager_no, jackpot_id=jackpot, **award._asdict())


def _compare(
    settled: Findings,
    wagers: Findings,
    recorded: Recorded,
    expected: settlement.SettledRound | Refusal,
    given: list[Any],
) -> None:
    settled.checked += 1
    if len(given) == 1 and _agree(expected, given[0]):
        return
    name = f"round {name_of(recorded.key)} at {recorded.position}"
    if len(given) != 1:
        settled.differs(f"{name}: settlements: expected 1, given {len(given)}")
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


def _agree(expected: settlement.SettledRound | Refusal, given: Any) -> bool:
    """Whether both are settlements that are equal but for who settled."""
    if not (isinstance(expected, settlement.SettledRound) and isinstance(given, settlement.SettledRound)):
        return False
    expected.engine_version = given.engine_version
    same = expected == given
    expected.ClearField("engine_version")
    return same


def _short(value: Any) -> str:
    return " ".join(str(value).split())


def round_key(key: rounds.RoundKey) -> RoundKey:
    """The key as ids are derived from it."""
    return RoundKey(date.fromisoformat(key.gaming_day), key.table_id, key.shoe, key.round_no, key.roll)
