"""The meter reading log, the reconciliation and the liability, over Postgres, behind the contract."""

import asyncio
from pathlib import Path
from typing import Any

import asyncpg
import grpc
import pytest

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli import render
from services import reporting as migrated
from services.reporting.__main__ import start
from tests.databases import Database
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.test_projections import HEAVENLY, LOSE, key, settled, table
from tests.reporting.upstream import PROPERTY

MONDAY, TUESDAY = "2026-03-02", "2026-03-03"
SEED = 10_000_000_000
MEGA = ("HVN", "mega")


async def report(house: House, name: str, day: str, complete_to: int) -> messages.Report:
    """A report of a day, once it is complete to that rounds position."""
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=day)
    async with asyncio.timeout(10):
        while True:
            found = (await house.stub.GetReport(request, metadata=AS_CLERK)).report
            if found.complete_to_rounds_position >= complete_to:
                return found
            await asyncio.sleep(0.02)


async def rows(house: House, name: str, of: str, day: str, complete_to: int = 8) -> list[dict[str, Any]]:
    """The rows of one table of a report, by the names of the columns."""
    return table(await report(house, name, day, complete_to), of)[0]


class Meter:
    """A meter of one level, $10,000.00 and 10 %, as its journal tells it; amounts in micro-dollars."""

    def __init__(self) -> None:
        self.reading = self.reserve = 0

    def contribution(self, round_no: int, position: int) -> progressives.Entry:
        """A $5 wager's: fifty cents to the meter, five to the reserve."""
        self.reading += 500_000
        self.reserve += 50_000
        made = progressives.Contribution(
            key=key(round_no),
            wager_no=1,
            code=HEAVENLY,
            paytable="standard",
            submission_id="RS-1",
            stake_cents=500,
            link_id="HVN",
            link_version=1,
            amount_micros=[500_000],
            reading_micros=[self.reading],
            reserve_amount_micros=[50_000],
            reserve_micros=[self.reserve],
            rounds_position=position,
        )
        return progressives.Entry(contribution=made)

    def moved(self, cause: str, amount: int, position: int, **more: Any) -> progressives.Entry:
        """A movement by another cause."""
        self.reading += 0 if cause == "RESERVE" else amount
        self.reserve += {"RESERVE": amount, "SEED_RESERVE": -amount}.get(cause, 0)
        made = progressives.MeterMovement(
            link_id="HVN",
            link_version=1,
            level="mega",
            cause=progressives.MeterCause.Value(f"METER_CAUSE_{cause}"),
            amount_micros=amount,
            reading_after_micros=self.reading,
            reserve_after_micros=self.reserve,
            rounds_position=position,
            **{"gaming_day": MONDAY, **more},
        )
        return progressives.Entry(movement=made)


def link() -> progressives.Entry:
    """The link as it goes live on Monday."""
    terms = progressives.MeterTerms(level="mega", seed_cents=1_000_000, increment_rate=1_000, reserve_rate=100)
    live = progressives.Link(
        link_id="HVN",
        version=1,
        property_id=PROPERTY,
        code=HEAVENLY,
        paytable="standard",
        meters=[terms],
        table_ids=["BAC-01"],
        state=progressives.LINK_STATE_LIVE,
        effective_from=MONDAY,
        proposed_by="ann",
        approved_by="bob",
        rounds_position=3,
    )
    return progressives.Entry(link=live)


def opened(day: str) -> rounds.Entry:
    """The opening of a gaming day."""
    return rounds.Entry(day_opened=rounds.DayOpened(gaming_day=day))


def played(round_no: int, revision: int = 0, outcome: "settlement.Outcome.ValueType" = LOSE) -> Any:
    """The settlement of a round's $5 wager."""
    payout = 500 if outcome == settlement.OUTCOME_VOID else 0
    found = settled(round_no, (HEAVENLY, "standard", 500, outcome, payout), revision=revision)
    found.void = outcome == settlement.OUTCOME_VOID
    return found


@pytest.fixture
async def two_days(house: House) -> House:
    """Monday: three contributions, a hit and a reset by reserve and house. Tuesday: one of Monday's rounds is void."""
    meter = Meter()
    hit = {"hit_id": "H-1", "key": key(3)}
    await house.upstream.rounds.commit([opened(MONDAY), *(opened_nothing() for _ in range(3)), opened(TUESDAY)])
    await house.upstream.rounds.commit([opened_nothing()])
    await house.upstream.progressives.commit(
        [
            link(),
            meter.moved("SEED_HOUSE", SEED, 3),
            *(meter.contribution(number, 3 + number) for number in (1, 2, 3)),
            meter.moved("AWARD", -meter.reading, 6, **hit),
            meter.moved("SEED_RESERVE", 150_000, 6, **hit),
            meter.moved("SEED_HOUSE", SEED - 150_000, 6, **hit),
            meter.contribution(4, 6),
            meter.moved("CONTRIBUTION", -500_000, 8, key=key(4), wager_no=1),
            meter.moved("RESERVE", -50_000, 8, key=key(4), wager_no=1),
        ],
        rounds=8,
    )
    await house.upstream.settle(*(played(number) for number in (1, 2, 3, 4)), rounds=8)
    await house.upstream.settle(played(4, 1, settlement.OUTCOME_VOID), rounds=8)
    return house


def opened_nothing() -> rounds.Entry:
    """An entry of the rounds feed that reporting takes nothing from."""
    return rounds.Entry(betting_closed=rounds.Round(key=key(9)))


async def test_a_reading_is_the_last_before_the_next_day_is_opened(two_days: House) -> None:
    """What corrects Monday's round on Tuesday moves Tuesday's reading; decreases are told by cause."""
    (monday,) = await rows(two_days, "meter-readings", "meter_readings", MONDAY)
    assert (monday["reading"], monday["display"], monday["reserve"]) == (SEED + 500_000, 1_000_050, 50_000)
    assert (monday["prior"], monday["difference"]) == (None, None)
    assert monday["explained"] == "award by hit -10001.500000"
    assert (monday["state"], monday["changed_by"]) == ("live", "bob")
    (tuesday,) = await rows(two_days, "meter-readings", "meter_readings", TUESDAY)
    assert (tuesday["reading"], tuesday["prior"], tuesday["difference"]) == (SEED, SEED + 500_000, -500_000)
    assert (tuesday["decrease"], tuesday["explained"]) == (-500_000, "contribution by correction -0.500000")


async def test_a_meter_has_a_curve_over_its_month(two_days: House) -> None:
    """A column for each meter, a row for each day: nothing before its first movement, the last reading on each day."""
    name, last = (
        "HVN/mega",
        {day: await rows(two_days, "meter-readings", "meter_readings", day) for day in (MONDAY, TUESDAY)},
    )
    found = await rows(two_days, "meter-readings", "curve", TUESDAY)
    assert [row["gaming_day"] for row in found] == ["2026-03-01", MONDAY, TUESDAY]
    assert [row[name] for row in found] == [None, last[MONDAY][0]["reading"], last[TUESDAY][0]["reading"]]


async def test_a_reading_is_the_sum_of_its_causes(two_days: House) -> None:
    """Opening and causes make the closing of each day, corrections apart; the difference is nothing."""
    (monday,) = await rows(two_days, "progressive-reconciliation", "reconciliation", MONDAY)
    assert (monday["opening"], monday["contributions"], monday["corrections"]) == (0, 2_000_000, 0)
    assert (monday["seed_house"], monday["seed_reserve"]) == (2 * SEED - 150_000, 150_000)
    assert (monday["awards"], monday["closing"], monday["difference"]) == (-SEED - 1_500_000, SEED + 500_000, 0)
    (tuesday,) = await rows(two_days, "progressive-reconciliation", "reconciliation", TUESDAY)
    assert (tuesday["opening"], tuesday["corrections"], tuesday["closing"]) == (SEED + 500_000, -500_000, SEED)
    assert (tuesday["difference"], tuesday["reserve"]) == (0, 0)


async def test_increments_are_held_against_the_settled_wagers(two_days: House) -> None:
    """Settlement has three wagers once the void one is out, and so have the meter's contributions."""
    (found,) = await rows(two_days, "progressive-reconciliation", "increments", MONDAY)
    assert (found["wagers"], found["handle"], found["rate"], found["implied"]) == (3, 1_500, "10.00", 1_500_000)
    assert (found["contributions"], found["corrections"], found["variance"]) == (2_000_000, -500_000, 0)
    assert not found["flag"]
    (line,), _ = table(await report(two_days, "daily-win", MONDAY, 8), "side_wagers")
    assert line["win"] == 1_500 - (1_500_000 + 150_000) // 10_000
    moved, _ = table(await report(two_days, "daily-win", MONDAY, 8), "meter_movements")
    assert not {"contribution", "reserve"} & {each["cause"] for each in moved}


async def test_a_variance_over_fifty_dollars_is_flagged(two_days: House) -> None:
    """Wagers without contributions stand out once they imply more than the limit."""
    await two_days.upstream.settle(settled(7, (HEAVENLY, "standard", 50_000, LOSE, 0)), rounds=9)
    await two_days.upstream.rounds.commit([opened_nothing()])
    await two_days.upstream.progressives.commit(rounds=9)
    (found,) = await rows(two_days, "progressive-reconciliation", "increments", MONDAY, 9)
    assert (found["variance"], found["flag"]) == (50_000_000, "")
    await two_days.upstream.settle(settled(8, (HEAVENLY, "standard", 500, LOSE, 0)), rounds=10)
    await two_days.upstream.rounds.commit([opened_nothing()])
    await two_days.upstream.progressives.commit(rounds=10)
    (found,) = await rows(two_days, "progressive-reconciliation", "increments", MONDAY, 10)
    assert (found["variance"], found["flag"]) == (50_500_000, "over 50.00")


async def test_a_liability_rolls_forward(two_days: House) -> None:
    """Monday's closing is Tuesday's opening; the month is both; the seed of the last reset stands unearned."""
    (monday,) = await rows(two_days, "progressive-liability", "liability_day", MONDAY)
    assert (monday["opening"], monday["accrued"], monday["paid"]) == (0, 2_200_000, -SEED - 1_500_000)
    assert (monday["house"], monday["unearned"]) == (2 * SEED - 150_000, SEED)
    found = await report(two_days, "progressive-liability", TUESDAY, 8)
    (tuesday,), (month,) = table(found, "liability_day")[0], table(found, "liability_month")[0]
    assert (tuesday["opening"], tuesday["accrued"], tuesday["closing"]) == (monday["closing"], -550_000, SEED)
    assert (month["opening"], month["accrued"], month["closing"]) == (0, 1_650_000, SEED)
    assert [each["difference"] for each in (monday, tuesday, month)] == [0, 0, 0]
    assert "10,000.000000" in render.as_text(found)


async def test_meters_that_were_followed_before_are_followed_anew(two_days: House, database: Database) -> None:
    """The migration that brings these projections reads both feeds again: the same rows, nothing twice."""
    names = ("daily-win", "meter-readings", "progressive-reconciliation", "progressive-liability")
    before = [(await report(two_days, name, MONDAY, 8)).tables for name in names]
    await two_days.service.stop()
    migration = (Path(migrated.__file__).parent / "migrations" / "0003_meters.sql").read_text()
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("SET search_path = reporting")
    await owner.execute("DROP TABLE opened_day, meter_sum, link_state, question")
    await owner.execute(migration)
    await owner.close()
    two_days.service = await start(two_days.settings)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{two_days.service.port}") as channel:
        two_days.stub = type(two_days.stub)(channel)
        assert [(await report(two_days, name, MONDAY, 8)).tables for name in names] == before


def decision(state: str) -> progressives.Entry:
    """An adjustment that a corrected round asks for."""
    made = progressives.Decision(
        decision_id="D-1",
        state=progressives.DecisionState.Value(f"DECISION_STATE_{state}"),
        adjustment=progressives.Adjustment(link_id="HVN", level="mega"),
        key=key(1),
        gaming_day=MONDAY,
    )
    return progressives.Entry(decision=made)


def alert(state: str) -> progressives.Entry:
    """A jackpot that nobody claims."""
    made = progressives.Alert(
        alert_id="A-1",
        kind=progressives.ALERT_KIND_UNCLAIMED,
        state=progressives.AlertState.Value(f"ALERT_STATE_{state}"),
        key=key(1),
        gaming_day=MONDAY,
    )
    return progressives.Entry(alert=made)


async def test_what_people_have_to_decide_is_an_exception_of_its_day(house: House) -> None:
    """An open or proposed decision and a raised alert stand among the exceptions until they are over."""
    await house.upstream.settlements.commit(rounds=2)
    await house.upstream.progressives.commit([decision("OPEN"), alert("RAISED"), decision("PROPOSED")], rounds=1)
    found, _ = table(await report(house, "daily-win", MONDAY, 1), "exceptions")
    assert [tuple(each.values()) for each in found] == [
        ("progressives", "ADJUSTMENT_UNDECIDED", 1),
        ("progressives", "JACKPOT_UNCLAIMED", 1),
    ]
    await house.upstream.progressives.commit([decision("APPROVED"), alert("ACKNOWLEDGED")], rounds=2)
    assert not table(await report(house, "daily-win", MONDAY, 2), "exceptions")[0]
