"""Place wagers on 4, 5, 6, 8, 9 and 10 (58 Pa. Code 623a.3): the number before a 7.

By common practice 9 to 5 on 4 and 10, 7 to 5 on 5 and 9, 7 to 6 on 6 and 8. Off on a come-out roll unless placed on
`working`. A wager that stays up after a win is a new one.
"""

from services.games.craps.chains import Chain
from services.games.craps.hand import POINTS
from services.games.craps.numbers import WORKING, number_first, point_key
from services.games.paytables import Odds, Paytable, to_one
from services.games.wagers import Wager

ODDS = {4: to_one(9, 5), 5: to_one(7, 5), 6: to_one(7, 6), 8: to_one(7, 6), 9: to_one(7, 5), 10: to_one(9, 5)}


def _wager(number: int, odds: Odds) -> Wager:
    classify = number_first(number)
    return Wager(
        code=f"craps.place_{number}",
        section="623a.3",
        title=f"Place {number}",
        game="craps",
        classify=classify,
        paytables={"standard": Paytable({"wins": odds})},
        placements=("", WORKING),
        lock="any_roll",
        distribution=Chain(classify, point_key),
    )


WAGERS = tuple(_wager(number, ODDS[number]) for number in POINTS)
