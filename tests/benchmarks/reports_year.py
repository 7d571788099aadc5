"""A year of a property's projections and papers made in bulk: what followers and clerks would have written."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import asyncpg

from clients.floor.full_house import full_house
from clients.floor.house import Table, house
from services.games.catalogue import wager
from services.reporting.document import SIGNATORIES
from services.runtime.chains import GENESIS

PROPERTY, SUBMISSION = "YEAR", "RS-1"
YEAR = 2026
FIRST, LAST = date(YEAR, 1, 1), date(YEAR, 12, 31)
SHIFTS, DEALERS = 3, 2
HUNDRED = 10_000
ROUNDS = 60
"""Of a table in a shift; seven wagers each."""
WAGERS_OF_ROUND, STAKE = 7, 2_500
OFFERS = 10
LINK, LEVEL = "YEAR-HEAVENLY-9", "mega"
# One table-day in so many has slips of one person's count less, or an opener that differs, explained or not.
ODD_DAY = 150
DOCUMENT_COLUMNS = (
    *("property_id", "document_id", "position", "kind", "gaming_day", "shift", "table_id", "amount_cents"),
    *("currency_cents", "counter_checks_cents", "occurred_at", "posted_by", "posted_at", "denominations"),
    *("first_counted_by", "first_amounts", "second_counted_by", "second_amounts", "coupons_cents", "box_serial"),
    *("signatures", "reason", "about", "wagers_cents", "payouts_cents"),
)


def tables(count: int) -> list[Table]:
    """So many tables of every game, three in five Baccarat, none with more than ten wagers."""
    some = full_house(PROPERTY).tables
    others = count * 2 // 5
    mixed = [some[place * len(some) // others] for place in range(others)]
    return [*house(PROPERTY, "A year", count - others).tables, *mixed]


def days() -> list[date]:
    """The gaming days of the year."""
    return [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]


@dataclass
class Year:
    """The rows of each table of the service; `times`: how many wagers there are beside the usual number."""

    tables: Sequence[Table]
    times: int
    seed: int = 1

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    async def write(self, owner: asyncpg.Connection[asyncpg.Record]) -> dict[str, int]:
        """Copies everything as the owner; gives the rows of each table."""
        counts = {}
        async with owner.transaction():
            for table, columns, rows in self._content():
                status = await owner.copy_records_to_table(
                    table, schema_name="reporting", columns=columns, records=rows
                )
                counts[table] = int(status.split()[1])
        await owner.execute("VACUUM ANALYZE")
        return counts

    def _content(self) -> Iterator[tuple[str, Sequence[str] | None, Iterator[tuple[Any, ...]]]]:
        setting = (PROPERTY, FIRST, "A year", "America/New_York", "06:00", ["06:00", "14:00", "22:00"], 100, 2_500)
        yield "property_setting", _SETTING_COLUMNS, iter([setting])
        yield (
            "table_setting",
            ("property_id", "table_id", "effective_from", "pit", "game"),
            ((PROPERTY, name, FIRST, t.pit, t.terms.game) for name, t in self._named()),
        )
        yield "table_terms", _TERMS_COLUMNS, self._terms()
        yield "wager_sum", _WAGER_COLUMNS, self._wagers()
        yield "round_sum", ("property_id", "gaming_day", "shift", "table_id", "rounds"), self._rounds()
        yield "seat_sum", _SEAT_COLUMNS, self._seats()
        yield "contribution_sum", _CONTRIBUTION_COLUMNS, self._contributions()
        yield (
            "link_version",
            _LINK_COLUMNS,
            iter([(PROPERTY, LINK, 1, "baccarat.heavenly_9_progressive", "standard", [LEVEL])]),
        )
        yield (
            "day_reading",
            _READING_COLUMNS,
            ((PROPERTY, day, LINK, LEVEL, n, 10**10, 0) for n, day in enumerate(days(), 1)),
        )
        yield "document", DOCUMENT_COLUMNS, Papers(self).rows()
        yield (
            "cursor",
            ("property_id", "feed", "position", "hash"),
            iter([(PROPERTY, feed, 1, GENESIS) for feed in ("rounds", "settlements", "progressives")]),
        )

    def _named(self) -> Iterator[tuple[str, Table]]:
        """Tables under names that differ."""
        return ((f"T-{place:02d}", table) for place, table in enumerate(self.tables, 1))

    def _offers(self, table: Table) -> list[tuple[str, str]]:
        return [(each.code, each.paytable) for each in table.terms.offers.values()][:OFFERS]

    def _terms(self) -> Iterator[tuple[Any, ...]]:
        for name, table in self._named():
            codes, paytables = zip(*self._offers(table), strict=True)
            yield PROPERTY, 1, name, SUBMISSION, FIRST, table.terms.kind, list(codes), list(paytables)

    def _wagers(self) -> Iterator[tuple[Any, ...]]:
        """What is seldom wagered is missing here and there; with ten times as many wagers hardly ever."""
        usual = ROUNDS * WAGERS_OF_ROUND * self.times // DEALERS
        for day in days():
            for name, table in self._named():
                offers = self._offers(table)
                for shift in range(1, SHIFTS + 1):
                    for dealer in range(DEALERS):
                        who = f"D-{(hash_of(name) + shift * 7 + dealer + day.day) % 120:03d}"
                        for code, paytable in offers:
                            if self._random.random() < 0.95 or self.times > 1:
                                yield (
                                    *(PROPERTY, day, shift, name, who, SUBMISSION, table.terms.decks),
                                    *(table.terms.wheel, code, paytable, *self._line(usual // len(offers))),
                                )

    def _line(self, count: int) -> tuple[int, ...]:
        handle = count * STAKE
        payout = handle * self._random.randint(850, 1_050) // 1_000
        return count, handle, payout, payout, 0, 0, 0

    def _rounds(self) -> Iterator[tuple[Any, ...]]:
        for day in days():
            for name, _ in self._named():
                for shift in range(1, SHIFTS + 1):
                    yield PROPERTY, day, shift, name, ROUNDS * self.times

    def _seats(self) -> Iterator[tuple[Any, ...]]:
        for day in days():
            for name, table in self._named():
                for code, paytable in [("", ""), *self._offers(table)]:
                    seats = 120 * self.times * (1 if code else 3)
                    yield PROPERTY, day, name, SUBMISSION, code, paytable, seats, Decimal(seats * STAKE**2)

    def _contributions(self) -> Iterator[tuple[Any, ...]]:
        for day in days():
            for name, table in self._named():
                for code, paytable in self._offers(table):
                    if wager(code).meters:
                        count = 120 * self.times
                        amounts = count, count * STAKE * 500, 0
                        yield PROPERTY, day, name, SUBMISSION, code, paytable, LINK, LEVEL, *amounts


_SETTING_COLUMNS = (
    *("property_id", "effective_from", "title", "time_zone", "cut_over", "shift_starts", "house_edge_from"),
    "house_edge_to",
)
_TERMS_COLUMNS = (
    *("property_id", "position", "table_id", "submission_id", "effective_from", "kind", "codes", "paytables"),
)
_SEAT_COLUMNS = (
    *("property_id", "gaming_day", "table_id", "submission_id", "code", "paytable", "seats", "stake_squares"),
)
_CONTRIBUTION_COLUMNS = (
    *("property_id", "gaming_day", "table_id", "submission_id", "code", "paytable", "link_id", "level"),
    *("wagers", "amount_micros", "reserve_micros"),
)
_LINK_COLUMNS = ("property_id", "link_id", "version", "code", "paytable", "levels")
_READING_COLUMNS = ("property_id", "gaming_day", "link_id", "level", "position", "reading_micros", "reserve_micros")
_WAGER_COLUMNS = (
    *("property_id", "gaming_day", "shift", "table_id", "dealer", "submission_id", "decks", "wheel", "code"),
    *("paytable", "wagers", "handle_cents", "payout_cents", "inventory_cents", "breakage_micros", "pending"),
    "pending_cents",
)


def hash_of(name: str) -> int:
    """A number of a table that is the same in every run."""
    return sum(map(ord, name))


class Papers:
    """The slips, boxes, counts and readings of every table-day, signed, by denomination, counted twice."""

    def __init__(self, year: Year) -> None:
        self._year, self._random = year, random.Random(year.seed)
        self._position = 0
        self._serials: dict[str, int] = {}
        self._closed: dict[str, int] = {}

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of `document`."""
        for day in days():
            for name, table in self._year._named():
                if table.terms.kind == "fully_automated":
                    wagers = 10**6 * self._year.times
                    yield self._row("meter_reading", day, 0, name, 30, wagers_cents=wagers, payouts_cents=wagers // 2)
                else:
                    yield from self._table_day(day, name)

    def _table_day(self, day: date, name: str) -> Iterator[tuple[Any, ...]]:
        odd = self._random.randrange(ODD_DAY) == 0
        for shift in range(1, SHIFTS + 1):
            hour = (shift - 1) * 8
            opened = self._closed.get(name, 5_000_000) - (HUNDRED if odd and shift == 1 else 0)
            slip = self._row("opener", day, shift, name, hour, opened)
            yield slip
            if odd and shift == 1 and self._random.random() < 0.5:
                yield self._row("error_notification", day, 0, name, hour, about=[slip[1]], reason="miscounted")
            yield self._row("fill", day, shift, name, hour + 2, 100 * HUNDRED)
            yield self._row("counter_check", day, shift, name, hour + 3, HUNDRED)
            yield self._row("credit", day, shift, name, hour + 5, 50 * HUNDRED)
            box = f"B-{name}-{shift}"
            yield self._row("drop", day, shift, name, hour + 7, box_serial=box)
            counted = (HUNDRED * self._random.randint(80, 120), HUNDRED, 0, 0)
            yield self._count(day, shift, name, hour + 9, box, counted)
            self._closed[name] = opened + 50 * HUNDRED - counted[0] // 5
            yield self._row("closer", day, shift, name, hour + 8, self._closed[name])

    def _count(
        self, day: date, shift: int, name: str, hour: int, box: str, counted: tuple[int, ...]
    ) -> tuple[Any, ...]:
        return self._row(
            *("count", day, shift, name, hour, counted[0] + counted[1]),
            currency_cents=counted[0],
            counter_checks_cents=counted[1],
            first_counted_by="Ann",
            first_amounts=list(counted),
            second_counted_by="Ben",
            second_amounts=list(counted),
            box_serial=box,
        )

    def _row(
        self, kind: str, day: date, shift: int, name: str, hour: int, amount: int = 0, **given: Any
    ) -> tuple[Any, ...]:
        self._position += 1
        number = self._serials[kind] = self._serials.get(kind, 0) + 1
        at = datetime(day.year, day.month, day.day, 11, tzinfo=UTC) + timedelta(hours=hour)
        parts: dict[str, Any] = {
            "property_id": PROPERTY,
            "document_id": f"{kind.upper()}-{number}",
            "position": self._position,
            "kind": kind,
            "gaming_day": day,
            "shift": shift,
            "table_id": name,
            "amount_cents": amount,
            "occurred_at": at,
            "posted_by": "a clerk",
            "posted_at": at,
            "denominations": [[100, amount]] if kind in ("opener", "fill", "credit", "closer") and amount else [],
            "signatures": [[role, f"a {role}", at.isoformat()] for role in SIGNATORIES[kind]],
        }
        row = {**dict.fromkeys(DOCUMENT_COLUMNS, 0), **_EMPTY, **parts, **given}
        return tuple(row[column] for column in DOCUMENT_COLUMNS)


_EMPTY: dict[str, Any] = {
    **dict.fromkeys(("first_counted_by", "second_counted_by", "box_serial", "reason"), ""),
    **{name: [] for name in ("first_amounts", "second_amounts", "about")},
}
