"""The games there are, and the reading of what was recorded into a result that can have been dealt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from services.games.baccarat.coup import read_coups
from services.games.blackjack.play import check_play
from services.games.blackjack.round import read_round
from services.games.craps.hand import hand_over, in_time, read_hand
from services.games.roulette.layout import WHEELS
from services.games.roulette.spin import check_spins, read_spins
from services.kernel.errors import ResultMissing


def _one_result(history: Any) -> bool:
    return True


def _before_the_result(lock: str, roll: int, history: Any) -> bool:
    return roll == 0


def _nothing_drawn(history: Any, terms: Any) -> None:
    """Cards and dice draw nothing that a Rules Submission has to list."""


@dataclass(frozen=True)
class Game:
    """A game: its chapter, the equipment its table names, and how its recorded results are read.

    `fewest_decks` None is a game without cards, `wheels` none a game without a wheel. `read(messages, decks,
    previous)` gives the history. `over(history)`: no further result belongs to the round. `check(history, terms)`
    holds a history against the table's equipment and what its Rules Submission lists: IllegalSpin, DrawNotFiled.
    `in_time(lock, roll, history)`: whether a wager of that lock may be placed after that roll, 0 being none; of a
    history that is None it says what it can. `later_stakes`: stakes may be added after betting closed.
    """

    name: str
    chapter: str
    fewest_decks: int | None
    read: Callable[[Sequence[Any], int, Any], Any]
    over: Callable[[Any], bool] = _one_result
    check: Callable[[Any, Any], None] = _nothing_drawn
    in_time: Callable[[str, int, Any], bool] = _before_the_result
    wheels: tuple[str, ...] = ()
    later_stakes: bool = False

    @property
    def several_results(self) -> bool:
        """Whether a round has several results, as a shooter's hand has rolls."""
        return self.over is not _one_result


def _coups(messages: Sequence[Any], decks: int, previous: Any) -> Any:
    return read_coups(messages, decks)


_GAMES = (
    Game("baccarat", "631a", 6, _coups),
    Game("minibaccarat", "627a", 6, _coups),
    Game("midibaccarat", "629a", 6, _coups),
    Game("roulette", "617a", None, read_spins, check=check_spins, wheels=tuple(WHEELS)),
    Game("craps", "623a", None, read_hand, over=hand_over, in_time=in_time, later_stakes=True),
    Game("blackjack", "633a", 1, read_round, check=check_play, later_stakes=True),
)

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in _GAMES})


def read_history(game: str, messages: Sequence[Any], decks: int, previous: Any = None) -> Any:
    """The history that `classify` reads, from the results recorded of one round so far.

    For the Baccarat games one object with `player` and `banker`, sequences of cards written rank then suit, in deal
    order. For Roulette one object with `pocket`, `bonus_pockets`, `drawn_payout` and `lucky_numbers` (`pocket`,
    `pays_to_one`); `previous` is the last valid spin of the same wheel, alike, or None. For Craps one object for each
    roll of the shooter's hand, with `first_die` and `second_die`. For Blackjack what
    `services.games.blackjack.round.read_round` says. `decks` counts for cards alone.

    Raises ResultMissing (no such game or no result), CardUnknown, PocketUnknown, DiceUnknown, IllegalCoup,
    IllegalSpin, IllegalRoll, IllegalPlay.
    """
    found = GAMES.get(game)
    if found is None:
        raise ResultMissing(f"expected a game of {', '.join(GAMES)}, given {game!r}")
    return found.read(messages, decks, previous)
