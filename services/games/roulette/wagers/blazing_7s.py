"""Blazing 7's (58 Pa. Code 617c.2): the ball comes to rest in 7, 17 or 27, and three balls decide what it pays.

The three come to rest in different pockets, those that meet being relaunched (617c.2(h), (i)). The highest line alone
pays, so one color pays where no ball lies in 7, 17 or 27 (ruling R2). A winning number without a recorded bonus
round leaves the wager pending (ruling R6).
"""

from services.games.paytables import Paytable, to_one
from services.games.roulette.covered import BASE
from services.games.roulette.layout import color
from services.games.roulette.samples import BONUS_ROUNDS
from services.games.roulette.spin import SEVENS, Spins
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

_SEVENS = {1: "one_of_three", 2: "two_of_three", 3: "all_three"}


def classify(history: Spins, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of 617c.2(j), highest first, PENDING until the bonus round is recorded, or None."""
    balls = history.last.bonus_pockets
    if history.last.pocket not in SEVENS:
        return None
    if not balls:
        return PENDING
    sevens = sum(each in SEVENS for each in balls)
    if sevens:
        return _SEVENS[sevens]
    return "one_color" if len(set(map(color, balls))) == 1 else "other"


def _paytable(all_three: int, one_color: int, other: int) -> Paytable:
    return Paytable(
        {
            "all_three": to_one(all_three),
            "two_of_three": to_one(100),
            "one_of_three": to_one(17),
            "one_color": to_one(one_color),
            "other": to_one(other),
        }
    )


WAGERS = (
    Wager(
        code="roulette.blazing_7s",
        section="617c.2",
        title="Blazing 7's",
        game="roulette",
        classify=classify,
        # Paytables 1 and 2 have no line for one color: it is among their "Other" and pays what that pays.
        paytables={
            "1": _paytable(1000, one_color=7, other=7),
            "2": _paytable(299, one_color=7, other=7),
            "3": _paytable(1000, one_color=11, other=6),
            "4": _paytable(299, one_color=11, other=6),
        },
        sample=BONUS_ROUNDS,
        needs=BASE,
    ),
)
