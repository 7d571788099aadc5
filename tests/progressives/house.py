"""One property played on twice: by the service's own operations on real Postgres, and by the naive model beside it."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg

from casino.progressives.v1 import progressives_service_pb2 as pb
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey
from services.progressives import operations
from services.progressives.decision import (
    Adjustment,
    Decision,
    Heir,
    JackpotAction,
    JackpotDecision,
    Retirement,
    Subject,
    Transfer,
)
from services.progressives.evaluation import Evidence
from services.progressives.jackpot import Jackpot
from services.progressives.link import Draft, MeterTerms
from services.progressives.operations import FEED, PARTITIONED, ROUNDS, SUBMISSIONS, Ledger
from services.progressives.play import Change, Correction, DayOpened, Event, Part, Play
from services.runtime import principals
from services.runtime.feeds import Feed
from services.runtime.requests import Write
from services.runtime.store import Move, Pool
from services.runtime.vault import Vault
from tests.builders import recorded
from tests.progressives.model import CENT, MYSTERY, Level, Link, Round, Wager
from tests.progressives.model_lives import Lives

FIRST_DAY = date(2026, 3, 2)
NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
HEAVENLY, MADE, ROYAL = "baccarat.heavenly_9_progressive", "baccarat.model", "minibaccarat.royal_9"
TABLES = {"BAC-01": HEAVENLY, "BAC-02": HEAVENLY, "BAC-03": HEAVENLY, "BAC-05": MADE, "MIN-01": ROYAL}
MOST_CENTS = {MADE: 502_500}
PAYTABLES = {HEAVENLY: "standard", MADE: "standard", ROYAL: "$5"}
OPTIONS = {
    "BAC-03": {"mystery": "A-$5"},
    "MIN-01": {"king_9_by_seat": "1:KC9C 2:KD9D 3:KH9H 4:KS9S 5:KC9S 6:KD9H 7:KS9D"},
}
CARDS = {
    "plain": ("7H 9C", "2D 3S 2C"),
    "same suit": ("2C 3C 4C", "KC 4C 5C"),
    "tie": ("2C 3D 4C", "KC 4C 5C"),
    "both": ("KC 9C", "KC 9C"),
    "banker": ("2D 4C", "KC 9C"),
    "player": ("KC 9C", "2D 4C"),
}
MADE_WAGER = '''
"""A progressive wager with whole and percentage lines and a reserve, as no one section has them together."""
from dataclasses import replace

from services.games.baccarat.wagers.heavenly_9_progressive import WAGERS as HEAVENLY, classify as line_of
from services.games.paytables import MeterShare, Paytable
from services.games.wagers import Meter


def classify(history, placement, terms):
    line = line_of(history, placement, terms)
    if line == "tie_same_suit" and placement.seat <= 2:
        return "whole"
    return "tenth" if line in ("tie_same_suit", "tie") else None


WAGERS = (
    replace(
        HEAVENLY[0],
        code="baccarat.model",
        classify=classify,
        paytables={"standard": Paytable({"whole": MeterShare("mega", 10_000), "tenth": MeterShare("mega", 1_000)})},
        meters=(Meter("mega", 500_000, True, None, 250),),
        mysteries=(),
    ),
)
'''


def links() -> list[Link]:
    """The links that every property begins with."""
    return [
        Link("H9", HEAVENLY, ("BAC-01", "BAC-02"), {"mega": Level(1_000_000, 1_000)}),
        Link("MY", HEAVENLY, ("BAC-03",), {"mega": Level(1_000_000, 1_000), MYSTERY: Level(10_000, 100, 0, 25_000)}),
        Link("MO", MADE, ("BAC-05",), {"mega": Level(500_000, 1_300, 250, 505_000)}),
        Link(
            *("R9", ROYAL, ("MIN-01",)),
            {"mega": Level(5_000_000, 1_000), "major": Level(45_000, 300), "minor": Level(45_000, 200)},
        ),
    ]


class Triggers:
    """Hidden triggers lie as many cents above their minimum as the model is told."""

    def __init__(self) -> None:
        self.offset = 0

    def below(self, n: int) -> int:
        return self.offset % n

    def token(self) -> bytes:
        return bytes(32)


def submission(property_id: str) -> bytes:
    """The entry of an approved submission that offers what the tables play."""
    tables = [
        settlement_pb2.TableTerms(
            table_id=table_id,
            game=code.split(".")[0],
            kind="live",
            decks=8,
            seats=7,
            offers=[
                settlement_pb2.Offer(
                    code=code,
                    paytable=PAYTABLES[code],
                    minimum_cents=500,
                    options=OPTIONS.get(table_id, {}),
                    maximum_payout_cents=MOST_CENTS.get(code, 0),
                )
            ],
        )
        for table_id, code in TABLES.items()
    ]
    made = settlement_pb2.Submission(
        submission_id="RS-1", property_id=property_id, tables=tables, effective_from="2026-01-01"
    )
    return settlement_pb2.SubmissionsEntry(approved=made).SerializeToString()


class House:
    """A property: its ledger, the model, and how far its rounds feed has come."""

    def __init__(self, property_id: str, pool: Pool, home: Path) -> None:
        self.property_id, self.pool, self.home = property_id, pool, home
        self.model = Lives(MOST_CENTS)
        self.position = 0
        self.jackpots: dict[tuple[int, int, str], Jackpot] = {}
        self.last_batch: tuple[list[Event], Move] | None = None
        self._random = Triggers()
        self._requests = itertools.count(1)
        self._hash = bytes(32)
        self.ledger: Ledger

    async def open(self) -> None:
        """Makes the ledger from what the database says."""
        # A call's principal is set where it comes in; here none comes in.
        principals._current.set("ann")
        feed = Feed(FEED, self.property_id, "progressives_entry", "test", PARTITIONED)
        vault = Vault(self.home, "progressives")
        self.ledger = Ledger(self.property_id, feed, self.pool, lambda: NOW, vault, self._random, self._find)
        await self.ledger.refresh()

    async def set_up(self) -> None:
        """The submission, the links and the first gaming day."""
        await self.open()
        rows = [(1, "RS-1", submission(self.property_id))]
        await operations.apply_submissions(self.ledger, rows, Move(SUBMISSIONS, 0, 1, bytes(32)))
        for link in links():
            self.model.draft(link)
            await self.approve_link(link)
        await self.open_day()

    def hide(self, cents: int) -> None:
        """The next triggers lie so many cents above their minimum."""
        self.model.offset = self._random.offset = cents

    def write(self, method: str) -> Write:
        """The identity of a new call."""
        request = getattr(pb, f"{method}Request")
        return Write(self.property_id, request(request_id=str(next(self._requests)), property_id=self.property_id))

    async def approve_link(self, link: Link) -> None:
        """A version of a link, decided by two people."""
        configured = {MYSTERY: "A-$5"}
        meters = tuple(
            MeterTerms(name, each.seed, each.rate, each.reserve_rate, each.limit, configured.get(name, ""))
            for name, each in link.levels.items()
        )
        day = FIRST_DAY + timedelta(days=link.day)
        draft = Draft(link.name, link.name, link.code, PAYTABLES[link.code], meters, link.tables, day)
        made = await operations.propose_link(self.ledger, self.write("ProposeLink"), draft, "ann")
        await operations.approve_link(self.ledger, self.write("ApproveLink"), link.name, made.link.version, "bob")

    async def open_day(self) -> None:
        """The next gaming day begins."""
        day = self.model.day + 1
        self.model.open_day(day)
        await self.feed([DayOpened(self.position + 1, FIRST_DAY + timedelta(days=day), 1)])

    async def feed(self, events: Sequence[Event]) -> None:
        """A batch of the rounds feed."""
        new = self.position + len(events)
        self._hash = hashlib.sha256(self._hash).digest()
        move = Move(ROUNDS, self.position, new, self._hash)
        await operations.apply_rounds(self.ledger, events, move)
        self.position, self.last_batch = new, (list(events), move)

    def key(self, played: Round) -> RoundKey:
        """A round's key; shoe 1 throughout."""
        return RoundKey(FIRST_DAY + timedelta(days=played.day), played.table, 1, played.number)

    def play(self, at: int, part: Part, played: Round) -> Play:
        """A part of a round, as the feed tells it."""
        game = TABLES[played.table].split(".")[0]
        wagers = placed(played.wagers.values())
        results = [(game, recorded(*CARDS[played.result]))] if played.result and part is not Part.BETTING_CLOSED else []
        return Play(at, part, self.key(played), 1, "RS-1", wagers, results, source="floor")

    def correction(self, at: int, change: Change, played: Round) -> Correction:
        """A correction, as the feed tells it."""
        play = None if played.void else self.play(at, Part.WHOLE, played)
        return Correction(at, self.key(played), change, play)

    async def _find(self, jackpot: Jackpot) -> Evidence | None:
        played = self.model.rounds[jackpot.key.round_no]
        at = played.position
        return Evidence(at, bytes(32), None if played.void else self.play(at, Part.WHOLE, played))

    def about(self, subject: tuple[Any, ...]) -> Subject:
        """What the model's words name."""
        kind, *given = subject
        if kind == "adjustment":
            return Adjustment(*given)
        if kind == "transfer":
            return Transfer(*given)
        if kind == "retirement":
            link, day, heirs = given
            return Retirement(link, FIRST_DAY + timedelta(days=day), tuple(Heir(*each) for each in heirs))
        key, action, cents = given
        return JackpotDecision(self.jackpots[key].jackpot_id, JackpotAction(action), cents)

    async def compare(self) -> None:
        """The database says what the model says, and every meter is the sum of its causes."""
        states = await operations.jackpots_of(self.ledger, None)
        self.jackpots = {(each.key.round_no, each.wager_no, each.level): each for each in states}
        told = {key: (each.state.value, each.link_id, each.amount_cents) for key, each in self.jackpots.items()}
        assert told == {key: (each.state, each.link, each.cents) for key, each in self.model.jackpots.items()}
        self._compare_decisions()
        now = {name: link.state.value for name, link in self.ledger.state.links.items()}
        assert now == {name: link.state for name, link in self.model.links.items()}
        assert self.ledger.state.pending.keys() == self.model.pending.keys()
        async with self.pool.acquire() as connection:
            await self._compare_meters(connection)
            await self._compare_sums(connection)

    def _compare_decisions(self) -> None:
        keys = {each.jackpot_id: key for key, each in self.jackpots.items()}
        found = self.ledger.state.decisions
        named = {each.name for each in self.model.decisions}
        new = {(subject(each, keys), asked(each)): name for name, each in found.items() if name not in named}
        for each in self.model.decisions:
            each.name = each.name or new[each.subject, each.asked]
        assert {name: (each.state.value, subject(each, keys)) for name, each in found.items()} == {
            each.name: (each.state, each.subject) for each in self.model.decisions
        }

    async def _compare_meters(self, connection: Any) -> None:
        rows = await connection.fetch("SELECT * FROM meter WHERE property_id = $1", self.property_id)
        found = {(row["link_id"], row["level"]): row for row in rows}
        assert found.keys() == self.model.meters.keys()
        for name, meter in self.model.meters.items():
            row = found[name]
            assert {cause: row[cause] for cause in CAUSES} == {cause: meter.causes[cause] for cause in CAUSES}, name
            assert (row["reading"], row["reserve"]) == (meter.reading, meter.reserve), name
            counted = (row["hits"], row["wagers"], row["handle_cents"], row["paid_by_attendant_cents"])
            assert counted == (meter.hits, meter.wagers, meter.handle_cents, meter.paid_cents), name
            on_reading = sum(row[cause] for cause in CAUSES if cause != "reserved")
            assert (row["reading"], row["reserve"]) == (on_reading, row["reserved"] - row["seed_reserve"]), name
        self._conserved(rows)

    def _conserved(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Over the whole property: what stands, with what is kept off, is what came in less what was won."""
        total = Counter({cause: sum(row[cause] for row in rows) for cause in CAUSES})
        stands = sum(row["reading"] + row["reserve"] - row["overflow"] for row in rows)
        came = sum(total[cause] for cause in ("contribution", "reserved", "seed_house", "house_excess", "adjustment"))
        standing = [each for each in self.model.jackpots.values() if each.link and each.state != "voided"]
        won = sum(each.cents for each in standing if not each.house)
        assert total["award"] == -won * CENT
        assert total["transfer_in"] == -total["transfer_out"]
        assert stands == came - won * CENT

    async def _compare_sums(self, connection: Any) -> None:
        """The heads are the sums of the journal's rows, cause by cause."""
        sums: Counter[tuple[str, str, str]] = Counter()
        for row in await connection.fetch(
            "SELECT link_id, level, cause, sum(amount)::bigint AS amount FROM movement WHERE property_id = $1"
            " GROUP BY link_id, level, cause",
            self.property_id,
        ):
            sums[row["link_id"], row["level"], row["cause"]] += row["amount"]
        for row in await connection.fetch(
            "SELECT link_id, place, sum(amount)::bigint, sum(reserved)::bigint, coalesce(sum(over), 0)::bigint"
            " FROM contribution, unnest(amounts, reserve_amounts, overflows) WITH ORDINALITY"
            " AS moved (amount, reserved, over, place) WHERE property_id = $1 GROUP BY link_id, place",
            self.property_id,
        ):
            level = list(self.model.links[row[0]].levels)[row[1] - 1]
            for cause, amount in (("contribution", row[2]), ("reserved", row[3]), ("overflow", -row[4])):
                sums[row[0], level, cause] += amount
        for (link, level), meter in self.model.meters.items():
            for cause in CAUSES:
                assert sums[link, level, cause] == meter.causes[cause], (link, level, cause)


CAUSES = (
    *("seed_house", "seed_reserve", "contribution", "reserved", "award", "house_excess"),
    *("overflow", "transfer_in", "transfer_out", "adjustment"),
)


def placed(wagers: Iterable[Wager]) -> list[PlacedWager]:
    """Wagers as the feed tells them."""
    return [PlacedWager(each.no, each.seat, each.code, PAYTABLES[each.code], each.stake) for each in wagers]


def asked(decision: Decision) -> tuple[int, int, int] | None:
    """Round, wager and position of what the platform asks for."""
    key = decision.key
    return (key.round_no, decision.wager_no, decision.rounds_position) if key else None


def subject(decision: Decision, keys: Mapping[str, tuple[int, int, str]]) -> tuple[Any, ...]:
    """What a decision is about, in the model's words."""
    about = decision.subject
    if isinstance(about, JackpotDecision):
        return "jackpot", keys[about.jackpot_id], about.action.value or "none", about.amount_cents
    if isinstance(about, Retirement):
        return "retirement", about.link_id, (about.effective_from - FIRST_DAY).days, tuple(map(tuple, about.heirs))
    kinds = {Adjustment: "adjustment", Transfer: "transfer"}
    return (kinds[type(about)], *about)


async def make_pool(url: str) -> Pool:
    """Connections of the service's own login."""
    return await asyncpg.create_pool(url, min_size=1, max_size=4)
