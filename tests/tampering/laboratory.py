"""A prepared day that is changed by hand, verified, and put back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TypeAlias

import asyncpg

from clients.cli.audit.witness import Witness
from clients.cli.verify import Verification, verify
from services.kernel.clock import system_clock
from services.runtime.store import load_head
from tests.databases import Database
from tests.tampering.kinds import Kind
from tests.tampering.platform import Platform
from tests.tampering.prepared import prepare

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
SETTLING_SECONDS = 0.5
SCHEMAS = ["rounds", "settlement", "progressives", "reporting"]
TABLES = """
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migration'
"""
COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
"""


class Laboratory:
    """Four services on one database, each table kept aside so that an edit can be taken back."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database, self._home = database, home
        self._runner = asyncio.Runner()
        self._owner: Connection
        self._platform: Platform
        self._runner.run(self._begin())

    async def _begin(self) -> None:
        async with Platform(self._database, self._home) as platform:
            await prepare(platform.casino)
        self._owner = await asyncpg.connect(self._database.owner_url)
        await self._owner.execute("CREATE SCHEMA aside")
        for name in await self._tables():
            await self._owner.execute(f'CREATE TABLE aside."{name}" AS SELECT * FROM {name}')
        now = system_clock()
        self._platform = Platform(self._database, self._home, lambda: now)
        await self._platform.__aenter__()
        await self._verified()
        await self._without_triggers()

    async def _without_triggers(self) -> None:
        """What the owner of the database can do before he edits facts."""
        tables = "SELECT c.oid::regclass::text FROM pg_class AS c WHERE c.relkind IN ('r', 'p')"
        for row in await self._owner.fetch(f"{tables} AND c.relnamespace::regnamespace::text = ANY ($1)", SCHEMAS):
            await self._owner.execute(f"ALTER TABLE {row[0]} DISABLE TRIGGER ALL")

    async def _tables(self) -> list[str]:
        return [row["name"] for row in await self._owner.fetch(TABLES, SCHEMAS)]

    async def _verified(self, witness: Path | None = None) -> Verification:
        seen = Witness(witness) if witness else None
        return await verify(self._platform.casino, self._home, witness=seen)

    def tables(self) -> set[str]:
        """Every table of every schema, partitions and migrations aside."""
        return set(self._runner.run(self._tables()))

    def differences(self, witness: Path | None = None) -> list[str]:
        """What verify says of the database as it stands."""
        found = self._runner.run(self._verified(witness))
        return [text for some in found.checks.values() for each in some for text in each.differences]

    def said_of(self, kind: Kind, witness: Path | None = None) -> list[str]:
        """What verify says once the edit is made, which is taken back then."""
        return self._runner.run(self._said_of(kind, witness))

    async def _said_of(self, kind: Kind, witness: Path | None) -> list[str]:
        async with self._owner.transaction():
            await self._owner.execute(kind.sql)
        try:
            return [line.strip() for line in (await self._verified(witness)).lines() if line.startswith("  ")]
        finally:
            for table in kind.tables:
                await self._put_back(table)
            await self._look_again()

    async def _put_back(self, table: str) -> None:
        columns = ", ".join(f'"{row[0]}"' for row in await self._owner.fetch(COLUMNS, table))
        async with self._owner.transaction():
            await self._owner.execute(f"DELETE FROM {table}")
            await self._owner.execute(f'INSERT INTO {table} ({columns}) SELECT {columns} FROM aside."{table}"')

    async def _look_again(self) -> None:
        """A service that met the edit's head forgets it, and its followers are told before the next edit."""
        for service in self._platform.services:
            for feed in service.feeds():
                async with service.pool.acquire() as connection:
                    if await load_head(connection, feed.property_id, feed.name) != (feed.position, feed.hash):
                        await feed.load(connection)
                        await asyncio.sleep(SETTLING_SECONDS)

    def close(self) -> None:
        """Stops everything."""
        self._runner.run(self._platform.__aexit__())
        self._runner.run(self._owner.close())
        self._runner.close()
