"""The fold over recorded rounds: meters and jackpots as a function of what came before."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey, hit_id, jackpot_id
from services.progressives import fold
from services.progressives.book import Book
from services.progressives.decision import Decision, DecisionState, JackpotAction, JackpotDecision
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement, Trouble, Written
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.mystery import Seeded
from services.progressives.offers import Submission
from services.progressives.play import Change, Correction, DayOpened, Part, Play
from services.progressives.state import State
from tests.builders import recorded, terms, wager_file, wager_on

CODE = "baccarat.heavenly_9_progressive"
DAY, NOW = date(2026, 3, 2), datetime(2026, 3, 1, 12, tzinfo=UTC)
MEGA = ("H9", "mega")
SEED = 10_000_000_000
PLAIN = ("7H 9C", "2D 3S 2C")
WHOLE = ("2C 3C 4C", "KC 4C 5C")
T = TypeVar("T")

APPROVED = Link(
    link_id="H9",
    version=1,
    title="Heavenly 9",
    code=CODE,
    paytable="standard",
    meters=(MeterTerms("mega", 1_000_000, 1_000, 0, 0),),
    table_ids=("BAC-01", "BAC-02"),
    effective_from=DAY,
    state=LinkState.APPROVED,
    proposed_by="ann",
    proposed_at=NOW,
    approved_by="bob",
    approved_at=NOW,
    rounds_position=3,
)


def key(number: int, table_id: str = "BAC-01") -> RoundKey:
    return RoundKey(DAY, table_id, 1, number)


def play(position: int, number: int, *wagers: PlacedWager, part: Part = Part.WHOLE, **more: Any) -> Play:
    """A part of a round at that position of the rounds feed."""
    cards = more.get("cards", PLAIN)
    results = [] if part is Part.BETTING_CLOSED else [("baccarat", recorded(*cards))]
    where = key(number, more.get("table", "BAC-01"))
    return Play(position, part, where, 1, more.get("submission", "RS-1"), list(wagers), results)


def on_h9(seat: int, stake_cents: int = 500) -> PlacedWager:
    return wager_on(CODE, stake_cents, seat=seat, no=seat)


def book(*events: Any, state: State | None = None, position: int = 0) -> Book:
    """A book after these events."""
    tables = {"BAC-01": terms(), "BAC-02": terms()}
    filed = {name: Submission(0, name, DAY, held) for name, held in (("RS-1", tables), ("RS-2", {}))}
    made = Book("HAR", state or State(pending={"H9": APPROVED}), position, filed, Seeded(1))
    fold.apply(made, events)
    return made


def live(*events: Any) -> Book:
    """A book in which the link is live before these events."""
    return book(DayOpened(10, DAY), *events)


def of(kind: type[T], written: Iterable[Any]) -> list[T]:
    return [each for each in written if isinstance(each, kind)]


def reading(made: Book) -> int:
    return made.state.meters[MEGA].meter.reading


def test_a_link_goes_live_seeded_when_its_day_opens() -> None:
    """The opening of the day writes the live link and the seed that the house puts up."""
    link, seeded = live().written
    assert link == replace(APPROVED, state=LinkState.LIVE, rounds_position=10)
    assert isinstance(seeded, Movement)
    assert (seeded.cause, seeded.amount, seeded.reading_before) == (Cause.SEED_HOUSE, SEED, 0)
    assert (seeded.reading_after, seeded.gaming_day, seeded.key) == (SEED, DAY, None)


def test_a_link_of_a_later_day_stays_as_it_is() -> None:
    """A day before the link's own opens nothing."""
    assert book(DayOpened(10, date(2026, 3, 1))).written == []


def test_a_wager_contributes_its_stake_times_the_rate() -> None:
    """631c.2: a $5 wager adds 50 cents, which is 500,000 micro-dollars, to a meter at 10 %."""
    made = live(play(11, 1, on_h9(1), on_h9(2, 700)))
    first, second = of(Contribution, made.written)
    assert (first.amounts, first.readings) == ([500_000], [SEED + 500_000])
    assert (second.amounts, second.readings) == ([700_000], [SEED + 1_200_000])
    assert (first.key, first.wager_no, first.rounds_position) == (key(1), 1, 11)
    assert made.state.meters[MEGA].revision == 4


def test_a_whole_round_contributes_first_and_then_hits() -> None:
    """Ruling J2: the award is on the reading after every contribution of its round; ruling J4: then the seed."""
    made = live(play(11, 1, on_h9(1, 733), on_h9(4), cards=WHOLE))
    first, second = of(Jackpot, made.written)
    full = SEED + 1_233_000
    assert (first.reading, first.amount_cents + second.amount_cents) == (full, full // 10_000)
    assert [each.amount_cents for each in (first, second)] == [500_062, 500_061]
    assert (first.state, first.paid_from, first.percent) == (JackpotState.HIT, "slip", 10_000)
    assert first.jackpot_id == jackpot_id(key(1), 1, "mega")
    assert {first.hit_id, second.hit_id} == {hit_id("H9", "mega", 11)}
    moved = [(each.cause, each.jackpot_id) for each in of(Movement, made.written)[1:]]
    assert moved == [
        (Cause.AWARD, first.jackpot_id),
        (Cause.AWARD, second.jackpot_id),
        (Cause.SEED_HOUSE, ""),
    ]
    assert reading(made) == SEED + 3_000
    assert made.state.meters[MEGA].pending == 2


def test_a_second_table_takes_the_meter_as_it_stands_after_the_first_hit() -> None:
    """Ruling J3: hits at different tables follow the order of the feed."""
    made = live(play(11, 1, on_h9(1), cards=WHOLE), play(12, 1, on_h9(1), cards=WHOLE, table="BAC-02"))
    assert [each.amount_cents for each in of(Jackpot, made.written)] == [1_000_050, 1_000_050]
    assert len({each.hit_id for each in of(Jackpot, made.written)}) == 2


def test_betting_closed_contributes_and_the_result_hits() -> None:
    """A round in pieces contributes when betting closes and takes the meter as it stands at its result."""
    made = live(
        play(11, 1, on_h9(1), part=Part.BETTING_CLOSED),
        play(12, 1, on_h9(1, 1_000), table="BAC-02"),
        play(13, 1, on_h9(1), part=Part.RESULT, cards=WHOLE),
    )
    (jackpot,) = of(Jackpot, made.written)
    assert jackpot.reading == SEED + 1_500_000
    assert len(of(Contribution, made.written)) == 2
    assert made.state.pins == {}


def test_a_whole_round_after_betting_closed_contributes_no_second_time() -> None:
    """A whole round that completes one known in pieces brings the result alone."""
    made = live(play(11, 1, on_h9(1), part=Part.BETTING_CLOSED), play(12, 1, on_h9(1), cards=WHOLE))
    assert len(of(Contribution, made.written)) == 1
    assert [each.reading for each in of(Jackpot, made.written)] == [SEED + 500_000]


def test_a_pinned_link_holds_though_it_is_suspended_since() -> None:
    """Betting closed pins the link through the result."""
    before = live(play(11, 1, on_h9(1), part=Part.BETTING_CLOSED)).state
    before.links["H9"] = replace(before.links["H9"], state=LinkState.SUSPENDED)
    made = book(play(12, 1, on_h9(1), part=Part.RESULT, cards=WHOLE), play(13, 2, on_h9(1)), state=before)
    assert [each.link_id for each in of(Jackpot, made.written)] == ["H9"]
    assert [each.reason for each in of(Trouble, made.written)] == ["NO_LIVE_LINK"]


def test_without_a_live_link_nothing_contributes_and_one_exception_tells() -> None:
    """A round's wagers of one code without a link give one exception and move no meter."""
    made = book(play(11, 1, on_h9(1), on_h9(2)))
    (trouble,) = made.written
    assert isinstance(trouble, Trouble)
    assert (trouble.reason, trouble.key, trouble.rounds_position) == ("NO_LIVE_LINK", key(1), 11)
    assert CODE in trouble.message
    assert "BAC-01" in trouble.message


def test_a_meter_won_without_a_link_is_unpriced_even_if_one_goes_live_before_the_result() -> None:
    """What betting closed without a link stays without one; people decide the amount."""
    made = book(
        play(9, 1, on_h9(1), part=Part.BETTING_CLOSED),
        DayOpened(10, DAY),
        play(11, 1, on_h9(1), part=Part.RESULT, cards=WHOLE),
    )
    (jackpot,) = of(Jackpot, made.written)
    assert (jackpot.state, jackpot.amount_cents, jackpot.link_id) == (JackpotState.UNPRICED, 0, "")
    assert [each.reason for each in of(Trouble, made.written)] == ["NO_LIVE_LINK"]
    (asked,) = of(Decision, made.written)
    assert (asked.state, asked.subject) == (
        DecisionState.OPEN,
        JackpotDecision(jackpot.jackpot_id, JackpotAction.NONE, 0),
    )
    assert (asked.key, asked.wager_no, asked.gaming_day, asked.rounds_position) == (key(1), 1, DAY, 11)
    assert reading(made) == SEED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"cards": ("KC 6D 8D", "2C 3D")}, "ILLEGAL_COUP"), ({"submission": "RS-2"}, "NO_SUBMISSION")],
)
def test_a_result_that_cannot_be_read_is_an_exception_and_its_contributions_stand(
    changes: dict[str, Any], reason: str
) -> None:
    """A named refusal becomes an exception, and the round stays pinned to its link."""
    made = live(play(11, 1, on_h9(1), **changes))
    assert [each.reason for each in of(Trouble, made.written)] == [reason]
    assert reading(made) == SEED + 500_000
    assert list(made.state.pins) == [key(1)]


def test_a_correction_of_a_round_without_a_meter_writes_nothing() -> None:
    """Nothing was contributed, so nothing comes back and nobody is asked."""
    assert live(Correction(11, key(1), Change.VOID, None)).written == live().written


def test_a_book_leaves_the_state_it_started_from_alone() -> None:
    """What a book computes takes effect only when it is committed."""
    before = live(play(11, 1, on_h9(1), part=Part.BETTING_CLOSED)).state
    kept = before.copy()
    book(play(12, 1, on_h9(1), part=Part.RESULT, cards=WHOLE), DayOpened(13, DAY), state=before)
    assert before == kept


def test_the_fold_does_not_depend_on_how_the_feed_is_cut() -> None:
    """The same events in one batch or in many write the same."""
    events = [DayOpened(10, DAY)] + [
        play(10 + n, n, on_h9(1, 500 + n), on_h9(2), cards=WHOLE if n % 3 == 0 else PLAIN) for n in range(1, 8)
    ]
    whole, state = book(*events), State(pending={"H9": APPROVED})
    written: list[Written] = []
    for event in events:
        part = book(event, state=state, position=len(written))
        state, written = part.state, written + part.written
    assert written == whole.written
    assert state == whole.state


TWO_METERS = """
from services.games.baccarat.samples import COUPS_BY_POINTS_AND_SUITS
from services.games.paytables import MeterShare, Paytable
from services.games.wagers import Meter, Wager

def classify(history, placement, terms):
    return {1: "whole", 2: "tenth", 3: "mini"}.get(placement.seat)

LINES = {"whole": MeterShare("mega", 10_000), "tenth": MeterShare("mega", 1_000), "mini": MeterShare("mini", 1_000)}
METERS = (Meter("mega", 50_000, True, 1_000, 300), Meter("mini", 2_000, False, 50))
WAGERS = (
    Wager(
        code="baccarat.two_meters",
        section="631c.2",
        title="Two meters",
        game="baccarat",
        classify=classify,
        paytables={"standard": Paytable(LINES)},
        sample=COUPS_BY_POINTS_AND_SUITS,
        meters=METERS,
    ),
)
"""


def test_levels_reserves_and_percentages_of_one_round(tmp_path: Path) -> None:
    """Both levels move with each wager; 100 % and 10 % are of one reading; the reserve pays the seed first."""
    with wager_file(tmp_path, "two_meters", TWO_METERS):
        code = "baccarat.two_meters"
        meters = (MeterTerms("mega", 60_000, 1_000, 300, 0), MeterTerms("mini", 2_000, 50, 0, 0))
        link = replace(APPROVED, code=code, meters=meters, table_ids=("BAC-01",))
        wagers = [wager_on(code, 1_000, seat=seat, no=seat) for seat in (3, 2, 1, 4)]
        filed = {"RS-1": Submission(0, "RS-1", DAY, {"BAC-01": terms()})}
        made = Book("HAR", State(pending={"H9": link}), 0, filed, Seeded(1))
        fold.apply(made, [DayOpened(10, DAY), play(11, 1, *wagers)])
    last = of(Contribution, made.written)[-1]
    assert (last.amounts, last.reserve_amounts) == ([1_000_000, 50_000], [300_000, 0])
    assert (last.readings, last.reserves) == ([604_000_000, 20_200_000], [1_200_000, 0])
    jackpots = {each.wager_no: (each.level, each.amount_cents) for each in of(Jackpot, made.written)}
    assert jackpots == {1: ("mega", 60_400), 2: ("mega", 6_040), 3: ("mini", 202)}
    causes = [(each.level, each.cause, each.amount) for each in of(Movement, made.written)[2:]]
    assert causes == [
        ("mini", Cause.AWARD, -2_020_000),
        ("mega", Cause.HOUSE_EXCESS, 60_400_000),
        ("mega", Cause.AWARD, -604_000_000),
        ("mega", Cause.AWARD, -60_400_000),
        ("mega", Cause.SEED_RESERVE, 1_200_000),
        ("mega", Cause.SEED_HOUSE, 598_800_000),
    ]
    mega, mini = (made.state.meters["H9", level].meter for level in ("mega", "mini"))
    assert (mega.reading, mega.reserve, mini.reading) == (600_000_000, 0, 18_180_000)
    assert mega.balanced
    assert mini.balanced
