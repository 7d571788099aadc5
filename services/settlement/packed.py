"""The rows of wagers packed for COPY: texts once for all rows that have them, the numbers of a row at once.

For that, texts and numbers are copied apart.
"""

from functools import lru_cache
from struct import Struct

from services.runtime.packing import INT2, INT4, INT8, columns, day, text
from services.settlement.settlements import Settlement

COLUMNS = (
    *("property_id", "table_id", "pit", "dealer", "submission_id"),
    *("gaming_day", "shoe", "round_no", "roll", "revision", "position", "shift", "decks"),
    *("code", "paytable", "line"),
    *("wager_no", "seat", "stake_cents", "outcome", "payout_cents", "inventory_cents", "breakage_micros"),
)
"""The columns of a wager in the order copied."""

# From the shoe to the decks, and from the wager's number to the breakage.
_ROUND = Struct("!" + INT4 * 4 + INT8 + INT4 * 2)
_WAGER = Struct("!" + INT4 * 2 + INT8 + INT2 + INT8 * 3)


def wagers(property_id: str, position: int, found: Settlement) -> bytes:
    """The rows of the wagers of a settlement at its position in the settlements feed."""
    shared, pack = _shared(property_id, position, found), _WAGER.pack
    rows = [
        shared + _texts(*texts) + pack(4, number, 4, seat, 8, stake, 2, outcome, 8, payout, 8, inventory, 8, breakage)
        for texts, number, seat, stake, outcome, payout, inventory, breakage in zip(
            zip(found.code, found.paytable, found.line, strict=True),
            found.wager_no,
            found.seat,
            found.stake_cents,
            found.outcome,
            found.payout_cents,
            found.inventory_cents,
            found.breakage_micros,
            strict=True,
        )
    ]
    return b"".join(rows)


def _shared(property_id: str, position: int, found: Settlement) -> bytes:
    """What the rows of one settlement begin with."""
    gaming_day, table_id, shoe, round_no, roll = found.key
    numbers = (4, shoe, 4, round_no, 4, roll, 4, found.revision, 8, position, 4, found.shift, 4, found.decks)
    place = _place(property_id, table_id, found.pit, found.dealer, found.submission_id)
    return place + day(gaming_day) + _ROUND.pack(*numbers)


@lru_cache(maxsize=4096)
def _place(*texts: str) -> bytes:
    """The number of columns, and the texts that the rounds of a table and dealer share."""
    return columns(len(COLUMNS)) + b"".join(map(text, texts))


@lru_cache(maxsize=4096)
def _texts(*texts: str) -> bytes:
    """Code, paytable and line."""
    return b"".join(map(text, texts))
