"""The tax of a difference in revenue, asked of a running service as a client asks."""

from casino.reporting.v1 import reporting_service_pb2 as messages
from clients.cli.tax_estimate import REVENUE_CLASSES, TaxEstimates, estimate_tax, text
from clients.sdk.client import SERVICES, Casino
from services.kernel.money import cents
from services.reporting.classes import CLASSES
from tests.reporting.builders import DAY
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.papers import complete, post_all, whole_day
from tests.reporting.test_days import refused
from tests.reporting.upstream import PROPERTY


async def estimated(house: House, *differences: tuple[str, str, int]) -> messages.EstimateTaxResponse:
    """What a caller is told of differences by day and class."""
    asked = [
        messages.RevenueDifference(gaming_day=day, revenue_class=name, difference_cents=amount)
        for day, name, amount in differences
    ]
    request = messages.EstimateTaxRequest(property_id=PROPERTY, differences=asked)
    return await house.stub.EstimateTax(request, metadata=AS_CLERK)


async def test_the_tax_of_a_difference_stands_on_what_is_recorded(house: House) -> None:
    """BJ-104's day, had its win been 1,234.56 less: 14,415.44 in place of 15,650.00."""
    await complete(house)
    await post_all(house, whole_day())
    answer = await estimated(house, (DAY.isoformat(), "banking", -cents("1,234.56")))
    (found,) = answer.estimates
    assert (found.revenue_cents, found.tax_cents) == (cents("15,650"), cents("1,878.00") + cents("313.00"))
    assert found.tax_cents + found.tax_difference_cents == cents("1,729.85") + cents("288.31")
    assert answer.schedule == "Pennsylvania"


async def test_a_day_without_its_papers_has_the_tax_of_the_difference_alone(house: House) -> None:
    """No revenue and no tax as recorded are told; 48 % of what a fully automated table would have brought."""
    await complete(house)
    (found,) = (await estimated(house, ("2026-03-09", "fully_automated", 10_000))).estimates
    assert (found.HasField("revenue_cents"), found.HasField("tax_cents")) == (False, False)
    assert found.tax_difference_cents == 4_800


async def test_a_difference_that_is_of_no_class_or_twice_is_refused(house: House) -> None:
    """Each refusal says what was expected and what was given."""
    day = DAY.isoformat()
    for differences, expected in (
        ([], "expected at least one difference, given none"),
        ([(day, "poker", 1)], "given poker"),
        ([(day, "", 1)], "given none"),
        ([("2 March", "banking", 1)], "given '2 March'"),
        ([(day, "banking", 1), (day, "banking", 2)], f"given two for {day} banking"),
    ):
        code, sentence = await refused(estimated(house, *differences))
        assert (code, expected in sentence) == ("INVALID_ARGUMENT", True)


async def test_a_client_asks_by_day_and_class(house: House) -> None:
    """It gets a line for each, and sums by day; of no difference it asks nothing."""
    await complete(house)
    await post_all(house, whole_day())
    async with Casino(dict.fromkeys(SERVICES, f"127.0.0.1:{house.service.port}"), "a reader") as casino:
        day = DAY.isoformat()
        found = await estimate_tax(casino, PROPERTY, {day: {"banking": 10_000, "fully_automated": -10_000}})
        assert found.by_day() == {day: 1_400 - 4_800}
        assert [each.revenue_cents for each in found.lines] == [cents("15,650"), None]
        assert await estimate_tax(casino, PROPERTY, {}) == ("", ())
    lines = [line.split() for line in text(found).splitlines()]
    assert lines[0] == ["Tax", "by", "the", "rates", "of", "Pennsylvania:"]
    assert lines[3] == [day, "banking", "15,650.00", "2,191.00", "100.00", "14.00"]
    assert lines[4] == [day, "fully_automated", "-", "-", "-100.00", "-48.00"]
    assert lines[5] == ["total", "0.00", "-34.00"]
    assert text(TaxEstimates("", ())) == "Tax: no difference."


def test_every_kind_of_table_has_a_class() -> None:
    """A client names classes as the service does."""
    assert set(REVENUE_CLASSES.values()) < set(CLASSES)
