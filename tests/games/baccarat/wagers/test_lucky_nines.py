"""Lucky Nines."""

import pytest

from services.games.terms import check_terms
from services.kernel.errors import TermsContradictRules
from tests.games.baccarat.tables import line_at, settled_at, table
from tests.games.baccarat.test_base import DAY

DEALT = {
    "four_nines": ("9C 9D", "9H 9H"),
    "three_nines_same_suit": ("9H 9H", "9H KC"),
    "three_nines": ("9H 9H", "9C KC"),
    "two_nines_same_suit": ("9H KD", "9H KC"),
    "two_nines": ("9H 9C", "8H KC"),
    "one_nine_of_diamonds": ("8H KC", "9D KD"),
    "one_nine": ("9H KC", "8D KD"),
}


@pytest.mark.parametrize("line", DEALT)
def test_lucky_nines_hits_its_line(line: str) -> None:
    """The number of nines among the first four cards decides, then whether all of them have one suit."""
    assert line_at("baccarat.lucky_nines", *DEALT[line]) == line


def test_a_nine_drawn_third_does_not_count() -> None:
    """The wager is settled before a third card is dealt."""
    assert line_at("baccarat.lucky_nines", "KC 2D 9H", "KH 7S") is None
    assert line_at("baccarat.lucky_nines", "KC 6D", "KH 7S") is None


@pytest.mark.parametrize(
    ("paytable", "odds"),
    [
        ("A", (500, 250, 20, 8, 5, 2, 1)),
        ("B", (500, 250, 30, 12, 5, 2, 1)),
        ("C", (1000, 500, 35, 16, 5, 2, 1)),
        ("D", (2000, 500, 15, 10, 4, 2, 1)),
    ],
)
def test_lucky_nines_pays_as_printed(paytable: str, odds: tuple[int, ...]) -> None:
    """Each line pays its column's odds to one and the stake stays."""
    for hands, number in zip(DEALT.values(), odds, strict=True):
        assert settled_at("baccarat.lucky_nines", paytable, *hands, 100).payout_cents == 100 * number + 100


def test_lucky_nines_is_for_fully_automated_tables() -> None:
    """Only a fully automated electronic table may offer it."""
    offered = {"baccarat.lucky_nines": "A", "baccarat.player": "standard"}
    check_terms(table(offered, kind="fully_automated"), DAY)
    with pytest.raises(TermsContradictRules, match=r"631c\.4: .*expected fully_automated, given live"):
        check_terms(table(offered), DAY)
