"""Cover All."""

import pytest

from tests.builders import line_of, settled


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("KC 6D", "2C 3D 2H", "another_wins"),
        ("2C 3D 3H", "KC 7D", "another_wins"),
        ("2C 3D 4H", "KC 7D", "another_wins"),
        ("2C 3D 2H", "KC 3D 4S", "another_wins"),
        ("KC 7D", "KH 7H", "two_card_sevens"),
        ("KC 7D", "2C 3D 2H", None),
    ],
)
def test_cover_all_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """Any other of the 5 Treasures wins it; two-card sevens are a line of their own."""
    assert line_of("baccarat.cover_all", player, banker) == line


@pytest.mark.parametrize(("paytable", "payout"), [("A", 0), ("B", 3_500)])
def test_two_card_sevens_cover_only_where_they_are_paid(paytable: str, payout: int) -> None:
    """Cover All wins on two-card sevens only under the paytable that pays them."""
    assert settled("baccarat.cover_all", paytable, "KC 7D", "KH 7H").payout_cents == payout
