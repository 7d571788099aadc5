"""The three games of this family, their wagers on the hands, and their commission-free variation.

Minibaccarat (58 Pa. Code Chapter 627a) and Midibaccarat (Chapter 629a) are dealt as Baccarat is (Chapter 631a):
627a.10 and 629a.10 carry 631a.11's heading, and no drawing rules of their own are known (ruling B10). So there is one
coup and one reader, and one wager file serves all three; only sections and codes differ.
"""

from services.games.terms import Terms
from services.games.wagers import Contradiction

HANDS = ("player", "banker", "tie")
COMMISSION_FREE = "commission-free"
"""The name of the Banker's paytable that makes a table commission-free."""
COMMISSION_FREE_SECTIONS = {"baccarat": "631c.5", "minibaccarat": "627c.2", "midibaccarat": "629c.2"}


def base_wagers(game: str) -> tuple[str, ...]:
    """The codes of the game's wagers on a hand or a tie, any one of which a side wager may need."""
    return tuple(f"{game}.{name}" for name in HANDS)


def commission_free(game: str, terms: Terms) -> Contradiction | None:
    """Holds a table that offers a wager of commission-free play to a commission-free Banker.

    The sections name these wagers for the layout of the commission-free game alone (631c.5(b), 627c.2(b), 629c.2(b);
    ruling B11).
    """
    banker = terms.offers.get(f"{game}.banker")
    if banker is not None and banker.paytable == COMMISSION_FREE:
        return None
    return Contradiction(f"paytable of {game}.banker", COMMISSION_FREE, banker.paytable if banker else "not offered")
