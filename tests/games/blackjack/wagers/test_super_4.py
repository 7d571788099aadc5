"""Super 4 progressive, by its text and by rank."""

import pytest

from services.games.catalogue import catalogue
from services.games.paytables import Fixed, MeterShare
from services.games.terms import Offer, Terms
from tests.games.blackjack.initial import line_at, settled_at

TEXT, BY_RANK = "blackjack.super_4", "blackjack.super_4_by_rank"


@pytest.mark.parametrize(
    ("player", "dealer", "text", "by_rank"),
    [
        ("QD JD", "AD KD", "royal_flush_chosen_suit", "royal_flush_chosen_suit"),
        ("QD KD", "JD AD", "royal_flush_chosen_suit", "royal_flush_chosen_suit"),
        ("QC JC", "AC KC", "royal_flush_other_suit", "royal_flush_other_suit"),
        ("AD AD", "AD KD", "three_of_a_kind", "three_of_a_kind"),
        ("KS KH", "AD KD", "three_of_a_kind", "three_of_a_kind"),
        ("QD JC", "AD KD", "straight", "straight"),
        ("2D 9D", "AD KD", "flush", "flush"),
        ("AD KD", "AD KD", "flush", "flush"),
        ("AD KC", "AD KC", "two_pair", "two_pair"),
        ("AC KS", "AD KH", "dealer_blackjack", "two_pair"),
        ("AH KD", "AD KH", "all_same_color", "two_pair"),
        ("2D 9H", "AD KD", "all_same_color", "all_same_color"),
        ("5C 5C", "AD KD", "pair", "pair"),
        ("5C AD", "AD KD", "pair", "pair"),
        ("5C 5S", "AD KD", "dealer_blackjack", "pair"),
        ("5C KS", "AD KD", "dealer_blackjack", "pair"),
        ("5C 6C", "KD AD", "dealer_blackjack", "dealer_blackjack"),
        ("QD JD", "AD 5D", "dealer_ace_up", "dealer_ace_up"),
        ("QD JD", "5D AD", None, None),
        ("AD JD", "KD QD", None, None),
    ],
)
def test_super_4_hits_its_line(player: str, dealer: str, text: str | None, by_rank: str | None) -> None:
    """The first line that fits; the text wants two pair and pair alike in suit too."""
    assert line_at(TEXT, player, dealer) == text
    assert line_at(BY_RANK, player, dealer) == by_rank


def test_the_chosen_suit_is_the_table_s() -> None:
    """A royal flush of the suit filed is the one in the chosen suit."""
    assert line_at(TEXT, "QC JC", "AC KC", chosen_suit="clubs") == "royal_flush_chosen_suit"
    assert line_at(TEXT, "QD JD", "AD KD", chosen_suit="clubs") == "royal_flush_other_suit"


FIXED = {
    "straight": 75_000,
    "flush": 25_000,
    "two_pair": 20_000,
    "all_same_color": 10_000,
    "pair": 5_000,
    "dealer_blackjack": 2_500,
    "dealer_ace_up": 1_000,
}


@pytest.mark.parametrize(
    ("name", "meters"),
    [
        ("1-1", {"star": (50_000, 600), "heart": (5_000, 700), "spade": (500, 700)}),
        ("1-2", {"star": (25_000, 700), "heart": (5_000, 700), "spade": (500, 700)}),
        ("1-3", {"star": (10_000, 750), "heart": (5_000, 700), "spade": (500, 700)}),
        ("2-1", {"star": (50_000, 600), "heart": (5_000, 500), "spade": (500, 300), "diamond": (300, 300)}),
        ("2-2", {"star": (25_000, 600), "heart": (5_000, 500), "spade": (500, 300), "diamond": (300, 300)}),
        (
            "3-1",
            {
                "star": (50_000, 600),
                "heart": (5_000, 200),
                "spade": (500, 300),
                "diamond": (300, 300),
                "club": (250, 300),
            },
        ),
        (
            "3-2",
            {
                "star": (25_000, 600),
                "heart": (5_000, 200),
                "spade": (500, 300),
                "diamond": (300, 300),
                "club": (250, 300),
            },
        ),
        (
            "3-3",
            {
                "star": (10_000, 600),
                "heart": (5_000, 200),
                "spade": (500, 300),
                "diamond": (300, 300),
                "club": (250, 300),
            },
        ),
    ],
)
def test_paytables_are_as_printed(name: str, meters: dict[str, tuple[int, int]]) -> None:
    """The first lines have a meter each, by the seeds and rates of the option; the others pay dollars."""
    paytable = catalogue()[TEXT].paytables[name]
    assert {each.level: (each.seed_cents // 100, each.increment_rate) for each in paytable.meters} == meters
    cells = list(paytable.lines.items())
    assert [cell for _, cell in cells[: len(meters)]] == [MeterShare(level, 10_000) for level in meters]
    assert dict(cells[len(meters) :]) == {line: Fixed(FIXED[line]) for line, _ in cells[len(meters) :]}
    assert paytable.decks == (1, 2, 4, 6, 8)


def test_amounts_are_all_that_a_wager_receives() -> None:
    """The stake of $5 is gone."""
    assert settled_at(TEXT, "3-1", "5C 6C", "KD AD").payout_cents == 2_500
    assert settled_at(TEXT, "3-1", "5C 6C", "KD 9D").payout_cents == 0
    assert settled_at(TEXT, "1-1", "2D 9D", "AD KD").payout_cents == 25_000
    assert settled_at(TEXT, "3-1", "2D 9D", "AD KD").awards[0].level == "club"


def test_a_mystery_has_three_configurations() -> None:
    """Reseed, amount it must hit by and rate, as 633c.6(j) prints them."""
    found = {each.name: each[1:5] for each in catalogue()[TEXT].mysteries}
    assert found == {
        "1": (500, 25_000, 100_000, 500),
        "2": (500, 10_000, 50_000, 500),
        "3": (500, 10_000, 20_000, 200),
    }


def test_a_table_has_one_reading() -> None:
    """Offering both readings of two pair and pair is refused; the published one alone stands."""
    offers = {code: Offer(code, "1-1", 500, options=(("chosen_suit", "hearts"),)) for code in (TEXT, BY_RANK)}
    (check,) = catalogue()[BY_RANK].checks
    found = check(Terms("RS-1", "blackjack", "live", 6, 3, offers))
    assert found is not None
    assert found.given == "both"
    assert check(Terms("RS-1", "blackjack", "live", 6, 3, {BY_RANK: offers[BY_RANK]})) is None
