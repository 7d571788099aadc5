"""Hardways (58 Pa. Code 623a.3): 4, 6, 8 or 10 thrown as a pair, before a 7 and before the number thrown otherwise.

By common practice 7 to 1 on 4 and 10, 9 to 1 on 6 and 8. Off on a come-out roll unless placed on `working`.
"""

from services.games.craps.chains import Chain
from services.games.craps.hand import SEVEN, Hand
from services.games.craps.numbers import WORKING, point_key, working_rolls
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Classify, Line, Pending, Placement, Wager

ODDS = {4: to_one(7), 6: to_one(9), 8: to_one(9), 10: to_one(7)}


def _classify(number: int) -> Classify:
    def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        """`wins`, PENDING, or None."""
        for roll in working_rolls(history, placement):
            if roll.total in (number, SEVEN):
                return "wins" if roll.first == roll.second else None
        return PENDING

    return classify


def _wager(number: int) -> Wager:
    classify = _classify(number)
    return Wager(
        code=f"craps.hard_{number}",
        section="623a.3",
        title=f"Hard {number}",
        game="craps",
        classify=classify,
        paytables={"standard": Paytable({"wins": ODDS[number]})},
        placements=("", WORKING),
        lock="any_roll",
        distribution=Chain(classify, point_key),
    )


WAGERS = tuple(_wager(number) for number in ODDS)
