"""Lightning Roulette (58 Pa. Code 617c.3): a straight wager pays what its number was lit at, else 29 to 1.

After all wagers are placed the table's random number generator lights 1 to 5 Lucky Numbers and draws for each one of
the payouts that the Rules Submission lists (617c.3(d), (g), ruling R3). It takes the place of the straight wager of
617a.4, on a single zero wheel alone (617c.3(a), (f)); all other Roulette wagers stay as they are.
"""

from collections.abc import Mapping
from fractions import Fraction

from services.games.paytables import Paytable, to_one
from services.games.roulette.draws import COUNTS, PAYOUTS, WEIGHTS, listed, shares, weighed, weighs_what_is_filed
from services.games.roulette.layout import SINGLE_ZERO, STRAIGHT, WHEELS
from services.games.roulette.samples import lucky_paying
from services.games.roulette.spin import LIGHTNING, MOST_LUCKY_NUMBERS, Spins
from services.games.terms import Terms
from services.games.wagers import PENDING, Contradiction, Line, Pending, Placement, Wager

LISTED = (499, 399, 349, 299, 249, 199, 149, 99, 49)
"""The payouts of 617c.3(g), N to 1."""

UNLIT = 29
_LINES = {payout: f"lucky_pays_{payout}" for payout in LISTED}
_weights = weighed(LISTED)
_counts = weighed(range(1, MOST_LUCKY_NUMBERS + 1))


def classify(history: Spins, placement: Placement, terms: Terms) -> Line | Pending | None:
    """`lucky_pays_499` to `lucky_pays_49`, `unlit`, PENDING until Lucky Numbers are recorded, or None."""
    spin = history.last
    if spin.pocket != placement.on:
        return None
    for lucky in spin.lucky_numbers:
        if lucky.pocket == placement.on:
            return _LINES[lucky.pays_to_one]
    return "unlit" if spin.lucky_numbers else PENDING


def law(options: Mapping[str, str], wheel: str) -> Mapping[Line, Fraction] | None:
    """The probability of each line once the number has come; None without filed weights of payouts and counts.

    Each pocket is lit equally often, and whether it is lit does not depend on where the ball comes to rest.
    """
    if WEIGHTS not in options or COUNTS not in options:
        return None
    mean = sum((count * share for count, share in shares(_counts(options[COUNTS])).items()), Fraction(0))
    lit = mean / len(WHEELS[wheel])
    drawn = {_LINES[payout]: lit * share for payout, share in shares(_weights(options[WEIGHTS])).items()}
    return {**drawn, "unlit": 1 - lit}


def _one_straight(terms: Terms) -> Contradiction | None:
    if "roulette.straight" not in terms.offers:
        return None
    return Contradiction("straight wagers", f"{LIGHTNING} alone", "roulette.straight beside it")


WAGERS = (
    Wager(
        code=LIGHTNING,
        section="617c.3",
        title="Lightning Roulette",
        game="roulette",
        classify=classify,
        paytables={
            "standard": Paytable(
                {**{line: to_one(payout) for payout, line in _LINES.items()}, "unlit": to_one(UNLIT)},
                wheels=(SINGLE_ZERO,),
            )
        },
        sample=lucky_paying(LISTED),
        placements=STRAIGHT[SINGLE_ZERO],
        options={PAYOUTS: listed(LISTED), WEIGHTS: _weights, COUNTS: _counts},
        required_options=(PAYOUTS,),
        assumed={PAYOUTS: ",".join(map(str, LISTED))},
        drawn={"straight_wins": (*_LINES.values(), "unlit")},
        draw_law=law,
        checks=(weighs_what_is_filed(LIGHTNING), _one_straight),
    ),
)
