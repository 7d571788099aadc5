"""What the sections of Roulette have the table do without settling anything by it."""

from services.games.procedures import Procedure

PROCEDURES = (
    Procedure(
        "617c.2",
        "Blazing 7's relaunch",
        "Where balls of the bonus round come to rest in one compartment, one stays and the others are relaunched; a "
        "ball in a compartment of its own stays where it is (617c.2(h), (i)). The result records the pockets in which "
        "the three lie at the end.",
    ),
)
