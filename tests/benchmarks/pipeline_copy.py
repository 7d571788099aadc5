"""The yardstick of the pipeline's benchmark: the same wagers' rows, copied raw into the same table of the same server.

The table stands in a database of its own, made by the settlement service's migrations, with their partitions and
indexes, and is written through the service's own login.
"""

import time
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from services.runtime.embedded import EmbeddedPostgres
from services.runtime.migrations import migrate, password
from services.settlement.store import WAGER_COLUMNS

ROWS_PER_COMMIT = 3_500
SCRATCH = "scratch"
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class NotDurable(Exception):
    """The server would lose what it has acknowledged: nothing measured on it counts."""


class Yardstick:
    """Connections to the platform's database as its owner and as `settlement`, and to the scratch database."""

    def __init__(
        self,
        owner: "asyncpg.Connection[asyncpg.Record]",
        stored: "asyncpg.Connection[asyncpg.Record]",
        scratch: "asyncpg.Connection[asyncpg.Record]",
    ) -> None:
        self.owner, self._stored, self._scratch = owner, stored, scratch

    @classmethod
    async def open(cls, home: Path) -> "Yardstick":
        """Makes the scratch database beside the platform's. Raises NotDurable."""
        url, secrets = EmbeddedPostgres(home).url, home / "secrets"
        owner = await asyncpg.connect(url)
        for setting, wanted in DURABLE.items():
            if (given := await owner.fetchval(f"SHOW {setting}")) != wanted:
                raise NotDurable(f"expected {setting} to be {wanted}, given {given}")
        await owner.execute(f"CREATE DATABASE {SCRATCH}")
        made = await migrate(_database(url, SCRATCH), ("settlement",), secrets=secrets)
        stored = await asyncpg.connect(_login(url, password(secrets, "settlement")))
        return cls(owner, stored, await asyncpg.connect(made["settlement"]))

    async def close(self) -> None:
        """Ends the connections."""
        for connection in (self.owner, self._stored, self._scratch):
            await connection.close()

    async def described(self) -> dict[str, str]:
        """The server's version and the settings that the figures depend on."""
        names = ("server_version", *DURABLE, "shared_buffers", "max_wal_size", "data_checksums")
        return {name: str(await self.owner.fetchval(f"SHOW {name}")) for name in names}

    async def level(self) -> None:
        """Writes everything out, so that neither half of a pair pays for what came before it."""
        await self.owner.execute("CHECKPOINT")

    async def rows(self, day: date) -> list[tuple[object, ...]]:
        """The rows that settlement has stored of a gaming day, in the order in which it did."""
        rows = await self._stored.fetch(
            f"SELECT {', '.join(WAGER_COLUMNS)} FROM wager WHERE gaming_day = $1 ORDER BY position, wager_no", day
        )
        return [tuple(row) for row in rows]

    async def copy(self, rows: list[tuple[object, ...]]) -> float:
        """The seconds in which one connection copies the rows into the scratch table, 3,500 a commit."""
        parts = [rows[at : at + ROWS_PER_COMMIT] for at in range(0, len(rows), ROWS_PER_COMMIT)]
        began = time.perf_counter()
        for part in parts:
            await self._scratch.copy_records_to_table("wager", records=part, columns=WAGER_COLUMNS)
        return time.perf_counter() - began


def _database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _login(url: str, word: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"casino_settlement:{word}@{parts.netloc.rpartition('@')[2]}"))
