"""The tax of a difference in revenue, as reporting reckons it: nobody else knows the rates."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.output import columns
from clients.sdk.client import Casino
from services.kernel.money import dollars

REVENUE_CLASSES = {"live": "banking", "hybrid": "hybrid_terminals", "fully_automated": "fully_automated"}
"""The class of revenue that a difference at a kind of table changes; of a hybrid one that of its terminals."""


class TaxDifference(NamedTuple):
    """What a difference in revenue on a gaming day and class would change of the tax, whole cents.

    `revenue_cents` and `tax_cents`: as recorded; None where a document is missing, and then the tax is of the
    difference alone.
    """

    gaming_day: str
    revenue_class: str
    difference_cents: int
    revenue_cents: int | None
    tax_cents: int | None
    tax_difference_cents: int


class TaxEstimates(NamedTuple):
    """Differences by day and class in order, and what the rates are of (for example "Pennsylvania")."""

    schedule: str
    lines: tuple[TaxDifference, ...]

    def described(self) -> dict[str, Any]:
        """As JSON values; money in cents."""
        return {"schedule": self.schedule, "by_day": self.by_day(), "classes": [each._asdict() for each in self.lines]}

    def by_day(self) -> dict[str, int]:
        """The difference in tax of each gaming day, cents."""
        sums: dict[str, int] = {}
        for each in self.lines:
            sums[each.gaming_day] = sums.get(each.gaming_day, 0) + each.tax_difference_cents
        return sums


def text(estimates: TaxEstimates) -> str:
    """The estimates for a reader, a line for each day and class and one for all of them."""
    if not estimates.lines:
        return "Tax: no difference."
    titles = ("day", "class", "revenue", "tax", "difference in revenue", "difference in tax")
    rows = [
        (each.gaming_day, each.revenue_class, *map(_shown, each[3:5]), *_differences([each]))
        for each in estimates.lines
    ]
    rows.append(("total", "", "", "", *_differences(estimates.lines)))
    return f"Tax by the rates of {estimates.schedule}:\n{columns(titles, rows, range(2, 6))}"


def _differences(lines: Sequence[TaxDifference]) -> tuple[str, str]:
    revenue, tax = (sum(each.difference_cents for each in lines), sum(each.tax_difference_cents for each in lines))
    return dollars(revenue), dollars(tax)


def _shown(cents: int | None) -> str:
    return "-" if cents is None else dollars(cents)


async def estimate_tax(casino: Casino, property_id: str, differences: Mapping[str, Mapping[str, int]]) -> TaxEstimates:
    """The tax of differences in revenue, {gaming day: {class of revenue: cents}}; of none, nothing is asked.

    Raises RefusedByServer.
    """
    asked = [
        reporting.RevenueDifference(gaming_day=day, revenue_class=name, difference_cents=cents)
        for day, classes in sorted(differences.items())
        for name, cents in sorted(classes.items())
    ]
    if not asked:
        return TaxEstimates("", ())
    request = reporting.EstimateTaxRequest(property_id=property_id, differences=asked)
    answer = await casino.call(casino.reporting.EstimateTax, request)
    return TaxEstimates(answer.schedule, tuple(map(_line, answer.estimates)))


def _line(told: reporting.TaxEstimate) -> TaxDifference:
    return TaxDifference(
        told.gaming_day,
        told.revenue_class,
        told.difference_cents,
        told.revenue_cents if told.HasField("revenue_cents") else None,
        told.tax_cents if told.HasField("tax_cents") else None,
        told.tax_difference_cents,
    )
