"""AxMan."""

import pytest

from services.games.analysis import analyse
from services.games.catalogue import catalogue
from services.games.settlement import settle_round
from services.games.wagers import PENDING, PlacedWager, Placement
from tests.games.blackjack.drawn import drawn
from tests.games.blackjack.initial import table

CODE = "blackjack.axman"
DEALT = {
    "straight_flush": "2D 3D 4D 5D KD",
    "five_of_a_kind": "3S 3H 3D 3C KD",
    "flush": "2S 2S 4S 8S QS",
    "straight": "2S 3H 4S 5H 6S",
    "four_of_a_kind": "3S 3H 3D 3C 5C",
    "full_house": "3S 3H 4D 4C 4H",
    "three_of_a_kind": "7S 7H 7D",
    "two_pair": "4S 4H 5C 5D",
    "jacks_or_better_pair": "JS JH",
}
ODDS = dict(zip(DEALT, (1000, 500, 200, 100, 50, 30, 20, 12, 5), strict=True))


@pytest.mark.parametrize("line", DEALT)
@pytest.mark.parametrize(
    ("player", "ending", "times"), [("5C 9C", "", 1), ("KD 9C", "_2x", 2), ("9C KD", "_2x", 2), ("KD KD", "_5x", 5)]
)
def test_axman_pays_its_line(line: str, player: str, ending: str, times: int) -> None:
    """The dealer's poker hand at its odds, twice or five times as high with the player's kings of diamonds."""
    placed = PlacedWager(1, 1, CODE, "standard", 500)
    (found,) = settle_round(drawn(DEALT[line], player), [placed], table(CODE))
    assert (found.line, found.payout_cents) == (line + ending, 500 * (times * ODDS[line] + 1))


def test_less_than_a_pair_of_jacks_loses() -> None:
    """A pair of tens, a king of diamonds beside a seven; the player's kings alone win nothing."""
    for dealer in ("10S 10H", "KD 7H", "9S 8H"):
        (found,) = settle_round(drawn(dealer, "KD KD"), [PlacedWager(1, 1, CODE, "standard", 500)], table(CODE))
        assert (found.outcome, found.line, found.payout_cents) == ("lose", "", 0)


def test_the_dealer_completes_the_hand() -> None:
    """Until the dealer has drawn to the end nothing is settled."""
    assert catalogue()[CODE].classify(drawn("JS 6H"), Placement(1), table(CODE)) is PENDING
    assert catalogue()[CODE].classify(drawn("JS 6H JD"), Placement(1), table(CODE)) == "jacks_or_better_pair"


def test_axman_is_for_six_and_eight_decks() -> None:
    """633c.12(a)."""
    assert catalogue()[CODE].paytables["standard"].decks == (6, 8)


@pytest.mark.parametrize(
    ("decks", "stands", "hits"), [(6, "0.167320436508", "0.136149645968"), (8, "0.154803087565", "0.123039391602")]
)
def test_the_reading_chosen_has_its_edge(decks: int, stands: str, hits: str) -> None:
    """The five highest by rank, the king of diamonds wild in rank alone; hitting soft 17 costs three points."""
    found = analyse(CODE, "standard", decks, recompute=True)
    assert found["house_edge"] == stands
    assert found["assumes"] == "the dealer stands on soft 17 and completes the hand"
    (other,) = found["alternatives"]
    assert (other["assumes"], other["house_edge"]) == ("the dealer hits soft 17 and completes the hand", hits)
