"""How far a report reaches: "complete to rounds position R"."""

from collections.abc import Mapping

SOURCES = ("rounds", "settlements", "progressives")
"""The feeds that must have reached R: the rounds themselves and what two services made of them."""


def complete_to(reach: Mapping[str, int]) -> int:
    """The last rounds position of which every source has been applied here; 0 while one has told nothing.

    `reach`: per feed, the rounds position that its author had applied at a head that has been applied here.
    """
    return min(reach.get(feed, 0) for feed in SOURCES)
