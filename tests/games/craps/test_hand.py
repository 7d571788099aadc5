"""A shooter's hand, roll by roll."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.craps.hand import ROLLS, Hand, Roll, hand_over, in_time, read_hand
from services.kernel.errors import DiceUnknown, IllegalRoll, ResultMissing
from tests.games.craps.dice import hand, hands, recorded, thrown


def test_a_hand_goes_from_come_out_to_seven_out() -> None:
    """Naturals and craps leave the come-out on, a number is the point, the point made brings the next come-out."""
    found = thrown("7 11 2 3 12 4 5 4 6 7")
    assert found.points == (0, 0, 0, 0, 0, 0, 4, 4, 0, 6, 0)
    assert hand_over(found)
    assert not hand_over(thrown("7 11 2 3 12 4 5 4 6"))


def test_a_roll_after_the_seven_out_is_refused() -> None:
    """The seven-out ends the hand: a further roll belongs to another shooter."""
    with pytest.raises(IllegalRoll) as refusal:
        thrown("4 7 11")
    assert refusal.value.message == (
        "expected no roll after the seven-out, roll 2 of the hand, given roll 3 with a total of 11"
    )


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1, 0), (6, 7), (-1, 3)])
def test_dice_show_one_to_six(dice: tuple[int, int]) -> None:
    """A number that no die has is refused."""
    with pytest.raises(DiceUnknown, match=f"showing 1 to 6, given {dice[0]} and {dice[1]}"):
        read_hand([SimpleNamespace(first_die=dice[0], second_die=dice[1])])


def test_a_hand_without_rolls_is_no_result() -> None:
    """What is recorded of a hand has at least one roll."""
    with pytest.raises(ResultMissing, match="at least one roll"):
        read_hand([])


def test_a_recorded_hand_is_read_in_order() -> None:
    """The rolls come as they were thrown; decks and a previous result mean nothing."""
    assert read_hand(recorded("1-3 6-6"), 0, None) == hand("1-3 6-6") == Hand((Roll(1, 3), Roll(6, 6)))


@given(hands())
def test_a_hand_split_anywhere_is_the_same_hand(found: Hand) -> None:
    """A hand grows roll by roll into what it is at once; only its last roll can have ended it."""
    grown = Hand(())
    for roll in found.rolls:
        assert not grown.over
        grown = grown.then(roll)
    assert grown == found
    assert (grown.totals, grown.points, grown.over) == (found.totals, found.points, found.over)


@given(hands(), st.sampled_from(ROLLS))
def test_only_a_seven_on_a_point_ends_a_hand(found: Hand, roll: Roll) -> None:
    """A 7 on a come-out roll does not end the hand, nor does any other total ever."""
    if not found.over:
        assert found.then(roll).over == (roll.total == 7 and found.points[-1] != 0)


def test_a_wager_that_opens_a_hand_is_placed_before_its_first_roll() -> None:
    """Other locks than those of rolls allow nothing once a roll is thrown."""
    assert [in_time("first_roll", roll, thrown("4 5")) for roll in range(3)] == [True, False, False]
    assert not in_time("no_more_bets", 1, None)


def test_a_come_out_wager_is_placed_while_no_point_is_on() -> None:
    """Pass and Don't Pass are placed before a come-out roll, also before a roll not yet recorded."""
    found = thrown("11 4 5 4 6 7")
    assert [in_time("come_out", roll, found) for roll in range(8)] == [
        True,
        True,
        False,
        False,
        True,
        False,
        False,
        True,
    ]
    assert in_time("come_out", 3, None)


def test_a_wager_on_any_roll_is_placed_until_the_seven_out() -> None:
    """After the seven-out a wager belongs to the next hand."""
    assert [in_time("any_roll", roll, thrown("4 7")) for roll in range(3)] == [True, True, False]
    assert in_time("any_roll", 2, thrown("4 5"))
