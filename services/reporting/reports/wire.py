"""Revenue and tax out of a report as it was filed."""

from datetime import date

from casino.reporting.v1 import reporting_service_pb2
from services.reporting.tax import DayClass
from services.reporting.win import whole


def filed_revenue(content: bytes) -> dict[DayClass, tuple[int | None, int | None]]:
    """What the days of a filed gross revenue report say, in cents, by gaming day and class."""
    report = reporting_service_pb2.Report.FromString(content)
    found: dict[DayClass, tuple[int | None, int | None]] = {}
    for table in report.tables:
        if table.name == "days":
            names = [column.name for column in table.columns]
            for row in table.rows:
                cells = dict(zip(names, row.cells, strict=True))
                key = date.fromisoformat(cells["gaming_day"].text), cells["class"].text
                found[key] = _number(cells["revenue"]), _number(cells["tax"])
    return found


def filed_win(content: bytes) -> int | None:
    """The win before progressives that a filed gross revenue report has in all, in cents; None if a part is missing."""
    report = reporting_service_pb2.Report.FromString(content)
    for table in report.tables:
        if table.name == "days":
            place = [column.name for column in table.columns].index("win_before_progressive")
            return whole([_number(row.cells[place]) for row in table.rows])
    return None


def _number(cell: reporting_service_pb2.Cell) -> int | None:
    return cell.number if cell.HasField("number") else None
