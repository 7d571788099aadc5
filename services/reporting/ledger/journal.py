"""The report: the journal of a period, its accounts with what they are held against, the liability on meters."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from services.kernel.money import MICROS_PER_CENT, display_cents
from services.reporting.ledger import documents, jackpots, progressives, taxes
from services.reporting.ledger.accounts import Account, account, chart
from services.reporting.ledger.facts import LedgerFacts
from services.reporting.ledger.posting import Entry, entry
from services.reporting.meters.sums import MeterName
from services.reporting.registers.steps import Step, owed, steps, withheld
from services.reporting.table import CENTS, COUNT, MICROS, TEXT, Column, Row, Table
from services.reporting.tax import Taxed

TITLE = "General ledger journal"
SIGNATURES = ("Preparer", "Controller")
JOURNAL_COLUMNS = (
    Column("entry", "Entry", COUNT),
    Column("gaming_day", "Gaming day", TEXT),
    Column("narration", "What", TEXT),
    Column("account", "Account", TEXT),
    Column("debit", "Debit", CENTS),
    Column("credit", "Credit", CENTS),
    Column("documents", "Documents", TEXT),
    Column("positions", "Stands on", TEXT),
)
ACCOUNT_COLUMNS = (
    Column("account", "Account", TEXT),
    Column("title", "Title", TEXT),
    Column("opening", "Opening", CENTS),
    Column("debits", "Debits", CENTS),
    Column("credits", "Credits", CENTS),
    Column("closing", "Closing", CENTS),
    Column("held_against", "Held against", CENTS),
    Column("source", "By", TEXT),
    Column("difference", "Difference", CENTS),
)
LIABILITY_COLUMNS = (
    Column("link", "Link", TEXT),
    Column("level", "Level", TEXT),
    Column("reading", "Reading", MICROS),
    Column("reserve", "Reserve", MICROS),
    Column("overflow", "Overflow", MICROS),
    Column("unearned", "Unearned seed", MICROS),
    Column("liability", "Liability", MICROS),
    Column("booked", "Booked", CENTS),
    Column("residue", "Below a cent", MICROS),
)
JOURNAL_NOTES = (
    "Whole cents in double entry; every entry's debits are its credits. Entries are dated by the gaming day.",
    "A meter's account is booked at its whole cents, what lies below a cent when it completes one (ruling G1).",
    "What is owed on a meter is its reading less the seed of its last reset, its reserve and its overflow (ruling G2).",
    "Collections, bank deposits, payments of tax and what the cage buys and sells are no documents of tables.",
)
ACCOUNT_NOTES = (
    "Debits above zero, credits below. Held against: the same balance from another source than the entries.",
    "Documents of a table whose win is not known yet stand under Assets:Tables:Unresolved; it is 0.00 once it is.",
)


class Held(NamedTuple):
    """What a balance is held against, in cents, debits above zero, and where that is from."""

    cents: int
    source: str


def general_ledger(facts: LedgerFacts) -> tuple[Table, ...]:
    """The tables of the report. Raises EntryUnbalanced where what it is made of contradicts itself."""
    meters = progressives.standing(facts.meters, facts.asked.first)
    found = steps(facts.jackpots, facts.meters.events, facts.calendars)
    opening = _opening(facts, meters, found)
    assessed = taxes.taxed(facts)
    made = [
        *documents.document_entries(facts),
        *progressives.progressive_entries(facts.asked, facts.meters, meters),
        *jackpots.jackpot_entries(facts, found),
        *taxes.tax_entries(facts, assessed),
    ]
    ordered = sorted(made, key=lambda each: each.gaming_day)
    held = _held(facts, meters, found, assessed)
    return (
        _journal([*opening, *ordered]),
        _accounts(opening, ordered, held),
        _liability(facts, meters),
    )


def _opening(facts: LedgerFacts, meters: progressives.Meters, found: list[Step]) -> list[Entry]:
    """What stands before the period: trays by their closers, meters by their readings, jackpots not yet paid."""
    lines = [(account("tray", table_id), cents) for table_id, cents in sorted(documents.carried(facts).items())]
    for name, due in sorted(meters.owed.items()):
        lines += _liabilities(name, due)
    eve = [each for each in found if each.gaming_day < facts.asked.first]
    lines.append((account("jackpots"), -owed(eve, facts.asked.last)))
    lines.append((account("withholding"), -withheld(eve, facts.asked.last)))
    lines.append((account("opening"), -sum(cents for _, cents in lines)))
    made = entry(facts.asked.first, "balances before the period", lines)
    return [made] if made else []


def _liabilities(name: MeterName, due: progressives.Owed) -> list[tuple[Account, int]]:
    return [
        (account(part, *name), -display_cents(micros)) for part, micros in zip(progressives.PARTS, due, strict=True)
    ]


def _held(
    facts: LedgerFacts, meters: progressives.Meters, found: list[Step], assessed: list[Taxed]
) -> dict[Account, Held]:
    """Balances at the period's end by other sources than the entries."""
    held = {
        account("tray", table_id): Held(cents, "last closer") for table_id, cents in documents.closed(facts).items()
    }
    for name, due in progressives.stands(facts.meters, meters.seeds.unearned).items():
        held |= {to: Held(cents, "last reading of the meter") for to, cents in _liabilities(name, due)}
    last = facts.asked.last
    held[account("jackpots")] = Held(-owed(found, last), "states of jackpots")
    held[account("withholding")] = Held(-withheld(found, last), "jackpots that stand as paid")
    counted = sum(each.papers.currency or 0 for each in facts.tables.own)
    held[account("count_room")] = Held(counted, "counts, summed by table and day")
    return held | {to: Held(-cents, "weekly returns") for to, cents in taxes.due(facts, assessed).items()}


def _journal(entries: list[Entry]) -> Table:
    rows: list[Row] = []
    for number, each in enumerate(entries, 1):
        for to, cents in each.postings.items():
            debit, credit = (cents, None) if cents > 0 else (None, -cents)
            named = ", ".join(each.documents)
            rows.append((number, str(each.gaming_day), each.narration, to.name, debit, credit, named, each.positions))
    debit_sum, credit_sum = (sum(cell for row in rows if isinstance(cell := row[place], int)) for place in (4, 5))
    totals: Row = (None, "total", "", "", debit_sum, credit_sum, "", "")
    return Table("journal", TITLE, JOURNAL_COLUMNS, tuple(rows), totals, JOURNAL_NOTES)


def _accounts(opening: Iterable[Entry], entries: Iterable[Entry], held: Mapping[Account, Held]) -> Table:
    before, debited, credited = _sums(opening, 0), _sums(entries, 1), _sums(entries, -1)
    order = {key: place for place, key in enumerate(_titles())}
    names = sorted({*before, *debited, *credited, *held}, key=lambda each: (order[each.title], each.name))
    rows: list[Row] = []
    for each in names:
        closing = before.get(each, 0) + debited.get(each, 0) + credited.get(each, 0)
        against = held.get(each)
        if each not in {*before, *debited, *credited} and not (against and against.cents):
            continue
        rows.append(
            (
                *(each.name, each.title, before.get(each, 0), debited.get(each, 0), -credited.get(each, 0), closing),
                against.cents if against else None,
                against.source if against else "",
                closing - against.cents if against else None,
            )
        )
    sums = [sum(cell for row in rows if isinstance(cell := row[place], int)) for place in range(2, 6)]
    return Table(
        "accounts", "Accounts", ACCOUNT_COLUMNS, tuple(rows), ("total", "", *sums, None, "", None), ACCOUNT_NOTES
    )


def _titles() -> list[str]:
    return [each.title for each in chart().accounts.values()]


def _sums(entries: Iterable[Entry], sign: int) -> dict[Account, int]:
    """Postings added up by account: those of one sign, or all of them for 0."""
    sums: dict[Account, int] = {}
    for each in entries:
        for to, cents in each.postings.items():
            if sign == 0 or cents * sign > 0:
                sums[to] = sums.get(to, 0) + cents
    return sums


def _liability(facts: LedgerFacts, meters: progressives.Meters) -> Table:
    rows: list[Row] = []
    stands = progressives.stands(facts.meters, meters.seeds.unearned)
    for name in sorted(stands):
        reading, due = facts.meters.after[name], stands[name]
        exact = sum(due)
        booked = sum(map(display_cents, due))
        rows.append(
            (
                *(*name, reading.reading_micros, reading.reserve_micros, due.overflow),
                meters.seeds.unearned.get(name, 0),
                exact,
                booked,
                exact - booked * MICROS_PER_CENT,
            )
        )
    sums = [sum(cell for row in rows if isinstance(cell := row[place], int)) for place in range(2, 9)]
    notes = (
        "Liability = reading + reserve + overflow (the closing of the progressive liability report) - unearned seed.",
        "Unearned seed = the seed of the last reset, less what percentages took of it, more what transfers brought.",
    )
    return Table("liability", "Liability on meters", LIABILITY_COLUMNS, tuple(rows), ("total", "", *sums), notes)
