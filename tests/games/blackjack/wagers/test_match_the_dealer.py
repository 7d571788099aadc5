"""Match the Dealer progressive."""

import pytest

from services.games.catalogue import catalogue
from services.games.paytables import Odds
from tests.games.blackjack.initial import line_at, settled_at

CODE = "blackjack.match_the_dealer"
LINES = ("one_suited_one_non_suited", "one_suited", "two_non_suited", "one_non_suited")


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        ("AS AS", "AS 9H", "two_suited_aces_of_spades"),
        ("AD AD", "AD 9H", "two_suited"),
        ("8C 8C", "8C 9H", "two_suited"),
        ("8C 8D", "8C 9H", "one_suited_one_non_suited"),
        ("8D 8C", "8C 9H", "one_suited_one_non_suited"),
        ("8C KD", "8C 9H", "one_suited"),
        ("8D 8H", "8C 9H", "two_non_suited"),
        ("8D 8D", "8C 9H", "two_non_suited"),
        ("KD 8H", "8C 9H", "one_non_suited"),
        ("KD 9H", "8C 9H", None),
    ],
)
def test_match_the_dealer_hits_its_line(player: str, dealer: str, line: str | None) -> None:
    """Cards match the upcard, not the hole card; where one matches, the other does not."""
    assert line_at(CODE, player, dealer) == line


@pytest.mark.parametrize(
    ("printed", "odds"),
    [
        ("six-1", (12, 10, 4, 2)),
        ("six-2", (10, 7, 6, 3)),
        ("six-3", (8, 4, 8, 4)),
        ("six-4", (75, 4, 15, 3)),
        ("six-5", (12, 9, 6, 3)),
        ("six-6", (13, 10, 6, 3)),
        ("six-7", (11, 7, 8, 4)),
        ("six-8", (100, 5, 20, 3)),
        ("six-9", (15, 12, 6, 3)),
        ("six-10", (13, 9, 8, 4)),
        ("eight-1", (9, 6, 6, 3)),
        ("eight-2", (12, 10, 4, 2)),
        ("eight-3", (8, 4, 8, 4)),
        ("eight-4", (75, 4, 15, 3)),
        ("eight-5", (12, 9, 6, 3)),
        ("eight-6", (10, 6, 8, 4)),
        ("eight-7", (13, 10, 6, 3)),
        ("eight-8", (14, 11, 6, 3)),
        ("eight-9", (100, 5, 20, 3)),
        ("eight-10", (15, 12, 6, 3)),
    ],
)
def test_every_paytable_is_as_printed_at_one_and_five_dollars(printed: str, odds: tuple[int, ...]) -> None:
    """Odds for one; a seed of 1,000 times the wager; 15 % and 6 %; the decks that the table is headed with."""
    for dollars in (1, 5):
        paytable = catalogue()[CODE].paytables[f"{printed}-${dollars}"]
        assert [paytable.lines[line] for line in LINES] == [Odds(number, 1, stake_returned=False) for number in odds]
        assert paytable.decks == ((6,) if printed.startswith("six") else (8,))
        assert paytable.denominations == (100 * dollars,)
        assert paytable.meters == (("mega", 100_000 * dollars, False, 1_500, 600),)


def test_two_suited_matches_are_paid_from_the_meter() -> None:
    """Aces of spades all of it, any other card a tenth."""
    (aces,) = settled_at(CODE, "six-1-$5", "AS AS", "AS 9H").awards
    (others,) = settled_at(CODE, "six-1-$5", "8C 8C", "8C 9H").awards
    assert (aces.kind, aces.level, aces.percent, aces.paid_from) == ("meter", "mega", 10_000, "slip")
    assert (others.kind, others.level, others.percent, others.paid_from) == ("meter", "mega", 1_000, "slip")


def test_the_stake_does_not_come_back() -> None:
    """Odds for one are all a wager receives."""
    assert settled_at(CODE, "eight-1-$5", "8D KH", "8C 9H").payout_cents == 1_500
    assert len(catalogue()[CODE].paytables) == 40
