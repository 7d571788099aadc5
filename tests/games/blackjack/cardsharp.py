"""Turns a round of the reference file `blackjack.jsonl` into a whole round as the floor sends it.

The file's money is dollars; its bets are $10. Hands stand in it from the left: a hand that comes of a split lies at the
right of the one it was split from, and the split is written with that one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

RULES: Mapping[str, Mapping[str, str]] = {
    "A_6D_H17_peek_DAS_LS_3to2": {"soft_17": "hit", "most_hands": "4", "surrender": "late"},
    "B_8D_S17_nopeek_DAS_nosurr_3to2": {
        "dealer_blackjack": "original_and_split_bets",
        "most_hands": "2",
        "surrender": "none",
    },
    "C_6D_H17_peek_noDAS_nosurr_6to5": {
        "soft_17": "hit",
        "most_hands": "2",
        "double_after_split": "no",
        "surrender": "none",
    },
}
"""The file's rule sets as options of the Blackjack wager; the file's no-peek game takes the stakes of splits too."""

DECKS = {"A": 6, "B": 8, "C": 6}
PAYTABLES = {"A": "3 to 2", "B": "3 to 2", "C": "6 to 5"}
STAKE_CENTS = 1_000


def whole_round(found: Mapping[str, Any]) -> dict[str, Any]:
    """The protobuf JSON of a WholeRound with the round's hands, all at seat 1, and every stake of it."""
    hands = numbered(found["hands"])
    actions = [*hands[0]["actions"]]
    if found["insurance_bet"]:
        hands[0]["actions"] = ["INSURANCE", *actions]
    for hand in hands:
        hand["seat"] = 1
        hand["actions"] = [f"BLACKJACK_ACTION_{each.upper()}" for each in hand["actions"]]
    return {
        "tableId": "BJ-" + found["rule_set"][0],
        "shoe": 1,
        "roundNo": found["round"],
        "wagers": list(_stakes(found, hands)),
        "result": {"blackjack": {"hands": hands, "dealer": found["dealer"]}},
    }


def numbered(hands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The hands numbered as they came about, in that order, each with the one it was split from."""
    rest, made = list(hands), [0]
    found: list[dict[str, Any]] = []

    def take(number: int, parent: int) -> None:
        """The next hand from the left, then those split from it, the latest first."""
        read = rest.pop(0)
        hand = {"handNo": number, "cards": read["cards"], "actions": list(read["actions"]), "splitFrom": parent}
        found.append(hand)
        children = []
        for _ in range(read["actions"].count("split")):
            made[0] += 1
            children.append(made[0])
        for child in reversed(children):
            take(child, number)

    take(0, 0)
    return sorted(found, key=lambda each: int(each["handNo"]))


def _stakes(found: Mapping[str, Any], hands: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    paytable = PAYTABLES[found["rule_set"][0]]
    placed = [("blackjack.blackjack", paytable, STAKE_CENTS, "")]
    if found["insurance_bet"]:
        placed.append(("blackjack.insurance", "2 to 1", int(found["insurance_bet"] * 100), ""))
    for hand in hands:
        number = str(hand["handNo"])
        if hand["handNo"]:
            placed.append(("blackjack.split", "standard", STAKE_CENTS, number))
        if "BLACKJACK_ACTION_DOUBLE" in hand["actions"]:
            placed.append(("blackjack.double", "standard", STAKE_CENTS, number))
    for wager_no, (code, name, cents, on) in enumerate(placed, 1):
        yield {
            "wagerNo": wager_no,
            "seat": 1,
            "code": code,
            "paytable": name,
            "stakeCents": str(cents),
            "placement": on,
        }
