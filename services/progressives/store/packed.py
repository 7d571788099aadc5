"""Contributions as packed rows: nearly every row that this service writes is one."""

from datetime import date
from functools import lru_cache
from struct import Struct

from services.progressives.journal import Contribution
from services.runtime.packing import INT4, INT8, NULL, columns, day, int4, int8, int8s, text

COLUMNS = (
    *("property_id", "gaming_day", "table_id", "shift", "code", "paytable", "submission_id", "stake_cents"),
    *("link_id", "link_version", "amounts", "reserve_amounts"),
    *("position", "shoe", "round_no", "roll", "wager_no", "seat", "rounds_position"),
    *("readings", "reserves", "overflows"),
)
"""In the order in which they are packed: first what equal wagers at a table have alike."""
_OWN = Struct("!" + INT8 + INT4 * 5 + INT8)


def pack_contribution(property_id: str, position: int, each: Contribution) -> bytes:
    """The row of a contribution at its position of the feed."""
    key, shift, wager_no, seat, code, paytable, submission_id, stake, link_id, version = each[:10]
    amounts, readings, reserve_amounts, reserves, rounds_position, overflows = each[10:]
    gaming_day, table_id, shoe, round_no, roll = key
    placing = property_id, gaming_day, table_id, shift, code, paytable, submission_id, stake
    alike = _alike(*placing, link_id, version, tuple(amounts), tuple(reserve_amounts))
    own = _OWN.pack(8, position, 4, shoe, 4, round_no, 4, roll, 4, wager_no, 4, seat, 8, rounds_position)
    return alike + own + int8s(readings) + int8s(reserves) + (int8s(overflows) if overflows else NULL)


@lru_cache(maxsize=4096)
def _alike(
    property_id: str,
    gaming_day: date,
    table_id: str,
    shift: int,
    code: str,
    paytable: str,
    submission_id: str,
    stake_cents: int,
    link_id: str,
    link_version: int,
    amounts: tuple[int, ...],
    reserve_amounts: tuple[int, ...],
) -> bytes:
    placed = text(property_id), day(gaming_day), text(table_id), int4(shift), text(code), text(paytable)
    offered = text(submission_id), int8(stake_cents), text(link_id), int4(link_version)
    return b"".join((columns(len(COLUMNS)), *placed, *offered, int8s(amounts), int8s(reserve_amounts)))
