"""A report as an Excel workbook: a sheet for each table, numbers as numbers, the same bytes each time.

A workbook keeps numbers as doubles, which hold fifteen decimal digits. A longer number is written as text, so that
none is shown that differs from the report's.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from itertools import count
from textwrap import wrap

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.cells import (
    DIGITS,
    decimal_cell,
    is_number,
    labelled_totals,
    pairs,
    rows_and_totals,
    shown_cell,
)
from clients.cli.render.heading import heading, period
from services.kernel.errors import InvalidRequest

DOUBLE_DIGITS = 15
NAME_LENGTH = 31
TITLES = 5
"""The row, from 0, of the titles: three of heading, an empty one and the table's own title come before."""

NARROWEST, WIDEST = 8, 48
LINE_HEIGHT = 15
"""Of a row with one line of text, in points."""
OPTIONS = {"in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False}


def as_xlsx(report: reporting.Report) -> bytes:
    """The bytes of a workbook. Raises InvalidRequest for what no sheet can hold."""
    made = BytesIO()
    with Workbook(made, OPTIONS) as book:
        book.set_properties(
            {
                "title": f"{report.title}, {report.property_id}, {period(report)}",
                "author": report.requester,
                "comments": " ".join(heading(report)),
                "created": report.generated_at.ToDatetime(),
            }
        )
        # Excel keeps this name for itself.
        taken = {"history"}
        for table in report.tables:
            _Sheet(book, _sheet_name(table.title, taken), report, table).write()
    return made.getvalue()


def _sheet_name(title: str, taken: set[str]) -> str:
    """A name that a sheet may have and that no other has, whatever the case; `taken` gets it."""
    wanted = " ".join(re.sub(r"[\[\]:*?/\\']", " ", title).split()) or "Table"
    for number in count(1):
        end = f" {number}" if number > 1 else ""
        name = wanted[: NAME_LENGTH - len(end)].rstrip() + end
        if name.lower() not in taken:
            taken.add(name.lower())
            return name
    raise AssertionError("numbers do not end")


class _Sheet:
    """One table on a sheet of its own."""

    def __init__(self, book: Workbook, name: str, report: reporting.Report, table: reporting.ReportTable) -> None:
        self._book, self._report, self._table = book, report, table
        self._sheet: Worksheet = book.add_worksheet(name)
        self._formats: dict[tuple[str, bool], Format] = {}

    def write(self) -> None:
        """Heading, titles, rows, totals and notes; set out for the screen and for paper."""
        bold = self._book.add_format({"bold": True})
        for line, sentence in enumerate(heading(self._report)):
            self._text(line, 0, sentence, bold if line == 0 else None)
        self._text(TITLES - 1, 0, self._table.title, self._book.add_format({"bold": True, "font_size": 13}))
        self._titles()
        for line, row in enumerate(self._table.rows, TITLES + 1):
            self._row(line, row, is_total=False)
        end = TITLES + 1 + len(self._table.rows)
        if self._table.totals.cells:
            self._row(end, labelled_totals(self._table), is_total=True)
            end += 1
        signed = [f"{title}: ________________" for title in self._report.signatures]
        below = [*self._table.notes, *(["", *signed] if signed else [])]
        for line, sentence in enumerate(below, end + 1):
            self._text(line, 0, sentence, None)
        self._lay_out()

    def _titles(self) -> None:
        shared = {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom", "bg_color": "#E8ECF0"}
        left, right = self._book.add_format(shared), self._book.add_format({**shared, "align": "right"})
        for place, column in enumerate(self._table.columns):
            self._text(TITLES, place, column.title, right if is_number(column) else left)

    def _row(self, line: int, row: reporting.Row, *, is_total: bool) -> None:
        for place, (column, cell) in enumerate(pairs(self._table, row)):
            number = decimal_cell(column, cell)
            if number is None:
                given = cell.text
                self._text(line, place, given, self._format("right" if is_number(column) else "", is_total))
            elif len(number.as_tuple().digits) > DOUBLE_DIGITS:
                self._text(line, place, shown_cell(column, cell), self._format("right", is_total))
            else:
                self._number(line, place, number, self._format(_number_format(column, number), is_total))

    def _number(self, line: int, place: int, number: Decimal, form: Format) -> None:
        _held(self._sheet.write_number(line, place, number, form), self._table, line)

    def _text(self, line: int, place: int, text: str, form: Format | None) -> None:
        # An empty text is a blank cell, which may have a line above it.
        write, given = (self._sheet.write_string, text) if text else (self._sheet.write_blank, None)
        _held(write(line, place, given, form), self._table, line)

    def _format(self, numbers: str, is_total: bool) -> Format:
        known = numbers, is_total
        if known not in self._formats:
            aligned = {"align": "right"} if numbers == "right" else {"num_format": numbers} if numbers else {}
            self._formats[known] = self._book.add_format({**aligned, **({"bold": True, "top": 1} if is_total else {})})
        return self._formats[known]

    def _lay_out(self) -> None:
        widths = _widths(self._table)
        for place, width in enumerate(widths):
            self._sheet.set_column(place, place, width)
        # Not every program makes a row as high as its titles are long.
        titles = zip((column.title for column in self._table.columns), widths, strict=True)
        self._sheet.set_row(TITLES, LINE_HEIGHT * max((len(wrap(*each)) for each in titles), default=1))
        self._sheet.freeze_panes(TITLES + 1, 0)
        self._sheet.repeat_rows(0, TITLES)
        self._sheet.set_landscape()
        self._sheet.set_paper(1)  # US letter
        self._sheet.fit_to_pages(1, 0)
        self._sheet.set_footer("&L&A&RPage &P of &N")


def _held(code: int, table: reporting.ReportTable, line: int) -> None:
    """xlsxwriter leaves out what a sheet cannot hold and says so by a number alone."""
    if code:
        raise InvalidRequest(
            f"expected a table that a sheet can hold (1,048,576 rows, 16,384 columns, texts of 32,767 characters),"
            f" given row {line + 1} of {table.name}; CSV and JSON have no such limit"
        )


def _number_format(column: reporting.Column, number: Decimal) -> str:
    exponent = number.as_tuple().exponent
    digits = DIGITS.get(column.type, -exponent if isinstance(exponent, int) else 0)
    return "#,##0" + ("." + "0" * digits if digits else "")


def _widths(table: reporting.ReportTable) -> Sequence[int]:
    """Of each column in characters: its longest cell, and the longest word of its title."""
    shown = [[shown_cell(*pair) for pair in pairs(table, row)] for row in rows_and_totals(table)]
    titles = [max(map(len, column.title.split()), default=0) for column in table.columns]
    longest = [max([title, *(len(row[place]) for row in shown)]) + 2 for place, title in enumerate(titles)]
    return [min(max(width, NARROWEST), WIDEST) for width in longest]
