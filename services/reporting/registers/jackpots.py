"""The jackpot register: every jackpot of a period with its slip, its verification and its tax (605a.7, ruling J9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from services.kernel.money import RATE_UNIT, decimal_text
from services.reporting.periods import Asked
from services.reporting.registers.record import OWED, PAID, VOIDED, DecisionRecord, JackpotRecord
from services.reporting.registers.steps import Step
from services.reporting.serials import Gap, Numbered, gaps, read
from services.reporting.table import CENTS, COUNT, MICROS, PERCENT, TEXT, Column, Row, Table

TITLE = "Jackpot register"
SIGNATURES = ("Preparer", "Cage supervisor")
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("jackpot", "Jackpot", TEXT),
    Column("slip", "Slip", TEXT),
    Column("table", "Table", TEXT),
    Column("seat", "Seat", COUNT),
    Column("shoe", "Shoe", COUNT),
    Column("round", "Round", COUNT),
    Column("link", "Link", TEXT),
    Column("level", "Level", TEXT),
    Column("wager", "Wager", TEXT),
    Column("stake", "Stake", CENTS),
    Column("reading", "Reading", MICROS),
    Column("share", "Share %", PERCENT),
    Column("amount", "Amount", CENTS),
    Column("state", "State", TEXT),
    Column("claimed_by", "Claimed by", TEXT),
    Column("verified_by", "Verified by", TEXT),
    Column("paid_from", "Paid from", TEXT),
    Column("paid_through", "Paid through", TEXT),
    Column("paid_by", "Paid by", TEXT),
    Column("paid_at", "Paid at", TEXT),
    Column("ratio", "Amount / stake", PERCENT),
    Column("w2g", "W-2G", TEXT),
    Column("withheld", "Withheld", CENTS),
    Column("voided_by", "Voided by", TEXT),
    Column("void_reason", "Why", TEXT),
    Column("slip_document", "Slip document", CENTS),
    Column("flag", "Flag", TEXT),
)
STATE_COLUMNS = (
    Column("state", "State", TEXT),
    Column("jackpots", "Jackpots", COUNT),
    Column("amount", "Amount", CENTS),
    Column("reported", "W-2G", COUNT),
    Column("withheld", "Withheld", CENTS),
)
GAP_COLUMNS = (
    Column("first", "From", TEXT),
    Column("last", "To", TEXT),
    Column("before", "Before slip", TEXT),
    Column("gaming_day", "Gaming day", TEXT),
)
NOTES = (
    "Jackpots hit in the period, and those hit before that were paid or voided in it; states as of the period's end.",
    "Share in percent of the reading; amount / stake decides, with the amount, whether a Form W-2G is due (ruling J9).",
    "Slip document: the amount of the jackpot slip that the cage posted.",
)


@dataclass(frozen=True)
class JackpotFacts:
    """Every step of the jackpots up to the period's end, decisions, and the cage's slips by jackpot."""

    asked: Asked
    steps: Sequence[Step]
    decisions: Sequence[DecisionRecord]
    slips: Mapping[str, tuple[str, date, int]]


@dataclass(frozen=True)
class Life:
    """A jackpot from its hit to the period's end: its last state, and the latest of each state with its day."""

    first: Step
    last: JackpotRecord
    states: Mapping[str, Step]

    def of(self, state: str) -> JackpotRecord | None:
        """The jackpot as it came to a state, if it did."""
        return self.states[state].jackpot if state in self.states else None


def lives(steps: Iterable[Step], first: date, last: date) -> list[Life]:
    """The jackpots hit in a period or paid or voided in it, in the order of their hits."""
    by_jackpot: dict[str, list[Step]] = {}
    for each in steps:
        if each.gaming_day <= last:
            by_jackpot.setdefault(each.jackpot.jackpot_id, []).append(each)
    return [
        Life(own[0], own[-1].jackpot, _states(own))
        for own in by_jackpot.values()
        if any(each.gaming_day >= first and (each is own[0] or each.jackpot.state in (PAID, VOIDED)) for each in own)
    ]


def _states(own: Sequence[Step]) -> dict[str, Step]:
    """The step that brought each state; what merely changes the amount or repeats a state is not it."""
    return {each.jackpot.state: each for each in own if each.former is None or each.former.state != each.jackpot.state}


def jackpot_register(facts: JackpotFacts) -> tuple[Table, ...]:
    """The register, its totals by state, and slip numbers that are missing."""
    found = lives(facts.steps, facts.asked.first, facts.asked.last)
    notes = {each.decision_id: each.note for each in facts.decisions}
    rows = [_row(each, notes, facts.slips) for each in found]
    amount, withheld = (sum(cell for row in rows if isinstance(cell := row[place], int)) for place in (13, 23))
    totals: list[int | str | None] = [None] * len(COLUMNS)
    totals[0], totals[13], totals[23] = "total", amount, withheld
    return (
        Table("jackpots", TITLE, COLUMNS, tuple(rows), tuple(totals), NOTES),
        _by_state(found),
        _gaps(facts),
    )


def _row(life: Life, notes: Mapping[str, str], slips: Mapping[str, tuple[str, date, int]]) -> Row:
    last = life.last
    paid = life.of(PAID) if last.state in (PAID, VOIDED) else None
    voided = last if last.state == VOIDED else None
    slip = slips.get(last.jackpot_id)
    return (
        *(str(life.first.gaming_day), last.jackpot_id, paid.slip_no if paid else "", last.table_id, last.seat),
        *(last.shoe, last.round_no, last.link_id, last.level, last.code, last.stake_cents),
        *(last.reading_micros, decimal_text(Fraction(last.percent, RATE_UNIT // 100), 2)),
        *(last.amount_cents, last.state, _actor(life.of("claimed")), _verifier(life.of("verified"))),
        *(last.paid_from, *_payment(paid)),
        decimal_text(Fraction(last.amount_cents, last.stake_cents), 2) if last.stake_cents else None,
        ("due" if paid.reportable else "not due") if paid else "",
        paid.withheld_cents if paid else None,
        _actor(voided),
        notes.get(voided.decision_id, "") if voided else "",
        slip[2] if slip else None,
        _flag(last, paid, slip),
    )


def _actor(jackpot: JackpotRecord | None) -> str:
    return jackpot.actor if jackpot else ""


def _verifier(jackpot: JackpotRecord | None) -> str:
    return f"{jackpot.actor}, {jackpot.rank}" if jackpot else ""


def _payment(paid: JackpotRecord | None) -> tuple[str, str, str]:
    if paid is None:
        return "", "", ""
    return paid.paid_through, paid.actor, paid.at.isoformat(timespec="seconds") if paid.at else ""


def _flag(last: JackpotRecord, paid: JackpotRecord | None, slip: tuple[str, date, int] | None) -> str:
    if last.state == PAID and paid is not None and last.paid_from == "slip":
        if slip is None:
            return "no slip document"
        if slip[0] != paid.slip_no or slip[2] != last.amount_cents:
            return f"slip document {slip[0]} says otherwise"
    if last.state == VOIDED and slip is not None:
        return f"slip document {slip[0]} of a voided jackpot"
    return ""


def _by_state(found: Iterable[Life]) -> Table:
    sums: dict[str, list[int]] = {}
    for each in found:
        line = sums.setdefault(each.last.state, [0, 0, 0, 0])
        paid = each.last if each.last.state == PAID else None
        line[0] += 1
        line[1] += each.last.amount_cents
        line[2] += bool(paid and paid.reportable)
        line[3] += paid.withheld_cents if paid else 0
    order = ("unpriced", *OWED, PAID, VOIDED)
    rows: tuple[Row, ...] = tuple((state, *sums[state]) for state in order if state in sums)
    totals: Row = ("total", *(sum(line[place] for line in sums.values()) for place in range(4)))
    return Table("states", "By state", STATE_COLUMNS, rows, totals)


def _gaps(facts: JackpotFacts) -> Table:
    numbered = [each for each in _numbered(facts.steps) if facts.asked.first <= each.gaming_day <= facts.asked.last]
    rows: tuple[Row, ...] = tuple(_gap(each) for each in gaps(numbered))
    notes = ("Slip numbers between two that were used, of which nothing is known (465a.3).",)
    return Table("gaps", "Slip numbers missing", GAP_COLUMNS, rows, None, notes)


def _gap(gap: Gap) -> Row:
    return str(gap.first), str(gap.last), gap.before, str(gap.gaming_day)


def _numbered(steps: Iterable[Step]) -> Iterator[Numbered]:
    """The slips by which jackpots were paid, in the order of their numbers, each with the one before in its series."""
    days = {
        each.jackpot.slip_no: each.gaming_day for each in steps if each.jackpot.state == PAID and each.jackpot.slip_no
    }
    serials = sorted((serial.series, serial.number, slip) for slip in days if (serial := read(slip)) is not None)
    former: tuple[str, int] | None = None
    for series, number, slip in serials:
        yield Numbered(slip, days[slip], former[1] if former and former[0] == series else None)
        former = series, number
