"""Bonus Craps (58 Pa. Code 623c.3): All Small, All Tall and Make 'Em All.

Every total of the wager's set is thrown before any 7: 2 to 6, 8 to 12, or all ten. Each wager is paid the moment its
set is complete; any 7 before that loses, on a come-out roll too (ruling C4).
"""

from collections.abc import Hashable

from services.games.craps.chains import Chain
from services.games.craps.hand import SEVEN, Hand
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Classify, Line, Pending, Placement, Wager

SMALL = frozenset(range(2, 7))
TALL = frozenset(range(8, 13))


def _classify(wanted: frozenset[int]) -> Classify:
    def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        """`complete`, PENDING, or None."""
        missing = set(wanted)
        for total in history.totals[placement.roll :]:
            if total == SEVEN:
                return None
            missing.discard(total)
            if not missing:
                return "complete"
        return PENDING

    return classify


def _wager(code: str, title: str, wanted: frozenset[int], odds: tuple[int, int]) -> Wager:
    classify = _classify(wanted)

    def key(history: Hand, placement: Placement) -> Hashable:
        return wanted.intersection(history.totals[placement.roll :])

    return Wager(
        code=f"craps.{code}",
        section="623c.3",
        title=title,
        game="craps",
        classify=classify,
        paytables={name: Paytable({"complete": to_one(pays)}) for name, pays in zip("12", odds, strict=True)},
        family="Bonus Craps",
        lock="first_roll",
        distribution=Chain(classify, key),
    )


WAGERS = (
    _wager("all_small", "All Small", SMALL, (34, 30)),
    _wager("all_tall", "All Tall", TALL, (34, 30)),
    _wager("make_em_all", "Make 'Em All", SMALL | TALL, (175, 150)),
)
