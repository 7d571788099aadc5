"""Buy wagers on 4, 5, 6, 8, 9 and 10 (58 Pa. Code 623a.3): the number before a 7 at its true odds, less a commission.

By common practice 2 to 1 on 4 and 10, 3 to 2 on 5 and 9, 6 to 5 on 6 and 8; the commission is 5 % of the stake, taken
when the wager wins. Off on a come-out roll unless placed on `working`.
"""

from services.games.craps.chains import Chain
from services.games.craps.hand import POINTS
from services.games.craps.numbers import WORKING, number_first, point_key
from services.games.paytables import STAKE, Odds, Paytable, to_one
from services.games.settlement import COMMISSION_ROUNDING, COMMISSION_UNITS
from services.games.wagers import Wager

ODDS = {4: to_one(2), 5: to_one(3, 2), 6: to_one(6, 5), 8: to_one(6, 5), 9: to_one(3, 2), 10: to_one(2)}


def _wager(number: int, odds: Odds) -> Wager:
    classify = number_first(number)
    return Wager(
        code=f"craps.buy_{number}",
        section="623a.3",
        title=f"Buy {number}",
        game="craps",
        classify=classify,
        paytables={"5%": Paytable({"wins": odds}, commission=500, commission_of=STAKE)},
        placements=("", WORKING),
        options={COMMISSION_ROUNDING: tuple(COMMISSION_UNITS)},
        lock="any_roll",
        distribution=Chain(classify, point_key),
    )


WAGERS = tuple(_wager(number, ODDS[number]) for number in POINTS)
