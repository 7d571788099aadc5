"""What the pins say, what the journal says of the same rounds, and what is kept of the rounds feed beside."""

from collections.abc import Collection
from typing import TypeAlias

from services.kernel.ids import RoundKey
from services.progressives.play import DayOpened, PropertySet
from services.runtime.store import Connection, load_cursor

Linked: TypeAlias = tuple[str, int]
"""A link and its version; empty and 0 where none was live."""
Pinned: TypeAlias = dict[RoundKey, dict[tuple[str, str], Linked]]
"""By round without roll, under wager code and paytable."""
Kept: TypeAlias = DayOpened | PropertySet
"""A row that is kept of an entry of the rounds feed."""


async def pins(connection: Connection, property_id: str) -> Pinned:
    """Every pin."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, shoe, round_no, code, paytable, coalesce(link_id, ''), coalesce(link_version, 0)"
        " FROM pin WHERE property_id = $1",
        property_id,
    )
    found: Pinned = {}
    for row in rows:
        found.setdefault(RoundKey(*row[:4]), {})[row[4], row[5]] = row[6], row[7]
    return found


async def contributed(connection: Connection, property_id: str, keys: Collection[RoundKey], through: int) -> Pinned:
    """The link that each of these rounds first contributed to, by code and paytable, up to a position."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT ON (c.gaming_day, c.table_id, c.shoe, c.round_no, c.code, c.paytable)
            c.gaming_day, c.table_id, c.shoe, c.round_no, c.code, c.paytable, c.link_id, c.link_version
        FROM contribution AS c JOIN unnest($2::date[], $3::text[], $4::integer[], $5::integer[])
            AS k (gaming_day, table_id, shoe, round_no) USING (gaming_day, table_id, shoe, round_no)
        WHERE c.property_id = $1 AND c.position <= $6
        ORDER BY c.gaming_day, c.table_id, c.shoe, c.round_no, c.code, c.paytable, c.position
        """,
        property_id,
        *([key[place] for key in keys] for place in range(4)),
        through,
    )
    found: Pinned = {}
    for row in rows:
        found.setdefault(RoundKey(*row[:4]), {})[row[4], row[5]] = row[6], row[7]
    return found


async def rounds_cursor(connection: Connection, property_id: str) -> int:
    """How far the rounds feed is applied."""
    position, _ = await load_cursor(connection, property_id, "rounds")
    return position


async def kept(connection: Connection, property_id: str) -> list[Kept]:
    """Every gaming day that is kept as opened, and all that is kept of what holds for the property."""
    days = await connection.fetch(
        "SELECT rounds_position, gaming_day, submissions_position FROM opened_day WHERE property_id = $1", property_id
    )
    settings = await connection.fetch(
        "SELECT rounds_position, claim_minutes, time_zone FROM property_set WHERE property_id = $1", property_id
    )
    return [*(DayOpened(*row) for row in days), *(PropertySet(*row) for row in settings)]
