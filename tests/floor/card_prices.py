"""What the auditor thinks the wagers of the Baccarat games are paid, from the cards alone; naive code of his own."""

from collections.abc import Callable

from casino.floor.v1 import events_pb2 as floor

PERFECT_PAIRS = {"A": (25, 12, 6), "B": (30, 10, 5), "C": (25, 15, 5)}
BLAZING = {"A": {2: 0, 3: 401}, "B": {2: 51, 3: 201}}
LUCKY_NINES = {
    "A": (500, 250, 20, 8, 5),
    "B": (500, 250, 30, 12, 5),
    "C": (1000, 500, 35, 16, 5),
    "D": (2000, 500, 15, 10, 4),
}
ROYAL_9 = {"$5": (500_000, 150_000, 25_000, 5_000, 2_500), "$1": (100_000, 30_000, 5_000, 1_000, 500)}
MIDDLE = ("player", "banker", "tie")

Cards = list[str]


def value(card: str) -> int:
    """What a card counts."""
    rank = card[:-1]
    return 1 if rank == "A" else int(rank) if rank.isdecimal() and rank != "10" else 0


def total(cards: Cards) -> int:
    """What a hand counts."""
    return sum(map(value, cards)) % 10


def is_three_card(cards: Cards, number: int) -> bool:
    """Whether the hand is this number on three cards."""
    return len(cards) == 3 and total(cards) == number


def red(card: str) -> bool:
    """Whether the card is red."""
    return card[-1] in "DH"


def treasure(name: str, paytable: str, player: Cards, banker: Cards) -> int:
    """What one of the 5 Treasures returns for one staked, 0 when it loses."""
    won, lost = total(banker), total(player)
    nines = is_three_card(player, 9) + is_three_card(banker, 9)
    if name == "fortune_7":
        return 41 if is_three_card(banker, 7) and won > lost else 0
    if name == "golden_8":
        return 26 if is_three_card(player, 8) and lost > won else 0
    if name == "heavenly_9":
        return (0, 11, 76)[nines]
    if name == "blazing_7s":
        sevens = won == lost == 7 and len(player) == len(banker)
        return BLAZING[paytable][len(player)] if sevens else 0
    others = ("fortune_7", "golden_8", "heavenly_9", "blazing_7s")
    return 7 if any(treasure(other, paytable, player, banker) for other in others) else 0


def progressive(player: Cards, banker: Cards) -> int:
    """What the Heavenly 9 progressive returns for one staked; the meter itself is a slip, not inventory."""
    if is_three_card(player, 9) and is_three_card(banker, 9):
        cards = player + banker
        if len({card[-1] for card in cards}) == 1:
            return 0
        return 299 if len({red(card) for card in cards}) == 1 else 60
    return 9 if is_three_card(banker, 9) else 8 if is_three_card(player, 9) else 0


def pair(paytable: str, hand: Cards) -> int:
    """What Perfect Pairs returns for one staked on this hand."""
    first, second = hand[:2]
    if first[:-1] != second[:-1]:
        return 0
    perfect, colored, mixed = PERFECT_PAIRS[paytable]
    return 1 + (perfect if first == second else colored if red(first) == red(second) else mixed)


def middle(name: str, paytable: str, stake: int, player: Cards, banker: Cards) -> int:
    """What a wager on Player, Banker or Tie is paid, in cents."""
    lead = total(player) - total(banker)
    if name == "tie":
        return stake * (1 + int(paytable)) if lead == 0 else 0
    if lead == 0:
        return stake
    if name == "player":
        return 2 * stake if lead > 0 else 0
    if lead > 0:
        return 0
    if paytable == "commission-free":
        return stake + stake // 2 if total(banker) == 6 else 2 * stake
    return 2 * stake - (stake * int(paytable.rstrip("%")) + 50) // 100


def lucky_nines(paytable: str, cards: Cards) -> int:
    """What Lucky Nines returns for one staked on the first four cards."""
    suits = [card[-1] for card in cards if card[:-1] == "9"]
    four, three_suited, three, two_suited, two = LUCKY_NINES[paytable]
    alike = len(set(suits)) == 1
    if len(suits) == 4:
        return 1 + four
    if len(suits) == 3:
        return 1 + (three_suited if alike else three)
    if len(suits) == 2:
        return 1 + (two_suited if alike else two)
    return (3 if suits == ["D"] else 2) if suits else 0


def majestic(stake: int, hand: Cards) -> int:
    """What Majestic Match is paid, in cents, on the first two cards of a hand."""
    first, second = hand[:2]
    if first[-1] != second[-1]:
        return 0
    return 26 * stake if {first[:-1], second[:-1]} == {"K", "Q"} else stake + stake * 5 // 2


def face_and_nine(hand: Cards) -> Cards:
    """The face card and the nine of a Royal 9, else nothing."""
    first, second = sorted(hand[:2], reverse=True)
    return [first, second] if first[0] in "KQJ" and second[0] == "9" else []


def royal_9(paytable: str, own: Cards, printed: list[Cards], player: Cards, banker: Cards) -> int:
    """What Royal 9 is paid from the table, in cents; a personal combination is a slip, mega envy is not."""
    hands = [face_and_nine(player), face_and_nine(banker)]
    envy, suited_tie, tie, suited, royal = ROYAL_9[paytable]
    if own in hands or not any(hands):
        return 0
    if hands[0] == hands[1] and hands[0] in printed:
        return envy
    same = [hand[0][-1] == hand[1][-1] for hand in hands if hand]
    if len(same) == 2:
        return suited_tie if all(same) else tie
    return suited if same[0] else royal


def won(player: Cards, banker: Cards, high: int, low: int, cards: int = 0) -> bool:
    """Whether one hand has `high` and the other `low`, each on so many cards if that matters."""
    totals, sizes = sorted((total(player), total(banker))), {len(player), len(banker)}
    return totals == [low, high] and (not cards or sizes == {cards})


def tied(*totals: int) -> Callable[[Cards, Cards], bool]:
    """A tie at one of these."""
    return lambda player, banker: total(player) == total(banker) and total(player) in totals


PHOENIX: dict[str, tuple[int, Callable[[Cards, Cards], bool]]] = {
    "sun_7": (40, lambda player, banker: is_three_card(banker, 7) and total(player) < 7),
    "moon_8": (25, lambda player, banker: is_three_card(player, 8) and total(banker) < 8),
    "nine_over_seven": (25, lambda player, banker: won(player, banker, 9, 7)),
    "two_card_8_over_two_card_1": (50, lambda player, banker: won(player, banker, 8, 1, 2)),
    "player_three_card_6": (40, lambda player, banker: is_three_card(player, 6) and total(banker) < 6),
    "banker_1_or_2": (60, lambda player, banker: total(player) < total(banker) <= 2),
    "both_8_or_9": (20, lambda player, banker: total(player) > 7 and total(banker) > 7),
    "one_over_zero": (90, lambda player, banker: won(player, banker, 1, 0)),
    "three_card_6_over_three_card_3": (150, lambda player, banker: won(player, banker, 6, 3, 3)),
    "three_card_8_over_three_card_0": (130, lambda player, banker: won(player, banker, 8, 0, 3)),
    "banker_over_two_card_7": (30, lambda player, banker: len(player) == 2 and 7 == total(player) < total(banker)),
    "three_card_9_over_three_card_6": (200, lambda player, banker: won(player, banker, 9, 6, 3)),
    "three_card_9_over_three_card_8": (200, lambda player, banker: won(player, banker, 9, 8, 3)),
    "player_three_card_8_over_three_card_0": (
        250,
        lambda player, banker: is_three_card(player, 8) and is_three_card(banker, 0),
    ),
    "tie_0": (150, tied(0)),
    "tie_1_to_3": (70, tied(1, 2, 3)),
    "tie_4_to_7": (15, tied(4, 5, 6, 7)),
    "tie_8_or_9": (40, tied(8, 9)),
    "player_pair": (11, lambda player, banker: player[0][:-1] == player[1][:-1]),
    "banker_pair": (11, lambda player, banker: banker[0][:-1] == banker[1][:-1]),
}


def phoenix(name: str, stake: int, player: Cards, banker: Cards) -> int:
    """What a wager of Rising Phoenix is paid, in cents."""
    if name == "banker":
        lead = total(banker) - total(player)
        return (stake if lead == 0 or is_three_card(banker, 7) else 2 * stake) if lead >= 0 else 0
    odds, wins = PHOENIX[name]
    return stake * (1 + odds) if wins(player, banker) else 0


def payout(wager: floor.Wager, dealt: floor.BaccaratResult, king_9s: list[Cards]) -> int:
    """What a recorded wager is paid from the table, its stake included where it comes back; `king_9s` by seat."""
    player, banker = list(dealt.player), list(dealt.banker)
    family, name = wager.code.split(".")
    paytable, stake = wager.paytable, wager.stake_cents
    hand = banker if "banker" in (wager.placement, name.partition("_")[0]) else player
    if family == "rising_phoenix":
        return phoenix(name, stake, player, banker)
    if name in MIDDLE:
        return middle(name, paytable, stake, player, banker)
    if name == "royal_9":
        return royal_9(paytable, king_9s[wager.seat - 1], king_9s, player, banker)
    if name == "majestic_match":
        return majestic(stake, hand)
    return stake * side(name, paytable, hand, player, banker)


def side(name: str, paytable: str, hand: Cards, player: Cards, banker: Cards) -> int:
    """What the other side wagers return for one staked."""
    if name == "heavenly_9_progressive":
        return progressive(player, banker)
    if name == "perfect_pairs":
        return pair(paytable, hand)
    if name in ("player_pair", "banker_pair"):
        return 12 if hand[0][:-1] == hand[1][:-1] else 0
    if name == "lucky_six":
        return (13 if len(banker) == 2 else 21) if total(player) < total(banker) == 6 else 0
    if name == "lucky_nines":
        return lucky_nines(paytable, player[:2] + banker[:2])
    return treasure(name, paytable, player, banker)
