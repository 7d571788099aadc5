"""The stake watch: a hand played on a stake that nobody sent is an exception on the table's record."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from services.games.blackjack.base import BASE_WAGERS


class Owed(NamedTuple):
    """A stake that the play shows: its seat, its wager and the hand that it lies on, empty for insurance."""

    seat: int
    code: str
    placement: str


def unsent(result: floor.Result, wagers: Iterable[floor.Wager]) -> list[Owed]:
    """Stakes of doubles, splits and insurance (58 Pa. Code 633a.8, 633a.10, 633a.11) that are not among the wagers.

    `wagers`: all that the floor sent of the round, held ones too. A seat without a base wager owes nothing: what is
    missing there is the base.
    """
    if result.WhichOneof("game") != "blackjack":
        return []
    sent = list(wagers)
    placed = {(wager.seat, wager.code, wager.placement) for wager in sent}
    based = {wager.seat for wager in sent if wager.code in BASE_WAGERS}
    return [owed for owed in _played(result.blackjack) if owed.seat in based and owed not in placed]


def _played(dealt: floor.BlackjackResult) -> Iterator[Owed]:
    for hand in dealt.hands:
        number = str(hand.hand_no)
        if hand.hand_no:
            yield Owed(hand.seat, "blackjack.split", number)
        if floor.BLACKJACK_ACTION_DOUBLE in hand.actions:
            yield Owed(hand.seat, "blackjack.double", number)
        if floor.BLACKJACK_ACTION_INSURANCE in hand.actions:
            yield Owed(hand.seat, "blackjack.insurance", "")
