"""Cover All (58 Pa. Code 631c.3(f)(5)): any other of the 5 Treasures wagers would win, whether it was
placed or not.

*Would win* is by the paytable in force (ruling B3): under paytable A two-card sevens are N/A, so Cover All
loses.
"""

from services.games.baccarat.coup import Coups
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.baccarat.wagers import blazing_7s, fortune_7, golden_8, heavenly_9
from services.games.paytables import NOT_PAID, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_OTHERS = (fortune_7.classify, golden_8.classify, heavenly_9.classify, blazing_7s.classify)


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`another_wins`, `two_card_sevens` where only the two-card Blazing 7's is hit, or None."""
    lines = [line for line in (other(history, placement, terms) for other in _OTHERS) if line is not None]
    if not lines:
        return None
    return "two_card_sevens" if lines == ["two_card_sevens"] else "another_wins"


WAGERS = (
    Wager(
        code="baccarat.cover_all",
        section="631c.3",
        title="Cover All",
        game="baccarat",
        classify=classify,
        paytables={
            "A": Paytable({"another_wins": to_one(6), "two_card_sevens": NOT_PAID}),
            "B": Paytable({"another_wins": to_one(6), "two_card_sevens": to_one(6)}),
        },
        sample=COUPS_BY_POINTS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        family="5 Treasures",
    ),
)
