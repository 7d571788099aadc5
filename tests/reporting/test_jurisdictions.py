"""Whose tax rates and thresholds hold is a setting of the property, from a gaming day on."""

import pytest

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.rounds.v1 import entries_pb2 as rounds
from services.reporting.statistics import limits
from services.reporting.tax import JurisdictionUnknown, schedule
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.papers import complete, post_all, whole_day
from tests.reporting.test_days import refused
from tests.reporting.upstream import PROPERTY


async def settle_in(house: House, jurisdiction: str, effective_from: str = "2026-03-02") -> None:
    """The property moves to a jurisdiction, and is followed so far."""
    setting = rounds.PropertySettings(
        property_id=PROPERTY,
        title="Sample",
        time_zone="America/New_York",
        cut_over="06:00",
        shift_starts=["06:00"],
        effective_from=effective_from,
        jurisdiction=jurisdiction,
    )
    await house.upstream.rounds.commit([rounds.Entry(property_set=setting)])
    await complete(house, to=3)
    await post_all(house, whole_day())


def asked(name: str, day: str = "2026-03-02") -> messages.GetReportRequest:
    """A report of a day as it is now."""
    return messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=day)


async def notes(house: House, name: str, day: str = "2026-03-02") -> str:
    """What a report says below its tables."""
    report = (await house.stub.GetReport(asked(name, day), metadata=AS_CLERK)).report
    return " ".join(note for table in report.tables for note in table.notes)


async def test_a_property_that_names_none_is_in_pennsylvania(house: House) -> None:
    """Its tax is by the rates of the Commonwealth, and so it is when it says so."""
    await settle_in(house, "")
    assert "Rates and negative days: Pennsylvania." in await notes(house, "gross-revenue")
    assert schedule("PA") == schedule()


async def test_thresholds_are_those_of_the_propertys_jurisdiction(house: House) -> None:
    """Statistics of a property in Maryland are flagged as Maryland has it; before it moved, as Pennsylvania has it."""
    await settle_in(house, "MD")
    assert "(Maryland)" in await notes(house, "statistics")
    assert "(Pennsylvania)" in await notes(house, "statistics", "2026-03-01")


async def test_tax_without_rates_is_refused_by_name(house: House) -> None:
    """No rate is guessed: the report of revenue, and an estimate, name the jurisdictions that have rates."""
    await settle_in(house, "MD")
    code, sentence = await refused(house.stub.GetReport(asked("gross-revenue"), metadata=AS_CLERK))
    assert (code, sentence) == ("NOT_FOUND", "expected a jurisdiction with tax rates: PA; given MD")
    difference = messages.RevenueDifference(gaming_day="2026-03-02", revenue_class="banking", difference_cents=1)
    request = messages.EstimateTaxRequest(property_id=PROPERTY, differences=[difference])
    assert (await refused(house.stub.EstimateTax(request, metadata=AS_CLERK)))[0] == "NOT_FOUND"


def test_limits_that_are_not_there_are_refused_by_name() -> None:
    """As the rates are."""
    with pytest.raises(JurisdictionUnknown, match=r"expected a jurisdiction with thresholds: .*; given XX"):
        limits("XX")
