"""Player Pair and Banker Pair of the commission-free games (58 Pa. Code 631c.5(c)(1), (2), (g); 627c.2; 629c.2): the
first two cards of that hand have one rank.

They come in addition to a wager on a hand or a tie, and only at a commission-free table (ruling B11).
"""

from functools import partial

from services.games.baccarat.base import COMMISSION_FREE_SECTIONS, base_wagers, commission_free
from services.games.baccarat.coup import Coups
from services.games.baccarat.first_cards import BANKER_PAIRS, PLAYER_PAIRS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def player_pair(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`pair` of the Player, or None."""
    return "pair" if history.last.player.pair else None


def banker_pair(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`pair` of the Banker, or None."""
    return "pair" if history.last.banker.pair else None


_PAIRS = (
    ("player_pair", "Player Pair", player_pair, PLAYER_PAIRS),
    ("banker_pair", "Banker Pair", banker_pair, BANKER_PAIRS),
)

WAGERS = tuple(
    Wager(
        code=f"{game}.{name}",
        section=section,
        title=title,
        game=game,
        classify=classify,
        paytables={"standard": Paytable({"pair": to_one(11)})},
        sample=sample,
        needs=base_wagers(game),
        checks=(partial(commission_free, game),),
    )
    for game, section in COMMISSION_FREE_SECTIONS.items()
    for name, title, classify, sample in _PAIRS
)
