"""Rounds of Blackjack as the floor records them: `dealt(hand("10S 6D 5C", "hit"), dealer="9D 8C")`."""

from casino.floor.v1 import events_pb2 as floor


def hand(cards: str, actions: str = "", *, seat: int = 1, no: int = 0, split_from: int = 0) -> floor.BlackjackHand:
    """One hand of a seat; actions are words with spaces between, as `hit stand`."""
    return floor.BlackjackHand(
        seat=seat,
        hand_no=no,
        cards=cards.split(),
        actions=[floor.BlackjackAction.Value(f"BLACKJACK_ACTION_{each.upper()}") for each in actions.split()],
        split_from=split_from,
    )


def dealt(*hands: floor.BlackjackHand, dealer: str, stated: dict[int, int] | None = None) -> floor.Result:
    """The round's result, with the payouts in cents that the floor states by wager number."""
    return floor.Result(
        blackjack=floor.BlackjackResult(hands=hands, dealer=dealer.split()),
        stated_payouts=[
            floor.StatedPayout(wager_no=number, payout_cents=cents) for number, cents in (stated or {}).items()
        ],
    )


SPLIT = dealt(
    hand("8H 3D KC", "split double"),
    hand("8D 10S", "stand", no=1),
    hand("KD QC", "insurance stand", seat=2),
    dealer="AS 6C",
)
"""Seat 1 splits eights and doubles the first: 21 and 18; seat 2 insures a 20; the dealer stands on a soft 17."""
