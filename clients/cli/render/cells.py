"""Cells of a report's tables: what one holds, and how it is written for a reader or a program."""

import re
from decimal import Decimal

from casino.reporting.v1 import reporting_service_pb2 as reporting
from services.kernel.money import dollars

TEXT = reporting.COLUMN_TYPE_TEXT
CENTS = reporting.COLUMN_TYPE_CENTS
COUNT = reporting.COLUMN_TYPE_COUNT
PERCENT = reporting.COLUMN_TYPE_PERCENT
MICROS = reporting.COLUMN_TYPE_MICROS
MICROS_PER_DOLLAR = 1_000_000
DIGITS = {CENTS: 2, COUNT: 0, MICROS: 6}
"""Digits after the point of a whole number of a column, as it is shown."""

Value = int | str | None
Pair = tuple[reporting.Column, reporting.Cell]

_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def value(cell: reporting.Cell) -> Value:
    """What a cell holds; None where there is no value."""
    kind = cell.WhichOneof("value")
    if kind is None:
        return None
    return cell.number if kind == "number" else cell.text


def is_number(column: reporting.Column) -> bool:
    """Whether a column is of numbers: aligned right, and written as numbers where that can be."""
    return column.type in (CENTS, COUNT, PERCENT, MICROS)


def rows_and_totals(table: reporting.ReportTable) -> list[reporting.Row]:
    """The rows, and the totals after them where the table has totals."""
    return [*table.rows, *([table.totals] if table.totals.cells else [])]


def labelled_totals(table: reporting.ReportTable) -> reporting.Row:
    """The totals with a word in their first cell: "Total" where that is an empty text or says so in small letters."""
    totals = reporting.Row()
    totals.CopyFrom(table.totals)
    if totals.cells and table.columns[0].type == TEXT and value(totals.cells[0]) in (None, "", "total"):
        totals.cells[0].text = "Total"
    return totals


def pairs(table: reporting.ReportTable, row: reporting.Row) -> list[Pair]:
    """Each column with the row's cell in it."""
    return list(zip(table.columns, row.cells, strict=True))


def shown_cell(column: reporting.Column, cell: reporting.Cell) -> str:
    """For a reader: thousands apart, two digits of dollars, six of a meter, a dash for a number that is not there."""
    found = value(cell)
    if found is None or found == "":
        return "-" if is_number(column) else ""
    if isinstance(found, str):
        return found
    if column.type == CENTS:
        return dollars(found)
    return _meter(found, ",") if column.type == MICROS else f"{found:,}"


def plain_cell(column: reporting.Column, cell: reporting.Cell) -> str:
    """For a program: dollars without commas, nothing for what is not there."""
    found = value(cell)
    if found is None or isinstance(found, str):
        return found or ""
    if column.type == CENTS:
        return dollars(found).replace(",", "")
    return _meter(found, "") if column.type == MICROS else str(found)


def decimal_cell(column: reporting.Column, cell: reporting.Cell) -> Decimal | None:
    """The exact number in a column of numbers, in dollars where it is of money; None where there is none."""
    found = value(cell)
    if isinstance(found, int):
        return Decimal(found).scaleb(-DIGITS.get(column.type, 0))
    return Decimal(found) if is_number(column) and found and _DECIMAL.fullmatch(found) else None


def _meter(micros: int, separator: str) -> str:
    whole, rest = divmod(abs(micros), MICROS_PER_DOLLAR)
    return f"{'-' if micros < 0 else ''}{whole:{separator}}.{rest:06d}"
