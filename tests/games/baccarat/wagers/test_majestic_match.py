"""Majestic Match."""

import pytest

from tests.games.baccarat.tables import line_at, settled_at


@pytest.mark.parametrize(
    ("player", "banker", "on", "line"),
    [
        ("KC QC 2D", "KC 7D", "player", "royal_match"),
        ("QC KC 2D", "KC 7D", "player", "royal_match"),
        ("KC KC 2D", "KC 7D", "player", "suited_match"),
        ("9H 2H 2D", "KC 7D", "player", "suited_match"),
        ("KC QD 2D", "KC 7D", "player", None),
        ("KC QC 2D", "KC 7D", "banker", None),
        ("KC 9D", "KH QH", "banker", "royal_match"),
    ],
)
def test_majestic_match_hits_its_line(player: str, banker: str, on: str, line: str | None) -> None:
    """The first two cards of the hand it lies on have one suit; a king and a queen pay more."""
    assert line_at("baccarat.majestic_match", player, banker, on=on) == line


def test_majestic_match_pays_as_printed() -> None:
    """A Royal Match pays 25 to 1, any other suited hand 2.5 to 1, to the half cent."""
    assert (
        settled_at("baccarat.majestic_match", "standard", "KC QC 2D", "KC 7D", 500, on="player").payout_cents == 13_000
    )
    found = settled_at("baccarat.majestic_match", "standard", "KC 9C", "KC 7D", 501, on="player")
    assert (found.payout_cents, found.breakage_micros) == (1_753, 5_000)
