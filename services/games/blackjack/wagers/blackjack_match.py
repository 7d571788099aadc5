"""Blackjack Match progressive (58 Pa. Code 633c.10): the player's two cards are a Blackjack or have an ace.

The first three lines need both Blackjacks suited and in one suit; the fourth takes every other pair of Blackjacks
(ruling K6). The stake does not come back (ruling M2). The wager is $1 or $5 as the Rules Submission says, and so is
whether the envy bonus of subsection (k) is paid, whose amounts go with it: `A-$5-envy` is Paytable A at $5 with envy.
"""

from collections.abc import Iterator

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import BLACKJACKS, Blackjacks, blackjacks
from services.games.blackjack.round import Table
from services.games.paytables import MeterShare, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import Line, Meter, Placement, Wager

_ENVY = {
    100: {"ace_king_matching_suited": 60_000, "matching_suited": 20_000},
    500: {"ace_king_matching_suited": 300_000, "matching_suited": 100_000},
}
"""633c.10(k), by the wager offered, in cents."""
_PRINTED = {
    "A": (200, 30, 3, 1_000_000, 250),
    "B": (200, 30, 3, 500_000, 325),
    "C": (300, 50, 2, 1_000_000, 250),
    "D": (300, 50, 2, 500_000, 325),
}
"""633c.10(i), where the paytables differ: both suited, both, any ace; the seed; the secondary rate."""


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of 633c.10(a), highest first, or None."""
    found = blackjacks(history.seat(placement.seat))
    if found.dealer and found.player:
        return _both(found)
    if found.player:
        return "player_suited_blackjack" if found.player_suited else "player_blackjack"
    return "player_any_ace" if found.player_ace else None


def _both(found: Blackjacks) -> Line:
    if not found.one_suit:
        return "both_blackjack"
    if not found.same_ten:
        return "both_suited"
    return "ace_king_matching_suited" if found.king else "matching_suited"


def _paytables() -> Iterator[tuple[str, Paytable]]:
    for name in _PRINTED:
        for stake, envy in _ENVY.items():
            yield f"{name}-${stake // 100}", _paytable(name, stake, {})
            yield f"{name}-${stake // 100}-envy", _paytable(name, stake, envy)


def _paytable(name: str, stake: int, envy: dict[str, int]) -> Paytable:
    both_suited, both, any_ace, seed, secondary = _PRINTED[name]
    return Paytable(
        {
            "ace_king_matching_suited": MeterShare("mega", 10_000),
            "matching_suited": MeterShare("mega", 1_000),
            "both_suited": for_one(both_suited),
            "both_blackjack": for_one(both),
            "player_suited_blackjack": for_one(10),
            "player_blackjack": for_one(5),
            "player_any_ace": for_one(any_ace),
        },
        decks=(6, 8),
        denominations=(stake,),
        envy=envy,
        meters=(Meter("mega", seed, minimum_seed=False, increment_rate=1_300, reserve_rate=secondary),),
    )


PAYTABLES = dict(_paytables())

WAGERS = (
    Wager(
        code="blackjack.blackjack_match",
        section="633c.10",
        title="Blackjack Match progressive",
        game="blackjack",
        classify=classify,
        paytables=PAYTABLES,
        sample=BLACKJACKS,
        needs=BASE_WAGERS,
        meters=PAYTABLES["A-$1"].meters,
        denominations=tuple(_ENVY),
    ),
)
