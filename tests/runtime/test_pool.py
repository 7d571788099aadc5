"""Connections come back to a service's pool as they went out: in no transaction."""

import asyncio
from typing import Any

import asyncpg
import pytest

from services.runtime.server import open_pool
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
