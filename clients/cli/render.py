"""A report as text, CSV or JSON. Knows no report: only tables of typed columns."""

import csv
import io
import json
from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.output import columns
from services.kernel.money import dollars

CENTS = reporting.COLUMN_TYPE_CENTS
COUNT = reporting.COLUMN_TYPE_COUNT
PERCENT = reporting.COLUMN_TYPE_PERCENT
MICROS = reporting.COLUMN_TYPE_MICROS
MICROS_PER_DOLLAR = 1_000_000

Value = int | str | None


def as_text(report: reporting.Report) -> str:
    """For a reader: dollars with two digits, meters with six; a percent column says so in its title."""
    return "\n\n".join(["\n".join(_heading(report)), *map(_table_text, report.tables)]) + "\n"


def as_csv(report: reporting.Report) -> str:
    """For a spreadsheet: the report's header, then each table under its name; amounts in plain dollars."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    header = {**_header(report), "positions": _positions(report)}
    writer.writerows(header.items())
    for table in report.tables:
        writer.writerow([])
        writer.writerow(["table", *(column.name for column in table.columns)])
        for row in _rows_and_totals(table):
            writer.writerow([table.name, *(_plain_cell(*pair) for pair in _pairs(table, row))])
    return text.getvalue()


def as_json(report: reporting.Report) -> str:
    """For a program: cents, counts and micro-dollars as numbers, percent as a decimal text, no value as null."""
    return json.dumps(as_object(report), indent=1, ensure_ascii=False) + "\n"


def as_object(report: reporting.Report) -> dict[str, Any]:
    """The report as JSON values: its header and `tables` by name."""
    return {**_header(report), "tables": {table.name: _table_object(table) for table in report.tables}}


def value(cell: reporting.Cell) -> Value:
    """What a cell holds; None where there is no value."""
    kind = cell.WhichOneof("value")
    if kind is None:
        return None
    return cell.number if kind == "number" else cell.text


def _header(report: reporting.Report) -> dict[str, Any]:
    return {
        "report": report.name,
        "title": report.title,
        "property": report.property_id,
        "gaming_day": report.gaming_day,
        "day_starts": report.day_starts,
        "generated_at": report.generated_at.ToJsonString(),
        "software_version": report.software_version,
        "requester": report.requester,
        "positions": {each.feed: each.position for each in report.positions},
        "complete_to_rounds_position": report.complete_to_rounds_position,
    }


def _heading(report: reporting.Report) -> list[str]:
    positions = _positions(report)
    return [
        f"{report.title}, {report.property_id}, gaming day {report.gaming_day} from {report.day_starts}",
        f"Generated {report.generated_at.ToJsonString()} for {report.requester} by version {report.software_version}.",
        f"Stands on {positions or 'no feed'}; complete to rounds position {report.complete_to_rounds_position}.",
    ]


def _positions(report: reporting.Report) -> str:
    return ", ".join(f"{each.feed} {each.position}" for each in report.positions)


def _table_text(table: reporting.ReportTable) -> str:
    rows = [[_shown_cell(*pair) for pair in _pairs(table, row)] for row in _rows_and_totals(table)]
    right = [place for place, column in enumerate(table.columns) if _is_number(column)]
    titles = [column.title for column in table.columns]
    return "\n".join([table.title, columns(titles, rows, right), *table.notes])


def _table_object(table: reporting.ReportTable) -> dict[str, Any]:
    return {
        "title": table.title,
        "columns": [
            {
                "name": column.name,
                "title": column.title,
                "type": reporting.ColumnType.Name(column.type).removeprefix("COLUMN_TYPE_"),
            }
            for column in table.columns
        ],
        "rows": [_row_object(table, row) for row in table.rows],
        "totals": _row_object(table, table.totals) if table.totals.cells else None,
        "notes": list(table.notes),
    }


def _row_object(table: reporting.ReportTable, row: reporting.Row) -> dict[str, Value]:
    return {column.name: value(cell) for column, cell in _pairs(table, row)}


def _rows_and_totals(table: reporting.ReportTable) -> list[reporting.Row]:
    return [*table.rows, *([table.totals] if table.totals.cells else [])]


def _pairs(table: reporting.ReportTable, row: reporting.Row) -> list[tuple[reporting.Column, reporting.Cell]]:
    return list(zip(table.columns, row.cells, strict=True))


def _is_number(column: reporting.Column) -> bool:
    return column.type in (CENTS, COUNT, PERCENT, MICROS)


def _shown_cell(column: reporting.Column, cell: reporting.Cell) -> str:
    found = value(cell)
    if found is None or found == "":
        return "-" if _is_number(column) else ""
    if isinstance(found, str):
        return found
    if column.type == CENTS:
        return dollars(found)
    return _meter(found, ",") if column.type == MICROS else f"{found:,}"


def _plain_cell(column: reporting.Column, cell: reporting.Cell) -> str:
    found = value(cell)
    if found is None or isinstance(found, str):
        return found or ""
    if column.type == CENTS:
        return dollars(found).replace(",", "")
    return _meter(found, "") if column.type == MICROS else str(found)


def _meter(micros: int, separator: str) -> str:
    whole, rest = divmod(abs(micros), MICROS_PER_DOLLAR)
    return f"{'-' if micros < 0 else ''}{whole:{separator}}.{rest:06d}"
