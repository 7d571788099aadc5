"""Must-Hit-By Mystery bonus (58 Pa. Code 633c.14): what a Jackpot Party, Blazing 7's, Hit and Run or Straight Jack
wager may carry besides.

The configurations for a least wager of $2 stand as printed, though 633c.2 and 633c.9 know $1 and $5 alone: a larger
wager qualifies under them, as under those of 631c.6 (ruling B12).
"""

from services.games.wagers import Mystery

_CONFIGURATIONS = {
    "A": (10_000, ((100, 20_000, 200), (200, 20_000, 150), (500, 25_000, 100))),
    "B": (10_000, ((100, 50_000, 500), (200, 50_000, 350), (500, 50_000, 200))),
    "C": (25_000, ((100, 50_000, 200), (200, 50_000, 150), (500, 50_000, 50))),
    "D": (25_000, ((100, 100_000, 500), (200, 100_000, 300), (500, 100_000, 200))),
}
"""633c.14(c)(4), by configuration: minimum in cents; then least wager, maximum, rate in hundredths of a percent."""

MUST_HIT_BY = tuple(
    Mystery(f"{name}-${least // 100}", least, minimum, most, rate, section="633c.14")
    for name, (minimum, rows) in _CONFIGURATIONS.items()
    for least, most, rate in rows
)
