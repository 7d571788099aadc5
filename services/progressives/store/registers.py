"""What is asked by people: slips, payees, decisions, alerts."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from services.progressives.alert import Alert
from services.progressives.decision import Decision
from services.progressives.store.rows import ALERT, DECISION, Table
from services.runtime.store import Connection, one_row


async def next_slip(connection: Connection, property_id: str) -> str:
    """The number of the next progressive jackpot slip; numbers are dense per property."""
    issued: int = await connection.fetchval(
        "SELECT count(DISTINCT slip_no) FROM jackpot WHERE property_id = $1 AND slip_no <> ''", property_id
    )
    return f"PJS-{issued + 1:06d}"


async def add_payee(connection: Connection, property_id: str, row: tuple[str, bytes, bytes, date]) -> None:
    """Keeps who was paid: jackpot, sealed bytes, their digest, day of payment."""
    await connection.execute(
        "INSERT INTO payee (property_id, jackpot_id, sealed, sha256, paid_on) VALUES ($1, $2, $3, $4, $5)",
        property_id,
        *row,
    )


async def payees(
    connection: Connection, property_id: str, first: date, last: date
) -> list[tuple[str, bytes, bytes, date]]:
    """Jackpot, sealed payee, its digest and day of each payment between two days, both included."""
    rows = await connection.fetch(
        "SELECT jackpot_id, sealed, sha256, paid_on FROM payee WHERE property_id = $1 AND paid_on BETWEEN $2 AND $3"
        " ORDER BY paid_on, jackpot_id",
        property_id,
        first,
        last,
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


async def payee_digests(connection: Connection, property_id: str) -> dict[tuple[str, bytes], bytes]:
    """The sealed bytes of every payee, by jackpot and the digest kept."""
    rows = await connection.fetch("SELECT jackpot_id, sealed, sha256 FROM payee WHERE property_id = $1", property_id)
    return {(row[0], row[2]): row[1] for row in rows}


async def decisions(connection: Connection, property_id: str) -> list[Decision]:
    """The latest state of every decision, in the order of the feed."""
    return [DECISION.read(row) for row in await _latest(connection, DECISION, property_id, "decision_id")]


async def asked_decision(connection: Connection, property_id: str, decision_id: str) -> Decision:
    """A decision as it was first entered."""
    row = await one_row(
        connection,
        f"SELECT {', '.join(DECISION.columns)} FROM decision WHERE property_id = $1 AND decision_id = $2"
        " ORDER BY position LIMIT 1",
        property_id,
        decision_id,
    )
    found: Decision = DECISION.read(tuple(row))
    return found


async def confirmed(connection: Connection, property_id: str, jackpot_id: str, since: int) -> bool:
    """Whether two people have decided that a jackpot stands, whatever its round wins.

    Only from a position of the rounds feed on: before it they have not seen the round as it stands. A held award that
    they confirm is confirmed in its height alone.
    """
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM decision AS d
            WHERE d.property_id = $1 AND d.kind = 'jackpot' AND d.state = 'approved' AND d.rounds_position >= $3
                AND d.subject::json ->> 'jackpot_id' = $2
                AND (d.subject::json ->> 'action' = 'set_amount' OR d.subject::json ->> 'action' = 'confirm'
                    AND 'held' IS DISTINCT FROM (SELECT j.state FROM jackpot AS j
                        WHERE j.property_id = $1 AND j.jackpot_id = $2 AND j.position < d.position
                        ORDER BY j.position DESC LIMIT 1)))
        """,
        property_id,
        jackpot_id,
        since,
    )
    return found


async def alerts(connection: Connection, property_id: str) -> list[Alert]:
    """The latest state of every alert, in the order of the feed."""
    return [ALERT.read(row) for row in await _latest(connection, ALERT, property_id, "alert_id")]


async def _latest(connection: Connection, table: Table, property_id: str, name: str) -> Iterable[tuple[Any, ...]]:
    rows = await connection.fetch(
        f"SELECT {', '.join(table.columns)} FROM ("
        f"SELECT DISTINCT ON ({name}) * FROM {table.name} WHERE property_id = $1 ORDER BY {name}, position DESC"
        ") AS latest ORDER BY position",
        property_id,
    )
    return [tuple(row) for row in rows]
