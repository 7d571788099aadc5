"""A report's table set on paper: type as large as fits, and where none fits, the columns in parts that each repeat
the leading ones, so that no column is cut off and no number is broken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.graphics.shapes import Drawing
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import CondPageBreak, Flowable, LongTable, Paragraph, Spacer, TableStyle

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.cells import is_number, labelled_totals, pairs, shown_cell
from clients.cli.render.paper import BOLD, NOTE, PLAIN, RULE, SHADE, SUBTITLE, Command, paragraph, printable

SIZES = (8.5, 8.0, 7.5, 7.0, 6.5)
"""Sizes of type, in points, from the one wanted to the smallest that can be read."""

LEADING = 1.2
"""From line to line, in sizes of type."""

WIDE_GAP, NARROW_GAP = 5, 3
"""On each side of a cell, in points: of type as large as wanted, and of smaller type."""

ROOM_FOR_ROWS = 90
"""A table begins on a page only where this many points are left: its title, its titles of columns and some rows."""

ROWS_AT_ONCE = 500
"""Rows of a table are set in lots: to break a page costs as much as there are rows left in the lot."""

MOST_LETTERS = 1_000
"""Of a text that is certain to fit on a page."""

WIDEST_TEXT = 150
"""A text longer than this many points is set in lines."""

KEY_SHARE = 0.4
"""Leading columns of text are repeated in each part while they take no more of the width."""


@dataclass(frozen=True)
class _Grid:
    """The table as texts: titles, rows and, last of these, totals where it has any."""

    titles: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    has_totals: bool


def natural_width(table: reporting.ReportTable) -> float:
    """In points, at the size of type that is wanted."""
    return sum(_widths(_grid(table), SIZES[0]))


def set_table(table: reporting.ReportTable, width: float, drawings: Sequence[Drawing]) -> list[Flowable]:
    """The table under its title and drawings, its notes below; `width` points wide at most."""
    grid = _grid(table)
    size = next((size for size in SIZES if sum(_widths(grid, size)) <= width), SIZES[-1])
    widths = _widths(grid, size)
    parts = _parts(widths, grid.numbers, width)
    story: list[Flowable] = []
    for number, places in enumerate(parts, 1):
        part = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        drawn = [*drawings, Spacer(1, 6)] if drawings and number == 1 else []
        room = ROOM_FOR_ROWS + sum(each.height for each in drawings[:1] if drawn)
        title = [CondPageBreak(room), paragraph(table.title + part, SUBTITLE)]
        story += [*title, *drawn, *_part(grid, places, [widths[place] for place in places], size)]
    if not table.rows:
        story.append(paragraph("No rows.", NOTE))
    if table.notes:
        story.append(Spacer(1, 2))
    return [*story, *(paragraph(note, NOTE) for note in table.notes)]


def _grid(table: reporting.ReportTable) -> _Grid:
    rows = [*table.rows, *([labelled_totals(table)] if table.totals.cells else [])]
    return _Grid(
        titles=[printable(column.title) for column in table.columns],
        rows=[[printable(shown_cell(*pair)) for pair in pairs(table, row)] for row in rows],
        numbers=[is_number(column) for column in table.columns],
        has_totals=bool(table.totals.cells),
    )


def _gap(size: float) -> int:
    return WIDE_GAP if size == SIZES[0] else NARROW_GAP


def _widths(grid: _Grid, size: float) -> list[float]:
    """Of each column: its longest number, its longest text if not too long, the longest word of its title."""
    found = []
    for place, title in enumerate(grid.titles):
        longest = max((stringWidth(row[place], BOLD, size) for row in grid.rows), default=0.0)
        word = max((stringWidth(word, BOLD, size) for word in title.split()), default=0.0)
        held = longest if grid.numbers[place] else min(longest, WIDEST_TEXT)
        found.append(max(held, word) + 2 * _gap(size) + 1)
    return found


def _parts(widths: Sequence[float], numbers: Sequence[bool], width: float) -> list[list[int]]:
    """Places of columns by part: each begins with the leading texts and takes what still fits."""
    keys: list[int] = []
    for place, is_numeric in enumerate(numbers):
        if is_numeric or sum(widths[each] for each in [*keys, place]) > KEY_SHARE * width:
            break
        keys.append(place)
    parts = [list(keys)]
    for place in range(len(keys), len(widths)):
        if sum(widths[each] for each in parts[-1]) + widths[place] > width and len(parts[-1]) > len(keys):
            parts.append(list(keys))
        parts[-1].append(place)
    return parts


class _Lot(LongTable):
    """Rows in type; at the left of the page, as is what is left of them when a page is full."""

    def split(self, availWidth: float, availHeight: float) -> list[Flowable]:  # noqa: N803  reportlab's names
        """What fits, and the rest."""
        found: list[Flowable] = super().split(availWidth, availHeight)
        for each in found:
            each.hAlign = "LEFT"
        return found


def _part(grid: _Grid, places: Sequence[int], widths: Sequence[float], size: float) -> list[Flowable]:
    leading = size * LEADING
    left = ParagraphStyle("title", fontName=BOLD, fontSize=size, leading=leading)
    right = ParagraphStyle("right", parent=left, alignment=TA_RIGHT)
    plain = ParagraphStyle("text", fontName=PLAIN, fontSize=size, leading=leading)
    titles = [paragraph(grid.titles[place], right if grid.numbers[place] else left) for place in places]
    body = [
        [
            _cell(row[place], width, left if _is_total(grid, line) else plain)
            for place, width in zip(places, widths, strict=True)
        ]
        for line, row in enumerate(grid.rows)
    ]
    starts = range(0, max(len(body), 1), ROWS_AT_ONCE)
    return [
        _Lot(
            [titles, *body[start : start + ROWS_AT_ONCE]],
            list(widths),
            repeatRows=1,
            hAlign="LEFT",
            splitInRow=int(_is_tall(grid.rows[start : start + ROWS_AT_ONCE])),
            style=_style(grid, places, size, ends=start == starts[-1]),
        )
        for start in starts
    ]


def _is_tall(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a row may be taller than a page: only then may rows be split, which they then are at any page's end."""
    return any(len(text) > MOST_LETTERS for row in rows for text in row)


def _is_total(grid: _Grid, line: int) -> bool:
    return grid.has_totals and line == len(grid.rows) - 1


def _cell(text: str, width: float, style: ParagraphStyle) -> str | Paragraph:
    """The text itself where it fits on a line, which is much quicker to set than a paragraph."""
    fits = stringWidth(text, style.fontName, style.fontSize) <= width - 2 * _gap(style.fontSize)
    return text if fits else paragraph(text, style)


def _style(grid: _Grid, places: Sequence[int], size: float, *, ends: bool) -> TableStyle:
    right: list[Command] = [
        ("ALIGN", (at, 0), (at, -1), "RIGHT") for at, place in enumerate(places) if grid.numbers[place]
    ]
    totals: list[Command] = [
        ("FONT", (0, -1), (-1, -1), BOLD, size, size * LEADING),
        ("LINEABOVE", (0, -1), (-1, -1), 0.8, "#000000"),
    ]
    return TableStyle(
        [
            ("FONT", (0, 0), (-1, -1), PLAIN, size, size * LEADING),
            ("LEFTPADDING", (0, 0), (-1, -1), _gap(size)),
            ("RIGHTPADDING", (0, 0), (-1, -1), _gap(size)),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ("VALIGN", (0, 1), (-1, -1), "TOP"),
            ("BACKGROUND", (0, 0), (-1, 0), SHADE),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, "#000000"),
            ("LINEBELOW", (0, 1), (-1, -1), 0.25, RULE),
            *right,
            *(totals if grid.has_totals and ends else []),
        ]
    )
