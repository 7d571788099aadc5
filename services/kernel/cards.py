"""The 52 cards. Each exists once, so cards are compared by identity; a shoe holds a card as often as it has
decks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from services.kernel.errors import CardUnknown

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
_COLORS = {"C": "black", "D": "red", "H": "red", "S": "black"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Card:
    """One of the 52 cards: rank `A`, `2` to `10`, `J`, `Q`, `K`; suit `C`, `D`, `H`, `S`; color `red` or
    `black`.
    """

    rank: str
    suit: str
    color: str

    def __str__(self) -> str:
        return self.rank + self.suit

    __repr__ = __str__

    def __reduce__(self) -> tuple[Callable[[str], "Card"], tuple[str]]:
        # A copied or unpickled card must be the same object: comparison is by identity.
        return card, (str(self),)


CARDS: Mapping[str, Card] = MappingProxyType(
    {rank + suit: Card(rank, suit, _COLORS[suit]) for rank in RANKS for suit in SUITS}
)


def card(text: str) -> Card:
    """The card written rank then suit, `10C` or `AS`. Raises CardUnknown for anything else."""
    found = CARDS.get(text)
    if found is None:
        raise CardUnknown(f"expected a rank A, 2-10, J, Q, K and a suit C, D, H, S, given {text!r}")
    return found
