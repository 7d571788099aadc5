"""Blazing 7's progressive (58 Pa. Code 633c.9): a seven among the player's initial two cards.

Two sevens look at a third card: the next the player receives, which is a hit, the first card of the first split hand,
or the extra card of (d)(4) on a dealer Blackjack; a player who takes none is paid as two sevens (ruling K7). Under
subsection (h) the dealer's upcard is the third card instead: `blackjack.blazing_7s_upcard`, which a table offers in
place of the other. Paytable A pays three sevens of one suit alike, whichever it is; B tells diamonds from the others.

The stake does not come back (ruling M2). The meter's least seed goes with the wager of $1 or $5 (subsection (g)), so
that each printed paytable is one for each amount; its rate is the Rules Submission's.
"""

from collections.abc import Mapping

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import SEVENS, SEVENS_AND_UPCARD, Sevens, sevens_with
from services.games.blackjack.must_hit_by import MUST_HIT_BY
from services.games.blackjack.round import Table
from services.games.paytables import Cell, MeterShare, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import Classify, Contradiction, Line, Meter, Placement, Wager

DRAWN = "blackjack.blazing_7s"
UPCARD = "blackjack.blazing_7s_upcard"
_COLORS = {"C": "black", "D": "red", "H": "red", "S": "black"}


def line_of(found: Sevens) -> Line | None:
    """The line of 633c.9(f) by the sevens among the first two cards and the third, or None."""
    if len(found) < 3:
        return (None, "one_7", "two_7s")[len(found)]
    suits = set(found)
    if len(suits) == 1:
        return "three_7s_diamonds" if suits == {"D"} else "three_7s_clubs_spades_hearts"
    return "three_7s_same_color" if len({_COLORS[suit] for suit in suits}) == 1 else "three_7s"


def drawn(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line with the player's next card as the third."""
    seat = history.seat(placement.seat)
    return line_of(sevens_with(seat, seat.next_card))


def upcard(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line with the dealer's upcard as the third (subsection (h))."""
    seat = history.seat(placement.seat)
    return line_of(sevens_with(seat, seat.upcard))


def _one_procedure(terms: Terms) -> Contradiction | None:
    if DRAWN in terms.offers and UPCARD in terms.offers:
        return Contradiction("third card", f"one of {DRAWN} and {UPCARD}", "both")
    return None


_ALL, _TENTH = MeterShare("mega", 10_000), MeterShare("mega", 1_000)
_PRINTED: Mapping[str, tuple[Cell, Cell, Cell]] = {"A": (_ALL, _ALL, _TENTH), "B": (_ALL, _TENTH, for_one(500))}
"""633c.9(f): three sevens of diamonds, of another suit, of one color."""
_SEEDS = {100: 200_000, 500: 1_000_000}
"""633c.9(g): least seed by the wager offered, both in cents."""


def _paytable(cells: tuple[Cell, Cell, Cell], stake: int) -> Paytable:
    diamonds, other_suit, same_color = cells
    return Paytable(
        {
            "three_7s_diamonds": diamonds,
            "three_7s_clubs_spades_hearts": other_suit,
            "three_7s_same_color": same_color,
            "three_7s": for_one(200),
            "two_7s": for_one(25),
            "one_7": for_one(2),
        },
        denominations=(stake,),
        meters=(Meter("mega", _SEEDS[stake], minimum_seed=True, increment_rate=None),),
    )


_PAYTABLES = {
    f"{name}-${stake // 100}": _paytable(cells, stake) for name, cells in _PRINTED.items() for stake in _SEEDS
}


def _wager(code: str, title: str, classify: Classify) -> Wager:
    by_upcard = code == UPCARD
    return Wager(
        code=code,
        section="633c.9",
        title=title,
        game="blackjack",
        classify=classify,
        paytables=_PAYTABLES,
        sample=SEVENS_AND_UPCARD if by_upcard else SEVENS,
        needs=BASE_WAGERS,
        meters=_PAYTABLES["A-$1"].meters,
        denominations=tuple(_SEEDS),
        lock="first_card",
        mysteries=MUST_HIT_BY,
        assumes=None if by_upcard else "a player with two sevens takes a third card",
        checks=(_one_procedure,) if by_upcard else (),
    )


WAGERS = (
    _wager(DRAWN, "Blazing 7's progressive", drawn),
    _wager(UPCARD, "Blazing 7's progressive, third card the dealer's upcard", upcard),
)
