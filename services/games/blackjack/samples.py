"""Views of the result space of Blackjack for wagers on the dealer's two cards."""

from collections.abc import Hashable, Iterator

from services.games.blackjack.cards import TEN_VALUES
from services.games.blackjack.round import Table, shown
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, RANKS

_ACE, _PLAYERS = CARDS["AS"], (CARDS["9C"], CARDS["7D"])


def _hole_cards(decks: int) -> Iterator[Case]:
    """Every rank of hole card under an ace, from what is left of the shoe without it."""
    for rank in RANKS:
        yield Case(shown(_PLAYERS, (_ACE, CARDS[rank + "H"])), 4 * decks - (rank == "A"))


def _hole_key(history: Table, placement: Placement) -> Hashable:
    """Whether the upcard is an ace, and whether the hole card counts 10."""
    seat = history.seat(placement.seat)
    return seat.upcard.rank == "A", seat.hole.rank in TEN_VALUES


ACE_AND_HOLE = Sample("hole card under an ace", Placement(1), _hole_cards, _hole_key)
