"""A whole round's own bytes, cut into the pieces that its entry repeats, so that nobody reads and writes them again.

The entry's message has the dealer, the times, the wagers and the result as the floor's has them, under other numbers.
"""

from typing import NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.rounds import instants

ONE_BYTE = 0x7F
"""The largest length, and the largest wager number, that takes one byte."""


def _tag(field: FieldDescriptor) -> int:
    """The byte before a field: its number and whether a length follows."""
    return field.number << 3 | (0 if field.type == FieldDescriptor.TYPE_INT32 else 2)


_FROM = {name: _tag(field) for name, field in floor.WholeRound.DESCRIPTOR.fields_by_name.items()}
_INTO = {name: bytes((_tag(field),)) for name, field in entries.Round.DESCRIPTOR.fields_by_name.items()}
TABLE_ID, WAGER, RESULT = _FROM["table_id"], _FROM["wagers"], _FROM["result"]
COUNTS = _FROM["shoe"], _FROM["round_no"]
TOLD = tuple(_FROM[name] for name in ("opened_at", "dealer", "no_more_bets_at", "first_card_at"))
WAGER_NO = _tag(floor.Wager.DESCRIPTOR.fields_by_name["wager_no"])
DEALER, OPENED_AT, NO_MORE_BETS_AT, FIRST_CARD_AT, ENTERED_WAGER, ENTERED_RESULT = (
    _INTO[name] for name in ("dealer", "opened_at", "no_more_bets_at", "first_card_at", "wagers", "history")
)


class Cut(NamedTuple):
    """The pieces of a whole round: dealer and times as the entry has them, wagers and the one result each with its
    length before it.
    """

    told: bytes
    wagers: list[bytes]
    result: bytes

    def framed(self) -> bytes:
        """All of it as the entry's message has it."""
        wagers = ENTERED_WAGER.join(self.wagers)
        return b"".join((self.told, ENTERED_WAGER, wagers, ENTERED_RESULT, self.result))


class Tail:
    """The end of an entry, which says where its event came from: one source's, made once for its events."""

    def __init__(self, source_id: str, epoch: int, principal: str) -> None:
        self._message = entries.Round()
        self._origin = self._message.origin
        self._origin.source_id, self._origin.epoch, self._origin.principal = source_id, epoch, principal

    def of(self, sequence: int, occurred_at: Timestamp) -> bytes:
        """The bytes of the event with this sequence."""
        self._origin.sequence = sequence
        instants.put(self._message, occurred_at)
        return self._message.SerializeToString()


class Head(NamedTuple):
    """The beginning of an entry: one table's on one day in one shift, made once for its rounds."""

    message: entries.Round
    key: entries.RoundKey

    def of(self, shoe: int, round_no: int) -> bytes:
        """The bytes of this round."""
        self.key.shoe, self.key.round_no = shoe, round_no
        return self.message.SerializeToString()


def cut(content: bytes) -> Cut | None:
    """The pieces of a whole round as protobuf serialises it: fields in order, each only where it has a value.

    None unless the wagers come in the order of their numbers and all is told that a usual round of one result tells,
    in lengths of one byte, and nothing else.
    """
    # So that the byte after the last can be read too: 0 begins no field.
    data = content + b"\0"
    if data[0] != TABLE_ID or data[1] > ONE_BYTE:
        return None
    at = 2 + data[1]
    for tag in COUNTS:
        if data[at] == tag:
            while data[at + 1] > ONE_BYTE:
                at += 1
            at += 2
    told = []
    for tag in TOLD:
        length = data[at + 1] if data[at] == tag else 0
        if length > ONE_BYTE:
            return None
        told.append(data[at + 1 : at + 2 + length] if length else b"")
        at += 2 + length if length else 0
    wagers, at = _wagers(data, at)
    if not wagers or data[at] != RESULT or data[at + 1] > ONE_BYTE or at + 2 + data[at + 1] != len(content):
        return None
    return Cut(_retold(*told), wagers, data[at + 1 : -1])


def _wagers(data: bytes, at: int) -> tuple[list[bytes], int]:
    """The wagers from a place on, and the place after them; those that are not usual are left."""
    wagers, last = [], 0
    while data[at] == WAGER and data[at + 2] == WAGER_NO:
        length, number = data[at + 1], data[at + 3]
        if length > ONE_BYTE or not last < number <= ONE_BYTE:
            break
        last, end = number, at + 2 + length
        wagers.append(data[at + 1 : end])
        at = end
    return wagers, at


def _retold(opened_at: bytes, dealer: bytes, no_more_bets_at: bytes, first_card_at: bytes) -> bytes:
    """Dealer and times under the entry's numbers, in its order."""
    told = DEALER + dealer if dealer else b""
    told += OPENED_AT + opened_at
    if no_more_bets_at:
        told += NO_MORE_BETS_AT + no_more_bets_at
    if first_card_at:
        told += FIRST_CARD_AT + first_card_at
    return told
