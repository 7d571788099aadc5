"""A report as text, CSV or JSON."""

import csv
import io
import json
from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.output import columns
from clients.cli.render.cells import Value, is_number, pairs, plain_cell, rows_and_totals, shown_cell, value
from clients.cli.render.heading import header, heading, positions


def as_text(report: reporting.Report) -> str:
    """For a reader: dollars with two digits, meters with six; a percent column says so in its title."""
    return "\n\n".join(["\n".join(heading(report)), *map(_table_text, report.tables)]) + "\n"


def as_csv(report: reporting.Report) -> str:
    """For a spreadsheet: the report's header, then each table under its name; amounts in plain dollars."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    facts = {**header(report), "positions": positions(report)}
    writer.writerows(facts.items())
    for table in report.tables:
        writer.writerow([])
        writer.writerow(["table", *(column.name for column in table.columns)])
        for row in rows_and_totals(table):
            writer.writerow([table.name, *(plain_cell(*pair) for pair in pairs(table, row))])
    return text.getvalue()


def as_json(report: reporting.Report) -> str:
    """For a program: cents, counts and micro-dollars as numbers, percent as a decimal text, no value as null."""
    return json.dumps(as_object(report), indent=1, ensure_ascii=False) + "\n"


def as_object(report: reporting.Report) -> dict[str, Any]:
    """The report as JSON values: its header and `tables` by name."""
    return {**header(report), "tables": {table.name: _table_object(table) for table in report.tables}}


def _table_text(table: reporting.ReportTable) -> str:
    rows = [[shown_cell(*pair) for pair in pairs(table, row)] for row in rows_and_totals(table)]
    right = [place for place, column in enumerate(table.columns) if is_number(column)]
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
    return {column.name: value(cell) for column, cell in pairs(table, row)}
