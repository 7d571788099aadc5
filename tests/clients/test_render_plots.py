"""Tables drawn: what is asked for, of columns that are there."""

import pytest
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.linecharts import HorizontalLineChart
from reportlab.graphics.shapes import Drawing

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.pdf import as_pdf
from clients.cli.render.plots import drawings
from services.kernel.errors import InvalidRequest
from tests.clients.rendered import column, pages, report_of, row, spaced, things

LINE, BAR = reporting.PLOT_KIND_LINE, reporting.PLOT_KIND_BAR


def trend(*holds: str | None, kind: reporting.PlotKind.ValueType = LINE) -> reporting.ReportTable:
    """Hold by day."""
    return reporting.ReportTable(
        name="trend",
        title="Trend",
        columns=[column("Day", "TEXT"), column("Hold", "PERCENT"), column("Win", "CENTS"), column("Drop", "CENTS")],
        rows=[row(f"day {place}", hold, 12_345, 100_000) for place, hold in enumerate(holds)],
        totals=row("", "99.00", 1, 2),
        plot=reporting.Plot(kind=kind, x="day", y=["hold"]),
    )


def chart(drawing: Drawing, kind: type) -> object:
    """The one chart of a drawing."""
    (found,) = [each for each in drawing.contents if isinstance(each, kind)]
    return found


def test_a_table_without_plot_or_rows_is_not_drawn() -> None:
    """A plot is asked for, and needs something to show."""
    assert drawings(things(), 500) == []
    assert drawings(trend(), 500) == []


def test_a_line_goes_over_the_rows_and_not_the_totals() -> None:
    """One length for each row, in the unit of the column."""
    (drawing,) = drawings(trend("10.50", "-2.25"), 500)
    found = chart(drawing, HorizontalLineChart)
    assert found.data == [[10.5, -2.25]]  # type: ignore[attr-defined]  # charts carry no types
    assert found.categoryAxis.categoryNames == ["day 0", "day 1"]  # type: ignore[attr-defined]  # the same


def test_no_line_is_drawn_across_a_missing_value() -> None:
    """Each run of values is a line of its own, a single one a dot."""
    (drawing,) = drawings(trend("1", None, "2", "3", None), 500)
    found = chart(drawing, HorizontalLineChart)
    lines = found.data  # type: ignore[attr-defined]  # charts carry no types
    assert lines == [[1.0, None, None, None, None], [None, None, 2.0, 3.0, None]]


def test_columns_of_one_unit_share_a_drawing() -> None:
    """Dollars beside dollars, percent on paper of its own."""
    table = trend("1", "2", kind=BAR)
    table.plot.y.extend(["win", "drop"])
    percent, money = drawings(table, 500)
    assert chart(percent, VerticalBarChart).data == [[1.0, 2.0]]  # type: ignore[attr-defined]  # charts carry no types
    amounts = chart(money, VerticalBarChart).data  # type: ignore[attr-defined]  # the same
    assert amounts == [[123.45, 123.45], [1_000.0, 1_000.0]]


def test_rows_of_one_name_share_a_bar() -> None:
    """Money of a name is added up, a name without any stays without; percent is not added."""
    table = trend("1", "2", "4", kind=BAR)
    table.plot.y.extend(["win"])
    table.rows[2].cells[0].text = "day 0"
    table.rows[1].cells[2].Clear()
    percent, money = (chart(each, VerticalBarChart) for each in drawings(table, 500))
    assert percent.data == [[1.0, 2.0, 4.0]]  # type: ignore[attr-defined]  # charts carry no types
    assert money.data == [[246.9, None]]  # type: ignore[attr-defined]  # the same
    assert money.categoryAxis.categoryNames == ["day 0", "day 1"]  # type: ignore[attr-defined]  # the same


@pytest.mark.parametrize("holds", [("1",), (None,), ("0.00", "0.00"), ("-5", "-5")])
@pytest.mark.parametrize("kind", [LINE, BAR])
def test_a_plot_of_little_is_a_plot(holds: tuple[str | None, ...], kind: reporting.PlotKind.ValueType) -> None:
    """No value, nothing but zeros, nothing above zero: each is drawn; one row has bars, but no line."""
    text = spaced(pages(as_pdf(report_of(trend(*holds, kind=kind))))[0])
    assert ("Hold % Day Hold Win Drop" in text) is (kind == BAR or len(holds) > 1)
    assert "day 0" in text


@pytest.mark.parametrize(
    ("plot", "told"),
    [
        (reporting.Plot(kind=LINE, x="week", y=["hold"]), r"a column of trend to draw \(day, hold, .*\), given 'week'"),
        (reporting.Plot(kind=LINE, x="day", y=["holds"]), "given 'holds'"),
        (reporting.Plot(kind=LINE, x="day", y=["day"]), "expected lines or bars .* given PLOT_KIND_LINE of day"),
        (reporting.Plot(kind=LINE, x="day"), "given PLOT_KIND_LINE of none"),
        (reporting.Plot(x="day", y=["hold"]), "given PLOT_KIND_UNSPECIFIED"),
    ],
)
def test_a_plot_of_what_is_not_there_is_refused(plot: reporting.Plot, told: str) -> None:
    """A plot names a kind, a column to go along and columns of numbers."""
    table = trend("1")
    table.plot.CopyFrom(plot)
    with pytest.raises(InvalidRequest, match=told):
        drawings(table, 500)
