"""Heads, and what stands at a property: loaded whole, changed with the facts that move it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from services.kernel.ids import RoundKey
from services.progressives.alert import STANDING
from services.progressives.decision import UNDECIDED, Decision, JackpotDecision
from services.progressives.jackpot import OPEN
from services.progressives.link import BEGUN, DRAFTS, Link, LinkState
from services.progressives.meter import Meter
from services.progressives.play import PropertySet
from services.progressives.state import CLAIM_MINUTES, UTC, MeterName, Pins, Standing, State
from services.progressives.store.rows import ALERT, DECISION, JACKPOT, LINK, Table
from services.runtime.store import NOTHING_BESIDE, Beside, Connection

PIN_COLUMNS = (
    "property_id",
    "gaming_day",
    "table_id",
    "shoe",
    "round_no",
    "code",
    "paytable",
    "link_id",
    "link_version",
)


async def standing(connection: Connection, property_id: str) -> State:
    """What stands, all but the hidden triggers, which lie sealed."""
    versions = [LINK.read(row) for row in await _latest(connection, LINK, property_id, "link_id, version")]
    jackpots = [JACKPOT.read(row) for row in await _standing(connection, JACKPOT, property_id, OPEN)]
    decisions = [DECISION.read(row) for row in await _standing(connection, DECISION, property_id, UNDECIDED)]
    decisions += [DECISION.read(row) for row in await _retirements(connection, property_id)]
    alerts = [ALERT.read(row) for row in await _standing(connection, ALERT, property_id, STANDING)]
    day, (minutes, zone) = await last_day(connection, property_id), await _settings(connection, property_id)
    return State(
        links=in_force(versions),
        pending=to_be(versions, in_force(versions)),
        meters=await _meters(connection, property_id, jackpots),
        pins=await _pins(connection, property_id),
        jackpots={each.jackpot_id: each for each in jackpots},
        decisions={each.decision_id: each for each in decisions},
        alerts={each.alert_id: each for each in alerts},
        about=await _about(connection, property_id, decisions),
        withdrawn=withdrawn(versions),
        gaming_day=day or date.min,
        claim_minutes=minutes,
        time_zone=zone,
    )


async def _about(connection: Connection, property_id: str, decisions: Iterable[Decision]) -> dict[str, str]:
    """Under each decision about a jackpot that has a link the link."""
    named = {
        each.decision_id: each.subject.jackpot_id for each in decisions if isinstance(each.subject, JackpotDecision)
    }
    rows = await connection.fetch(
        "SELECT DISTINCT ON (jackpot_id) jackpot_id, link_id FROM jackpot"
        " WHERE property_id = $1 AND jackpot_id = ANY ($2) ORDER BY jackpot_id, position DESC",
        property_id,
        list(named.values()),
    )
    links = {row["jackpot_id"]: row["link_id"] for row in rows if row["link_id"]}
    return {name: links[jackpot_id] for name, jackpot_id in named.items() if jackpot_id in links}


def withdrawn(versions: Iterable[Link]) -> dict[str, int]:
    """Of the latest states of all versions the highest that was withdrawn, by link."""
    newest = sorted((link for link in versions if link.state is LinkState.WITHDRAWN), key=lambda link: link.version)
    return {link.link_id: link.version for link in newest}


def in_force(versions: Iterable[Link]) -> dict[str, Link]:
    """Of the latest states of all versions those that are in force, or were until the link was retired."""
    newest = sorted((link for link in versions if link.state in BEGUN), key=lambda link: link.version)
    return {link.link_id: link for link in newest}


def to_be(versions: Iterable[Link], running: Mapping[str, Link]) -> dict[str, Link]:
    """Of the latest states of all versions the newest that is not in force yet, unless it was withdrawn."""
    drafts = [link for link in versions if link.state not in BEGUN]
    newest = {link.link_id: link for link in sorted(drafts, key=lambda link: link.version)}
    return {name: link for name, link in newest.items() if link.state in DRAFTS and _follows(link, running.get(name))}


def _follows(link: Link, former: Link | None) -> bool:
    return former is None or (former.state is not LinkState.RETIRED and former.version < link.version)


async def _latest(connection: Connection, table: Table, property_id: str, name: str) -> list[tuple[Any, ...]]:
    rows = await connection.fetch(
        f"SELECT DISTINCT ON ({name}) {', '.join(table.columns)} FROM {table.name}"
        f" WHERE property_id = $1 ORDER BY {name}, position DESC",
        property_id,
    )
    return [tuple(row) for row in rows]


async def _standing(
    connection: Connection, table: Table, property_id: str, states: Sequence[str]
) -> list[tuple[Any, ...]]:
    """The latest states that are one of these. An index tells which they are; no row that is over is read."""
    columns = ", ".join(f"t.{name}" for name in table.columns)
    rows = await connection.fetch(
        f"""
        SELECT {columns} FROM (
            SELECT DISTINCT ON ({table.name}_id) position, state FROM {table.name}
            WHERE property_id = $1 ORDER BY {table.name}_id, position DESC
        ) AS latest JOIN {table.name} AS t ON t.property_id = $1 AND t.position = latest.position
        WHERE latest.state = ANY ($2) ORDER BY t.position
        """,
        property_id,
        list(states),
    )
    return [tuple(row) for row in rows]


async def _retirements(connection: Connection, property_id: str) -> list[tuple[Any, ...]]:
    """The approved retirements that wait for the opening of a gaming day."""
    columns = ", ".join(f"t.{name}" for name in DECISION.columns)
    rows = await connection.fetch(
        f"""
        SELECT {columns} FROM (
            SELECT DISTINCT ON (decision_id) position, state FROM decision
            WHERE property_id = $1 AND kind = 'retirement' ORDER BY decision_id, position DESC
        ) AS latest JOIN decision AS t ON t.property_id = $1 AND t.position = latest.position
        WHERE latest.state = 'approved' ORDER BY t.position
        """,
        property_id,
    )
    return [tuple(row) for row in rows]


async def undecided(connection: Connection) -> dict[str, int]:
    """How many decisions nobody has taken, by property."""
    rows = await connection.fetch(
        """
        SELECT property_id, count(*) AS decisions FROM (
            SELECT DISTINCT ON (property_id, decision_id) property_id, state FROM decision
            ORDER BY property_id, decision_id, position DESC
        ) AS latest WHERE state = ANY ($1) GROUP BY property_id
        """,
        list(UNDECIDED),
    )
    return {row["property_id"]: row["decisions"] for row in rows}


async def _meters(connection: Connection, property_id: str, jackpots: Iterable[Any]) -> dict[MeterName, Standing]:
    rows = await connection.fetch(
        "SELECT link_id, level, revision, reading, reserve, seed_house, seed_reserve, contribution, reserved,"
        " award, house_excess, overflow, transfer_in, transfer_out, adjustment, hits, wagers, handle_cents,"
        " paid_by_device_cents, paid_by_attendant_cents, last_hit FROM meter WHERE property_id = $1",
        property_id,
    )
    pending: dict[MeterName, int] = {}
    for each in jackpots:
        name = each.link_id, each.level
        pending[name] = pending.get(name, 0) + each.pending
    return {
        (row[0], row[1]): Standing(Meter(*tuple(row)[3:15]), row[2], pending.get((row[0], row[1]), 0), *tuple(row)[15:])
        for row in rows
    }


def meters_beside(standings: Mapping[MeterName, Standing]) -> Beside:
    """What puts these meters where they stand, all at once. An array for each column would take twice as long."""
    rows = [(*name, each.revision, *each.meter, *each[3:]) for name, each in standings.items()]
    if not rows:
        return NOTHING_BESIDE
    return Beside(_SET_METERS, json.dumps(rows))


_SET_METERS = """
    INSERT INTO meter AS m (property_id, link_id, level, revision, reading, reserve, seed_house, seed_reserve,
        contribution, reserved, award, house_excess, overflow, transfer_in, transfer_out, adjustment,
        hits, wagers, handle_cents, paid_by_device_cents, paid_by_attendant_cents, last_hit)
    SELECT $1, r ->> 0, r ->> 1, (r ->> 2)::bigint, (r ->> 3)::bigint, (r ->> 4)::bigint, (r ->> 5)::bigint,
        (r ->> 6)::bigint, (r ->> 7)::bigint, (r ->> 8)::bigint, (r ->> 9)::bigint, (r ->> 10)::bigint,
        (r ->> 11)::bigint, (r ->> 12)::bigint, (r ->> 13)::bigint, (r ->> 14)::bigint, (r ->> 15)::bigint,
        (r ->> 16)::bigint, (r ->> 17)::bigint, (r ->> 18)::bigint, (r ->> 19)::bigint, (r ->> 20)::bigint
    FROM jsonb_array_elements($10::jsonb) AS r
    ON CONFLICT (property_id, link_id, level) DO UPDATE SET
        (revision, reading, reserve, seed_house, seed_reserve, contribution, reserved, award, house_excess,
         overflow, transfer_in, transfer_out, adjustment, hits, wagers, handle_cents, paid_by_device_cents,
         paid_by_attendant_cents, last_hit)
        = (EXCLUDED.revision, EXCLUDED.reading, EXCLUDED.reserve, EXCLUDED.seed_house, EXCLUDED.seed_reserve,
           EXCLUDED.contribution, EXCLUDED.reserved, EXCLUDED.award, EXCLUDED.house_excess, EXCLUDED.overflow,
           EXCLUDED.transfer_in, EXCLUDED.transfer_out, EXCLUDED.adjustment, EXCLUDED.hits, EXCLUDED.wagers,
           EXCLUDED.handle_cents, EXCLUDED.paid_by_device_cents, EXCLUDED.paid_by_attendant_cents,
           EXCLUDED.last_hit)
"""


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


async def _pins(connection: Connection, property_id: str) -> dict[RoundKey, Pins]:
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, shoe, round_no, code, paytable, link_id FROM pin WHERE property_id = $1",
        property_id,
    )
    found: dict[RoundKey, Pins] = {}
    for row in rows:
        key = RoundKey(row["gaming_day"], row["table_id"], row["shoe"], row["round_no"])
        found.setdefault(key, {})[row["code"], row["paytable"]] = row["link_id"] or ""
    return found


async def sealed_triggers(connection: Connection, property_id: str) -> dict[MeterName, tuple[int, bytes, bytes]]:
    """Number, sealed bytes and commitment of every trigger that is hidden, by link and level."""
    rows = await connection.fetch(
        "SELECT DISTINCT ON (link_id, level) link_id, level, number, opened, sealed, commitment FROM trigger"
        " WHERE property_id = $1 ORDER BY link_id, level, position DESC",
        property_id,
    )
    return {(row[0], row[1]): (row[2], row[4], row[5]) for row in rows if not row[3]}


async def add_submissions(connection: Connection, property_id: str, rows: Iterable[tuple[int, str, bytes]]) -> None:
    """Keeps approved submissions: position in their feed, id, bytes of the entry."""
    await connection.executemany(
        "INSERT INTO submission (property_id, position, submission_id, content) VALUES ($1, $2, $3, $4)",
        [(property_id, *row) for row in rows],
    )


async def submissions(connection: Connection, property_id: str) -> list[tuple[int, bytes]]:
    """Position and bytes of every submission received."""
    rows = await connection.fetch(
        "SELECT position, content FROM submission WHERE property_id = $1 ORDER BY position", property_id
    )
    return [(row["position"], row["content"]) for row in rows]


async def add_days(connection: Connection, property_id: str, days: Iterable[tuple[date, int, int]]) -> None:
    """Keeps opened gaming days: positions of the rounds feed and of the submissions feed."""
    await connection.executemany(
        "INSERT INTO opened_day (property_id, gaming_day, rounds_position, submissions_position)"
        " VALUES ($1, $2, $3, $4)",
        [(property_id, *day) for day in days],
    )


async def last_day(connection: Connection, property_id: str) -> date | None:
    """The gaming day that was opened last; of a property that opened none since they are kept, the last that moved."""
    found: date | None = await connection.fetchval(
        "SELECT gaming_day FROM opened_day WHERE property_id = $1 ORDER BY rounds_position DESC LIMIT 1", property_id
    )
    if found is None:
        found = await connection.fetchval("SELECT max(gaming_day) FROM movement WHERE property_id = $1", property_id)
    return found


async def add_settings(connection: Connection, property_id: str, settings: Iterable[PropertySet]) -> None:
    """Keeps what holds from a position of the rounds feed on: minutes to claim a jackpot in, and the time zone."""
    await connection.executemany(
        "INSERT INTO property_set (property_id, rounds_position, claim_minutes, time_zone) VALUES ($1, $2, $3, $4)",
        [(property_id, *each) for each in settings],
    )


async def _settings(connection: Connection, property_id: str) -> tuple[int, str]:
    row = await connection.fetchrow(
        "SELECT claim_minutes, time_zone FROM property_set WHERE property_id = $1"
        " ORDER BY rounds_position DESC LIMIT 1",
        property_id,
    )
    return (row[0], row[1]) if row else (CLAIM_MINUTES, UTC)
