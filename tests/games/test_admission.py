"""Which wagers settle and which are held."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.admission import admit
from services.games.catalogue import catalogue
from services.games.craps.hand import Hand
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import (
    BaseWagerHeld,
    BaseWagerMissing,
    PaytableUnknown,
    PlacementUnknown,
    Refusal,
    SeatUnknown,
    StakeOffDenomination,
    StakeOverMaximum,
    StakeUnderMinimum,
    WagerLate,
    WagerNotOffered,
    WagerUnknown,
)
from tests.builders import terms, wager_file, wager_on, with_offer

DAY = date(2026, 3, 2)
LOCK = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
BASE = wager_on("baccarat.player", no=9)

ODDITY = """
from dataclasses import replace
from datetime import date
from services.games.baccarat.wagers.tie import WAGERS as TIES
ODDITY = replace(
    TIES[0], code="baccarat.oddity", denominations=(100, 500), lock="first_card",
    effective=date(2026, 1, 1), expires=date(2026, 8, 4),
)
WAGERS = (
    ODDITY,
    replace(TIES[0], code="baccarat.second", needs=("baccarat.fortune_7",)),
    replace(TIES[0], code="baccarat.third", needs=("baccarat.second",)),
)
"""


@pytest.fixture
def oddity(tmp_path: Path) -> Iterator[None]:
    """A wager of two amounts, open to the first card, until August 2026; and two that build on others."""
    with wager_file(tmp_path, "oddity", ODDITY):
        yield


def refusals(
    *wagers: PlacedWager, under: Terms | None = None, day: date = DAY, first_card: datetime | None = None
) -> dict[int, type[Refusal]]:
    """Why each held wager is held, by its number."""
    accepted, held = admit(wagers, under or terms(), day, LOCK, first_card)
    assert len(accepted) + len(held) == len(wagers)
    return {placed.wager_no: type(refusal) for placed, refusal in held}


def test_wagers_by_the_terms_are_all_admitted() -> None:
    """A round whose wagers keep the terms holds none of them, in the order given."""
    wagers = [
        wager_on("baccarat.fortune_7", no=1),
        wager_on("baccarat.perfect_pairs", no=2, on="banker"),
        BASE,
    ]
    assert admit(wagers, terms(), DAY, LOCK, None) == (wagers, [])


@pytest.mark.parametrize(
    ("placed", "reason", "words"),
    [
        (PlacedWager(1, 1, "baccarat.faro", "A", 500), WagerUnknown, "given 'baccarat.faro'"),
        (
            wager_on("baccarat.tie", paytable="9"),
            PaytableUnknown,
            "expected paytable 8 of baccarat.tie, given '9'",
        ),
        (wager_on("baccarat.tie", seat=8), SeatUnknown, "expected a seat from 1 to 7, given 8"),
        (wager_on("baccarat.tie", seat=0), SeatUnknown, "given 0"),
        (wager_on("baccarat.tie", on="left"), PlacementUnknown, "on the wager's own area, given 'left'"),
        (wager_on("baccarat.perfect_pairs", on=""), PlacementUnknown, "on player or banker, given ''"),
        (
            wager_on("baccarat.tie", 99),
            StakeUnderMinimum,
            "expected at least $1.00 on baccarat.tie, given $0.99",
        ),
    ],
)
def test_a_wager_against_the_terms_is_held(placed: PlacedWager, reason: type[Refusal], words: str) -> None:
    """A wager is held with its reason, what was expected and what was given, and the others settle."""
    accepted, [(held, refusal)] = admit([placed, BASE], terms(), DAY, LOCK, None)
    assert (accepted, held, type(refusal)) == ([BASE], placed, reason)
    assert words in refusal.message


def test_a_wager_that_is_not_offered_is_held() -> None:
    """A wager of the catalogue that the table does not offer is held."""
    bare = Terms("RS-1", "baccarat", "live", 8, 7, {"baccarat.player": terms().offers["baccarat.player"]})
    assert refusals(wager_on("baccarat.tie"), BASE, under=bare) == {1: WagerNotOffered}


def test_an_offer_that_the_catalogue_does_not_know_holds_its_wagers_alone() -> None:
    """A wager that a table offers and no section knows is held; the table's others settle."""
    strange = with_offer("baccarat.faro", paytable="A")
    assert refusals(PlacedWager(1, 1, "baccarat.faro", "A", 500), BASE, under=strange) == {1: WagerUnknown}


@given(st.integers(0, 1_300), st.integers(1, 300), st.none() | st.integers(300, 1_200), st.integers(0, 8))
def test_when_a_wager_was_placed_changes_no_other_reason(
    stake: int, minimum: int, maximum: int | None, seat: int
) -> None:
    """A wager placed in time is held for its stake, seat and area as one that does not say when it was placed."""
    for code in ("baccarat.tie", "baccarat.perfect_pairs", "baccarat.heavenly_9_progressive"):
        under = with_offer(code, minimum_cents=minimum, maximum_cents=maximum)
        for on in ("", "player"):
            placed = wager_on(code, stake, seat=seat, on=on)
            base = BASE._replace(seat=seat)
            assert refusals(placed, base, under=under) == refusals(
                placed._replace(placed_at=LOCK), base._replace(placed_at=LOCK), under=under
            )


def test_a_stake_over_the_tables_maximum_is_held() -> None:
    """The maximum itself is admitted, a cent more is held."""
    limited = with_offer("baccarat.tie", maximum_cents=10_000)
    found = refusals(wager_on("baccarat.tie", 10_000), wager_on("baccarat.tie", 10_001, no=2), under=limited)
    assert found == {2: StakeOverMaximum}


def test_a_section_minimum_holds_whatever_the_table_says() -> None:
    """A stake under the section's minimum is held even where the terms would let it through."""
    lax = with_offer("baccarat.heavenly_9_progressive", minimum_cents=1)
    assert refusals(wager_on("baccarat.heavenly_9_progressive", 499), BASE, under=lax) == {1: StakeUnderMinimum}


@pytest.mark.parametrize(
    ("placed_at", "held"), [(LOCK, False), (LOCK + timedelta(microseconds=1), True), (None, False)]
)
def test_a_wager_placed_after_its_lock_is_held(placed_at: datetime | None, held: bool) -> None:
    """A wager at the moment of its lock, or without a time, is in time; a later one is held."""
    assert refusals(wager_on("baccarat.tie", placed_at=placed_at)) == ({1: WagerLate} if held else {})


def test_the_lock_is_the_moment_the_section_names(oddity: None) -> None:
    """A wager that is open until the first card is judged by that moment alone, if the round says it."""
    late = wager_on("baccarat.oddity", placed_at=LOCK + timedelta(seconds=5))
    assert refusals(late) == {}
    assert refusals(late, first_card=LOCK + timedelta(seconds=5)) == {}
    assert refusals(late, first_card=LOCK) == {1: WagerLate}


def test_a_stake_of_another_amount_is_held(oddity: None) -> None:
    """A wager with amounts of its own takes those only."""
    stakes = [wager_on("baccarat.oddity", stake, no=stake) for stake in (100, 200, 500)]
    assert refusals(*stakes) == {200: StakeOffDenomination}


def test_an_expired_wager_is_held_on_a_later_day_and_settles_on_an_earlier(oddity: None) -> None:
    """Rounds of the days in force settle, rounds of other days hold the wager."""
    assert refusals(wager_on("baccarat.oddity"), day=date(2026, 8, 4)) == {}
    assert refusals(wager_on("baccarat.oddity"), day=date(2026, 8, 5)) == {1: WagerNotOffered}
    assert refusals(wager_on("baccarat.oddity"), day=date(2025, 12, 31)) == {1: WagerNotOffered}


def test_a_side_wager_needs_its_base_at_the_same_seat() -> None:
    """A base wager at another seat does not count."""
    assert refusals(wager_on("baccarat.golden_8", seat=2), BASE) == {1: BaseWagerMissing}
    assert refusals(wager_on("baccarat.golden_8"), wager_on("baccarat.tie", no=2)) == {}


def test_a_side_wager_is_held_with_its_base() -> None:
    """Where the only base wager of the seat is held, the side wager is held with it."""
    small = wager_on("baccarat.player", 1, no=2)
    assert refusals(wager_on("baccarat.golden_8"), small) == {1: BaseWagerHeld, 2: StakeUnderMinimum}
    assert refusals(wager_on("baccarat.golden_8"), small, BASE) == {2: StakeUnderMinimum}


def test_a_wager_held_for_itself_is_not_held_twice() -> None:
    """A side wager with a fault of its own keeps that reason."""
    assert refusals(wager_on("baccarat.golden_8", 1)) == {1: StakeUnderMinimum}


def test_what_builds_on_a_held_side_wager_is_held_with_it(oddity: None) -> None:
    """Holding goes on along the wagers that build on each other."""
    chain = [wager_on(f"baccarat.{name}", no=no) for no, name in enumerate(("third", "second", "fortune_7"))]
    assert refusals(*chain) == {0: BaseWagerHeld, 1: BaseWagerHeld, 2: BaseWagerMissing}
    assert refusals(*chain, BASE) == {}


def craps_refusals(lock: str, roll: int, dice: list[tuple[int, int]] | None = None) -> dict[int, type[Refusal]]:
    """Why a wager of that lock, placed after that roll of the hand, is held."""
    code = {"first_roll": "craps.hot_shooter", "come_out": "craps.pass", "any_roll": "craps.field"}[lock]
    under = terms(game="craps", kind="hybrid")
    wagers = [wager_on(code, roll=roll, placed_at=LOCK + timedelta(seconds=5 * roll))]
    _, held = admit(wagers, under, DAY, LOCK, None, dice and Hand.of(dice))
    return {placed.wager_no: type(refusal) for placed, refusal in held}


@pytest.mark.parametrize(
    ("lock", "roll", "held"),
    [
        ("first_roll", 0, False),
        ("first_roll", 1, True),
        ("come_out", 0, False),
        ("come_out", 1, True),
        ("come_out", 2, False),
        ("any_roll", 1, False),
        ("any_roll", 3, False),
    ],
)
def test_a_wager_of_a_hand_is_judged_by_its_roll(lock: str, roll: int, held: bool) -> None:
    """Some wagers are placed before the hand only, some before a come-out roll, some before any roll."""
    dice = [(2, 2), (1, 3), (6, 1)]
    assert craps_refusals(lock, roll, dice) == ({1: WagerLate} if held else {})


def test_no_wager_is_placed_after_the_seven_out() -> None:
    """A hand that is over takes no wager."""
    assert craps_refusals("any_roll", 2, [(2, 2), (6, 1)]) == {1: WagerLate}


def test_a_roll_is_no_moment_of_a_coup() -> None:
    """A wager of a card game is placed before its one result."""
    assert refusals(wager_on("baccarat.tie", roll=1)) == {1: WagerLate}


def test_the_wheel_decides_where_a_wager_may_lie() -> None:
    """A layout has the areas of its wheel."""
    double_zero = wager_on("roulette.straight", on="00")
    for wheel, held in (("single_zero", {1: PlacementUnknown}), ("double_zero", {})):
        assert refusals(double_zero, under=terms(game="roulette", wheel=wheel)) == held


def test_a_paytable_has_its_own_denominations() -> None:
    """A Royal 9 wager of $1 is not placed at a table that offers it at $5."""
    base = wager_on("minibaccarat.player", no=9)
    table = terms(game="minibaccarat")
    assert refusals(wager_on("minibaccarat.royal_9", 500), base, under=table) == {}
    lax = replace(table.offers["minibaccarat.royal_9"], minimum_cents=100)
    table = replace(table, offers={**table.offers, "minibaccarat.royal_9": lax})
    assert refusals(wager_on("minibaccarat.royal_9", 100), base, under=table) == {1: StakeOffDenomination}


def test_a_wager_whose_base_is_held_for_its_own_share_is_held_with_it() -> None:
    """TriLux Press needs TriLux, which is more than its own base allows: neither has a base to be a part of."""
    codes = {"blackjack.blackjack": 1_000, "blackjack.trilux": 5_000, "blackjack.trilux_press": 2_500}
    offers = {code: Offer(code, next(iter(catalogue()[code].paytables)), 100) for code in codes}
    wagers = [
        PlacedWager(number, 1, code, offers[code].paytable, stake, "0" if code.endswith("press") else "")
        for number, (code, stake) in enumerate(codes.items(), 1)
    ]
    under = Terms("RS-1", "blackjack", "live", 6, 7, offers)
    assert refusals(*wagers, under=under) == {2: StakeOverMaximum, 3: BaseWagerHeld}
