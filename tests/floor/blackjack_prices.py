"""What the auditor thinks the wagers of Blackjack are paid, from the recorded cards alone; naive code of his own.

Which line was hit he finds out himself; what a line pays he reads from the printed paytables. Envy is left out.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from casino.floor.v1 import events_pb2 as floor
from services.games.catalogue import catalogue

SUPER_4 = "royal_flush_chosen_suit", "royal_flush_other_suit"
BASES = ("blackjack", "switch_hands", "premium", "double", "split", "insurance")
"""The game itself, its variations and what is added to it."""

Cards = list[str]
ORDER = "A23456789TJQK"


def rank(card: str) -> str:
    """The rank, ten as T."""
    return card[:-1].replace("10", "T")


def suit(card: str) -> str:
    """The suit."""
    return card[-1]


def red(card: str) -> bool:
    """Whether the card is red."""
    return card[-1] in "DH"


def total(cards: Cards) -> int:
    """The best total."""
    found = sum(min(ORDER.index(rank(card)) + 1, 10) for card in cards)
    return found + 10 if found <= 11 and any(rank(card) == "A" for card in cards) else found


def natural(cards: Cards) -> bool:
    """Whether these are two cards of 21."""
    return len(cards) == 2 and total(cards) == 21


class Seen:
    """One seat's part of a round, as the auditor reads it."""

    def __init__(self, dealt: floor.BlackjackResult, seat: int) -> None:
        self.hands = sorted((hand for hand in dealt.hands if hand.seat == seat), key=lambda hand: hand.hand_no)
        self.first = self.hands[0]
        self.dealer = list(dealt.dealer)
        if len(self.dealer) == 1:
            used = sum(len(hand.cards) for hand in self.hands) - 2
            for card in dealt.community[used:]:
                if len(self.dealer) == 1 or total(self.dealer) < 17:
                    self.dealer.append(card)
        splits = [hand.cards[0] for hand in self.hands if hand.hand_no and hand.split_from == 0]
        self.split = bool(splits)
        self.two = [self.first.cards[0], splits[0] if splits else self.first.cards[1]]
        drawn = splits[1:2] if len(splits) > 1 else list(self.first.cards[1:2] if splits else self.first.cards[2:3])
        self.third = [*drawn, *([self.first.extra_card] if self.first.extra_card else [])][:1]
        self.dealer_natural = natural(self.dealer[:2])
        self.natural = natural(list(self.first.cards)) and not self.split

    def ended(self, number: int) -> str:
        """How a hand ended."""
        hand = self.hands[number]
        mine, theirs = total(list(hand.cards)), total(self.dealer)
        if number == 0 and self.natural:
            return "push" if self.dealer_natural else "blackjack"
        if self.dealer_natural or mine > 21:
            return ""
        if floor.BLACKJACK_ACTION_SURRENDER in hand.actions:
            return "surrender"
        if theirs > 21 or mine > theirs:
            return "win"
        return "push" if mine == theirs else ""


def main_line(seen: Seen) -> str:
    """The Blackjack wager."""
    return "even_money" if floor.BLACKJACK_ACTION_EVEN_MONEY in seen.first.actions else seen.ended(0)


def switch_line(seen: Seen, *, premium: bool) -> str:
    """The Blackjack wager of Switch Hands and of Premium."""
    line, switch = main_line(seen), seen.first.switch_hand
    special = switch != 0 if premium else switch == floor.BLACKJACK_SWITCH_SWITCHED
    if line == "blackjack" and special and red(seen.two[0]) == red(seen.two[1]):
        return "colored_blackjack"
    return "tie_blackjack" if line == "push" and seen.natural and (special or premium) else line


def ante_line(seen: Seen) -> str:
    """Whether the ante comes back."""
    return {0: "no_switch_hand", 1: "kept", 2: ""}[seen.first.switch_hand]


def later_line(seen: Seen, number: int, *, there: bool, missing: str) -> str:
    """A double or a split: nothing but the original is taken by a Blackjack."""
    if not there:
        return missing
    lost = total(list(seen.hands[number].cards)) > 21
    return "dealer_blackjack" if seen.dealer_natural and not lost else seen.ended(number)


def double_line(seen: Seen, number: int) -> str:
    """A double on a hand."""
    there = number < len(seen.hands) and floor.BLACKJACK_ACTION_DOUBLE in seen.hands[number].actions
    return later_line(seen, number, there=there, missing="not_doubled")


def press_line(seen: Seen, number: int) -> str:
    """What was won at TriLux Deluxe and put on the hand."""
    if seen.dealer_natural or not trilux_line(seen):
        return "returned"
    return seen.ended(number).replace("blackjack", "win")


def insurance_line(seen: Seen) -> str:
    """Against an ace."""
    return "dealer_blackjack" if seen.dealer_natural else ""


def buzzer_line(seen: Seen) -> str:
    """A good hand that did not win."""
    mine, theirs = total(list(seen.first.cards)), total(seen.dealer)
    if seen.natural:
        return "blackjack_on_both" if seen.dealer_natural else ""
    return f"{mine}_against_{theirs}" if 19 <= mine <= theirs <= 21 else ""


def pairs_line(seen: Seen) -> str:
    """Two cards of one rank."""
    one, two = seen.two
    if rank(one) != rank(two):
        return ""
    return "perfect_pair" if one == two else "colored_pair" if red(one) == red(two) else "mixed_pair"


def three_line(seen: Seen) -> str:
    """The two cards and the upcard as a poker hand."""
    cards = [*seen.two, seen.dealer[0]]
    ranks = sorted(ORDER.index(rank(card)) for card in cards)
    flush = len({suit(card) for card in cards}) == 1
    straight = ranks[1] - ranks[0] == ranks[2] - ranks[1] == 1 or ranks == [0, 11, 12]
    if len(set(ranks)) == 1:
        return "three_of_a_kind_suited" if flush else "three_of_a_kind"
    return "straight_flush" if straight and flush else "straight" if straight else "flush" if flush else ""


def top_3_line(seen: Seen) -> str:
    """The three best of them."""
    line = three_line(seen)
    return line if line in ("three_of_a_kind_suited", "straight_flush", "three_of_a_kind") else ""


def trilux_line(seen: Seen) -> str:
    """All of them, suits of three alike told apart no more."""
    return three_line(seen).removesuffix("_suited")


def aces_line(seen: Seen) -> str:
    """How many of the first four cards are aces."""
    aces = [card for card in [*seen.two, *seen.dealer[:2]] if rank(card) == "A"]
    words = {4: "four_aces", 3: "three_aces", 2: "two_aces", 1: "one_ace"}
    if len(aces) == 1:
        return "one_ace_of_diamonds" if suit(aces[0]) == "D" else "one_ace"
    suited = len(aces) in (2, 3) and len({suit(card) for card in aces}) == 1
    return words.get(len(aces), "") + ("_same_suit" if suited else "")


def sevens_line(seen: Seen, third: Cards) -> str:
    """Sevens among the two cards, and the third after two of them."""
    sevens = [card for card in seen.two if rank(card) == "7"]
    if len(sevens) < 2:
        return "one_7" if sevens else ""
    sevens += [card for card in third if rank(card) == "7"]
    if len(sevens) < 3:
        return "two_7s"
    if len({suit(card) for card in sevens}) == 1:
        return "three_7s_diamonds" if suit(sevens[0]) == "D" else "three_7s_clubs_spades_hearts"
    return "three_7s_same_color" if len({red(card) for card in sevens}) == 1 else "three_7s"


def match_line(seen: Seen) -> str:
    """Blackjacks of player and dealer."""
    mine, theirs = seen.two, seen.dealer[:2]
    if not natural(mine):
        return "player_any_ace" if any(rank(card) == "A" for card in mine) else ""
    suited = len({suit(card) for card in mine}) == 1
    if not natural(theirs):
        return "player_suited_blackjack" if suited else "player_blackjack"
    if len({suit(card) for card in [*mine, *theirs]}) > 1:
        return "both_blackjack"
    if sorted(map(rank, mine)) != sorted(map(rank, theirs)):
        return "both_suited"
    return "ace_king_matching_suited" if any(rank(card) == "K" for card in mine) else "matching_suited"


def dealer_match_line(seen: Seen) -> str:
    """Cards of the upcard's rank."""
    up = seen.dealer[0]
    same = [card for card in seen.two if rank(card) == rank(up)]
    suited = sum(card == up for card in same)
    if len(same) == 2:
        spades = "_aces_of_spades" if up == "AS" else ""
        return {2: f"two_suited{spades}", 1: "one_suited_one_non_suited", 0: "two_non_suited"}[suited]
    return "" if not same else "one_suited" if suited else "one_non_suited"


def four_line(seen: Seen, chosen: str, names: tuple[str, str], *, suited_pairs: bool) -> str:
    """The first four cards with a dealer's Blackjack as a poker hand."""
    cards = [*seen.two, *seen.dealer[:2]]
    if not seen.dealer_natural:
        return "dealer_ace_up" if rank(seen.dealer[0]) == "A" else ""
    ranks = Counter(card if suited_pairs else rank(card) for card in cards)
    flush = len({suit(card) for card in cards}) == 1
    straight = {rank(card) for card in cards} == set("AKQJ")
    if straight and flush:
        return names[0] if suit(cards[0]) == chosen else names[1]
    if max(Counter(map(rank, cards)).values()) >= 3:
        return "three_of_a_kind"
    if straight or flush:
        return "straight" if straight else "flush"
    if sorted(ranks.values()) == [2, 2]:
        return "two_pair"
    if len({red(card) for card in cards}) == 1:
        return "all_same_color"
    return "pair" if 2 in ranks.values() else "dealer_blackjack"


def buster_line(seen: Seen) -> str:
    """A dealer's bust by its cards."""
    if total(seen.dealer) <= 21:
        return ""
    words = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
    count = len(seen.dealer)
    return words.get(count, "eight_or_more") + "_cards" + ("_with_blackjack" if seen.natural and count > 6 else "")


def axman_line(seen: Seen) -> str:
    """The dealer's hand as a poker hand, the king of diamonds of any rank; the player's own multiply."""
    best = sorted(seen.dealer, key=lambda card: -((ORDER.index(rank(card)) - 1) % 13))[:5]
    found = [poker([rank(card) for card in hand], best) for hand in wild(best)]
    line = next((each for each in POKER if each in found), "")
    kings = sum(card == "KD" for card in seen.two)
    return line and line + ("", "_2x", "_5x")[kings]


def wild(cards: Cards) -> list[Cards]:
    """The hand with every rank that its kings of diamonds may take."""
    if "KD" not in cards:
        return [cards]
    rest = list(cards)
    rest.remove("KD")
    return [[*hand, each.replace("T", "10") + "X"] for each in ORDER for hand in wild(rest)]


POKER = (
    "straight_flush",
    "five_of_a_kind",
    "flush",
    "straight",
    "four_of_a_kind",
    "full_house",
    "three_of_a_kind",
    "two_pair",
    "jacks_or_better_pair",
)


def poker(ranks: list[str], cards: Cards) -> str:
    """The line of these ranks, the suits being those of the cards."""
    counts = Counter(ranks)
    numbers = sorted(ORDER.index(each) for each in ranks)
    steps = {b - a for a, b in pairwise(numbers)}
    five = len(cards) == 5
    straight = five and (steps == {1} or numbers == [0, 9, 10, 11, 12])
    flush = five and len({suit(card) for card in cards}) == 1
    shape = sorted(counts.values(), reverse=True)
    high = any(counts[each] == 2 for each in "JQKA")
    tests = (straight and flush, shape[0] == 5, flush, straight, shape[0] == 4, shape == [3, 2], shape[0] == 3)
    pairs = shape.count(2) == 2, shape.count(2) == 1 and high
    return next((line for line, hit in zip(POKER, (*tests, *pairs), strict=True) if hit), "")


def luck_line(seen: Seen) -> str:
    """The total of the two cards, where the dealer shows a low one."""
    if rank(seen.dealer[0]) not in "234567":
        return ""
    if sorted(seen.two) == ["AS", "JS"]:
        return "ace_and_jack_of_spades"
    if natural(seen.two):
        return "blackjack"
    points = total(seen.two)
    return "nine_to_eleven" if 9 <= points <= 11 else "eighteen_to_twenty" if 18 <= points <= 20 else ""


LINES: dict[str, Callable[[Seen], str]] = {
    "blackjack": main_line,
    "switch_hands": lambda seen: switch_line(seen, premium=False),
    "premium": lambda seen: switch_line(seen, premium=True),
    "switch_hands_ante": ante_line,
    "premium_ante": ante_line,
    "insurance": insurance_line,
    "buzzer_beater": buzzer_line,
    "perfect_pairs": pairs_line,
    "top_3": top_3_line,
    "trilux": trilux_line,
    "lucky_aces": aces_line,
    "blazing_7s": lambda seen: sevens_line(seen, seen.third),
    "blazing_7s_upcard": lambda seen: sevens_line(seen, seen.dealer[:1]),
    "blackjack_match": match_line,
    "match_the_dealer": dealer_match_line,
    "jackpot_party": lambda seen: four_line(
        seen, "D", ("royal_flush_diamonds", "royal_flush_other"), suited_pairs=False
    ),
    "super_4": lambda seen: four_line(seen, "D", SUPER_4, suited_pairs=True),
    "super_4_by_rank": lambda seen: four_line(seen, "D", SUPER_4, suited_pairs=False),
    "buster": buster_line,
    "axman": axman_line,
    "upcard_luck": luck_line,
}
BY_HAND: dict[str, Callable[[Seen, int], str]] = {
    "double": double_line,
    "split": lambda seen, number: later_line(seen, number, there=number < len(seen.hands), missing="not_split"),
    "trilux_press": press_line,
}


def payout(wager: floor.Wager, result: floor.Result) -> int | None:
    """What a recorded wager is paid from the table, its stake included where it comes back; None where it is void or
    waits for what the floor states.
    """
    game, _, name = wager.code.partition(".")
    if game == "external":
        stated = {each.wager_no: each.payout_cents for each in result.stated_payouts}
        return stated.get(wager.wager_no)
    seen = Seen(result.blackjack, wager.seat)
    line = BY_HAND[name](seen, int(wager.placement)) if name in BY_HAND else LINES[name](seen)
    return price(wager, line) if line else 0


def price(wager: floor.Wager, line: str) -> int | None:
    """The printed price of a line."""
    printed = catalogue()[wager.code].paytables[wager.paytable].printed(line)
    if printed == "void":
        return None
    if printed == "push":
        return wager.stake_cents
    if printed.endswith("of the stake returned"):
        return wager.stake_cents // 2
    if printed.startswith("$"):
        return int(re.sub(r"[$,.]", "", printed))
    if odds := re.fullmatch(r"([\d,]+) (to|for) (\d+)", printed):
        won = wager.stake_cents * int(odds[1].replace(",", "")) // int(odds[3])
        return won + wager.stake_cents * (odds[2] == "to")
    return 0
