"""The games there are, and the reading of what was recorded into a result that can have been dealt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from services.games.baccarat.coup import read_coups
from services.kernel.errors import ResultMissing


@dataclass(frozen=True)
class Game:
    """A game: its chapter, the fewest decks it is dealt from, and how its recorded results are read."""

    name: str
    chapter: str
    fewest_decks: int
    read: Callable[[Sequence[Any], int], Any]


GAMES: Mapping[str, Game] = MappingProxyType({"baccarat": Game("baccarat", "631a", 6, read_coups)})


def read_history(game: str, messages: Sequence[Any], decks: int) -> Any:
    """The history that `classify` reads, from the recorded results of one round at a table with that many
    decks.

    For baccarat one object with `player` and `banker`, sequences of cards written rank then suit, in deal
    order. Raises ResultMissing (no such game or no result), CardUnknown, IllegalCoup.
    """
    if game not in GAMES:
        raise ResultMissing(f"expected a game of {', '.join(GAMES)}, given {game!r}")
    return GAMES[game].read(messages, decks)
