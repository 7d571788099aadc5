"""What is planted in a month: each fault changes papers or sums of one table, and says where it can be seen."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from services.games.wagers import AUTOMATED
from services.reporting.document import Document
from tests.precision.month import CHIP, DAYS, DOLLAR, Month, Sheet

MOST_OF_A_KIND = 2
"""So many of each fault at most are planted in a month, each at a table of its own."""
OVERPAID_ONCE_IN, OVERPAID_DAYS = 40, 5

Place = tuple[date, str]
"""A gaming day and a table."""


class Planted(NamedTuple):
    """A fault, the table-days on which it shows, and the serial numbers that it makes go missing."""

    fault: str
    places: tuple[Place, ...]
    serials: tuple[str, ...] = ()


Plant = Callable[[Month, str, int], Planted]
"""Plants a fault at a table on a day of the month, by its number from 0."""


def fill_keyed_twice(month: Month, table: str, number: int) -> Planted:
    """The slip is posted again under another number."""
    sheet = _sheet(month, table, number, "fill")
    fill = sheet.papers[sheet.find("fill")]
    sheet.papers.append(replace(fill, document_id=month.paper("fill", sheet, 0, 0).document_id))
    return Planted("fill keyed twice", (_place(sheet),))


def short_count(month: Month, table: str, number: int) -> Planted:
    """From 50 to 2,000 dollars of a box are missing: in one count of two, or in both."""
    sheet = _sheet(month, table, number, "count")
    at, short = sheet.find("count"), month.random.randrange(50, 2_000, 5) * DOLLAR
    count = sheet.papers[at]
    less = count.amounts._replace(currency_cents=count.currency_cents - short)
    first = less if month.random.randrange(2) else count.amounts
    made = month.count(sheet, first, count.box_serial, less)
    sheet.papers[at] = replace(made, document_id=count.document_id)
    return Planted("short count", (_place(sheet),))


def dealer_overpays(month: Month, table: str, number: int) -> Planted:
    """One side wager in forty is paid on a better line than it hit, on five days."""
    first = min(number, DAYS - OVERPAID_DAYS)
    sheets = [month.sheets[day, table] for day in month.days[first : first + OVERPAID_DAYS]]
    taken = 0
    for sheet in sheets:
        times = sum(month.random.randrange(OVERPAID_ONCE_IN) == 0 for _ in range(sheet.side_wagers))
        paid = sum(month.random.choice((5, 10, 25)) * month.random.randint(2, 12) for _ in range(times)) * DOLLAR
        # What is gone from the tray on one day is missing when it is opened on the next.
        _move(sheet, "opener", -taken)
        taken += paid
        _move(sheet, "closer", -taken)
    for day in month.days[first + OVERPAID_DAYS :]:
        for kind in ("opener", "closer"):
            _move(month.sheets[day, table], kind, -taken)
    return Planted("dealer overpaying one side wager in 40", tuple(map(_place, sheets)))


def miscalibrated_feed(month: Month, table: str, number: int) -> Planted:
    """From a day on the feed reads stakes too high, by 2 to 30 in a thousand."""
    excess = month.random.randint(2, 30)
    sheets = [month.sheets[day, table] for day in month.days[number:]]
    for sheet in sheets:
        sheet.handle += sheet.handle * excess // 1_000
    return Planted("miscalibrated wager feed", tuple(map(_place, sheets)))


def missing_drop_box(month: Month, table: str, number: int) -> Planted:
    """A box was dropped and nobody counted it."""
    sheet = _sheet(month, table, number, "count")
    gone = sheet.papers.pop(sheet.find("count"))
    return Planted("missing drop box", (_place(sheet),), (gone.document_id,))


def count_on_the_wrong_day(month: Month, table: str, number: int) -> Planted:
    """A count is posted to the day after its own."""
    sheet = month.sheets[month.days[min(number, DAYS - 2)], table]
    after = month.sheets[month.days[min(number, DAYS - 2) + 1], table]
    after.papers.append(replace(sheet.papers.pop(sheet.find("count")), gaming_day=after.day))
    return Planted("count posted to the wrong day", (_place(sheet), _place(after)))


def edited_slip(month: Month, table: str, number: int) -> Planted:
    """A supervisor puts another slip in the place of one, with a reason and 25 to 2,500 dollars more or less."""
    sheet = month.sheets[month.days[number], table]
    slips = [each for each in sheet.papers if each.kind in ("opener", "closer", "fill", "credit")]
    slip = month.random.choice(slips)
    most = min(slip.amount_cents, 100 * CHIP) // CHIP
    changed = month.random.choice((-1, 1)) * month.random.randint(1, most) * CHIP
    amount = slip.amount_cents + changed
    made = month.paper(slip.kind, sheet, amount, 23, corrects=slip.document_id, reason="as counted", posted_by="a boss")
    sheet.papers.append(made)
    places = [_place(sheet)]
    if slip.kind == "closer" and number + 1 < DAYS:
        places.append((month.days[number + 1], table))
    return Planted("slip edited by a supervisor", tuple(places))


def late_winning_round(month: Month, table: str, number: int) -> Planted:
    """A round of the day comes after it was filed; its winner was paid at the table then."""
    sheet = month.sheets[month.days[number], table]
    stake = month.random.randint(1, 40) * CHIP
    sheet.handle += stake
    sheet.payout += 2 * stake
    return Planted(LATE, (_place(sheet),))


def missing_slip(month: Month, table: str, number: int) -> Planted:
    """A fill's slip never came to be posted."""
    sheet = _sheet(month, table, number, "fill")
    gone = sheet.papers.pop(sheet.find("fill"))
    return Planted("fill slip not posted", (_place(sheet),), (gone.document_id,))


LATE = "late winning round after filing"
FAULTS: tuple[Plant, ...] = (
    fill_keyed_twice,
    short_count,
    dealer_overpays,
    miscalibrated_feed,
    missing_drop_box,
    count_on_the_wrong_day,
    edited_slip,
    missing_slip,
)
"""Planted before the days are filed; the late round comes after."""


def plant(month: Month) -> tuple[list[Planted], list[str]]:
    """A choice of faults, each at a live table of its own; gives the tables that are left honest too.

    A miscalibrated feed may be that of an automated table.
    """
    live = [table for table in month.tables if month.kind(table) != AUTOMATED]
    automated = [table for table in month.tables if month.kind(table) == AUTOMATED]
    month.random.shuffle(live)
    month.random.shuffle(automated)
    found = []
    for fault in FAULTS:
        for _ in range(month.random.randint(0, MOST_OF_A_KIND)):
            electronic = fault is miscalibrated_feed and month.random.randrange(3) == 0
            table = (automated if electronic else live).pop()
            found.append(fault(month, table, month.random.randrange(DAYS)))
    return found, live


def _sheet(month: Month, table: str, number: int, kind: str) -> Sheet:
    """The first day at or after one on which the table has a paper of a kind, else the last such day before."""
    days = [*month.days[number:], *reversed(month.days[:number])]
    sheets = [month.sheets[day, table] for day in days]
    return next(sheet for sheet in sheets if any(each.kind == kind for each in sheet.papers))


def _place(sheet: Sheet) -> Place:
    return sheet.day, sheet.table_id


def _move(sheet: Sheet, kind: str, amount: int) -> None:
    """Changes what a slip says, its denominations too."""
    at = sheet.find(kind)
    slip: Document = sheet.papers[at]
    total = slip.amount_cents + amount
    parts = tuple(each._replace(amount_cents=total) for each in slip.denominations)
    sheet.papers[at] = replace(slip, amount_cents=total, denominations=parts)
