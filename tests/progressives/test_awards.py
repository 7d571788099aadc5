"""What voiding a jackpot or setting its amount does to the meter (ruling J10)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.kernel import errors
from services.progressives.decision import JackpotAction, JackpotDecision
from services.progressives.jackpot import JackpotState
from services.progressives.journal import Movement
from services.progressives.link import LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.play import Part
from tests.builders import wager_file
from tests.progressives.folded import (
    CENT,
    DAY,
    LEVELS,
    NEXT_DAY,
    RESERVED,
    SEED,
    SEED_CENTS,
    TWO_LEVELS,
    TWO_LEVELS_FILE,
    WHOLE,
    Floor,
    linked,
    movements,
    of,
    on,
)


@pytest.fixture
def two_levels(tmp_path: Path) -> Iterator[None]:
    """A wager with two levels: seat 1 wins the whole of mega, seat 2 a tenth, seat 3 the whole of mini."""
    with wager_file(tmp_path, "two_levels", TWO_LEVELS_FILE):
        yield


def void(floor: Floor, place: int = 0) -> list[Any]:
    """Two people void the jackpot that was hit in that place."""
    return floor.decide(JackpotDecision(floor.won(place).jackpot_id, JackpotAction.VOID, 0))


def set_amount(floor: Floor, cents: int, place: int = 0) -> list[Any]:
    """Two people set the amount of the jackpot that was hit in that place."""
    return floor.decide(JackpotDecision(floor.won(place).jackpot_id, JackpotAction.SET_AMOUNT, cents))


def test_a_voided_jackpot_puts_the_meter_back_where_it_was() -> None:
    """The award goes back and the house takes its seed: the reading is the one that was won."""
    floor = Floor()
    floor.round(1, on(1, 733), cards=WHOLE)
    before = floor.won().reading
    floor.day(NEXT_DAY)
    written = void(floor)
    assert movements(written) == [
        ("mega", Cause.AWARD, floor.won().amount_cents * CENT),
        ("mega", Cause.SEED_HOUSE, -SEED),
    ]
    assert floor.meter().reading == before
    assert {(each.gaming_day, each.jackpot_id) for each in of(Movement, written)} == {
        (NEXT_DAY, floor.won().jackpot_id)
    }
    assert (floor.won().state, floor.won().actor, floor.standing().pending) == (JackpotState.VOIDED, "bob", 0)


def test_the_reserve_gets_back_what_it_gave_first() -> None:
    """Ruling J10: reserve, then house."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1, 1_000))
    before = floor.meter()
    floor.round(2, on(1, 1_000), cards=WHOLE)
    void(floor)
    after = floor.meter()
    assert after.reading == before.reading + 1_000_000
    assert after.reserve == before.reserve + 300_000
    assert (after.seed_house, after.seed_reserve) == (before.seed_house, before.seed_reserve)


def test_one_of_two_voided_shares_leaves_the_reset_alone() -> None:
    """Ruling J10: only with the last standing award the reset is undone."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1, 733), on(4), cards=WHOLE)
    full = floor.won().reading
    assert movements(void(floor, 0)) == [("mega", Cause.AWARD, floor.won(0).amount_cents * CENT)]
    assert floor.meter().reading == SEED + full % CENT + floor.won(0).amount_cents * CENT
    assert [each[1] for each in movements(void(floor, 1))] == [Cause.AWARD, Cause.SEED_RESERVE, Cause.SEED_HOUSE]
    assert (floor.meter().reading, floor.meter().reserve) == (full, 733 * 300 + 150_000)


def test_a_later_hit_keeps_its_reset() -> None:
    """Only the voided hit's own reset is undone; the later award stands."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.round(2, on(1), cards=WHOLE, table="BAC-02")
    floor.round(3, on(1))
    void(floor, 0)
    assert floor.meter().reading == SEED + 500_000 + SEED + 500_000 - SEED
    assert floor.won(1).state is JackpotState.HIT


def test_a_meter_lowered_since_gives_back_as_far_as_it_reaches(two_levels: None) -> None:
    """The house waits for what the meter does not hold; the reading never falls below zero."""
    floor = Floor(linked("TWO", *LEVELS, code=TWO_LEVELS))
    floor.round(1, on(1, 1_000, TWO_LEVELS))
    set_amount(floor, 10)
    for _ in range(2):
        number = len(floor.written)
        floor.round(number, on(2, 100, TWO_LEVELS))
    void(floor)
    assert floor.meter("TWO").reading >= 0


def test_what_the_house_put_up_goes_back_to_it_first(two_levels: None) -> None:
    """Ruling J10: a tenth beside the whole was the house's, and is again when either is voided."""
    floor = Floor(linked("TWO", *LEVELS, code=TWO_LEVELS))
    floor.round(1, on(1, 1_000, TWO_LEVELS), on(2, 1_000, TWO_LEVELS))
    whole, tenth = floor.jackpots.values()
    assert (whole.amount_cents, tenth.amount_cents) == (60_200, 6_020)
    before = floor.meter("TWO").reading
    assert movements(void(floor, 1)) == [
        ("mega", Cause.AWARD, 60_200_000),
        ("mega", Cause.HOUSE_EXCESS, -60_200_000),
    ]
    assert floor.meter("TWO").reading == before
    void(floor, 0)
    assert (floor.meter("TWO").reading, floor.meter("TWO").reserve) == (602_000_000, 600_000)
    assert floor.meter("TWO").house_excess == 0


def test_a_voided_percentage_goes_back_without_a_reset(two_levels: None) -> None:
    """There was none."""
    floor = Floor(linked("TWO", *LEVELS, code=TWO_LEVELS))
    floor.round(1, on(2, 1_000, TWO_LEVELS))
    assert movements(void(floor)) == [("mega", Cause.AWARD, 60_100_000)]
    assert floor.meter("TWO").reading == 601_000_000


def test_a_voided_reset_takes_the_overflow_back() -> None:
    """Ruling J10: what the reset put on from the overflow is kept off again."""
    floor = Floor(linked("H9", MeterTerms("mega", SEED_CENTS, 1_000, 0, SEED_CENTS + 100)))
    floor.round(1, on(1, 1_300))
    floor.round(2, on(1, 500), cards=WHOLE)
    void(floor)
    assert (floor.meter().reading, floor.meter().overflow) == (SEED + 100 * CENT, -800_000)


def test_a_lower_amount_gives_the_rest_back_and_a_higher_one_takes_more() -> None:
    """The meter pays exactly what is owed, and no second reset follows."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    assert movements(set_amount(floor, 900_000)) == [("mega", Cause.AWARD, 100_050 * CENT)]
    assert floor.meter().reading == SEED + 100_050 * CENT
    assert movements(set_amount(floor, 900_001)) == [("mega", Cause.AWARD, -CENT)]
    assert (floor.won().amount_cents, floor.won().state, floor.standing().pending) == (900_001, JackpotState.HIT, 1)


def test_an_amount_that_the_meter_does_not_hold_is_refused() -> None:
    """Nor is one of nothing, of a jackpot that is paid, or of one that is unknown."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    with pytest.raises(errors.MeterBelowZero):
        set_amount(floor, 2 * SEED_CENTS + 51)
    with pytest.raises(errors.ChangeImpossible, match="an amount above zero, given 0 cents"):
        set_amount(floor, 0)
    with pytest.raises(errors.JackpotUnknown, match="given 'J-0'"):
        floor.propose(JackpotDecision("J-0", JackpotAction.VOID, 0))
    with pytest.raises(errors.ChangeImpossible, match="void, confirm or set_amount, given none"):
        floor.propose(JackpotDecision(floor.won().jackpot_id, JackpotAction.NONE, 0))


def test_a_voided_jackpot_is_voided_once_and_cannot_be_confirmed() -> None:
    """The refusal says what it is."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    void(floor)
    with pytest.raises(errors.JackpotOutOfState, match="not to be voided already, it is voided"):
        void(floor)
    with pytest.raises(errors.JackpotOutOfState, match="to have an amount, it is voided"):
        floor.propose(JackpotDecision(floor.won().jackpot_id, JackpotAction.CONFIRM, 0))


def test_a_voided_jackpot_that_is_due_again_resets_the_meter_again() -> None:
    """The seed that the void undid is put on once more, so that the sign shows it."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1), cards=WHOLE)
    before = floor.meter()
    void(floor)
    assert [each[1] for each in movements(set_amount(floor, SEED_CENTS + 50))] == [
        Cause.AWARD,
        Cause.SEED_RESERVE,
        Cause.SEED_HOUSE,
    ]
    assert floor.meter() == before
    assert (floor.won().state, floor.standing().pending) == (JackpotState.HIT, 1)
    void(floor)
    assert (floor.meter().reading, floor.meter().reserve) == (SEED + 500_000, 150_000)


def test_a_share_that_is_due_again_beside_one_that_stands_resets_nothing() -> None:
    """The reset was never undone."""
    floor = Floor()
    floor.round(1, on(1), on(2), cards=WHOLE)
    before, amount = floor.meter(), floor.won(0).amount_cents
    void(floor, 0)
    assert movements(set_amount(floor, amount, 0)) == [("mega", Cause.AWARD, -amount * CENT)]
    assert floor.meter() == before


@pytest.mark.parametrize("action", [JackpotAction.VOID, JackpotAction.SET_AMOUNT])
def test_a_paid_jackpot_of_a_retired_link_gives_nothing_back(action: JackpotAction) -> None:
    """The meter is over; the proposal is refused already. That the award stands can still be confirmed."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    name = floor.won().jackpot_id
    book = floor.book()
    book.put_jackpot(floor.won()._replace(state=JackpotState.PAID))
    floor.keep(book)
    floor.suspend(state=LinkState.RETIRED)
    said = "link H9 to be live or suspended, it is retired"
    refusal: type[errors.Refusal] = errors.LinkOutOfState
    if action is JackpotAction.SET_AMOUNT:
        said, refusal = "to be unpaid, it is paid", errors.JackpotOutOfState
    with pytest.raises(refusal, match=said):
        floor.propose(JackpotDecision(name, action, SEED_CENTS + 51))
    assert movements(floor.decide(JackpotDecision(name, JackpotAction.CONFIRM, 0))) == []


def test_a_suspended_link_takes_its_award_back() -> None:
    """It is out of play, not over."""
    floor = Floor()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    floor.suspend()
    floor.round(1, on(1), part=Part.RESULT, cards=WHOLE)
    void(floor)
    assert (floor.meter().reading, floor.won().key.gaming_day) == (SEED + 500_000, DAY)
