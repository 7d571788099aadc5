"""The month through the services: the floor streams day after day, the office closes each once the next has begun."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import entries_pb2 as meters
from casino.reporting.v1 import documents_pb2 as paper
from clients.cli.properties import standing, wait_until_level
from clients.floor.day import Day, send
from clients.floor.filing import set_up
from clients.floor.platform import Platform
from clients.sdk.client import Casino
from tests.month import office
from tests.month.drawer import Drawer
from tests.month.house import FIRST_DAY, PROPERTY
from tests.month.month import Month, drawer_of

DAYS_AHEAD = 2
"""How many days the floor may be ahead of the office."""
TRIGGER_SEED = "20260302"


@dataclass(frozen=True)
class Streamed(Day):
    """A day of which other events are sent than its tables had."""

    sent: Sequence[floor.Event]

    def events(self) -> Iterator[floor.Event]:
        """What is sent."""
        return iter(self.sent)


@dataclass
class Run:
    """A month under way, and what came of it so far."""

    casino: Casino
    month: Month
    played: dict[date, Day] = field(default_factory=dict)
    paid: dict[date, list[meters.Jackpot]] = field(default_factory=dict)
    filed: dict[date, list[paper.FiledReport]] = field(default_factory=dict)

    def events(self, day: Day) -> list[floor.Event]:
        """What the floor sends of a day."""
        return list(day.events())

    def papers(self, day: Day) -> list[paper.Document]:
        """What the floor wrote on a day."""
        return day.documents()

    async def close(self, day: Day) -> None:
        """Post a day's papers and file it."""
        slips = [office.slip_of(each, self._drawer(day, each)) for each in self.paid[day.gaming_day]]
        documents = [*self.papers(day), *slips]
        self.month.serials.number(documents)
        await office.post(self.casino, documents)
        await self.file(day)

    async def file(self, day: Day) -> None:
        """File a day whose papers are posted."""
        self.filed[day.gaming_day] = await office.file(self.casino, day.gaming_day)

    def _drawer(self, day: Day, jackpot: meters.Jackpot) -> Drawer:
        (played,) = [each for each in day.tables if each.table.table_id == jackpot.key.table_id]
        return drawer_of(played)

    async def _office(self, sent: "asyncio.Queue[tuple[Day, int] | None]") -> None:
        """Close each day once the floor has sent the next one, the last when everything has been followed."""
        waiting = await sent.get()
        while waiting is not None:
            following = await sent.get()
            day, head = waiting
            self.paid[day.gaming_day] = await office.pay_jackpots(self.casino, day.gaming_day, head)
            if following is None:
                await wait_until_level(self.casino, PROPERTY)
            await self.close(day)
            waiting = following

    async def _floor(self, sent: "asyncio.Queue[tuple[Day, int] | None]", gaming_days: Sequence[date]) -> None:
        for gaming_day in gaming_days:
            day = await asyncio.to_thread(self.month.deal, gaming_day)
            self.played[gaming_day] = day
            answered = await send(self.casino, Streamed(day.house, gaming_day, day.tables, self.events(day)))
            assert not answered, answered[:3]
            for table in day.tables:
                table.events.clear()
            head = (await standing(self.casino, "rounds", PROPERTY)).heads["rounds"]
            await sent.put((day, head))
        await sent.put(None)

    async def play(self, gaming_days: Sequence[date]) -> None:
        """Everything from the first event to the last filed report. Raises RefusedByServer."""
        sent: asyncio.Queue[tuple[Day, int] | None] = asyncio.Queue(DAYS_AHEAD)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._floor(sent, gaming_days))
            tasks.create_task(self._office(sent))


@asynccontextmanager
async def opened(home: Path, month: Month) -> AsyncIterator[Casino]:
    """The platform with the house filed, its mystery triggers following from a seed."""
    environ = {**os.environ, "CASINO_TRIGGER_SEED": TRIGGER_SEED}
    async with Platform(home, environ) as platform, Casino(platform.addresses, "a-gateway") as casino:
        await set_up(casino, month.house, FIRST_DAY)
        yield casino
