"""The daily meter reading log, the reconciliation with the wagers, and the roll-forward of the liability."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from services.kernel.money import MICROS_PER_CENT, decimal_text, display_cents, dollars
from services.reporting.meters.facts import MeterFacts, Period
from services.reporting.meters.store import Moved
from services.reporting.meters.sums import CORRECTION, LinkState, MeterName
from services.reporting.sums import Reading
from services.reporting.table import CENTS, COUNT, LINE, MICROS, PERCENT, TEXT, Column, Plot, Row, Table

READINGS_TITLE, RECONCILIATION_TITLE = "Meter readings", "Progressive reconciliation"
LIABILITY_TITLE = "Progressive liability"

VARIANCE_CENTS = 5_000
"""A variance between implied and actual increment beyond this is flagged."""
MICROS_PER_DOLLAR = 1_000_000
NONE = Reading(0, 0, 0)
DAY_NOTE = (
    "A day ends at the last movement before the next gaming day is opened, in the order of the feeds: what corrects an"
    " earlier day's round moves the meter on the day under way."
)

METER_COLUMNS = (Column("link", "Link", TEXT), Column("level", "Level", TEXT))
READING_COLUMNS = (
    *METER_COLUMNS,
    Column("reading", "Reading", MICROS),
    Column("display", "Display", CENTS),
    Column("reserve", "Reserve", MICROS),
    Column("overflow", "Overflow", MICROS),
    Column("prior", "Prior reading", MICROS),
    Column("difference", "Difference", MICROS),
    Column("decrease", "Decreases", MICROS),
    Column("explained", "Decreases by cause", TEXT),
    Column("hits", "Hits", COUNT),
    Column("state", "State", TEXT),
    Column("changed_by", "Last changed by", TEXT),
)
MOVED_COLUMNS = (
    *METER_COLUMNS,
    Column("opening", "Opening", MICROS),
    Column("contributions", "Contributions", MICROS),
    Column("corrections", "Corrections", MICROS),
    Column("seed_house", "Seed by house", MICROS),
    Column("seed_reserve", "Seed by reserve", MICROS),
    Column("house_excess", "House excess", MICROS),
    Column("overflow", "To overflow", MICROS),
    Column("transfer_in", "Transfers in", MICROS),
    Column("transfer_out", "Transfers out", MICROS),
    Column("adjustments", "Adjustments", MICROS),
    Column("awards", "Awards", MICROS),
    Column("closing", "Closing", MICROS),
    Column("difference", "Difference", MICROS),
    Column("reserve", "Reserve", MICROS),
    Column("overflow_balance", "Overflow", MICROS),
)
INCREMENT_COLUMNS = (
    *METER_COLUMNS,
    Column("wagers", "Wagers", COUNT),
    Column("handle", "Handle", CENTS),
    Column("rate", "Rate %", PERCENT),
    Column("implied", "Implied increment", MICROS),
    Column("contributions", "Contributions", MICROS),
    Column("corrections", "Corrections", MICROS),
    Column("variance", "Variance", MICROS),
    Column("flag", "Flag", TEXT),
)
LIABILITY_COLUMNS = (
    *METER_COLUMNS,
    Column("opening", "Opening", MICROS),
    Column("accrued", "Accrued", MICROS),
    Column("house", "Put up by house", MICROS),
    Column("paid", "Paid", MICROS),
    Column("transferred", "Transferred", MICROS),
    Column("adjusted", "Adjusted", MICROS),
    Column("closing", "Closing", MICROS),
    Column("difference", "Difference", MICROS),
    Column("unearned", "Unearned seed", MICROS),
)


@dataclass(frozen=True)
class Course:
    """One meter over a period."""

    before: Reading
    after: Reading
    overflow_before: int
    overflow_after: int
    moved: tuple[Moved, ...]

    def of(self, *causes: str, made_by: str = "", but: str = "") -> int:
        """What these causes moved, micro-dollars: made by one kind alone, or by all but one."""
        return sum(
            each.amount
            for each in self.moved
            if each.cause in causes and made_by in ("", each.made_by) and each.made_by != but
        )

    @property
    def difference(self) -> int:
        """What the closing reading has beyond opening and causes; 0 in a sound journal."""
        raised = sum(each.amount for each in self.moved if each.cause != "reserve")
        return self.after.reading_micros - self.before.reading_micros - raised

    @property
    def opening(self) -> int:
        """Reading, reserve and overflow before the period: what is owed to patrons and, of the seed, to the house."""
        return self.before.reading_micros + self.before.reserve_micros + self.overflow_before

    @property
    def closing(self) -> int:
        """The same after it."""
        return self.after.reading_micros + self.after.reserve_micros + self.overflow_after


def course(period: Period, name: MeterName) -> Course:
    """A meter's part of a period."""
    moved = tuple(each for each in period.moved if (each.link_id, each.level) == name)
    return Course(
        period.before.get(name, NONE),
        period.after.get(name, NONE),
        period.overflow_before.get(name, 0),
        period.overflow_after.get(name, 0),
        moved,
    )


def names(facts: MeterFacts) -> list[MeterName]:
    """Every meter that has a reading by the end of the day, by link, in the order of its levels."""
    order = {(link.link_id, level): place for link in facts.links for place, level in enumerate(link.levels)}
    return sorted(facts.day.after, key=lambda name: (name[0], order.get(name, 0), name[1]))


def meter_readings(facts: MeterFacts) -> tuple[Table, ...]:
    """The daily meter reading log (605a.7): every meter, even one that did not move."""
    links = {link.link_id: link for link in facts.links}
    rows = tuple(_reading_row(facts, name, links.get(name[0])) for name in names(facts))
    notes = (
        DAY_NOTE,
        "Last changed by: who approved, suspended, resumed or retired the link.",
    )
    return Table("meter_readings", READINGS_TITLE, READING_COLUMNS, rows, None, notes), _curve(facts)


def _curve(facts: MeterFacts) -> Table:
    """The readings of the month so far day by day, a column for each meter; before its first movement it has none."""
    meters = names(facts)
    columns = tuple(Column(f"{link}/{level}", f"{link} {level}", MICROS) for link, level in meters)
    standing: dict[MeterName, int] = {name: found.reading_micros for name, found in facts.month.before.items()}
    rows = []
    for number in range((facts.gaming_day - facts.month.first).days + 1):
        day = facts.month.first + timedelta(days=number)
        standing |= {name: facts.curve[day, name] for name in meters if (day, name) in facts.curve}
        rows.append((day.isoformat(), *(standing.get(name) for name in meters)))
    title = f"Readings by day, {facts.month.first} to {facts.month.last}"
    plot = Plot(LINE, "gaming_day", tuple(column.name for column in columns)) if columns else None
    return Table("curve", title, (Column("gaming_day", "Gaming day", TEXT), *columns), tuple(rows), None, (), plot)


def _reading_row(facts: MeterFacts, name: MeterName, link: LinkState | None) -> Row:
    found = course(facts.day, name)
    prior = found.before.reading_micros if name in facts.day.before else None
    hits = {each.hit_id for each in facts.jackpots if (each.link_id, each.level) == name and each.hit_id}
    down = [each for each in found.moved if each.decrease and each.cause != "reserve"]
    return (
        *name,
        found.after.reading_micros,
        display_cents(found.after.reading_micros),
        found.after.reserve_micros,
        found.overflow_after,
        prior,
        None if prior is None else found.after.reading_micros - prior,
        sum(each.decrease for each in down),
        "; ".join(f"{each.cause} by {each.made_by} {_dollars(each.decrease)}" for each in down),
        len(hits),
        link.state if link else None,
        link.changed_by if link else None,
    )


def _dollars(micros: int) -> str:
    return decimal_text(Fraction(micros, MICROS_PER_DOLLAR), 6)


def progressive_reconciliation(facts: MeterFacts) -> tuple[Table, ...]:
    """Each reading as the sum of its causes, and each increment as the settled wagers imply it."""
    moved = tuple(_moved_row(course(facts.day, name), name) for name in names(facts))
    implied = tuple(_increment_row(facts, link, place) for link in facts.links for place in range(len(link.levels)))
    limit = dollars(VARIANCE_CENTS)
    notes = (
        "Wagers and handle: what settlement settled, or has pending, on the link's tables, code and paytable that day.",
        "Contributions and corrections: those of the day's rounds, whenever they were made.",
        f"A variance over {limit} is flagged. Variance = implied increment - contributions - corrections.",
    )
    return (
        Table("reconciliation", "Readings by cause", MOVED_COLUMNS, moved, _totals(moved), (DAY_NOTE,)),
        Table("increments", "Increments", INCREMENT_COLUMNS, implied, None, notes),
    )


def _moved_row(found: Course, name: MeterName) -> Row:
    return (
        *name,
        found.before.reading_micros,
        found.of("contribution", but=CORRECTION),
        found.of("contribution", made_by=CORRECTION),
        found.of("seed_house"),
        found.of("seed_reserve"),
        found.of("house_excess"),
        found.of("overflow"),
        found.of("transfer_in"),
        found.of("transfer_out"),
        found.of("adjustment"),
        found.of("award"),
        found.after.reading_micros,
        found.difference,
        found.after.reserve_micros,
        found.overflow_after,
    )


def _increment_row(facts: MeterFacts, link: LinkState, place: int) -> Row:
    name = link.link_id, link.levels[place]
    settled = [
        each
        for each in facts.wagers
        if (each.key.code, each.key.paytable) == (link.code, link.paytable) and each.key.table_id in link.table_ids
    ]
    handle = sum(each.handle_cents + each.pending_cents for each in settled)
    rate = link.increment_rates[place]
    net = sum(amount for key, (amount, _) in facts.contributions.items() if (key.link_id, key.level) == name)
    corrected = sum(
        amount
        for key, amount in facts.movements.items()
        if (key.link_id, key.level) == name and key.cause == "contribution"
    )
    # Cents times hundredths of a percent are whole micro-dollars (ruling M4).
    variance = handle * rate - net
    over = abs(variance) > VARIANCE_CENTS * MICROS_PER_CENT
    return (
        *name,
        sum(each.wagers + each.pending for each in settled),
        handle,
        decimal_text(Fraction(rate, 100), 2),
        handle * rate,
        net - corrected,
        corrected,
        variance,
        f"over {dollars(VARIANCE_CENTS)}" if over else "",
    )


def progressive_liability(facts: MeterFacts) -> tuple[Table, ...]:
    """What is owed on each meter, from opening to closing: of the day, and of its month so far."""
    notes = (
        "Opening and closing = reading + reserve + overflow; difference = closing - opening - what stands between.",
        "Accrued = contributions to meter and reserve, corrections among them.",
        "Unearned seed = the seed of the last reset, less what percentages took of it, more what transfers brought.",
        "The closing contains it: what the general ledger carries as a liability is closing - unearned seed.",
    )
    return (
        _liability("liability_day", f"Liability, gaming day {facts.gaming_day}", facts, facts.day, notes),
        _liability("liability_month", f"Liability, {facts.month.first} to {facts.month.last}", facts, facts.month, ()),
    )


def _liability(name: str, title: str, facts: MeterFacts, period: Period, notes: tuple[str, ...]) -> Table:
    rows = tuple(_liability_row(course(period, each), each, facts.unearned.get(each, 0)) for each in names(facts))
    return Table(name, title, LIABILITY_COLUMNS, rows, _totals(rows), notes)


def _liability_row(found: Course, name: MeterName, unearned: int) -> Row:
    accrued, house = found.of("contribution", "reserve"), found.of("seed_house", "house_excess")
    paid, moved = found.of("award"), found.of("transfer_in", "transfer_out")
    adjusted = found.of("adjustment")
    return (
        *name,
        found.opening,
        accrued,
        house,
        paid,
        moved,
        adjusted,
        found.closing,
        found.closing - found.opening - accrued - house - paid - moved - adjusted,
        unearned,
    )


def _totals(rows: Iterable[Row]) -> Row | None:
    """The sums of all columns after link and level."""
    columns = list(zip(*rows, strict=True))[2:]
    return ("", "", *(sum(int(cell or 0) for cell in column) for column in columns)) if columns else None


REPORTS: dict[str, tuple[str, Callable[[MeterFacts], tuple[Table, ...]]]] = {
    "meter-readings": (READINGS_TITLE, meter_readings),
    "progressive-reconciliation": (RECONCILIATION_TITLE, progressive_reconciliation),
    "progressive-liability": (LIABILITY_TITLE, progressive_liability),
}
"""Named reports on meters: title, and the function that makes the tables."""
