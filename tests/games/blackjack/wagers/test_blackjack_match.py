"""Blackjack Match progressive."""

import pytest

from services.games.blackjack.round import Table
from services.games.catalogue import catalogue
from services.games.paytables import Odds
from services.games.settlement import settle_round
from services.games.wagers import PlacedWager
from tests.games.blackjack.initial import dealt, line_at, settled_at, table

CODE = "blackjack.blackjack_match"


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        ("AS KS", "KS AS", "ace_king_matching_suited"),
        ("AS 10S", "AS 10S", "matching_suited"),
        ("AS 10S", "AS QS", "both_suited"),
        ("AS KS", "AS QS", "both_suited"),
        ("AS KS", "AC KC", "both_blackjack"),
        ("AS 10H", "AS 10H", "both_blackjack"),
        ("AS KS", "AC KS", "both_blackjack"),
        ("AS KS", "9C KS", "player_suited_blackjack"),
        ("AS KD", "9C KS", "player_blackjack"),
        ("AS 5D", "9C KS", "player_any_ace"),
        ("AS AD", "AC KS", "player_any_ace"),
        ("KS 5D", "AC KS", None),
    ],
)
def test_blackjack_match_hits_its_line(player: str, dealer: str, line: str | None) -> None:
    """The first three lines need both Blackjacks in one suit; any other two share the fourth."""
    assert line_at(CODE, player, dealer) == line


@pytest.mark.parametrize(
    ("name", "odds", "seed", "secondary"),
    [
        ("A", (200, 30, 10, 5, 3), 1_000_000, 250),
        ("B", (200, 30, 10, 5, 3), 500_000, 325),
        ("C", (300, 50, 10, 5, 2), 1_000_000, 250),
        ("D", (300, 50, 10, 5, 2), 500_000, 325),
    ],
)
def test_paytables_are_as_printed(name: str, odds: tuple[int, ...], seed: int, secondary: int) -> None:
    """At $1 and $5, with envy or without: odds for one, the seed, 13 % and the secondary rate."""
    for suffix in ("-$1", "-$1-envy", "-$5", "-$5-envy"):
        paytable = catalogue()[CODE].paytables[name + suffix]
        cells = list(paytable.lines.values())
        assert cells[2:] == [Odds(number, 1, stake_returned=False) for number in odds]
        assert paytable.meters == (("mega", seed, False, 1_300, secondary),)
        assert paytable.denominations == (500 if "$5" in suffix else 100,)


def test_the_meter_is_paid_whole_or_by_a_tenth() -> None:
    """Ace-king matching suited all of it, any other match a tenth."""
    assert settled_at(CODE, "A-$5", "AS KS", "KS AS").awards[0].percent == 10_000
    assert settled_at(CODE, "A-$5", "AS JS", "JS AS").awards[0].percent == 1_000
    assert settled_at(CODE, "D-$5", "AS 5S", "JS AS").payout_cents == 1_000


@pytest.mark.parametrize(
    ("paytable", "amounts"),
    [
        ("A-$1-envy", (60_000, 20_000)),
        ("C-$5-envy", (300_000, 100_000)),
        ("A-$1", (0, 0)),
        ("C-$5", (0, 0)),
    ],
)
def test_envy_goes_to_the_others_at_the_table(paytable: str, amounts: tuple[int, int]) -> None:
    """For each match of another seat, never for one's own (633c.10(h)(5), (k))."""
    stake = catalogue()[CODE].paytables[paytable].denominations[0]
    wagers = [PlacedWager(seat, seat, CODE, paytable, stake) for seat in (1, 2, 3)]
    for player, amount in zip(("AS KS", "AS 10S"), amounts, strict=True):
        dealer = player
        first, second = dealt(player, dealer).seat(1), dealt("9C 8D", dealer).seat(1)
        history = Table({1: first, 2: second, 3: second}, first.dealer)
        own, *others = settle_round(history, wagers, table(CODE, paytable))
        assert own.payout_cents == 0
        assert [each.payout_cents for each in others] == [amount, amount]
        assert [each.outcome for each in others] == (["win", "win"] if amount else ["lose", "lose"])
