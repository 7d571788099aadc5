"""Rounds in which the dealer drew to the end: `drawn("10S 6H KD")`, or any at all."""

from hypothesis import strategies as st

from services.games.blackjack.cards import dealer_draws
from services.games.blackjack.round import Table, shown
from services.kernel.cards import CARDS, Card
from tests.builders import cards


def drawn(dealer: str, player: str = "5C 9C") -> Table:
    """A round with these cards of the dealer, in deal order, and one player's two."""
    return shown(cards(player), cards(dealer))


@st.composite
def drawn_to_the_end(draw: st.DrawFn, decks: int = 6, *, hits_soft_17: bool = False) -> Table:
    """A round in which the dealer plays out what a shuffled shoe gives."""
    shoe = draw(st.permutations(list(CARDS.values()) * decks))
    first, dealer, rest = shoe[:2], [shoe[2], shoe[3]], iter(shoe[4:])
    while dealer_draws(dealer, hits_soft_17=hits_soft_17):
        dealer.append(next(rest))
    return shown(first, dealer)


@st.composite
def low_shoes(draw: st.DrawFn) -> Table:
    """The same from a shoe rich in low cards and kings of diamonds, so that long hands and poker hands come up."""
    kinds: list[Card] = cards("AC AD 2C 2D 3D 4D 4S 5D 6S KC KD")
    dealer = draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=2))
    while dealer_draws(dealer, hits_soft_17=False):
        dealer.append(draw(st.sampled_from(kinds)))
    return shown(draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=2)), dealer)
