"""No money appears and none vanishes, whatever comes: rounds, corrections, decisions and days in any order."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.games.wagers import PlacedWager
from services.kernel import errors
from services.progressives.decision import Adjustment, Heir, JackpotAction, JackpotDecision, Retirement, Transfer
from services.progressives.link import MYSTERY, LinkState, MeterTerms
from services.progressives.play import Change, Correction, DayOpened, Event, Part, Play
from tests.builders import wager_file
from tests.progressives.folded import DAY, PLAIN, TWO_LEVELS, TWO_LEVELS_FILE, WHOLE, Floor, linked, on
from tests.progressives.test_mystery_fold import offering

LIMITED = MeterTerms("mega", 60_000, 1_000, 4_000, 60_150)
TENTH = MeterTerms("mini", 2_000, 50, 0, 0)
OVER = linked("TWO", LIMITED, TENTH, code=TWO_LEVELS)
SPARE = linked("SPARE", MeterTerms("mega", 1_000_000, 1_000, 0, 1_000_500), table_ids=("BAC-03",))
MEGA = MeterTerms("mega", 1_000_000, 1_000, 300, 1_000_100)
MUST_HIT = MeterTerms(MYSTERY, 10_000, 1_000, 0, 10_100, "A-$5")
METERS = (("TWO", "mega"), ("TWO", "mini"), ("SPARE", "mega"), ("H9", "mega"), ("H9", MYSTERY))
AMOUNTS = st.sampled_from([1, 9_999, 600_000, 1_500_000, 10_000_000_000])

wagers = st.lists(
    st.tuples(
        st.integers(1, 4), st.sampled_from([TWO_LEVELS, "baccarat.heavenly_9_progressive"]), st.integers(1, 2_500)
    ),
    max_size=4,
)
Step = Callable[["Casino"], None]


@pytest.fixture(scope="module", autouse=True)
def two_levels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A wager with two levels that its seats win."""
    with wager_file(tmp_path_factory.mktemp("wagers"), "two_levels", TWO_LEVELS_FILE):
        yield


def placed(drawn: list[tuple[int, str, int]]) -> list[PlacedWager]:
    """Wagers with numbers of their own."""
    return [on(seat, stake, code, no) for no, (seat, code, stake) in enumerate(drawn, 1)]


PARTS = tuple(part.value for part in Part)


class Rounds:
    """What the rounds feed may say next of each round: betting closed once, one result, then corrections."""

    def __init__(self) -> None:
        self._done: dict[int, bool] = {}

    def admits(self, number: int, kind: str) -> str:
        """The kind, or the one that stands for it as the round stands."""
        done = self._done.get(number)
        if done is None:
            kind = {"result": "whole round", "amend": "release", "void": "whole round"}.get(kind, kind)
        elif kind in PARTS:
            kind = "amend" if done else "result"
        self._done[number] = kind != "betting closed"
        return kind


class Casino(Floor):
    """Links with limits, reserves, percentages, and a mystery."""

    def __init__(self, *, opened: bool = True) -> None:
        held = offering("baccarat.heavenly_9_progressive", "baccarat", mystery="A-$5")
        plain = offering("baccarat.heavenly_9_progressive", "baccarat")
        tables = {"BAC-01": held, "BAC-02": held, "BAC-03": plain}
        super().__init__(OVER, SPARE, linked("H9", MEGA, MUST_HIT), tables=tables, opened=opened)
        self.rounds = Rounds()


def event(floor: Floor, kind: str, number: int, drawn: list[tuple[int, str, int]], won: bool) -> Play | Correction:
    """A part or a correction of a round."""
    cards = WHOLE if won else PLAIN
    if kind == "void":
        return floor.correction(number, change=Change.VOID)
    if kind in ("amend", "release"):
        return floor.correction(number, *placed(drawn), change=Change(kind), cards=cards)
    return floor.play(number, *placed(drawn), part=Part(kind), cards=cards)


def recorded_as(floor: Casino, kind: str, number: int, drawn: list[tuple[int, str, int]], won: bool) -> None:
    """A part or a correction of a round is recorded; a round with nothing in it is none of this service's."""
    if drawn:
        floor.take(event(floor, floor.rounds.admits(number, kind), number, drawn, won))


def decided(floor: Floor, action: JackpotAction, place: int, cents: int) -> None:
    """Two people decide about a jackpot."""
    if floor.jackpots:
        jackpot = list(floor.jackpots.values())[place % len(floor.jackpots)]
        attempted(floor, JackpotDecision(jackpot.jackpot_id, action, cents))


def attempted(floor: Floor, subject: Adjustment | Transfer | Retirement | JackpotDecision) -> None:
    """Two people decide; what cannot be is refused by name and changes nothing. None moves towards a hidden trigger."""
    before, hidden = (len(floor.written), floor.state.copy()), floor.meter(level=MYSTERY).reading
    try:
        floor.decide(subject)
    except errors.Refusal:
        assert (len(floor.written), floor.state.meters) == (before[0], before[1].meters)
    assert floor.meter(level=MYSTERY).reading <= hidden


def opened(floor: Floor, days: int) -> None:
    """A gaming day opens."""
    floor.day(DAY + timedelta(days))


def adjusted(floor: Floor, name: tuple[str, str], amount: int) -> None:
    """Two people move a meter."""
    attempted(floor, Adjustment(*name, amount))


def transferred(floor: Floor, source: tuple[str, str], to: tuple[str, str], amount: int) -> None:
    """Two people move money between meters."""
    attempted(floor, Transfer(*source, *to, amount))


def retired(floor: Floor) -> None:
    """Two people retire a link."""
    heirs = tuple(Heir(level, "SPARE", "mega") for level in ("mega", "mini"))
    attempted(floor, Retirement("TWO", DAY, heirs))


def suspended(floor: Floor, state: LinkState) -> None:
    """A link is taken out of play, or put back."""
    if floor.state.links["TWO"].state is not LinkState.RETIRED:
        floor.suspend("TWO", state)


def bound(function: Callable[..., None]) -> Callable[..., Step]:
    """A step with all but the floor given."""
    return lambda *drawn: lambda floor: partial(function, floor)(*drawn)


kinds = st.sampled_from([*PARTS, "whole round", "amend", "amend", "void", "release"])
steps = st.one_of(
    *[st.builds(bound(recorded_as), kinds, st.integers(1, 4), wagers, st.booleans())] * 4,
    st.builds(bound(decided), st.sampled_from(list(JackpotAction)), st.integers(0, 9), st.integers(1, 70_000)),
    st.builds(bound(adjusted), st.sampled_from(METERS), st.one_of(AMOUNTS, AMOUNTS.map(int.__neg__))),
    st.builds(bound(transferred), st.sampled_from(METERS), st.sampled_from(METERS), AMOUNTS),
    st.builds(bound(opened), st.integers(0, 3)),
    st.builds(bound(retired)),
    st.builds(bound(suspended), st.sampled_from([LinkState.SUSPENDED, LinkState.LIVE])),
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=14))
def test_no_money_appears_and_none_vanishes(life: list[Step]) -> None:
    """After each step: all meters together hold what the house and the wagers gave less the awards that stand; each
    is the sum of its causes, never below zero, and folds anew from the journal to the same totals.
    """
    floor = Casino()
    for step in life:
        step(floor)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(kinds, st.integers(1, 3), wagers, st.booleans()), max_size=10),
    st.integers(1, 4),
    st.integers(0, 3),
)
def test_however_the_feed_is_cut_the_same_is_written(
    life: list[tuple[str, int, list[tuple[int, str, int]], bool]], size: int, unlinked: int
) -> None:
    """Rounds and corrections in batches of any size write what they write one by one, the first of them played where
    no link was live yet.
    """
    apart, cut = Casino(opened=False), Casino(opened=False)
    rounds = Rounds()
    told = [(rounds.admits(each[1], each[0]), *each[1:]) for each in life if each[2]]
    events: list[Event] = [event(apart, *each) for each in told]
    events.insert(unlinked, DayOpened(len(events) + 1, DAY))
    for each in events:
        apart.take(each)
    for first in range(0, len(events), size):
        cut.take(*events[first : first + size])
    assert cut.written == apart.written
    assert cut.state == apart.state
