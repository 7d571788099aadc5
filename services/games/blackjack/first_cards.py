"""Views of the cards dealt first, for wagers that look at nothing else, and what they look for in them.

Each view counts its cases as its docstring says; the dealer's or the player's other cards stand for any.
"""

from collections.abc import Hashable, Iterator
from itertools import combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import NamedTuple

from services.games.blackjack.cards import is_blackjack, total_of
from services.games.blackjack.round import Seat, Table, shown
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, RANKS, SUITS, Card

SEAT = Placement(1)
LOW_RANKS = RANKS[1:7]
"""The upcards of Upcard Luck: 2 to 7."""
ACE_AND_JACK = frozenset((CARDS["AS"], CARDS["JS"]))


def _case(ways: int, player: str, dealer: str, third: str = "") -> Case:
    first, second = (CARDS[each] for each in player.split())
    cards = tuple(CARDS[each] for each in dealer.split())
    return Case(shown((first, second), cards, CARDS[third] if third else None), ways)


def _dealt(cases: Iterator[Case]) -> Iterator[Case]:
    """The cases that so many decks can deal at all."""
    return (case for case in cases if case.ways)


def pair_key(history: Table, placement: Placement) -> Hashable:
    """The player's initial two cards, in whatever order."""
    return frozenset(history.seat(placement.seat).first_two)


def initial_pairs(decks: int) -> Iterator[Case]:
    """Every two cards of the player, with the ways of two unordered cards."""
    for first, second in combinations_with_replacement(CARDS.values(), 2):
        ways = comb(decks, 2) if first is second else decks * decks
        if ways:
            yield Case(shown((first, second), (CARDS["9D"], CARDS["KH"])), ways)


class Matches(NamedTuple):
    """How many of the player's initial two cards are the dealer's upcard in suit and rank, and in rank alone."""

    suited: int
    non_suited: int


def matches(seat: Seat) -> Matches:
    """The matches of the player's initial two cards with the dealer's upcard."""
    one_rank = [card for card in seat.first_two if card.rank == seat.upcard.rank]
    suited = sum(card is seat.upcard for card in one_rank)
    return Matches(suited, len(one_rank) - suited)


def match_key(history: Table, placement: Placement) -> Hashable:
    """The matches, and whether the upcard is the ace of spades."""
    seat = history.seat(placement.seat)
    return matches(seat), seat.upcard is CARDS["AS"]


def upcard_matches(decks: int) -> Iterator[Case]:
    """Every number of matches, for the ace of spades up and for any other card, with the ways of the upcard and two
    unordered cards.
    """
    return _dealt(_upcard_matches(decks))


def _upcard_matches(decks: int) -> Iterator[Case]:
    for upcard, match, other in (("AS", "AS", "AH"), ("8D", "8D", "8C")):
        upcards = decks if upcard == "AS" else 51 * decks
        for suited, non_suited in ((2, 0), (1, 1), (1, 0), (0, 2), (0, 1), (0, 0)):
            plain = 2 - suited - non_suited
            ways = upcards * comb(decks - 1, suited) * comb(3 * decks, non_suited) * comb(48 * decks, plain)
            yield _case(ways, " ".join([match] * suited + [other] * non_suited + ["KC"] * plain), f"{upcard} 9H")


class ThreeCards(NamedTuple):
    """What the player's two cards and the dealer's upcard have in common; an ace is high or low in a sequence."""

    one_rank: bool
    one_suit: bool
    sequence: bool


_SEQUENCES = frozenset(frozenset((*RANKS, "A")[low : low + 3]) for low in range(len(RANKS) - 1))


def three_cards(seat: Seat) -> ThreeCards:
    """The player's two cards and the dealer's upcard (ruling K8: Q-K-A and A-2-3 are sequences, K-A-2 is none)."""
    cards = (*seat.first_two, seat.upcard)
    ranks, suits = frozenset(card.rank for card in cards), {card.suit for card in cards}
    return ThreeCards(len(ranks) == 1, len(suits) == 1, ranks in _SEQUENCES)


def three_key(history: Table, placement: Placement) -> Hashable:
    """What the three cards have in common."""
    return three_cards(history.seat(placement.seat))


def three(decks: int) -> Iterator[Case]:
    """Every class of three cards, with the ways of three unordered cards."""
    return _dealt(_three(decks))


def _three(decks: int) -> Iterator[Case]:
    one_card, sequences = len(CARDS) * comb(decks, 3), len(_SEQUENCES) * decks**3
    one_rank, straights = len(RANKS) * comb(4 * decks, 3) - one_card, sequences * (4**3 - 4)
    flushes = 4 * comb(13 * decks, 3) - one_card - 4 * sequences
    others = comb(52 * decks, 3) - one_card - one_rank - 4 * sequences - straights - flushes
    yield _case(one_card, "8C 8C", "8C KH")
    yield _case(one_rank, "8C 8D", "8H KH")
    yield _case(4 * sequences, "2C 3C", "4C KH")
    yield _case(straights, "2C 3C", "4D KH")
    yield _case(flushes, "2C 3C", "9C KH")
    yield _case(others, "2C 3C", "9D KH")


def aces(seat: Seat) -> tuple[str, ...]:
    """The suits, sorted, of the aces among the player's initial two cards and the dealer's two."""
    return tuple(sorted(card.suit for card in (*seat.first_two, seat.upcard, seat.hole) if card.rank == "A"))


def aces_key(history: Table, placement: Placement) -> Hashable:
    """The suits of the aces."""
    return aces(history.seat(placement.seat))


def four_with_aces(decks: int) -> Iterator[Case]:
    """Every choice of aces by suit among the four cards, with the ways of four unordered cards."""
    for number in range(5):
        for suits in combinations_with_replacement(SUITS, number):
            ways = prod(comb(decks, suits.count(suit)) for suit in SUITS) * comb(48 * decks, 4 - number)
            four = [f"A{suit}" for suit in suits] + ["KC", "9D", "8H", "7S"][number:]
            if ways:
                yield _case(ways, " ".join(four[:2]), " ".join(four[2:]))


Sevens = tuple[str, ...]
"""The suits, sorted, of the sevens among the first two cards and, where both are sevens, the third."""


def sevens_with(seat: Seat, third: Card | None) -> Sevens:
    """The sevens of 633c.9 with this card as the third, None where there is none."""
    looked_at = [card for card in seat.first_two if card.rank == "7"]
    if len(looked_at) == 2 and third is not None and third.rank == "7":
        looked_at.append(third)
    return tuple(sorted(card.suit for card in looked_at))


def sevens_key(history: Table, placement: Placement) -> Hashable:
    """The sevens with the player's next card as the third."""
    seat = history.seat(placement.seat)
    return sevens_with(seat, seat.next_card)


def sevens_and_upcard_key(history: Table, placement: Placement) -> Hashable:
    """The sevens with the dealer's upcard as the third."""
    seat = history.seat(placement.seat)
    return sevens_with(seat, seat.upcard)


def sevens(decks: int) -> Iterator[Case]:
    """Every choice of sevens by suit, the third the player's next card, with the ways of two unordered cards and one
    more.
    """
    return (_case(ways, player, "5D KH", third) for ways, player, third in _sevens(decks))


def sevens_and_upcard(decks: int) -> Iterator[Case]:
    """The same with the dealer's upcard as the third."""
    return (_case(ways, player, f"{third} KH") for ways, player, third in _sevens(decks))


def _sevens(decks: int) -> Iterator[tuple[int, str, str]]:
    others, cards = 48 * decks, 52 * decks
    yield comb(others, 2) * (cards - 2), "8C 9C", "9D"
    for suit in SUITS:
        yield decks * others * (cards - 2), f"7{suit} 9C", "9D"
    for first, second in combinations_with_replacement(SUITS, 2):
        ways = (comb(decks, 2) if first == second else decks * decks) * others
        if ways:
            yield ways, f"7{first} 7{second}", "9D"
    for suits in combinations_with_replacement(SUITS, 3):
        numbers = [suits.count(suit) for suit in SUITS]
        # Any of the ordered deals of these suits, halved: the first two cards are taken in whatever order.
        ways = 6 // prod(map(factorial, numbers)) * prod(perm(decks, number) for number in numbers) // 2
        if ways:
            first, second, third = suits
            yield ways, f"7{first} 7{second}", f"7{third}"


class Blackjacks(NamedTuple):
    """The Blackjacks of the player and the dealer, and what they have in common where both have one.

    `player_ace`: whether the player's two cards have an ace. `one_suit`: all four cards; `same_ten`: both ten-values
    have one rank; `king`: they are kings.
    """

    player: bool
    dealer: bool
    player_ace: bool
    player_suited: bool
    one_suit: bool
    same_ten: bool
    king: bool


def blackjacks(seat: Seat) -> Blackjacks:
    """The Blackjacks among the player's initial two cards and the dealer's two."""
    first, second = seat.first_two
    ranks, dealer_ranks = {first.rank, second.rank}, {seat.upcard.rank, seat.hole.rank}
    player = is_blackjack(seat.first_two)
    both = player and seat.dealer_blackjack
    return Blackjacks(
        player,
        seat.dealer_blackjack,
        "A" in ranks,
        player and first.suit == second.suit,
        both and len({card.suit for card in (first, second, seat.upcard, seat.hole)}) == 1,
        both and ranks == dealer_ranks,
        both and ranks == dealer_ranks == {"A", "K"},
    )


def blackjacks_key(history: Table, placement: Placement) -> Hashable:
    """The Blackjacks; of a dealer's Blackjack without one of the player, nothing but that."""
    found = blackjacks(history.seat(placement.seat))
    if found.dealer and found.player and not found.one_suit:
        return "both"
    return found if found.player else found.player_ace


def both_two(decks: int) -> Iterator[Case]:
    """Every class of Blackjacks, with the ways of two unordered cards for the player and two for the dealer."""
    return _dealt(_both_two(decks))


def _both_two(decks: int) -> Iterator[Case]:
    ace_tens, dealers, left = decks * decks, comb(52 * decks - 2, 2), (decks - 1) * (decks - 1)
    dealer_blackjack = (4 * decks - 1) * (16 * decks - 1)
    matching, one_suit = 4 * ace_tens * left, 4 * 12 * ace_tens * (decks - 1) * decks
    yield _case(matching, "AC KC", "AC KC")
    yield _case(3 * matching, "AC JC", "AC JC")
    yield _case(one_suit, "AC KC", "AC JC")
    yield _case(64 * ace_tens * dealer_blackjack - 4 * matching - one_suit, "AC KD", "AC KC")
    yield _case(16 * ace_tens * (dealers - dealer_blackjack), "AC KC", "9C 8D")
    yield _case(48 * ace_tens * (dealers - dealer_blackjack), "AC KD", "9C 8D")
    any_ace = comb(52 * decks, 2) - comb(48 * decks, 2) - 64 * ace_tens
    yield _case(any_ace * dealers, "AC 5D", "9C 8D")
    yield _case(comb(48 * decks, 2) * dealers, "6C 5D", "9C 8D")


def low_total(seat: Seat) -> int:
    """What the player's initial two cards count against an upcard of 2 to 7, an ace 11 where it can (two aces are 12);
    0 against any other.
    """
    return total_of(seat.first_two)[0] if seat.upcard.rank in LOW_RANKS else 0


def low_total_key(history: Table, placement: Placement) -> Hashable:
    """The total against a low upcard, and whether the two cards are the ace and jack of spades."""
    seat = history.seat(placement.seat)
    total = low_total(seat)
    return total, bool(total) and frozenset(seat.first_two) == ACE_AND_JACK


def upcards_and_totals(decks: int) -> Iterator[Case]:
    """Every total against a low upcard, and every other upcard together, with the ways of the upcard and two unordered
    cards.
    """
    copies, low = 4 * decks, len(LOW_RANKS)
    found: dict[int, int] = {}
    players: dict[int, str] = {}
    for up, (first, second) in product(LOW_RANKS, combinations_with_replacement(RANKS, 2)):
        left = [copies - (each == up) for each in (first, second)]
        total, _ = total_of((CARDS[f"{first}C"], CARDS[f"{second}D"]))
        found[total] = found.get(total, 0) + copies * (comb(left[0], 2) if first == second else left[0] * left[1])
        players[total] = f"{first}C {second}D"
    spades = low * copies * decks * decks
    found[21] -= spades
    yield from (_case(ways, players[total], "2H KH") for total, ways in sorted(found.items()))
    yield _case(spades, "AS JS", "2H KH")
    yield _case((52 * decks - low * copies) * comb(52 * decks - 1, 2), "9C 2D", "8H KH")


INITIAL_PAIRS = Sample("first two cards of the player", SEAT, initial_pairs, pair_key)
UPCARD_MATCHES = Sample("first two cards of the player matching the upcard", SEAT, upcard_matches, match_key)
THREE_CARDS = Sample("first two cards of the player and the upcard", SEAT, three, three_key)
ACES = Sample("aces among the first two cards of player and dealer", SEAT, four_with_aces, aces_key)
SEVENS = Sample("sevens among the first three cards of the player", SEAT, sevens, sevens_key)
SEVENS_AND_UPCARD = Sample(
    "sevens among the first two cards of the player and the upcard", SEAT, sevens_and_upcard, sevens_and_upcard_key
)
BLACKJACKS = Sample("Blackjacks of player and dealer", SEAT, both_two, blackjacks_key)
UPCARD_TOTALS = Sample("upcard and total of the player's first two cards", SEAT, upcards_and_totals, low_total_key)
