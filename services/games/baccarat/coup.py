"""A coup of Baccarat, dealt by the third-card rules of 58 Pa. Code 631a.11.

The values of cards are 631a.6's: an ace counts 1, 2 to 9 their number, 10 and faces nothing; a hand counts
its sum without the tens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from services.kernel.cards import CARDS, RANKS, Card, card
from services.kernel.errors import IllegalCoup, ResultMissing

POINTS = {rank: min(number, 10) % 10 for number, rank in enumerate(RANKS, start=1)}
"""What a card counts, by its rank."""

BANKER_TABLEAU = {
    # the Player's third card:  0123456789
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
"""631a.11(c)(2), Table 1: the Banker's total on two cards, against the value of the Player's third card:
draw, stay.
"""

NATURAL = 8
HAND_SIZES = (2, 3)


def player_draws(total: int) -> bool:
    """Whether the Player draws on this two-card total, neither hand being a natural (631a.11(b))."""
    return total < 6


def banker_draws(total: int, player_third_value: int | None) -> bool:
    """Whether the Banker draws on this two-card total, neither hand being a natural (631a.11(c)).

    `player_third_value` is what the Player's third card counts, or None if the Player stayed.
    """
    if player_third_value is None:
        return total < 6
    return total < NATURAL and BANKER_TABLEAU[total][player_third_value] == "D"


Course = tuple[int, int | None, int, bool]
"""How a coup went: the Player's total on two cards, what the Player's third card counts (None: the Player stayed), the
Banker's total on two cards, whether the Banker drew.
"""


def _courses() -> Iterator[Course]:
    for player, banker in product(range(10), repeat=2):
        natural = max(player, banker) >= NATURAL
        thirds: Sequence[int | None] = range(10) if player_draws(player) and not natural else (None,)
        for third in thirds:
            yield player, third, banker, not natural and banker_draws(banker, third)


_new = tuple.__new__

LEGAL = frozenset(_courses())
"""Every course that 631a.11 allows."""


class Side(Enum):
    """Who won the coup."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


_BY_LEAD = (Side.TIE, *[Side.PLAYER] * 9, *[Side.BANKER] * 9)
"""Who won, by the Player's total less the Banker's; one below zero counts from the end."""


# Not frozen, though nobody changes one: to make it is most of what reading a coup costs.
@dataclass(slots=True, unsafe_hash=True)
class Hand:
    """The cards of one hand in deal order, and what they count, 0 to 9. Its length is the number of cards."""

    cards: tuple[Card, ...]
    total: int

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def initial(self) -> tuple[Card, Card]:
        """The two cards dealt first."""
        return self.cards[0], self.cards[1]

    @property
    def pair(self) -> bool:
        """Whether the two cards dealt first have one rank."""
        return self.cards[0].rank == self.cards[1].rank

    @property
    def natural(self) -> bool:
        """Whether these are two cards that count 8 or 9."""
        return len(self.cards) == 2 and self.total >= NATURAL

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "Hand":
        """The hand of these cards, whatever their number."""
        return cls(tuple(cards), total_of(cards))


class Coup(NamedTuple):
    """A finished coup that the rules can have dealt; `Coup.dealt` refuses any other."""

    player: Hand
    banker: Hand
    winner: Side

    @classmethod
    def dealt(cls, player: Sequence[Card], banker: Sequence[Card]) -> "Coup":
        """The coup of these cards, hands in deal order. Raises IllegalCoup, naming the rule they break."""
        _check_count("Player", player)
        _check_count("Banker", banker)
        return _dealt(Hand.of(player), Hand.of(banker))

    @classmethod
    def of(cls, player: Sequence[Card], banker: Sequence[Card]) -> "Coup":
        """The coup of cards already known to follow the rules."""
        return _finished(Hand.of(player), Hand.of(banker))


class Coups(NamedTuple):
    """What a Baccarat wager is settled on: the round's one coup."""

    last: Coup


def total_of(cards: Sequence[Card]) -> int:
    """What the cards count together, 0 to 9."""
    return sum([POINTS[each.rank] for each in cards]) % 10


def deal(shoe: Iterator[Card]) -> Coup:
    """The coup dealt by the rules from the next cards of a shoe: first and third to the Player (631a.9)."""
    first, second, third, fourth = (next(shoe) for _ in range(4))
    player, banker = [first, third], [second, fourth]
    player_two, banker_two = total_of(player), total_of(banker)
    if max(player_two, banker_two) < NATURAL:
        if player_draws(player_two):
            player.append(next(shoe))
        if banker_draws(banker_two, POINTS[player[2].rank] if len(player) == 3 else None):
            banker.append(next(shoe))
    return Coup.of(player, banker)


def read_coups(messages: Sequence[Any], decks: int) -> Coups:
    """The history of one recorded result: an object with `player` and `banker`, cards written rank then suit.

    Raises ResultMissing, CardUnknown, IllegalCoup; the last also for more copies of a card than `decks` hold.
    """
    if len(messages) != 1:
        raise ResultMissing(f"expected one coup in a round of Baccarat, given {len(messages)}")
    # Copied at once: a message makes a text anew each time it is asked for one.
    player, banker = messages[0].player[:], messages[0].banker[:]
    if len(player) not in HAND_SIZES or len(banker) not in HAND_SIZES:
        return Coups(Coup.dealt([card(text) for text in player], [card(text) for text in banker]))
    coup = _read(player, banker)
    if decks < len(player) + len(banker):
        _check_copies(coup.player.cards + coup.banker.cards, decks)
    return _new(Coups, (coup,))


def _read(player: Sequence[str], banker: Sequence[str]) -> Coup:
    """The coup of hands of two or three cards. Raises CardUnknown, IllegalCoup."""
    players, bankers = _first_cards(player[0], player[1]), _first_cards(banker[0], banker[1])
    player_two, banker_two, third = players.total, bankers.total, None
    if len(player) == 3:
        last, third = _third_card(player[2])
        players = Hand((*players.cards, last), (player_two + third) % 10)
    if len(banker) == 3:
        last, counts = _third_card(banker[2])
        bankers = Hand((*bankers.cards, last), (banker_two + counts) % 10)
    if (player_two, third, banker_two, len(banker) == 3) not in LEGAL:
        return _dealt(players, bankers)  # which names the rule
    # The class's own constructor is a call more for every round.
    return _new(Coup, (players, bankers, _BY_LEAD[players.total - bankers.total]))


@lru_cache(maxsize=len(CARDS))
def _third_card(text: str) -> tuple[Card, int]:
    """A card and what it counts. Raises CardUnknown."""
    third = card(text)
    return third, POINTS[third.rank]


@lru_cache(maxsize=len(CARDS) ** 2)
def _first_cards(first: str, second: str) -> Hand:
    """There are few enough pairs of cards to keep the hand of each."""
    return Hand.of((card(first), card(second)))


def _dealt(player: Hand, banker: Hand) -> Coup:
    """The coup of these hands of two or three cards. Raises IllegalCoup, naming the rule they break."""
    player_two, third = _two_and_third(player)
    banker_two, drawn = _two_and_third(banker)
    if (player_two, third, banker_two, drawn is not None) not in LEGAL:
        natural = player_two >= NATURAL or banker_two >= NATURAL
        _check_third("Player", player.cards, player_two, natural, draws=not natural and player_draws(player_two))
        draws = not natural and banker_draws(banker_two, third)
        _check_third("Banker", banker.cards, banker_two, natural, draws=draws)
    return _finished(player, banker)


def _two_and_third(hand: Hand) -> tuple[int, int | None]:
    """What the two cards dealt first count together, and the third, None where there is none."""
    if len(hand.cards) == 2:
        return hand.total, None
    third = POINTS[hand.cards[2].rank]
    return (hand.total - third) % 10, third


def _finished(player: Hand, banker: Hand) -> Coup:
    return Coup(player, banker, _BY_LEAD[player.total - banker.total])


def _check_count(side: str, cards: Sequence[Card]) -> None:
    if len(cards) not in HAND_SIZES:
        raise IllegalCoup(f"{side} has two or three cards: {len(cards)} were recorded")


def _check_third(side: str, cards: Sequence[Card], total: int, natural: bool, *, draws: bool) -> None:
    if draws and len(cards) == 2:
        raise IllegalCoup(f"{side} draws on {total}: no third card was recorded")
    if not draws and len(cards) == 3:
        rule = f"No card follows a natural, {side} has {total}" if natural else f"{side} stands on {total}"
        raise IllegalCoup(f"{rule}: a third card {cards[2]} was recorded")


def _check_copies(cards: Sequence[Card], decks: int) -> None:
    for each in cards:
        if cards.count(each) > decks:
            raise IllegalCoup(f"{decks} decks hold {each} {decks} times: it was recorded {cards.count(each)} times")
