"""Blazing 7's progressive, its third card the player's or the dealer's."""

import pytest

from services.games.blackjack.round import Hand, Seat, Table, shown
from services.games.catalogue import catalogue
from services.games.terms import Offer, Terms
from services.games.wagers import Placement
from services.kernel.cards import CARDS
from tests.builders import cards
from tests.games.blackjack.initial import line_at, settled_at, table

DRAWN, UPCARD = "blackjack.blazing_7s", "blackjack.blazing_7s_upcard"


@pytest.mark.parametrize(
    ("player", "third", "line"),
    [
        ("7D 7D", "7D", "three_7s_diamonds"),
        ("7C 7C", "7C", "three_7s_clubs_spades_hearts"),
        ("7C 7S", "7C", "three_7s_same_color"),
        ("7D 7H", "7D", "three_7s_same_color"),
        ("7D 7C", "7D", "three_7s"),
        ("7D 7C", "8D", "two_7s"),
        ("7D 8C", "7C", "one_7"),
        ("8D 7C", "7C", "one_7"),
        ("8D 9C", "7C", None),
    ],
)
def test_blazing_7s_hits_its_line(player: str, third: str, line: str | None) -> None:
    """A third seven counts behind two alone, be it the next card or, by the other procedure, the upcard."""
    assert line_at(DRAWN, player, "5D KH", third) == line
    assert line_at(UPCARD, player, f"{third} KH") == line


def test_each_procedure_looks_at_its_own_third_card() -> None:
    """The player's next card says nothing of the dealer's upcard, and the other way round."""
    assert line_at(DRAWN, "7D 7C", "7H KH") == "two_7s"
    assert line_at(DRAWN, "7D 7C", "7H KH", "5D") == "two_7s"
    assert line_at(UPCARD, "7D 7C", "5H KH", "7H") == "two_7s"


def test_a_dealer_blackjack_deals_one_more_card_to_two_sevens() -> None:
    """The extra card of 633c.9(d)(4) is the third."""
    seat = Seat(1, (Hand(0, tuple(cards("7D 7C"))),), tuple(cards("AD KD")), extra_card=CARDS["7S"])
    history = Table({1: seat}, seat.dealer)
    assert catalogue()[DRAWN].classify(history, Placement(1), table(DRAWN)) == "three_7s"


def test_the_first_card_of_the_first_split_hand_is_the_third() -> None:
    """Of sevens split, no later card is looked at (633c.9(d)(1))."""
    hands = (
        Hand(0, tuple(cards("7D 7S 5C")), split=True),
        Hand(1, tuple(cards("7C 8S")), split_from=0, split=True),
    )
    seat = Seat(1, hands, tuple(cards("6D KD")))
    assert catalogue()[DRAWN].classify(Table({1: seat}, seat.dealer), Placement(1), table(DRAWN)) == "three_7s"


@pytest.mark.parametrize(
    ("third", "a", "b"),
    [("7D", 10_000, 10_000), ("7H", 1_000, None), ("7C", None, None)],
)
def test_three_sevens_take_their_part_of_the_meter(third: str, a: int | None, b: int | None) -> None:
    """Paytable A: one suit all of it, one color a tenth. B: diamonds all of it, one color 500 for 1."""
    for paytable, percent in (("A-$5", a), ("B-$5", b)):
        settled = settled_at(DRAWN, paytable, "7D 7D", "5D KH", third=third)
        assert [each.percent for each in settled.awards if each.kind == "meter"] == ([percent] if percent else [])
        assert percent or settled.payout_cents == 500 * (200 if third == "7C" else 500)


def test_three_clubs_take_all_or_a_tenth_of_the_meter() -> None:
    """Paytable A pays every suit alike, B those other than diamonds a tenth."""
    assert settled_at(DRAWN, "A-$1", "7C 7C", "5D KH", 100, "7C").awards[0].percent == 10_000
    assert settled_at(DRAWN, "B-$1", "7C 7C", "5D KH", 100, "7C").awards[0].percent == 1_000


def test_fewer_sevens_pay_for_one() -> None:
    """Two sevens 25, one 2; the stake does not come back."""
    assert settled_at(DRAWN, "A-$5", "7C 7D", "5D KH").payout_cents == 12_500
    assert settled_at(UPCARD, "B-$1", "7C 8D", "5D KH", 100).payout_cents == 200


def test_the_least_seed_goes_with_the_wager() -> None:
    """At least $2,000 at $1 and $10,000 at $5, the rate the Rules Submission's (633c.9(g))."""
    rule = catalogue()[DRAWN]
    for name, table_of in rule.paytables.items():
        (meter,) = table_of.meters
        dollars = 1 if name.endswith("$1") else 5
        assert table_of.denominations == (100 * dollars,)
        assert meter == ("mega", 200_000 if dollars == 1 else 1_000_000, True, None, 0)
    assert len(rule.mysteries) == 12
    assert rule.lock == "first_card"


def test_a_table_uses_one_procedure() -> None:
    """Offering both third cards contradicts subsection (h); either alone stands."""
    offers = {code: Offer(code, "A-$1", 100) for code in (DRAWN, UPCARD)}
    (check,) = catalogue()[UPCARD].checks
    found = check(Terms("RS-1", "blackjack", "live", 6, 3, offers))
    assert found is not None
    assert found.given == "both"
    assert check(Terms("RS-1", "blackjack", "live", 6, 3, {UPCARD: offers[UPCARD]})) is None


def test_a_seat_without_a_third_card_is_seen_as_two() -> None:
    """A player who stands on two sevens is paid for two (ruling K7)."""
    history = shown(cards("7C 7D"), cards("5D KH"))
    assert catalogue()[DRAWN].classify(history, Placement(1), table(DRAWN)) == "two_7s"
