"""kill -9 in the middle of an ingest: after the restart every total is that of an undisturbed run."""

import asyncio
import contextlib
import csv
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.reports import complete_report
from clients.floor.platform import Platform
from clients.floor.sample import PROPERTY, sample, seed
from clients.floor.shoe import Shoe
from clients.sdk.client import Casino
from clients.sdk.stream import RoundsStream
from tests.builders import SHARED
from tests.floor.auditor import audit, lines

pytestmark = pytest.mark.floor

DAY = date(2026, 3, 2)
CARD_LOG = SHARED / "data" / "cardsharp" / "baccarat.csv"
OWN_ROUNDS = 3_000
TABLES = ("win", "side_wagers", "progressives", "exceptions")
WAGERS = tuple(
    floor.Wager(wager_no=number, seat=1, code=code, paytable=paytable, stake_cents=stake)
    for number, (code, paytable, stake) in enumerate(
        (
            ("baccarat.player", "standard", 10_000),
            ("baccarat.banker", "5%", 10_000),
            ("baccarat.tie", "8", 10_000),
            ("baccarat.heavenly_9_progressive", "standard", 500),
        ),
        start=1,
    )
)


class Crashed(Exception):
    """The platform is gone while the stream is open."""


Totals = dict[str, list[dict[str, int | str | None]]]


def dealt() -> Iterator[tuple[int, int, list[str], list[str]]]:
    """Shoe, round and the two hands: of the published card log, or of shoes dealt here where it is absent."""
    if CARD_LOG.exists():
        with CARD_LOG.open(newline="") as file:
            for row in csv.DictReader(file):
                player, banker = ([row[f"{side}{place}"] for place in "123"] for side in "pb")
                yield int(row["shoe"]), int(row["round"]), [*filter(None, player)], [*filter(None, banker)]
        return
    random = Random(1)
    shoe = Shoe(1, 8, random)
    for number in range(1, OWN_ROUNDS + 1):
        if shoe.finished:
            shoe = Shoe(shoe.number + 1, 8, random)
        coup = shoe.deal()
        yield shoe.number, number, [*map(str, coup.player.cards)], [*map(str, coup.banker.cards)]


def events() -> list[floor.Event]:
    """Every round of the log with the same wagers, a second apart."""
    start, found = sample().calendar.start_of(DAY), []
    for shoe, number, player, banker in dealt():
        whole = floor.WholeRound(table_id="BAC-01", shoe=shoe, round_no=number, wagers=WAGERS)
        whole.opened_at.FromDatetime(start + timedelta(seconds=number))
        whole.result.baccarat.player.extend(player)
        whole.result.baccarat.banker.extend(banker)
        found.append(floor.Event(occurred_at=whole.opened_at, whole_round=whole))
    return found


async def ingest(home: Path, victim: str | None) -> Totals:
    """Stream the log, kill the victim when a third of it is on disk; the totals once all is settled."""
    sent = events()
    # A small window: the log is still being sent when the kill comes, however short it is.
    environ = {**os.environ, "CASINO_STREAM_WINDOW": "500"}
    async with Platform(home, environ) as platform, Casino(platform.addresses, "a-tester") as casino:
        await prepare(casino)
        async with RoundsStream(casino, PROPERTY, "log") as stream:
            for event in sent:
                await stream.send(event)
                if victim and stream.durable > len(sent) // 3:
                    os.kill(platform.pids()[victim] or 0, signal.SIGKILL)
                    victim = None
        assert victim is None
        totals = await totals_of(casino, len(sent))
        await verify(platform)
    return totals


async def prepare(casino: Casino) -> None:
    """The sample property, and the source of the log."""
    await seed(casino)
    registration = rounds.RegisterSourceRequest(
        request_id="source", property_id=PROPERTY, source_id="log", description="a card log"
    )
    await casino.call(casino.rounds.RegisterSource, registration)


async def ingest_with_power_cut(home: Path) -> Totals:
    """Send half of the log, end every process at once, start again and send the whole log anew."""
    sent = events()
    half = len(sent) // 2
    platform = Platform(home)
    await platform.start()
    async with Casino(platform.addresses, "a-tester") as casino:
        await prepare(casino)
        with contextlib.suppress(Crashed):
            async with RoundsStream(casino, PROPERTY, "log") as stream:
                for event in sent[:half]:
                    await stream.send(event)
                kept = stream.durable
                await platform.crash()
                raise Crashed
    async with Platform(home) as platform, Casino(platform.addresses, "a-tester") as casino:
        async with RoundsStream(casino, PROPERTY, "log") as stream:
            for event in sent:
                await stream.send(event)
        known = [each.number for each in stream.answered() if each.answer.kind == rounds.ANSWER_KIND_DUPLICATE]
        assert known == list(range(1, len(known) + 1))
        assert kept <= len(known) <= half
        totals = await totals_of(casino, len(sent))
        await verify(platform)
    return totals


async def totals_of(casino: Casino, number: int) -> Totals:
    """The report's lines, after the auditor has found every round once."""
    report = await complete_report(casino, "daily-win", PROPERTY, DAY.isoformat())
    audited = await audit(casino, PROPERTY, DAY)
    assert audited.tables["BAC-01", "rounds"] == number
    return {name: lines(report, name) for name in TABLES}


async def verify(platform: Platform) -> None:
    """`casino verify` finds no difference."""
    places = {f"CASINO_{name.upper()}_ADDRESS": address for name, address in platform.addresses.items()}
    environ = {**os.environ, **places, "CASINO_HOME": str(platform.home), "CASINO_PRINCIPAL": "a-tester"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "clients.cli", "verify"),
        env=environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()


@pytest.fixture(scope="module")
def undisturbed() -> Totals:
    """The totals of a run in which nothing dies."""
    above = Path(tempfile.mkdtemp(prefix="casino-tests-"))
    above.chmod(0o711)
    try:
        return asyncio.run(ingest(above / "home", None))
    finally:
        shutil.rmtree(above)


@pytest.mark.parametrize(
    "victim",
    [
        "rounds",
        "postgres",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("settlement", "progressives", "reporting")),
    ],
)
async def test_a_kill_in_the_middle_changes_no_total(victim: str, undisturbed: Totals, home: Path) -> None:
    """Whatever is killed in mid-ingest is started again, nothing is lost and nothing is counted twice."""
    assert await ingest(home, victim) == undisturbed


@pytest.mark.slow
async def test_a_power_cut_loses_nothing_acknowledged(undisturbed: Totals, home: Path) -> None:
    """When every process has died at once, what was acknowledged is there, and sent anew counts once."""
    assert await ingest_with_power_cut(home) == undisturbed
