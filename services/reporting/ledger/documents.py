"""Entries of table documents: chips between tray and cage, boxes counted, what a table won (601a.9), counter checks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby

from services.reporting.classes import BANKING, ELECTRONIC, FELT
from services.reporting.document import Document
from services.reporting.ledger.accounts import Account, account
from services.reporting.ledger.facts import LedgerFacts
from services.reporting.ledger.posting import Entry, entry, moved
from services.reporting.periods import TableDay
from services.reporting.win import inventory

SLIPS = ("opener", "fill", "credit", "closer")
"""What says how many chips are in a tray."""


def carried(facts: LedgerFacts) -> dict[str, int]:
    """What the trays held before the period by their last closers, in cents."""
    return {table_id: closer.amount_cents for table_id, closer in facts.closers.items()}


def closed(facts: LedgerFacts) -> dict[str, int]:
    """What the trays hold at the period's end by their last closers; no table whose last slip is another one."""
    slips = _by_table(each for each in facts.documents if each.kind in SLIPS)
    found = carried(facts)
    for table_id, own in slips.items():
        found.pop(table_id, None)
        last_day = max(each.gaming_day for each in own)
        closers = sorted((each for each in own if (each.gaming_day, each.kind) == (last_day, "closer")), key=_moment)
        if closers:
            found[table_id] = closers[-1].amount_cents
    return found


def _by_table(documents: Iterable[Document]) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = {}
    for each in documents:
        found.setdefault(each.table_id, []).append(each)
    return found


def document_entries(facts: LedgerFacts) -> Iterator[Entry]:
    """The entries of every table's documents and meters, by day and table."""
    trays = carried(facts)
    days = {(each.gaming_day, each.table_id): each for each in facts.tables.own}
    ordered = sorted(facts.documents, key=lambda each: (each.gaming_day, each.table_id, _moment(each)))
    for (day, table_id), own in groupby(ordered, key=lambda each: (each.gaming_day, each.table_id)):
        papers = _Papers(day, table_id, list(own), facts)
        yield from filter(None, papers.entries(trays, days.get((day, table_id))))


def _moment(document: Document) -> datetime:
    return document.occurred_at or document.posted_at


Postings = list[tuple[Account, int]]


@dataclass
class _Papers:
    """The documents of one table and day that count, in the order in which they happened."""

    day: date
    table_id: str
    documents: list[Document]
    facts: LedgerFacts
    kinds: dict[str, list[Document]] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = {}
        for each in self.documents:
            self.kinds.setdefault(each.kind, []).append(each)

    def entries(self, trays: dict[str, int], table_day: TableDay | None) -> Iterator[Entry | None]:
        """What is booked of them; `trays` is taken from the state before them to the one after."""
        yield from self._opened(trays)
        yield from self._filled(trays)
        for each in self.kinds.get("count", ()):
            yield from self._counted(each)
        yield from self._closed(trays)
        yield from self._won(table_day)
        yield from self._checks()
        yield from self._vigorish()

    def _of(self, kind: str) -> list[Document]:
        return self.kinds.get(kind, [])

    def _entry(self, said: str, postings: Postings, *documents: Document) -> Entry | None:
        numbers = [each.document_id for each in documents]
        at = ", ".join(str(self.facts.positions[number]) for number in numbers)
        return entry(self.day, f"{self.table_id}: {said}", postings, numbers, f"documents {at}")

    def _opened(self, trays: dict[str, int]) -> Iterator[Entry | None]:
        if not self._of("opener"):
            return
        opener, tray = self._of("opener")[0], account("tray", self.table_id)
        held, holds = trays.get(self.table_id), opener.amount_cents
        if held is None:
            yield self._entry("bankroll of the table", moved(tray, account("cage_chips"), holds), opener)
        else:
            difference = moved(tray, account("opener_differences"), holds - held)
            yield self._entry("opener differs from what the tray held", difference, opener)
        trays[self.table_id] = holds

    def _filled(self, trays: dict[str, int]) -> Iterator[Entry | None]:
        tray, cage = account("tray", self.table_id), account("cage_chips")
        for kind, sign in (("fill", 1), ("credit", -1)):
            for each in self._of(kind):
                trays[self.table_id] = trays.get(self.table_id, 0) + sign * each.amount_cents
                yield self._entry(kind, moved(tray, cage, sign * each.amount_cents), each)

    def _counted(self, count: Document) -> Iterator[Entry | None]:
        postings = [
            (account("count_room"), count.currency_cents),
            (account("checks_out"), count.counter_checks_cents),
            (account("unresolved", self.table_id), -count.amount_cents),
        ]
        yield self._entry("drop counted", postings, count)
        for key, cents in (("coupons", count.coupons_cents), ("promotional", count.promotional_cents)):
            if cents:
                yield self._entry(f"{key} in the box", moved(account(key), account("memo"), cents), count)

    def _closed(self, trays: dict[str, int]) -> Iterator[Entry | None]:
        if not self._of("closer"):
            return
        closer = self._of("closer")[-1]
        change = closer.amount_cents - trays.get(self.table_id, 0)
        tray, unresolved = account("tray", self.table_id), account("unresolved", self.table_id)
        yield self._entry("closer", moved(tray, unresolved, change), closer)
        trays[self.table_id] = closer.amount_cents

    def _won(self, table_day: TableDay | None) -> Iterator[Entry | None]:
        lines = {line.revenue_class: line.before for line in table_day.lines} if table_day else {}
        for revenue_class, before in lines.items():
            if revenue_class in ELECTRONIC and before is not None:
                won = moved(account("terminals"), account(f"win_{revenue_class}"), before)
                yield self._entry("metered wagers less payouts", won, *self._of("meter_reading"))
            elif revenue_class in (BANKING, FELT) and inventory(self.documents).win is not None:
                unresolved = account("unresolved", self.table_id)
                won = moved(unresolved, account(f"win_{revenue_class}"), before or 0)
                named = [each for kind in ("opener", "fill", "credit", "count", "closer") for each in self._of(kind)]
                yield self._entry("win (601a.9)", won, *named)

    def _checks(self) -> Iterator[Entry | None]:
        checks, out = account("checks"), account("checks_out")
        for each in self._of("counter_check"):
            yield self._entry("counter check issued", moved(checks, out, each.amount_cents), each)
        for each in self._of("counter_check_redeemed"):
            cents = each.amount_cents
            redeemed = moved(account("cage_cash"), checks, cents) + moved(out, account("checks_redeemed"), cents)
            yield self._entry("counter check redeemed before it was dropped", redeemed, each)

    def _vigorish(self) -> Iterator[Entry | None]:
        owed, earned = account("vigorish"), account("vigorish_earned")
        for each in self._of("vigorish_uncollected"):
            yield self._entry("vigorish not collected", moved(owed, earned, each.amount_cents), each)
        for each in self._of("vigorish_recovered"):
            yield self._entry("vigorish recovered", moved(owed, earned, -each.amount_cents), each)
