"""Heavenly 9 progressive (58 Pa. Code 631c.2): a three-card 9 of the Banker, the Player or both.

One line pays, the highest; same color excludes same suit, a single hand's nine excludes the double (ruling
B4). The odds are for one: the stake is dropped before the deal and does not come back (ruling M2).

The Must-Hit-By Mystery bonus (631c.6) goes with it, in one of twelve configurations. Those for a least wager of $1 and
$2 stand as printed, though 631c.2(c) wants $5 of every wager: a larger wager qualifies under them (ruling B12).
"""

from services.games.baccarat.coup import Coups, Hand
from services.games.baccarat.samples import COUPS_BY_POINTS_AND_SUITS
from services.games.paytables import MeterShare, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import Line, Meter, Mystery, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """The line of 631c.2(g), highest first, or None."""
    player, banker = history.last.player, history.last.banker
    if _three_card_nine(player):
        return _tie_line(player, banker) if _three_card_nine(banker) else "player_three_card_nine"
    return "banker_three_card_nine" if _three_card_nine(banker) else None


def _three_card_nine(hand: Hand) -> bool:
    return hand.total == 9 and len(hand) == 3


def _tie_line(player: Hand, banker: Hand) -> Line:
    cards = player.cards + banker.cards
    if len({card.suit for card in cards}) == 1:
        return "tie_same_suit"
    return "tie_same_color" if len({card.color for card in cards}) == 1 else "tie"


_MUST_HIT_BY = {
    "A": ((100, 20_000, 200), (200, 20_000, 150), (500, 25_000, 100)),
    "B": ((100, 50_000, 500), (200, 50_000, 350), (500, 50_000, 200)),
    "C": ((100, 50_000, 200), (200, 50_000, 150), (500, 50_000, 50)),
    "D": ((100, 100_000, 500), (200, 100_000, 300), (500, 100_000, 200)),
}
"""631c.6(c)(4): least wager and maximum in cents, rate in hundredths of a percent, by configuration."""
_MINIMUM = {"A": 10_000, "B": 10_000, "C": 25_000, "D": 25_000}
MYSTERIES = tuple(
    Mystery(f"{name}-${least // 100}", least, _MINIMUM[name], most, rate, section="631c.6")
    for name, configurations in _MUST_HIT_BY.items()
    for least, most, rate in configurations
)

WAGERS = (
    Wager(
        code="baccarat.heavenly_9_progressive",
        section="631c.2",
        title="Heavenly 9 progressive",
        game="baccarat",
        classify=classify,
        paytables={
            "standard": Paytable(
                {
                    "tie_same_suit": MeterShare("mega", 10_000),
                    "tie_same_color": for_one(299),
                    "tie": for_one(60),
                    "banker_three_card_nine": for_one(9),
                    "player_three_card_nine": for_one(8),
                }
            )
        },
        sample=COUPS_BY_POINTS_AND_SUITS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        meters=(Meter("mega", seed_cents=1_000_000, minimum_seed=False, increment_rate=1_000),),
        minimum_cents=500,
        mysteries=MYSTERIES,
    ),
)
