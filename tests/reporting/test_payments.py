"""Progressive jackpots paid by slip count on the gaming day on which they are paid (ruling V4)."""

from datetime import UTC, date, datetime, time

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.rounds.v1 import entries_pb2 as rounds
from services.kernel.clock import Calendar
from services.reporting.payments.payment import Moved, by_day, day_of
from tests.reporting.builders import DAY
from tests.reporting.conftest import AS_CLERK, House, eventually
from tests.reporting.papers import complete, file_day, post_all, status, whole_day
from tests.reporting.test_projections import key, link, table
from tests.reporting.upstream import PROPERTY

NEW_YORK = Calendar("America/New_York", time(6), (time(6), time(14), time(22)))
LONDON = Calendar("Europe/London", time(6), (time(6),))
EARLY = datetime(2026, 3, 3, 10, 59, tzinfo=UTC)  # 05:59 in New York: the gaming day before
HIT, PAID, VOIDED = progressives.JACKPOT_STATE_HIT, progressives.JACKPOT_STATE_PAID, progressives.JACKPOT_STATE_VOIDED


def entry(
    state: "progressives.JackpotState.ValueType", at: datetime | None = None, paid_from: str = "slip"
) -> progressives.Entry:
    """A jackpot of 100.50 at BAC-01, hit on 2 March 2026, as of a state."""
    made = progressives.Jackpot(
        jackpot_id="J-1",
        hit_id="H-1",
        link_id="HVN",
        link_version=1,
        level="mini",
        key=key(2),
        amount_cents=10_050,
        state=state,
        paid_from=paid_from,
    )
    if at is not None:
        stamp = Timestamp()
        stamp.FromDatetime(at)
        made.at.CopyFrom(stamp)
    return progressives.Entry(jackpot=made)


async def report(house: House, name: str, day: str) -> messages.Report:
    """A report of a day as it is now."""
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=day)
    return (await house.stub.GetReport(request, metadata=AS_CLERK)).report


async def paid(house: House, day: str) -> tuple[int, int, int]:
    """What daily win, master game report and revenue say was paid on a day."""
    found = []
    for name, part in (("daily-win", "win"), ("master-game-report", "tables"), ("gross-revenue", "days")):
        _, totals = table(await report(house, name, day), part)
        found.append(totals["progressive_paid"] or 0)
    return found[0], found[1], found[2]


async def test_a_jackpot_counts_on_the_day_on_which_it_is_paid(house: House) -> None:
    """The day of the hit is not touched; the day of the payment has it in daily win, master game report and revenue."""
    await house.upstream.progressives.commit([link(), entry(HIT)], rounds=1)
    await house.upstream.progressives.commit([entry(PAID, datetime(2026, 3, 4, 1, tzinfo=UTC))], rounds=2)
    await complete(house)
    assert await paid(house, "2026-03-02") == (0, 0, 0)
    assert await paid(house, "2026-03-03") == (10_050, 10_050, 10_050)


async def test_a_table_that_is_closed_on_the_day_misses_nothing(house: House) -> None:
    """Its win is nothing, its revenue what was paid, below zero; and the tax is of that."""
    await house.upstream.progressives.commit([link(), entry(HIT)], rounds=1)
    await house.upstream.progressives.commit([entry(PAID, datetime(2026, 3, 4, 1, tzinfo=UTC))], rounds=2)
    await complete(house)
    _, days = table(await report(house, "gross-revenue", "2026-03-03"), "days")
    assert (days["win_before_progressive"], days["revenue"], days["state_tax"]) == (0, -10_050, -1_206)
    (row,), _ = table(await report(house, "master-game-report", "2026-03-03"), "tables")
    assert (row["opener"], row["win_before_progressive"], row["win"]) == (0, 0, -10_050)
    assert not [
        note
        for one in (await report(house, "daily-win", "2026-03-03")).tables
        for note in one.notes
        if "missing" in note
    ]


async def test_a_payment_that_is_voided_comes_back_on_its_own_day(house: House) -> None:
    """What was deducted stays deducted on its day and is added back on the day of the void."""
    await house.upstream.progressives.commit([link(), entry(HIT), entry(PAID, EARLY)], rounds=1)
    await house.upstream.progressives.commit([entry(VOIDED, datetime(2026, 3, 5, 18, tzinfo=UTC))], rounds=2)
    await complete(house)
    found = [(await paid(house, f"2026-03-0{n}"))[2] for n in (2, 3, 4, 5)]
    assert found == [10_050, 0, 0, -10_050]


async def test_what_the_inventory_paid_is_no_payment_by_slip(house: House) -> None:
    """It left the inventory, so the slips of the table have it already (ruling J7)."""
    await house.upstream.progressives.commit([link(), entry(HIT, paid_from="inventory")], rounds=1)
    await house.upstream.progressives.commit([entry(PAID, EARLY, paid_from="inventory")], rounds=2)
    await complete(house)
    assert await paid(house, "2026-03-02") == (0, 0, 0)


async def test_a_filed_day_is_not_changed_by_a_later_payment(house: House) -> None:
    """A day that was filed says the same after a jackpot of it was paid on a later day."""
    await house.upstream.progressives.commit([link(), entry(HIT)], rounds=1)
    await complete(house)
    await post_all(house, whole_day())
    await file_day(house)
    await house.upstream.progressives.commit([entry(PAID, datetime(2026, 3, 4, 1, tzinfo=UTC))], rounds=2)

    async def followed() -> bool:
        return await paid(house, "2026-03-03") == (10_050, 10_050, 10_050)

    await eventually(followed)
    assert list((await status(house, compare=True)).differs) == []


async def test_the_gaming_day_of_a_payment_is_the_propertys(house: House) -> None:
    """A payment at 05:59 is of the day before where the cut-over is 06:00, and of its own after settings say 05:00."""
    await house.upstream.progressives.commit([link(), entry(HIT), entry(PAID, EARLY)], rounds=1)
    await complete(house)
    assert await paid(house, "2026-03-02") == (10_050, 10_050, 10_050)
    early = rounds.PropertySettings(
        property_id=PROPERTY,
        title="Sample",
        time_zone="America/New_York",
        cut_over="05:00",
        shift_starts=["05:00"],
        effective_from="2026-03-03",
    )
    await house.upstream.rounds.commit([rounds.Entry(property_set=early)])
    await complete(house, to=3)
    assert [await paid(house, day) for day in ("2026-03-02", "2026-03-03")] == [(0, 0, 0), (10_050, 10_050, 10_050)]


def test_a_day_is_of_the_newest_calendar_that_reaches_it() -> None:
    """Settings hold from their gaming day on; before the first of them, the first holds."""
    calendars = [(date(2026, 3, 3), LONDON), (date(2026, 1, 1), NEW_YORK)]
    assert day_of(calendars, datetime(2026, 3, 3, 7, tzinfo=UTC)) == date(2026, 3, 3)
    assert day_of(calendars, datetime(2026, 3, 3, 5, tzinfo=UTC)) == date(2026, 3, 2)
    assert day_of(calendars, datetime(2025, 12, 31, 10, tzinfo=UTC)) == date(2025, 12, 30)
    with pytest.raises(LookupError, match="expected a property with a calendar"):
        day_of([], EARLY)


def test_the_night_in_which_the_clocks_change_has_one_day_before_the_cut_over() -> None:
    """On 8 March 2026 the clocks of New York skip an hour; 09:59 UTC is before 06:00 there, 10:00 is not."""
    calendars = [(date(2026, 1, 1), NEW_YORK)]
    found = [day_of(calendars, datetime(2026, 3, 8, *at, tzinfo=UTC)) for at in ((9, 59), (10, 0))]
    assert found == [date(2026, 3, 7), date(2026, 3, 8)]


def test_payments_that_come_to_nothing_on_a_day_are_left_out() -> None:
    """Paid and voided on one day leaves no line; a payment that names no time is of the day of the hit."""
    calendars = [(date(2026, 1, 1), NEW_YORK)]
    moves = [Moved(EARLY, DAY, "BAC-01", 500), Moved(EARLY, DAY, "BAC-01", -500), Moved(None, DAY, "BAC-02", 7)]
    assert by_day(calendars, moves) == {(DAY, "BAC-02"): 7}
