"""Sections of the Baccarat games that state a procedure and no wager."""

from services.games.procedures import Procedure

PROCEDURES = (
    Procedure(
        "629c.4",
        "Alternative card reveal procedure",
        "Where the Rules Submission says so and all players have wagered on the Player's hand, at the request of the "
        "player with the highest wager there the dealer shows the Banker's two cards and announces their count, then "
        "hands that player the Player's two cards face down, who looks at them and returns them face up. The round "
        "goes on as in 629a.8(c)(3) to (6); no card and no payout differs.",
    ),
)
