"""B2B Roulette (58 Pa. Code 617c.1): the ball comes to rest on the number of the spin before.

The spin before is the last valid one of the same wheel; with none on record the wager is void and the stake
returned (ruling R1). What it pays is drawn by the table's random number generator among the payouts that the
Rules Submission lists (617c.1(e), ruling R3). A repeat without a recorded draw leaves the wager pending (ruling R6).
"""

from collections.abc import Mapping
from fractions import Fraction

from services.games.paytables import VOID, Paytable, to_one
from services.games.roulette.covered import BASE
from services.games.roulette.draws import PAYOUTS, WEIGHTS, listed, shares, weighed, weighs_what_is_filed
from services.games.roulette.samples import repeats_paying
from services.games.roulette.spin import B2B, Spins
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

LISTED = (1000, 500, 250, 100, 50, 25, 10)
"""The payouts of 617c.1(e), N to 1."""

_LINES = {payout: f"repeat_pays_{payout}" for payout in LISTED}
_weights = weighed(LISTED)


def classify(history: Spins, placement: Placement, terms: Terms) -> Line | Pending | None:
    """`no_previous_spin`, `repeat_pays_1000` to `repeat_pays_10`, PENDING until the draw is recorded, or None."""
    if history.previous is None:
        return "no_previous_spin"
    if not history.repeats:
        return None
    return _LINES[history.last.drawn_payout] if history.last.drawn_payout else PENDING


def law(options: Mapping[str, str], wheel: str) -> Mapping[Line, Fraction] | None:
    """The probability of each line once the number has come again; None without filed weights."""
    if WEIGHTS not in options:
        return None
    return {_LINES[payout]: share for payout, share in shares(_weights(options[WEIGHTS])).items()}


WAGERS = (
    Wager(
        code=B2B,
        section="617c.1",
        title="B2B Roulette",
        game="roulette",
        classify=classify,
        paytables={
            "standard": Paytable(
                {**{line: to_one(payout) for payout, line in _LINES.items()}, "no_previous_spin": VOID}
            )
        },
        sample=repeats_paying(LISTED),
        needs=BASE,
        options={PAYOUTS: listed(LISTED), WEIGHTS: _weights},
        required_options=(PAYOUTS,),
        assumed={PAYOUTS: ",".join(map(str, LISTED))},
        drawn={"repeat": tuple(_LINES.values())},
        draw_law=law,
        unreached={"no_previous_spin": "the figures take a spin before as given; without one the stake comes back"},
        checks=(weighs_what_is_filed(B2B),),
    ),
)
