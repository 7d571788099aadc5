"""Verify over the whole life of a property: clean as the service left it, and naming whatever was changed behind it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel.ids import RoundKey, hit_id, jackpot_id
from services.progressives.entries import entry
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.store.rows import TABLES
from services.runtime.feeds import Feed
from services.runtime.migrations import SERVICES, migrate
from tests.builders import wager_on
from tests.databases import Database, at
from tests.progressives.conftest import (
    MEGA,
    Progressives,
    claim,
    payment,
    served,
    verification,
)
from tests.progressives.recorded import (
    CODE,
    DAY,
    NOW,
    PROPERTY,
    TABLE,
    WHOLE,
    Upstream,
    day_opened,
    part,
    submission,
    void,
)

SEED = 10_000_000_000
MYSTERY = entries_pb2.MeterTerms(
    level="mystery", seed_cents=10_000, increment_rate=100, limit_cents=25_000, mystery="A-$5"
)
SOURCES = Path(__file__).resolve().parents[2] / "services"


@asynccontextmanager
async def lived(database: Database, home: Path, upstream: Upstream) -> AsyncIterator[Progressives]:
    """A property with a mystery that was won, a meter that was won and paid, a correction and a decision."""
    later = DAY + timedelta(1)
    filed = await upstream.submissions.record(submission("RS-2", since=later, mystery="A-$5"))
    async with served(database, home, upstream.port) as progressives:
        await progressives.filed(filed)
        await progressives.approved(meters=[MEGA, MYSTERY], effective_from=later.isoformat())
        last = await upstream.rounds.record(
            day_opened(),
            day_opened(later, filed),
            part("whole_round", 1, wager_on(CODE, 500, seat=2, no=2), cards=WHOLE, name="RS-2"),
            part("whole_round", 2, wager_on(CODE, 1_500_000), name="RS-2"),
            part("whole_round", 3, wager_on(CODE, 500), name="RS-2"),
            void(3),
        )
        await progressives.entries(last)
        (won,) = (await progressives.call("ClaimJackpot", claim("c1", 2), "dee")).jackpots
        await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic")
        await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")
        await progressives.decide("d1", adjustment=entries_pb2.Adjustment(link_id="H9", level="mega", amount_micros=7))
        yield progressives


ROWS, HEADS = "rows compared with entries", "meters folded anew from the journal"
TRIGGERS, PAYEES = "hidden triggers against their commitments", "payees against their digests"
CHANGED = "row of this {} is not what the entry says"
TAMPERED = (
    ("jackpot", "amount_cents = amount_cents + 1", "state = 'paid'", ROWS, CHANGED.format("jackpot")),
    ("jackpot", "actor = 'eve'", "state = 'verified'", ROWS, CHANGED.format("jackpot")),
    ("jackpot", "slip_no = 'PJS-000009'", "state = 'paid'", ROWS, CHANGED.format("jackpot")),
    ("jackpot", "withheld_cents = 0", "state = 'paid'", ROWS, CHANGED.format("jackpot")),
    ("decision", "note = 'nothing'", "state = 'approved'", ROWS, CHANGED.format("decision")),
    ("decision", "subject = replace(subject, '7', '8')", "state = 'approved'", ROWS, CHANGED.format("decision")),
    ("trigger", "trigger_cents = trigger_cents + 1", "opened", ROWS, CHANGED.format("commitment")),
    ("trigger", "commitment = sha256(commitment)", "NOT opened", ROWS, CHANGED.format("commitment")),
    ("trigger", "sealed = sealed || '\\x00'", "NOT opened", TRIGGERS, "hidden trigger 2 of H9 mystery is not the one"),
    ("movement", "wager_no = wager_no + 1", "cause = 'contribution'", ROWS, CHANGED.format("movement")),
    ("link", "changed_by = 'eve'", "state = 'live'", ROWS, CHANGED.format("link")),
    ("meter", "hits = hits + 1", "true", HEADS, "the head says"),
    ("meter", "wagers = wagers + 1", "true", HEADS, "the head says"),
    ("meter", "handle_cents = handle_cents + 1", "true", HEADS, "the head says"),
    ("meter", "paid_by_attendant_cents = paid_by_attendant_cents + 1", "true", HEADS, "the head says"),
    ("meter", "paid_by_device_cents = paid_by_device_cents + 1", "true", HEADS, "the head says"),
    ("meter", "last_hit = last_hit - 1", "true", HEADS, "the head says"),
    ("meter", "revision = revision - 1", "true", HEADS, "the head says"),
    ("payee", "sealed = sealed || '\\x00'", "true", PAYEES, "the payee kept is not the one that was paid"),
    ("payee", "sealed = '\\x00', sha256 = sha256('\\x00')", "true", PAYEES, "not the one that was paid"),
)


async def test_verify_is_clean_after_a_life_and_names_each_kind_of_tampering(
    database: Database, home: Path, upstream: Upstream
) -> None:
    """Each row is changed as its owner could, found by the check that it belongs to, and put back."""
    async with lived(database, home, upstream) as progressives:
        assert await progressives.wrong() == []
        owner = await asyncpg.connect(database.owner_url)
        await owner.execute("SET search_path = progressives")
        for table in ("jackpot", "decision", "trigger", "movement", "link", "payee"):
            await owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER refuse_change")
        for table, change, where, check, difference in TAMPERED:
            await owner.execute(f"CREATE TEMPORARY TABLE kept AS SELECT * FROM {table}")
            assert await owner.execute(f"UPDATE {table} SET {change} WHERE {where}") != "UPDATE 0", change
            found = await progressives.verified()
            named = next(each for name, each in found.items() if name.endswith(check))
            assert any(difference in each for each in named.differences), (change, found)
            await owner.execute(f"DELETE FROM {table}")
            await owner.execute(f"INSERT INTO {table} SELECT * FROM kept")
            await owner.execute("DROP TABLE kept")
            assert await progressives.wrong() == [], change
        await owner.close()


async def test_verify_names_rows_that_are_gone(database: Database, home: Path, upstream: Upstream) -> None:
    """A payee, a decision and a trigger that somebody has removed."""
    async with lived(database, home, upstream) as progressives:
        owner = await asyncpg.connect(database.owner_url)
        await owner.execute("SET search_path = progressives")
        for table in ("decision", "trigger", "payee"):
            await owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER refuse_change")
            await owner.execute(f"DELETE FROM {table}")
        await owner.close()
        wrong = await progressives.wrong()
        for words in ("this decision is missing", "this commitment is missing", "the payee kept is not the one"):
            assert any(words in each for each in wrong), words


async def test_the_service_itself_changes_no_fact(database: Database) -> None:
    """Its login may not, and what its owner changes a trigger of the table refuses."""
    facts = {table for table, *_ in TAMPERED} - {"meter"}
    connection = await asyncpg.connect(database.url("progressives"))
    for table in sorted(facts):
        for change in (f"UPDATE {table} SET property_id = 'X'", f"DELETE FROM {table}"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(change)
    await connection.close()


@contextmanager
def first_version(folder: Path) -> Iterator[Path]:
    """The services' migrations as they were before links had a whole life."""
    for service in SERVICES:
        shutil.copytree(SOURCES / service / "migrations", folder / service / "migrations")
    for file in (folder / "progressives" / "migrations").glob("*.sql"):
        if not file.name.startswith("0001"):
            file.unlink()
    yield folder


KEY = RoundKey(DAY, TABLE, 1, 1)
HIT = hit_id("H9", "mega", 2)


def written() -> list[Any]:
    """What the first version wrote of a link, a wager of $5.00 and its hit."""
    terms = MeterTerms("mega", 1_000_000, 1_000, 0, 0)
    proposed = Link(
        *("H9", 1, "Heavenly 9", CODE, "standard", (terms,), (TABLE,), DAY, LinkState.PROPOSED),
        *("ann", NOW, None, None, 0),
    )
    approved = replace(proposed, state=LinkState.APPROVED, approved_by="bob", approved_at=NOW)
    live = replace(approved, state=LinkState.LIVE, rounds_position=1)
    placing = KEY, 1, 1, 1, CODE, "standard"
    frozen = SEED + 500_000
    contribution = Contribution(*placing, "RS-1", 500, "H9", 1, [500_000], [frozen], [0], [0], 2, [])
    won = jackpot_id(KEY, 1, "mega")
    jackpot = Jackpot(
        *(won, HIT, "H9", 1, "mega", *placing, 1_000_050, 10_000, frozen, JackpotState.HIT, 2, "slip"),
    )
    return [
        *(proposed, approved, live, _moved(Cause.SEED_HOUSE, SEED, 0, None, 0, "", "", 1), contribution),
        _moved(Cause.AWARD, -frozen, frozen, KEY, 1, HIT, won, 2),
        _moved(Cause.SEED_HOUSE, SEED, 0, KEY, 0, HIT, "", 2),
        jackpot,
    ]


def _moved(
    cause: Cause, amount: int, before: int, key: RoundKey | None, wager_no: int, hit: str, won: str, position: int
) -> Movement:
    readings = before, before + amount, 0, 0
    return Movement("H9", 1, "mega", cause, amount, *readings, key, wager_no, hit, won, DAY, position, "")


async def write_first(url: str, upstream: Upstream) -> None:
    """Feed, typed rows, heads and cursors, in the columns that the first version had."""
    connection: Any = await asyncpg.connect(url)
    feed = Feed("progressives", PROPERTY, "progressives_entry", "first", ("contribution", "movement"))
    await feed.load(connection)
    nouns = written()
    prepared = feed.prepare([entry(each, PROPERTY) for each in nouns], "service:progressives", NOW, {"rounds": 2})
    await connection.execute(
        "INSERT INTO cursor (property_id, feed, hash) VALUES ($1, 'rounds', $2)", PROPERTY, bytes(32)
    )
    await connection.execute("UPDATE cursor SET position = 2, hash = $1", upstream.rounds.hash)
    await feed.write(connection, prepared)
    for position, each in enumerate(nouns, 1):
        await _add(connection, position, each)
    await connection.execute(
        "INSERT INTO meter (property_id, link_id, level, revision, reading, reserve, seed_house, seed_reserve,"
        " contribution, reserved, award, house_excess, overflow, transfer_in, transfer_out, adjustment)"
        " VALUES ($1, 'H9', 'mega', 7, $2, 0, $3, 0, 500000, 0, $4, 0, 0, 0, 0, 0)",
        *(PROPERTY, SEED, 2 * SEED, -SEED - 500_000),
    )
    await connection.close()


async def _add(connection: Any, position: int, each: Any) -> None:
    table = TABLES[type(each)]
    query = "SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2"
    known = {row[0] for row in await connection.fetch(query, "progressives", table.name)}
    written = table.write(each) if table.write else (*each.key, *each[1:15], each[15] or None)
    row = dict(zip(table.columns, written, strict=True))
    kept = {"property_id": PROPERTY, "position": position, **{name: row[name] for name in row if name in known}}
    places = ", ".join(f"${number}" for number in range(1, len(kept) + 1))
    await connection.execute(f"INSERT INTO {table.name} ({', '.join(kept)}) VALUES ({places})", *kept.values())


@pytest.fixture
async def migrated(empty_database: Database, tmp_path: Path, upstream: Upstream) -> Database:
    """A database of the first version with rows in it, brought up to date."""
    await upstream.rounds.record(day_opened(), part("whole_round", 1, wager_on(CODE, 500), cards=WHOLE))
    with first_version(tmp_path) as root:
        urls = await migrate(empty_database.owner_url, root=root)
    await write_first(at(urls["progressives"], empty_database.name), upstream)
    return Database(empty_database.name, empty_database.owner_url, await migrate(empty_database.owner_url))


async def test_rows_of_the_first_version_go_on_under_the_second(
    migrated: Database, home: Path, upstream: Upstream
) -> None:
    """What was counted is counted, Verify is clean, the old jackpot is paid, and the old round is corrected."""
    async with served(migrated, home, upstream.port) as progressives:
        assert await progressives.wrong() == []
        meter = await progressives.meter()
        assert (meter.reading_micros, meter.revision, meter.hits) == (SEED, 7, 1)
        assert (meter.wagers, meter.handle_cents, meter.pending_jackpots, meter.paid_cents) == (1, 500, 1, 0)
        await progressives.decide("d1", adjustment=entries_pb2.Adjustment(link_id="H9", level="mega", amount_micros=7))
        assert (await progressives.entries(0))[-1].movement.gaming_day == DAY.isoformat()
        (won,) = (await progressives.call("ClaimJackpot", claim(), "dee")).jackpots
        await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic")
        paid = await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")
        assert paid.slip.slip_no == "PJS-000001"
        await progressives.entries(await upstream.rounds.record(void(1), day_opened(DAY + timedelta(1))))
        asked = {each.WhichOneof("subject") for each in await progressives.decisions()}
        assert asked == {"adjustment", "jackpot"}
        links = (await progressives.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))).links
        assert [each.link.state for each in links] == [entries_pb2.LINK_STATE_LIVE]
        assert await progressives.wrong() == []
