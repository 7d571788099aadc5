"""When an inside or outside wager wins: the ball comes to rest in a pocket its area covers (58 Pa. Code 617a.5)."""

from services.games.roulette.layout import COVERED
from services.games.roulette.spin import Spins
from services.games.terms import Terms
from services.games.wagers import Line, Placement

BASE = (
    *(f"roulette.{name}" for name in ("straight", "split", "street", "corner", "five_number", "six_line")),
    *(f"roulette.{name}" for name in ("column", "dozen", "red_black", "odd_even", "low_high")),
    "roulette.lightning_straight",
)
"""The Roulette wagers any one of which a side wager needs at its seat (617c.1(a), 617c.2(a))."""


def wins(history: Spins, placement: Placement, terms: Terms) -> Line | None:
    """`wins`, or None."""
    return "wins" if history.last.pocket in COVERED[placement.on] else None
