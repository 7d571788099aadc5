"""A table drawn: lines or bars over one of its columns.

Amounts become lengths on paper here, and nowhere are they read back: the figures stand in the table itself.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.linecharts import HorizontalLineChart
from reportlab.graphics.charts.textlabels import Label
from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.graphics.widgets.markers import Marker
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.cells import CENTS, COUNT, MICROS, PERCENT, decimal_cell, is_number, shown_cell
from clients.cli.render.paper import GREY, PLAIN, RULE, printable
from services.kernel.errors import InvalidRequest

LINE, BAR = reporting.PLOT_KIND_LINE, reporting.PLOT_KIND_BAR
HEIGHT = 200
LEFT, RIGHT, FOOT, HEAD = 62, 12, 46, 26
Lengths: TypeAlias = list[float | None]

MOST_LABELS = 16
LABEL_LETTERS = 14
SIZE = 7
UNITS = {CENTS: "dollars", MICROS: "dollars", COUNT: "count", PERCENT: "%"}
INKS = [HexColor(ink) for ink in ("#1B5E92", "#D0642A", "#3A8A5C", "#7A5AA6", "#8A6D1B", "#B03060")]
"""Told apart by their lightness too, for who prints in grey."""


def drawings(table: reporting.ReportTable, width: float) -> list[Drawing]:
    """The table drawn as its plot says, a drawing for each unit; none where it has no plot or no row, nor of a line
    that would go from one row to no other.

    Raises InvalidRequest if the plot names a column that the table has not, or one without numbers.
    """
    plot = table.plot
    if not table.HasField("plot") or not table.rows:
        return []
    along, over = _place(table, plot.x), [_place(table, name) for name in plot.y]
    texts = [name for name, place in zip(plot.y, over, strict=True) if not is_number(table.columns[place])]
    if plot.kind not in (LINE, BAR) or texts or not over:
        kind = reporting.PlotKind.Name(plot.kind)
        raise InvalidRequest(
            f"expected lines or bars of columns of numbers of {table.name},"
            f" given {kind} of {', '.join(texts) or 'none'}"
        )
    units = dict.fromkeys(UNITS[table.columns[place].type] for place in over)
    by_unit = {unit: [place for place in over if UNITS[table.columns[place].type] == unit] for unit in units}
    if plot.kind == LINE and len(table.rows) == 1:
        return []
    return [_drawing(table, along, places, unit, width) for unit, places in by_unit.items()]


def _place(table: reporting.ReportTable, name: str) -> int:
    names = [column.name for column in table.columns]
    if name not in names:
        raise InvalidRequest(f"expected a column of {table.name} to draw ({', '.join(names)}), given {name!r}")
    return names.index(name)


def _drawing(table: reporting.ReportTable, along: int, places: Sequence[int], unit: str, width: float) -> Drawing:
    drawing = Drawing(width, HEIGHT)
    chart: Any = HorizontalLineChart() if table.plot.kind == LINE else VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = LEFT, FOOT, width - LEFT - RIGHT, HEIGHT - FOOT - HEAD
    names = [printable(shown_cell(table.columns[along], row.cells[along])) for row in table.rows]
    amounts = [[decimal_cell(table.columns[place], row.cells[place]) for row in table.rows] for place in places]
    if table.plot.kind == BAR and unit != UNITS[PERCENT]:
        names, amounts = list(dict.fromkeys(names)), [_added(names, row) for row in amounts]
    lengths = [[None if each is None else float(each) for each in row] for row in amounts]
    if table.plot.kind == LINE:
        _lines(chart, lengths)
    else:
        _bars(chart, lengths)
    _axes(chart, names)
    drawing.add(chart)
    _legend(drawing, [table.columns[place].title for place in places])
    drawing.add(_axis_title(unit))
    return drawing


def _added(names: Sequence[str], amounts: Sequence[Decimal | None]) -> list[Decimal | None]:
    """One amount a name: rows of one name, as the classes of a game, have one bar together."""
    found: dict[str, Decimal | None] = dict.fromkeys(names)
    for name, amount in zip(names, amounts, strict=True):
        if amount is not None:
            found[name] = (found[name] or 0) + amount
    return list(found.values())


def _bars(chart: Any, lengths: list[Lengths]) -> None:
    chart.data = lengths
    for number in range(len(lengths)):
        chart.bars[number].fillColor, chart.bars[number].strokeColor = _ink(number), None


def _lines(chart: Any, lengths: list[Lengths]) -> None:
    """A line for each run of values: one drawn across a missing value would say that there was one."""
    runs = [(number, run) for number, row in enumerate(lengths) for run in _runs(row)]
    chart.data = [run for _, run in runs]
    chart.joinedLines = len(lengths[0]) > 1
    for place, (number, run) in enumerate(runs):
        line = chart.lines[place]
        line.strokeColor, line.strokeWidth = _ink(number), 1.6
        if sum(each is not None for each in run) == 1:
            # A line of one point has no length.
            line.symbol = _dot(_ink(number))


def _runs(row: Lengths) -> list[Lengths]:
    """The row once for each run of values without a gap, all else left out; the row itself where it has none."""
    runs: list[Lengths] = []
    for place, length in enumerate(row):
        if length is None:
            continue
        if not place or row[place - 1] is None:
            runs.append([None] * len(row))
        runs[-1][place] = length
    return runs or [row]


def _dot(ink: Color) -> Any:
    dot: Any = Marker()
    dot.kind, dot.size, dot.fillColor, dot.strokeColor = "FilledCircle", 4, ink, None
    return dot


def _ink(number: int) -> Color:
    return INKS[number % len(INKS)]


def _axes(chart: Any, names: Sequence[str]) -> None:
    step = -(-len(names) // MOST_LABELS)
    shortened = [name if len(name) <= LABEL_LETTERS else f"{name[: LABEL_LETTERS - 1]}…" for name in names]
    names_axis, values = chart.categoryAxis, chart.valueAxis
    names_axis.categoryNames = [name if place % step == 0 else "" for place, name in enumerate(shortened)]
    names_axis.labels.fontName, names_axis.labels.fontSize = PLAIN, SIZE
    names_axis.labels.angle, names_axis.labels.boxAnchor = 30, "ne"
    names_axis.labels.dx, names_axis.labels.dy = 2, -2
    # Names stand at the foot even where values go below zero.
    names_axis.joinAxisMode = None
    names_axis.labelAxisMode = "low"
    names_axis.visibleTicks = 0
    names_axis.strokeColor = GREY
    lengths = [each for row in chart.data for each in row if each is not None]
    low, high = min([0.0, *lengths]), max([0.0, *lengths])
    values.valueMin, values.valueMax = low, high if high > low else low + 1
    values.avoidBoundFrac = None
    values.forceZero = 1
    values.rangeRound = "both"
    values.labels.fontName, values.labels.fontSize = PLAIN, SIZE
    values.labelTextFormat = _tick(values.valueMax - values.valueMin)
    values.visibleGrid, values.gridStrokeColor, values.gridStrokeWidth = 1, RULE, 0.25
    values.visibleAxis = values.visibleTicks = 0


def _tick(span: float) -> Callable[[float], str]:
    """How a tick is written: with digits only where the whole axis is short."""
    digits = 0 if span >= 10 else 2
    return lambda tick: f"{tick:,.{digits}f}"


def _axis_title(unit: str) -> Label:
    title = Label()
    title.setText(unit)
    title.setOrigin(0, HEIGHT - HEAD + 6)
    title.fontName, title.fontSize, title.fillColor, title.boxAnchor = PLAIN, SIZE, GREY, "sw"
    return title


def _legend(drawing: Drawing, titles: Sequence[str]) -> None:
    across = float(LEFT)
    for number, title in enumerate(printable(title) for title in titles):
        key = Rect(across, HEIGHT - 12, 8, 8)
        key.fillColor, key.strokeColor = _ink(number), None
        drawing.add(key)
        drawing.add(String(across + 11, HEIGHT - 11, title, fontName=PLAIN, fontSize=SIZE + 1))
        across += 11 + stringWidth(title, PLAIN, SIZE + 1) + 14
