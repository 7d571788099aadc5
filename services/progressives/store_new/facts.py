"""The SQL of this service."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from services.kernel.ids import RoundKey
from services.progressives.book import MeterName, Pins, Standing
from services.progressives.jackpot import PENDING, Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement, Written
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.meter import Cause, Meter
from services.runtime.store import Connection, Record

ROUND = ("gaming_day", "table_id", "shoe", "round_no", "roll")
CONTRIBUTION_COLUMNS = (
    *("property_id", "position", *ROUND, "shift", "wager_no", "seat", "code", "paytable", "submission_id"),
    *("stake_cents", "link_id", "link_version", "amounts", "readings", "reserve_amounts", "reserves"),
    "rounds_position",
)
MOVEMENT_COLUMNS = (
    *("property_id", "position", "link_id", "link_version", "level", "cause", "amount"),
    *("reading_before", "reading_after", "reserve_before", "reserve_after"),
    *("table_id", "shoe", "round_no", "roll", "wager_no", "hit_id", "jackpot_id", "gaming_day"),
    "rounds_position",
)
JACKPOT_COLUMNS = (
    *("property_id", "position", "jackpot_id", "hit_id", "link_id", "link_version", "level", *ROUND),
    *("shift", "wager_no", "seat", "code", "paytable", "amount_cents", "percent", "reading", "state"),
    *("rounds_position", "paid_from"),
)
LINK_COLUMNS = (
    *("property_id", "position", "link_id", "version", "title", "code", "paytable", "levels", "seed_cents"),
    *("increment_rates", "reserve_rates", "limit_cents", "table_ids", "effective_from", "state"),
    *("proposed_by", "proposed_at", "approved_by", "approved_at", "rounds_position"),
)
PIN_COLUMNS = ("property_id", *ROUND[:4], "code", "paytable", "link_id", "link_version")


async def add_contributions(connection: Connection, property_id: str, rows: Iterable[tuple[int, Contribution]]) -> None:
    """COPYs contributions, each with its position."""
    await connection.copy_records_to_table(
        "contribution",
        records=[(property_id, position, *each.key, *each[1:]) for position, each in rows],
        columns=CONTRIBUTION_COLUMNS,
    )


async def add_movements(connection: Connection, property_id: str, rows: Iterable[tuple[int, Movement]]) -> None:
    """COPYs movements, each with its position."""
    await connection.copy_records_to_table(
        "movement",
        records=[
            (property_id, position, *each[:9], *(each.key[1:] if each.key else (None,) * 4), *each[10:])
            for position, each in rows
        ],
        columns=MOVEMENT_COLUMNS,
    )


async def add_jackpots(connection: Connection, property_id: str, rows: Iterable[tuple[int, Jackpot]]) -> None:
    """COPYs states of jackpots, each with its position."""
    await connection.copy_records_to_table(
        "jackpot",
        records=[(property_id, position, *each[:5], *each.key, *each[6:]) for position, each in rows],
        columns=JACKPOT_COLUMNS,
    )


async def add_links(connection: Connection, property_id: str, rows: Iterable[tuple[int, Link]]) -> None:
    """COPYs states of links, each with its position."""
    await connection.copy_records_to_table(
        "link",
        records=[(property_id, position, *_link_columns(link)) for position, link in rows],
        columns=LINK_COLUMNS,
    )


def _link_columns(link: Link) -> tuple[object, ...]:
    return (
        *(link.link_id, link.version, link.title, link.code, link.paytable),
        *(list(column) for column in zip(*link.meters, strict=True)),
        *(list(link.table_ids), link.effective_from, link.state),
        *(link.proposed_by, link.proposed_at, link.approved_by, link.approved_at, link.rounds_position),
    )


async def add_submissions(connection: Connection, property_id: str, rows: Iterable[tuple[int, str, bytes]]) -> None:
    """Keeps approved submissions: position in their feed, id, bytes of the entry."""
    await connection.executemany(
        "INSERT INTO submission (property_id, position, submission_id, content) VALUES ($1, $2, $3, $4)",
        [(property_id, *row) for row in rows],
    )


async def set_meters(connection: Connection, property_id: str, standings: Mapping[MeterName, Standing]) -> None:
    """Puts these meters where they stand, in one statement."""
    rows = [(*name, each.revision, *each.meter) for name, each in standings.items()]
    await connection.execute(
        """
        INSERT INTO meter AS m (property_id, link_id, level, revision, reading, reserve, seed_house, seed_reserve,
            contribution, reserved, award, house_excess, overflow, transfer_in, transfer_out, adjustment)
        SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
            $15::bigint[], $16::bigint[])
        ON CONFLICT (property_id, link_id, level) DO UPDATE SET
            (revision, reading, reserve, seed_house, seed_reserve, contribution, reserved, award, house_excess,
             overflow, transfer_in, transfer_out, adjustment)
            = (EXCLUDED.revision, EXCLUDED.reading, EXCLUDED.reserve, EXCLUDED.seed_house, EXCLUDED.seed_reserve,
               EXCLUDED.contribution, EXCLUDED.reserved, EXCLUDED.award, EXCLUDED.house_excess, EXCLUDED.overflow,
               EXCLUDED.transfer_in, EXCLUDED.transfer_out, EXCLUDED.adjustment)
        """,
        property_id,
        *(list(column) for column in zip(*rows, strict=True)),
    )


async def add_pins(
    connection: Connection, property_id: str, pins: Mapping[RoundKey, Pins], links: Mapping[str, Link]
) -> None:
    """COPYs the pins of rounds that have opened; a wager code without a link is kept as such."""
    await connection.copy_records_to_table(
        "pin",
        records=[
            (property_id, *key[:4], *name, link_id or None, links[link_id].version if link_id else None)
            for key, held in pins.items()
            for name, link_id in held.items()
        ],
        columns=PIN_COLUMNS,
    )


async def drop_pins(connection: Connection, property_id: str, keys: Iterable[RoundKey]) -> None:
    """Forgets the pins of rounds that are done."""
    rows = [key[:4] for key in keys]
    await connection.execute(
        """
        DELETE FROM pin USING unnest($2::date[], $3::text[], $4::integer[], $5::integer[])
            AS done (gaming_day, table_id, shoe, round_no)
        WHERE pin.property_id = $1 AND pin.gaming_day = done.gaming_day AND pin.table_id = done.table_id
            AND pin.shoe = done.shoe AND pin.round_no = done.round_no
        """,
        property_id,
        *(list(column) for column in zip(*rows, strict=True)),
    )


async def links(connection: Connection, property_id: str) -> dict[str, Link]:
    """The latest state of every link of the property."""
    rows = await connection.fetch(
        "SELECT DISTINCT ON (link_id) link_id, version, title, code, paytable, levels, seed_cents,"
        " increment_rates, reserve_rates, limit_cents, table_ids, effective_from, state, proposed_by,"
        " proposed_at, approved_by, approved_at, rounds_position"
        " FROM link WHERE property_id = $1 ORDER BY link_id, position DESC",
        property_id,
    )
    return {row["link_id"]: _link(row) for row in rows}


def _link(row: Record) -> Link:
    lists = (row[name] for name in LINK_COLUMNS[7:12])
    plain = (*LINK_COLUMNS[2:7], *LINK_COLUMNS[13:14], *LINK_COLUMNS[15:])
    return Link(
        **{name: row[name] for name in plain},
        meters=tuple(MeterTerms(*terms) for terms in zip(*lists, strict=True)),
        table_ids=tuple(row["table_ids"]),
        state=LinkState(row["state"]),
    )


async def meters(connection: Connection, property_id: str) -> dict[MeterName, Standing]:
    """Every meter of the property as its head says, with the number of its pending jackpots."""
    rows = await connection.fetch(
        "SELECT link_id, level, revision, reading, reserve, seed_house, seed_reserve, contribution, reserved,"
        " award, house_excess, overflow, transfer_in, transfer_out, adjustment"
        " FROM meter WHERE property_id = $1",
        property_id,
    )
    waiting = await pending(connection, property_id)
    return {
        (row[0], row[1]): Standing(Meter(*tuple(row)[3:]), row[2], waiting.get((row[0], row[1]), 0)) for row in rows
    }


async def pending(connection: Connection, property_id: str) -> dict[MeterName, int]:
    """How many jackpots of each meter are neither paid nor voided."""
    rows = await connection.fetch(
        """
        SELECT link_id, level, count(*) FROM (
            SELECT DISTINCT ON (jackpot_id) link_id, level, state FROM jackpot
            WHERE property_id = $1 ORDER BY jackpot_id, position DESC
        ) AS latest
        WHERE state = ANY ($2::text[]) GROUP BY link_id, level
        """,
        property_id,
        list(PENDING),
    )
    return {(row[0], row[1]): row[2] for row in rows}


async def pins(connection: Connection, property_id: str) -> dict[RoundKey, Pins]:
    """The pins of every open round."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, shoe, round_no, code, paytable, link_id FROM pin WHERE property_id = $1",
        property_id,
    )
    found: dict[RoundKey, Pins] = {}
    for row in rows:
        key = RoundKey(row["gaming_day"], row["table_id"], row["shoe"], row["round_no"])
        found.setdefault(key, {})[row["code"], row["paytable"]] = row["link_id"] or ""
    return found


async def submissions(connection: Connection, property_id: str) -> list[bytes]:
    """The bytes of every submission received."""
    rows = await connection.fetch(
        "SELECT content FROM submission WHERE property_id = $1 ORDER BY position", property_id
    )
    return [row["content"] for row in rows]


async def jackpots(connection: Connection, property_id: str, gaming_day: date | None) -> list[Jackpot]:
    """The latest state of every jackpot, of one gaming day or of all, in the order of the feed."""
    rows = await connection.fetch(
        """
        SELECT * FROM (
            SELECT DISTINCT ON (jackpot_id) position, jackpot_id, hit_id, link_id, link_version, level, gaming_day,
                table_id, shoe, round_no, roll, shift, wager_no, seat, code, paytable, amount_cents, percent, reading,
                state, rounds_position, paid_from
            FROM jackpot WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2)
            ORDER BY jackpot_id, position DESC
        ) AS latest ORDER BY position
        """,
        property_id,
        gaming_day,
    )
    return [_jackpot(row) for row in rows]


def _jackpot(row: Record) -> Jackpot:
    values = tuple(row)[1:]
    state = JackpotState(row["state"])
    return Jackpot._make((*values[:5], RoundKey(*values[5:10]), *values[10:18], state, *values[19:]))


async def written_between(connection: Connection, property_id: str, after: int, last: int) -> dict[int, Written]:
    """What the typed rows say at each position after one and up to another."""
    found: dict[int, Written] = {}
    scope = (connection, property_id, after, last)
    for rows in (await _contributions(*scope), await _movements(*scope), await _others(*scope)):
        found.update(rows)
    return found


async def _contributions(connection: Connection, property_id: str, after: int, last: int) -> dict[int, Written]:
    rows = await connection.fetch(
        "SELECT position, gaming_day, table_id, shoe, round_no, roll, shift, wager_no, seat, code, paytable,"
        " submission_id, stake_cents, link_id, link_version, amounts, readings, reserve_amounts, reserves,"
        " rounds_position FROM contribution WHERE property_id = $1 AND position > $2 AND position <= $3",
        property_id,
        after,
        last,
    )
    return {row[0]: Contribution(RoundKey(*row[1:6]), *row[6:]) for row in map(tuple, rows)}


async def _movements(connection: Connection, property_id: str, after: int, last: int) -> dict[int, Written]:
    rows = await connection.fetch(
        "SELECT position, link_id, link_version, level, cause, amount, reading_before, reading_after,"
        " reserve_before, reserve_after, gaming_day, table_id, shoe, round_no, roll, wager_no, hit_id,"
        " jackpot_id, gaming_day, rounds_position"
        " FROM movement WHERE property_id = $1 AND position > $2 AND position <= $3",
        property_id,
        after,
        last,
    )
    return {row[0]: _movement(row) for row in map(tuple, rows)}


def _movement(row: tuple[Any, ...]) -> Movement:
    key = None if row[11] is None else RoundKey(*row[10:15])
    return Movement._make((*row[1:4], Cause(row[4]), *row[5:10], key, *row[15:]))


async def _others(connection: Connection, property_id: str, after: int, last: int) -> dict[int, Written]:
    links = await connection.fetch(
        "SELECT link_id, version, title, code, paytable, levels, seed_cents, increment_rates, reserve_rates,"
        " limit_cents, table_ids, effective_from, state, proposed_by, proposed_at, approved_by, approved_at,"
        " rounds_position, position FROM link WHERE property_id = $1 AND position > $2 AND position <= $3",
        property_id,
        after,
        last,
    )
    jackpots = await connection.fetch(
        "SELECT position, jackpot_id, hit_id, link_id, link_version, level, gaming_day, table_id, shoe, round_no,"
        " roll, shift, wager_no, seat, code, paytable, amount_cents, percent, reading, state, rounds_position,"
        " paid_from FROM jackpot WHERE property_id = $1 AND position > $2 AND position <= $3",
        property_id,
        after,
        last,
    )
    found: dict[int, Written] = {row["position"]: _link(row) for row in links}
    found.update({row["position"]: _jackpot(row) for row in jackpots})
    return found
