"""Don't Pass and Don't Come, bar 12 (58 Pa. Code 623a.3; even money by common practice).

The reverse of Pass and Come: 7 and 11 lose, 2 and 3 win, a 12 pushes, any other total is the wager's number, and a 7
must be thrown before it.
"""

from services.games.craps.chains import NO_ROLL, Chain
from services.games.craps.hand import SEVEN, Hand
from services.games.craps.wagers.pass_and_come import AFTER_A_FOUR, key
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

FIRST_ROLL: dict[int, Line | None] = {2: "wins", 3: "wins", 12: "bar_twelve", 7: None, 11: None}
"""What the first roll settles by itself."""


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """`wins`, `bar_twelve` (a push), PENDING, or None."""
    totals = history.totals[placement.roll :]
    if not totals:
        return PENDING
    number = totals[0]
    if number in FIRST_ROLL:
        return FIRST_ROLL[number]
    for total in totals[1:]:
        if total in (number, SEVEN):
            return "wins" if total == SEVEN else None
    return PENDING


def _wager(code: str, title: str, lock: str, start: Hand) -> Wager:
    return Wager(
        code=f"craps.{code}",
        section="623a.3",
        title=title,
        game="craps",
        classify=classify,
        paytables={"standard": Paytable({"wins": to_one(1), "bar_twelve": PUSH})},
        lock=lock,
        distribution=Chain(classify, key, start, Placement(1, roll=len(start.rolls))),
    )


WAGERS = (
    _wager("dont_pass", "Don't Pass", "come_out", NO_ROLL),
    _wager("dont_come", "Don't Come", "any_roll", AFTER_A_FOUR),
)
