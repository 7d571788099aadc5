"""Cells say whether the stake comes back."""

import pytest

from services.games.paytables import NOT_PAID, PUSH, STAKE, VOID, Cell, Fixed, MeterShare, Paytable, for_one, to_one


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (to_one(40), "40 to 1"),
        (to_one(1, 2), "1 to 2"),
        (for_one(299), "299 for 1"),
        (to_one(1000), "1,000 to 1"),
        (PUSH, "push"),
        (VOID, "void"),
        (NOT_PAID, "N/A"),
        (Fixed(25_000), "$250.00"),
        (MeterShare("mega", 10_000), "100% of mega"),
        (MeterShare("minor", 1_250), "12.50% of minor"),
    ],
)
def test_a_cell_is_printed_as_on_the_layout(cell: Cell, text: str) -> None:
    """Each kind of cell has one printed form."""
    assert str(cell) == text


def test_a_commission_is_printed_with_the_odds_it_is_taken_from() -> None:
    """A paytable with a commission says so beside its odds, and not beside a push."""
    paytable = Paytable({"wins": to_one(1), "tie": PUSH}, commission=500)
    assert (paytable.printed("wins"), paytable.printed("tie")) == ("1 to 1 less 5% commission", "push")
    assert Paytable({"wins": to_one(1)}, commission=425).printed("wins") == "1 to 1 less 4.25% commission"
    assert Paytable({"wins": to_one(2)}).printed("wins") == "2 to 1"


@pytest.mark.parametrize(("numerator", "denominator"), [(1, 7), (1, 0), (0, 1), (-1, 1), (1, 20_000)])
def test_odds_that_leave_inexact_breakage_do_not_exist(numerator: int, denominator: int) -> None:
    """Odds are above zero and their denominator divides 10,000, so breakage is whole micro-dollars."""
    with pytest.raises(ValueError, match="dividing 10,000, or 3 or 6, given"):
        to_one(numerator, denominator)


@pytest.mark.parametrize("denominator", [3, 6])
def test_the_odds_of_laying_exist(denominator: int) -> None:
    """Thirds and sixths are odds of Craps; their breakage is rounded down to the micro-dollar."""
    assert str(to_one(2, denominator)) == f"2 to {denominator}"


def test_a_commission_of_the_stake_is_printed_as_one() -> None:
    """A buy wager's commission is a part of what was staked, not of what was won."""
    paytable = Paytable({"wins": to_one(2)}, commission=500, commission_of=STAKE)
    assert paytable.printed("wins") == "2 to 1 less 5% commission of the stake"


def test_envy_is_of_a_line_of_the_paytable() -> None:
    """Nobody envies a line that does not exist."""
    assert Paytable({"wins": to_one(2)}, envy={"wins": 500}).envy["wins"] == 500
    with pytest.raises(ValueError, match="expected envy of wins, given loses"):
        Paytable({"wins": to_one(2)}, envy={"loses": 500})


@pytest.mark.parametrize("commission", [-1, 10_000])
def test_a_commission_is_less_than_the_winnings(commission: int) -> None:
    """A commission is some part of the winnings, never all of them."""
    with pytest.raises(ValueError, match="expected a commission"):
        Paytable({"wins": to_one(1)}, commission=commission)


def test_lines_of_a_paytable_cannot_be_changed() -> None:
    """A paytable copies its lines and gives them out read-only."""
    lines: dict[str, Cell] = {"wins": to_one(1)}
    paytable = Paytable(lines)
    lines["wins"] = to_one(2)
    assert paytable.lines["wins"] == to_one(1)
    with pytest.raises(TypeError):
        paytable.lines["wins"] = to_one(2)  # type: ignore[index]  # the refusal is the fact tested
