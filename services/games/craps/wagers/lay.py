"""Lay wagers on 4, 5, 6, 8, 9 and 10 (58 Pa. Code 623a.3): a 7 before the number at its true odds, less a commission.

By common practice the commission is 5 % of the winnings, which are 1 to 2 on 4 and 10, 2 to 3 on 5 and 9, 5 to 6 on 6
and 8. A lay wager always works.
"""

from services.games.craps.chains import Chain
from services.games.craps.hand import POINTS
from services.games.craps.numbers import point_key, seven_first
from services.games.paytables import Odds, Paytable, to_one
from services.games.settlement import COMMISSION_ROUNDING, COMMISSION_UNITS
from services.games.wagers import Wager

ODDS = {4: to_one(1, 2), 5: to_one(2, 3), 6: to_one(5, 6), 8: to_one(5, 6), 9: to_one(2, 3), 10: to_one(1, 2)}


def _wager(number: int, odds: Odds) -> Wager:
    classify = seven_first(number)
    return Wager(
        code=f"craps.lay_{number}",
        section="623a.3",
        title=f"Lay {number}",
        game="craps",
        classify=classify,
        paytables={"5%": Paytable({"wins": odds}, commission=500)},
        options={COMMISSION_ROUNDING: tuple(COMMISSION_UNITS)},
        lock="any_roll",
        distribution=Chain(classify, point_key),
    )


WAGERS = tuple(_wager(number, ODDS[number]) for number in POINTS)
