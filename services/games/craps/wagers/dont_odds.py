"""Don't Pass odds and Don't Come odds (58 Pa. Code 623a.6): a 7 before the number, laid at its true odds.

The stake is the larger part: 2 to win 1 on 4 and 10, 3 to win 2 on 5 and 9, 6 to win 5 on 6 and 8. Don't Pass odds lie
on the point on when they are placed (placed on a come-out roll, on the next one), Don't Come odds on the number of
their Don't Come wager. They always work.
"""

from services.games.craps.chains import Chain, Mixture
from services.games.craps.hand import SEVEN, Hand
from services.games.craps.numbers import LINES, NUMBER_AREAS, NUMBER_OF, first_numbers, point_key
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

ODDS = {"four_or_ten": to_one(1, 2), "five_or_nine": to_one(2, 3), "six_or_eight": to_one(5, 6)}


def classify_dont_pass_odds(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of the point, PENDING, or None."""
    for total, point in list(zip(history.totals, history.points, strict=False))[placement.roll :]:
        if point and total in (point, SEVEN):
            return LINES[point] if total == SEVEN else None
    return PENDING


def classify_dont_come_odds(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of the number, PENDING, or None."""
    number = NUMBER_OF[placement.on]
    for total in history.totals[placement.roll :]:
        if total in (number, SEVEN):
            return LINES[number] if total == SEVEN else None
    return PENDING


WAGERS = (
    Wager(
        code="craps.dont_pass_odds",
        section="623a.6",
        title="Don't Pass odds",
        game="craps",
        classify=classify_dont_pass_odds,
        paytables={"standard": Paytable(ODDS)},
        needs=("craps.dont_pass",),
        lock="any_roll",
        distribution=Chain(classify_dont_pass_odds, point_key),
    ),
    Wager(
        code="craps.dont_come_odds",
        section="623a.6",
        title="Don't Come odds",
        game="craps",
        classify=classify_dont_come_odds,
        paytables={"standard": Paytable(ODDS)},
        needs=("craps.dont_come",),
        placements=NUMBER_AREAS,
        lock="any_roll",
        distribution=Mixture(
            tuple(
                (weight, Chain(classify_dont_come_odds, point_key, hand, Placement(1, str(number), len(hand.rolls))))
                for weight, hand, number in first_numbers()
            )
        ),
        assumes="odds on a Don't Come wager that got its number on the second roll",
    ),
)
