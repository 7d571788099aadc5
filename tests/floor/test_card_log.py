"""A card log dealt by an engine of somebody else's, through the command line and the four processes."""

import asyncio
import csv
import tempfile
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.floor.platform import Platform
from clients.floor.sample import PROPERTY, seed
from clients.sdk.client import Casino
from tests.builders import NO_SHARED, SHARED
from tests.clients.command import casino

LOG = SHARED / "data" / "cardsharp" / "baccarat.csv"
WAGERS = ("baccarat.player", "baccarat.banker", "baccarat.tie")
DECKS = 8

pytestmark = [
    pytest.mark.floor,
    pytest.mark.shared,
    pytest.mark.skipif(not LOG.exists(), reason=NO_SHARED),
]


def log() -> list[dict[str, str]]:
    """The rows of the log."""
    with LOG.open(newline="") as file:
        return list(csv.DictReader(file))


async def ingest(file: Path, home: Path) -> list[Any]:
    """`casino ingest` of a log with $100 on each wager: the objects that it prints."""
    arguments = ["ingest", str(file), "--table", "BAC-01", "--json"]
    for code in WAGERS:
        arguments += ["--wager", f"{code}:100"]
    ran = await asyncio.to_thread(casino, *arguments, environ={"CASINO_HOME": str(home)})
    assert ran.code == 0, ran.err
    return ran.objects


def pieces(folder: Path, cut: int) -> Path:
    """The log cut after so many rounds, under its own name."""
    folder.chmod(0o711)
    (folder / LOG.name).write_text("".join(LOG.read_text().splitlines(keepends=True)[: cut + 1]))
    return folder / LOG.name


async def shoes_named(client: Casino) -> list[int]:
    """The shoes that the watch has named, in the order of the feed."""
    found: list[int] = []
    request = rounds.WatchRoundsRequest(property_id=PROPERTY)
    async for frame in client.rounds.WatchRounds(request, metadata=(("principal", "a-tester"),), timeout=60):
        if frame.HasField("progress"):
            return found
        read = [entries.Entry.FromString(data) for data in frame.batch.entries]
        found += [each.exception.key.shoe for each in read if each.exception.reason == "SHOE_EXCEEDED"]
    raise AssertionError("a feed never ends")


def shoes_exceeded() -> list[int]:
    """The shoes of the log in which a card appears more often than the decks have it."""
    seen: dict[int, Counter[str]] = defaultdict(Counter)
    for row in log():
        seen[int(row["shoe"])].update(row[place] for place in ("p1", "p2", "p3", "b1", "b2", "b3") if row[place])
    return sorted(shoe for shoe, cards in seen.items() if max(cards.values()) > DECKS)


async def test_every_net_is_the_logs_own_however_often_and_in_however_many_pieces_it_is_sent() -> None:
    """Cut at a random line and resumed, and whole again: the same objects; the shoe watch names the shoes, once."""
    cut = Random().randrange(1, len(log()))
    with tempfile.TemporaryDirectory(prefix="casino-log-") as folder:
        first, home = pieces(Path(folder), cut), Path(folder) / "a home"
        async with Platform(home) as platform, Casino(platform.addresses, "a-tester") as client:
            await seed(client)
            assert len(await ingest(first, home)) == cut, f"cut at {cut}"
            whole = await ingest(LOG, home)
            assert await ingest(LOG, home) == whole, f"cut at {cut}"
            assert sorted(await shoes_named(client)) == shoes_exceeded()
    nets = [[each["net_cents"] for each in found["wagers"]] for found in whole]
    names = [f"net_{code.partition('.')[2]}_100" for code in WAGERS]
    assert nets == [[int(Decimal(row[name]) * 100) for name in names] for row in log()]
    assert len(shoes_exceeded()) == 36
