"""Connections come back to a service's pool as they went out: in no transaction. They go with one that cannot start."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from services.rounds.__main__ import start
from services.runtime.server import open_pool
from services.runtime.settings import Settings
from tests.databases import Database


async def test_a_call_given_up_between_preparing_and_running_leaves_no_transaction(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is prepared begins a transaction that the run ends: whoever takes the connection next begins one of his."""
    prepare: Any = asyncpg.Connection.__dict__["_get_statement"]

    async def prepared_in_vain(connection: Any, *given: Any, **named: Any) -> None:
        await prepare(connection, *given, **named)
        raise asyncio.CancelledError

    pool = await open_pool(database.url("rounds"))
    try:
        with monkeypatch.context() as patched:
            patched.setattr(asyncpg.Connection, "_get_statement", prepared_in_vain)
            with pytest.raises(asyncio.CancelledError):
                async with pool.acquire() as connection:
                    await connection.fetch("SELECT count(*) FROM feed_head WHERE property_id = $1", "HARBOR")
        async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            assert await connection.fetchval("SELECT count(*) FROM feed_head") == 0
        assert pool.get_size() == 1
    finally:
        await pool.close()


async def test_a_service_whose_port_is_taken_keeps_no_connection(database: Database, home: Path) -> None:
    """It tells so and lets go of its database: whoever tries again connects again."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        environ = {
            "CASINO_HOME": str(home),
            "CASINO_ROUNDS_DATABASE_URL": database.url("rounds"),
            "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{other.getsockname()[1]}",
            "CASINO_ROUNDS_METRICS_PORT": "0",
        }
        with pytest.raises(RuntimeError, match="Failed to bind"):
            await start(Settings.read(environ))
    owner = await asyncpg.connect(database.owner_url)
    try:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'casino'"
        # The server takes a moment to end what was closed.
        async with asyncio.timeout(10):
            while await owner.fetchval(query, database.name):  # noqa: ASYNC110 - Postgres tells nobody
                await asyncio.sleep(0.01)
    finally:
        await owner.close()
