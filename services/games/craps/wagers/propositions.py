"""Wagers on the next roll (58 Pa. Code 623a.3): any seven, any craps, 2, 3, 11, 12, and horn.

By common practice 4 to 1, 7 to 1, 30 to 1 on 2 and 12, 15 to 1 on 3 and 11. A horn wager is a quarter on each of 2, 3,
11 and 12: what one quarter wins less the three that lose is 27 to 4 on 2 and 12, 3 to 1 on 3 and 11.
"""

from collections.abc import Mapping

from services.games.craps.chains import Chain
from services.games.craps.hand import Hand
from services.games.craps.numbers import point_key
from services.games.paytables import Odds, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Classify, Line, Pending, Placement, Wager


def _classify(lines: Mapping[int, Line]) -> Classify:
    def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        """The line of the next roll's total, PENDING before it, or None."""
        return lines.get(history.totals[placement.roll]) if placement.roll < len(history.totals) else PENDING

    return classify


def _wager(code: str, title: str, lines: Mapping[int, Line], odds: Mapping[Line, Odds]) -> Wager:
    classify = _classify(lines)
    return Wager(
        code=f"craps.{code}",
        section="623a.3",
        title=title,
        game="craps",
        classify=classify,
        paytables={"standard": Paytable(odds)},
        lock="any_roll",
        distribution=Chain(classify, point_key),
    )


HORN: dict[int, Line] = {2: "two_or_twelve", 3: "three_or_eleven", 11: "three_or_eleven", 12: "two_or_twelve"}

WAGERS = (
    _wager("any_seven", "Any seven", {7: "seven"}, {"seven": to_one(4)}),
    _wager("any_craps", "Any craps", dict.fromkeys((2, 3, 12), "craps"), {"craps": to_one(7)}),
    _wager("two", "Craps 2", {2: "two"}, {"two": to_one(30)}),
    _wager("three", "Craps 3", {3: "three"}, {"three": to_one(15)}),
    _wager("eleven", "Eleven", {11: "eleven"}, {"eleven": to_one(15)}),
    _wager("twelve", "Craps 12", {12: "twelve"}, {"twelve": to_one(30)}),
    _wager("horn", "Horn", HORN, {"two_or_twelve": to_one(27, 4), "three_or_eleven": to_one(3)}),
)
