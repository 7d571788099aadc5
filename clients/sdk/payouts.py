"""What a table pays: settled rounds and jackpots from two feeds, merged, each from its cursor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import NamedTuple

from casino.progressives.v1 import entries_pb2 as progressives
from casino.settlement.v1 import entries_pb2 as settlement
from clients.sdk.client import Casino
from clients.sdk.feeds import Progress, watch


class SettledWager(NamedTuple):
    """One wager of a settled round. Money in cents; `outcome` win, lose, push, void or pending.

    `line` is empty where none was hit; `awards` are those of its winnings that are not plain odds.
    """

    wager_no: int
    seat: int
    code: str
    paytable: str
    stake_cents: int
    outcome: str
    line: str
    payout_cents: int
    inventory_cents: int
    breakage_micros: int
    awards: tuple[settlement.Award, ...]


class Payout(NamedTuple):
    """A settled round of the table and its wagers; `position` is the cursor in the settlements feed."""

    position: int
    round: settlement.SettledRound
    wagers: list[SettledWager]


class JackpotNotice(NamedTuple):
    """A jackpot of the table in a new state; `position` is the cursor in the progressives feed."""

    position: int
    jackpot: progressives.Jackpot


def outcome_name(outcome: settlement.Outcome.ValueType) -> str:
    """The outcome as a word: win, lose, push, void, pending."""
    return settlement.Outcome.Name(outcome).removeprefix("OUTCOME_").lower()


def wagers_of(settled: settlement.SettledRound) -> list[SettledWager]:
    """The parallel lists of a settled round as wagers. ValueError where the lists differ in length."""
    awards: dict[int, list[settlement.Award]] = {}
    for award in settled.awards:
        awards.setdefault(award.wager_no, []).append(award)
    columns = zip(
        settled.wager_no,
        settled.seat,
        settled.code,
        settled.paytable,
        settled.stake_cents,
        map(outcome_name, settled.outcome),
        settled.line,
        settled.payout_cents,
        settled.inventory_cents,
        settled.breakage_micros,
        strict=True,
    )
    return [SettledWager._make((*each, tuple(awards.get(each[0], ())))) for each in columns]


async def payouts(
    casino: Casino,
    property_id: str,
    table_id: str,
    after_settlement: int = 0,
    after_progressive: int = 0,
) -> AsyncGenerator[Payout | JackpotNotice, None]:
    """The table's payouts and jackpots after the two cursors, as they come, for ever. Raises as `watch`."""
    news: asyncio.Queue[Payout | JackpotNotice] = asyncio.Queue(maxsize=1_000)
    readers = [
        asyncio.create_task(_forward(_settlements(casino, property_id, table_id, after_settlement), news)),
        asyncio.create_task(_forward(_jackpots(casino, property_id, table_id, after_progressive), news)),
    ]
    try:
        while True:
            waiting = asyncio.create_task(news.get())
            await asyncio.wait([waiting, *readers], return_when=asyncio.FIRST_COMPLETED)
            for reader in readers:
                if reader.done():
                    waiting.cancel()
                    reader.result()
            yield await waiting
    finally:
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)


async def _forward(
    source: AsyncIterator[Payout] | AsyncIterator[JackpotNotice], news: asyncio.Queue[Payout | JackpotNotice]
) -> None:
    async for item in source:
        await news.put(item)


async def _settlements(casino: Casino, property_id: str, table_id: str, after: int) -> AsyncGenerator[Payout, None]:
    async with aclosing(watch(casino, "settlements", property_id, after)) as items:
        async for item in items:
            if not isinstance(item, Progress) and item.kind == "settled":
                settled: settlement.SettledRound = item.body
                if settled.key.table_id == table_id:
                    yield Payout(item.position, settled, wagers_of(settled))


async def _jackpots(casino: Casino, property_id: str, table_id: str, after: int) -> AsyncGenerator[JackpotNotice, None]:
    async with aclosing(watch(casino, "progressives", property_id, after)) as items:
        async for item in items:
            if not isinstance(item, Progress) and item.kind == "jackpot":
                jackpot: progressives.Jackpot = item.body
                if jackpot.key.table_id == table_id:
                    yield JackpotNotice(item.position, jackpot)
