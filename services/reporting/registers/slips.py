"""The registers of fills and credits (465a.38, 465a.39) and of counter checks: one line for each document."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.kernel.money import dollars
from services.reporting.document import SIGNATORIES, Document
from services.reporting.periods import Asked
from services.reporting.serials import Gap
from services.reporting.table import CENTS, COUNT, TEXT, Column, Row, Table

FILLS_TITLE, CHECKS_TITLE = "Fills and credits", "Counter checks"
FILLS_SIGNATURES, CHECKS_SIGNATURES = ("Preparer", "Income auditor"), ("Preparer", "Cage supervisor")
FILL_KINDS, CHECK_KINDS = ("fill", "credit"), ("counter_check", "counter_check_redeemed")
SLIP_COLUMNS = (
    Column("serial", "Serial", TEXT),
    Column("kind", "Kind", TEXT),
    Column("gaming_day", "Gaming day", TEXT),
    Column("shift", "Shift", COUNT),
    Column("at", "At", TEXT),
    Column("table", "Table", TEXT),
    Column("denominations", "Denominations", TEXT),
    Column("total", "Total", CENTS),
    Column("counts", "Counts", CENTS),
    Column("signatures", "Signatures", TEXT),
    Column("unsigned", "Unsigned by", TEXT),
    Column("corrects", "Corrects", TEXT),
    Column("corrected_by", "Corrected by", TEXT),
    Column("reason", "Why", TEXT),
    Column("posted_by", "Posted by", TEXT),
)
SUM_COLUMNS = (
    Column("table", "Table", TEXT),
    Column("fills", "Fills", COUNT),
    Column("filled", "Filled", CENTS),
    Column("credits", "Credits", COUNT),
    Column("credited", "Credited", CENTS),
)
CHECK_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("issued", "Issued", CENTS),
    Column("redeemed", "Redeemed", CENTS),
    Column("expected", "Expected in the box", CENTS),
    Column("dropped", "Dropped", CENTS),
    Column("difference", "Difference", CENTS),
)
GAP_COLUMNS = (
    Column("first", "From", TEXT),
    Column("last", "To", TEXT),
    Column("before", "Before", TEXT),
    Column("gaming_day", "Gaming day", TEXT),
    Column("explained_by", "Explained by", TEXT),
)
SLIP_NOTES = (
    "Every document that was posted; one that was corrected counts nothing, its correction stands in its place.",
    "Denominations: value x pieces. Unsigned by: roles whose signature the form has and the document has not.",
)
CHECK_NOTES = (
    "A counter check is in the win of the day on which it is counted in the box (601a.9), not when it is collected.",
    "Documents name no patron; expected in the box = issued - redeemed; difference = dropped - expected.",
)


@dataclass(frozen=True)
class SlipFacts:
    """Documents of a period, corrected ones among them, and the numbers missing before them with who explains them."""

    asked: Asked
    documents: Sequence[Document]
    gaps: Sequence[tuple[Gap, Sequence[str]]]


def fills_and_credits(facts: SlipFacts) -> tuple[Table, ...]:
    """The register, its totals by table, numbers missing."""
    slips = _register("slips", FILLS_TITLE, facts, FILL_KINDS)
    return slips, _by_table(facts), _gaps(facts, FILL_KINDS)


def counter_checks(facts: SlipFacts) -> tuple[Table, ...]:
    """Checks issued and redeemed, what of them was dropped by table and day, numbers missing."""
    checks = _register("checks", CHECKS_TITLE, facts, CHECK_KINDS)
    return _dropped(facts), checks, _gaps(facts, CHECK_KINDS)


def _moment(document: Document) -> datetime:
    return document.occurred_at or document.posted_at


def _corrections(documents: Iterable[Document]) -> dict[str, str]:
    return {each.corrects: each.document_id for each in documents if each.corrects}


def _register(name: str, title: str, facts: SlipFacts, kinds: Sequence[str]) -> Table:
    corrected = _corrections(facts.documents)
    own = [each for each in facts.documents if each.kind in kinds]
    ordered = sorted(own, key=lambda each: (kinds.index(each.kind), each.gaming_day, _moment(each), each.document_id))
    rows = [_row(each, corrected) for each in ordered]
    totals: list[int | str | None] = [None] * len(SLIP_COLUMNS)
    totals[0] = "total"
    for place in (7, 8):
        totals[place] = sum(cell for row in rows if isinstance(cell := row[place], int))
    return Table(name, title, SLIP_COLUMNS, tuple(rows), tuple(totals), SLIP_NOTES)


def _row(slip: Document, corrected: Mapping[str, str]) -> Row:
    signed = {each.role for each in slip.signatures}
    by = corrected.get(slip.document_id, "")
    return (
        *(slip.document_id, slip.kind, str(slip.gaming_day), slip.shift or None),
        slip.occurred_at.isoformat(timespec="seconds") if slip.occurred_at else "",
        slip.table_id,
        "; ".join(f"{dollars(value)} x {amount // value:,}" for value, amount in slip.denominations),
        slip.amount_cents,
        0 if by else slip.amount_cents,
        "; ".join(f"{role} {name}" for role, name, _ in slip.signatures),
        ", ".join(role for role in SIGNATORIES[slip.kind] if role not in signed),
        *(slip.corrects, by, slip.reason, slip.posted_by),
    )


def _by_table(facts: SlipFacts) -> Table:
    corrected = _corrections(facts.documents)
    sums: dict[str, list[int]] = {}
    for each in facts.documents:
        if each.kind in FILL_KINDS and each.document_id not in corrected:
            line = sums.setdefault(each.table_id, [0, 0, 0, 0])
            place = 2 * FILL_KINDS.index(each.kind)
            line[place] += 1
            line[place + 1] += each.amount_cents
    rows: tuple[Row, ...] = tuple((table_id, *line) for table_id, line in sorted(sums.items()))
    totals: Row = ("total", *(sum(line[place] for line in sums.values()) for place in range(4)))
    return Table("tables", "By table", SUM_COLUMNS, rows, totals)


def _dropped(facts: SlipFacts) -> Table:
    corrected = _corrections(facts.documents)
    sums: dict[tuple[str, str], list[int]] = {}
    for each in facts.documents:
        if each.kind in (*CHECK_KINDS, "count") and each.document_id not in corrected:
            line = sums.setdefault((str(each.gaming_day), each.table_id), [0, 0, 0])
            amounts = {"count": each.counter_checks_cents}
            line[(*CHECK_KINDS, "count").index(each.kind)] += amounts.get(each.kind, each.amount_cents)
    rows: tuple[Row, ...] = tuple(
        (*key, issued, redeemed, issued - redeemed, dropped, dropped - issued + redeemed)
        for key, (issued, redeemed, dropped) in sorted(sums.items())
        if issued or redeemed or dropped
    )
    totals: Row = ("total", "", *(sum(int(row[place] or 0) for row in rows) for place in range(2, 7)))
    return Table("dropped", "Issued and dropped", CHECK_COLUMNS, rows, totals, CHECK_NOTES)


def _gaps(facts: SlipFacts, kinds: Sequence[str]) -> Table:
    own = {each.document_id for each in facts.documents if each.kind in kinds}
    rows: tuple[Row, ...] = tuple(
        (str(gap.first), str(gap.last), gap.before, str(gap.gaming_day), ", ".join(explained))
        for gap, explained in facts.gaps
        if gap.before in own
    )
    notes = ("Numbers between two that were used, under which nothing was posted (465a.3).",)
    return Table("gaps", "Serial numbers missing", GAP_COLUMNS, rows, None, notes)
