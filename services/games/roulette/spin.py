"""A spin of a Roulette wheel: where the ball came to rest, and what the round drew besides (58 Pa. Code 617a.5, 617c).

What a random number generator draws is part of the recorded result (ruling R3). A result that the wheel or the
Rules Submission does not have is refused, never read as something else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from services.games.roulette.layout import POCKETS, WHEELS
from services.kernel.errors import DrawNotFiled, IllegalSpin, PocketUnknown, ResultMissing

if TYPE_CHECKING:
    from services.games.terms import Terms

SEVENS = frozenset(("7", "17", "27"))
"""The pockets that open a bonus round (617c.2(a)) and that count in it."""

BONUS_BALLS = 3
MOST_LUCKY_NUMBERS = 5
_KNOWN = frozenset(POCKETS)
_ALLOWED = {wheel: frozenset(pockets) for wheel, pockets in WHEELS.items()}
B2B, LIGHTNING = "roulette.b2b", "roulette.lightning_straight"


class LuckyNumber(NamedTuple):
    """A pocket that the generator lit, and what a straight wager on it pays, N to 1 (617c.3(d))."""

    pocket: str
    pays_to_one: int


@dataclass(frozen=True, slots=True)
class Spin:
    """A spin that some wheel can have given; `Spin.spun` refuses any other.

    `bonus_pockets`: the three of a Blazing 7's bonus round, or none. `drawn_payout`: drawn for B2B, N to 1; 0 where
    nothing was drawn.
    """

    pocket: str
    bonus_pockets: tuple[str, ...] = ()
    drawn_payout: int = 0
    lucky_numbers: tuple[LuckyNumber, ...] = ()

    @classmethod
    def spun(
        cls,
        pocket: str,
        bonus_pockets: Sequence[str] = (),
        drawn_payout: int = 0,
        lucky_numbers: Sequence[LuckyNumber] = (),
    ) -> "Spin":
        """The spin with this outcome. Raises PocketUnknown; IllegalSpin, naming the rule it breaks."""
        _check_pockets((pocket, *bonus_pockets, *(each.pocket for each in lucky_numbers)))
        if bonus_pockets:
            _check_bonus(pocket, bonus_pockets)
        if drawn_payout < 0:
            raise IllegalSpin(f"617c.1(e): expected a drawn payout of N to 1, or 0 for none, given {drawn_payout}")
        if lucky_numbers:
            _check_lucky(lucky_numbers)
        return cls(pocket, tuple(bonus_pockets), drawn_payout, tuple(lucky_numbers))


class Spins(NamedTuple):
    """What a Roulette wager is settled on: the round's spin, and the last valid one of that wheel before it, if any."""

    previous: Spin | None
    last: Spin

    @property
    def repeats(self) -> bool:
        """Whether the ball came to rest on the number of the spin before (617c.1(d))."""
        return self.previous is not None and self.previous.pocket == self.last.pocket


def read_spins(messages: Sequence[Any], decks: int = 0, previous: Any = None) -> Spins:
    """The history of a recorded round: one object with `pocket`, `bonus_pockets`, `drawn_payout`, `lucky_numbers`.

    `previous` is an object of the same kind, of which only the pocket counts, or None; a wheel has no `decks`.
    Raises ResultMissing, PocketUnknown, IllegalSpin.
    """
    if len(messages) != 1:
        raise ResultMissing(f"expected one spin in a round of Roulette, given {len(messages)}")
    (message,) = messages
    lucky = [LuckyNumber(each.pocket, each.pays_to_one) for each in message.lucky_numbers]
    last = Spin.spun(message.pocket, message.bonus_pockets, message.drawn_payout, lucky)
    history = Spins(None if previous is None else Spin.spun(previous.pocket), last)
    # The generator is asked when the wager wins: a draw tells that the floor saw another spin before this one.
    if last.drawn_payout and previous is not None and not history.repeats:
        expected = f"expected no draw where {last.pocket} follows {previous.pocket}"
        raise IllegalSpin(f"617c.1(e): {expected}, given {last.drawn_payout} to 1")
    return history


def check_spins(history: Spins, terms: "Terms") -> None:
    """Holds a spin against the table's wheel and against the payouts that its Rules Submission lists (ruling R3).

    Raises IllegalSpin, DrawNotFiled.
    """
    spin, allowed = history.last, _ALLOWED[terms.wheel]
    for pocket in (spin.pocket, *spin.bonus_pockets, *(each.pocket for each in spin.lucky_numbers)):
        if pocket not in allowed:
            raise IllegalSpin(f"617a.1: expected a pocket of a {_words(terms.wheel)} wheel, given {pocket}")
    if spin.drawn_payout:
        _check_filed("617c.1(e)", B2B, spin.drawn_payout, terms)
    for lucky in spin.lucky_numbers:
        _check_filed("617c.3(g)", LIGHTNING, lucky.pays_to_one, terms)
    if not spin.lucky_numbers and LIGHTNING in terms.offers:
        raise IllegalSpin(f"617c.3(d): expected 1 to {MOST_LUCKY_NUMBERS} Lucky Numbers, given none")


def _check_pockets(pockets: Sequence[str]) -> None:
    for pocket in pockets:
        if pocket not in _KNOWN:
            raise PocketUnknown(f"expected 0, 00 or 1 to 36, given {pocket!r}")


def _check_bonus(pocket: str, bonus_pockets: Sequence[str]) -> None:
    given = ", ".join(bonus_pockets)
    if pocket not in SEVENS:
        raise IllegalSpin(f"617c.2(e): expected no bonus round after {pocket}, given {given}")
    # Balls that come to rest together are relaunched until they lie apart (617c.2(h), ruling R2).
    if len(bonus_pockets) != BONUS_BALLS or len(set(bonus_pockets)) != BONUS_BALLS:
        raise IllegalSpin(f"617c.2(h): expected {BONUS_BALLS} different pockets in the bonus round, given {given}")


def _check_lucky(lucky_numbers: Sequence[LuckyNumber]) -> None:
    pockets = [each.pocket for each in lucky_numbers]
    if len(pockets) > MOST_LUCKY_NUMBERS or len(set(pockets)) != len(pockets):
        expected = f"expected at most {MOST_LUCKY_NUMBERS} different Lucky Numbers"
        raise IllegalSpin(f"617c.3(d): {expected}, given {', '.join(pockets)}")


def _check_filed(section: str, code: str, payout: int, terms: "Terms") -> None:
    filed = terms.parsed(code, "payouts") if code in terms.offers else None
    if payout not in (filed or ()):
        expected = ", ".join(map(str, filed)) if filed else "none"
        raise DrawNotFiled(f"{section}: expected a payout filed for {code} ({expected}), given {payout} to 1")


def _words(wheel: str) -> str:
    return wheel.replace("_", " ")
