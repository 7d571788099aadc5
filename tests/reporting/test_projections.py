"""Three feeds folded into sums, on Postgres, behind the contract."""

from collections.abc import Mapping
from typing import Any

import asyncpg
import grpc
import pytest

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from services.reporting.__main__ import start
from tests.databases import Database
from tests.reporting.conftest import AS_CLERK, House, eventually
from tests.reporting.upstream import PROPERTY

HEAVENLY = "baccarat.heavenly_9_progressive"
WIN, LOSE, VOID = settlement.OUTCOME_WIN, settlement.OUTCOME_LOSE, settlement.OUTCOME_VOID


def key(round_no: int) -> rounds.RoundKey:
    """A round of the test's day at BAC-01."""
    return rounds.RoundKey(gaming_day="2026-03-02", table_id="BAC-01", shoe=1, round_no=round_no)


def settled(
    round_no: int,
    *wagers: tuple[str, str, int, "settlement.Outcome.ValueType", int],
    revision: int = 0,
    void: bool = False,
) -> settlement.SettledRound:
    """A settled round: code, paytable, stake, outcome and payout of each wager, paid from inventory."""
    codes, paytables, stakes, outcomes, payouts = zip(*wagers, strict=True)
    return settlement.SettledRound(
        key=key(round_no),
        shift=1,
        pit="P1",
        dealer="D-7",
        submission_id="RS-1",
        game="baccarat",
        decks=8,
        revision=revision,
        void=void,
        wager_no=range(1, len(wagers) + 1),
        seat=[1] * len(wagers),
        code=codes,
        paytable=paytables,
        stake_cents=stakes,
        outcome=outcomes,
        line=[""] * len(wagers),
        payout_cents=payouts,
        inventory_cents=payouts,
        breakage_micros=[0] * len(wagers),
    )


def table(report: messages.Report, name: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and totals of one table, by the names of the columns."""
    found = next(each for each in report.tables if each.name == name)
    names = [column.name for column in found.columns]
    rows = [dict(zip(names, map(_value, row.cells), strict=True)) for row in found.rows]
    return rows, dict(zip(names, map(_value, found.totals.cells), strict=False))


def _value(cell: messages.Cell) -> int | str | None:
    which = cell.WhichOneof("value")
    return None if which is None else getattr(cell, which)


def money(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What play says of a row of the win table."""
    return row["rounds"], row["wagers"], row["handle"], row["payout"], row["game_win"]


async def test_settlements_are_summed_into_the_day(house: House) -> None:
    """Handle, payout and game win are the sums over the settled wagers, and the report names its positions."""
    await house.upstream.settle(
        settled(1, ("baccarat.player", "standard", 10_000, WIN, 20_000), ("baccarat.tie", "8", 500, LOSE, 0)),
        settled(2, ("baccarat.banker", "5%", 10_000, WIN, 19_500)),
        rounds=2,
    )
    await house.upstream.progressives.commit(rounds=2)
    report = await house.report(complete_to=2)
    (row, *_), totals = table(report, "win")
    assert money(row) == money(totals) == (2, 3, 20_500, 39_500, -19_000)
    assert (row["name"], row["opener"], row["win"], row["hold"]) == ("BAC-01", None, None, None)
    assert (report.day_starts, report.requester) == ("2026-03-02T06:00-05:00 America/New_York", "pit clerk")
    assert {each.feed: each.position for each in report.positions} == {
        "documents": 0,
        "progressives": 0,
        "rounds": 2,
        "settlements": 2,
        "submissions": 0,
    }


async def test_a_revision_replaces_what_it_supersedes(house: House) -> None:
    """An amended round counts with its new wagers alone, a voided one not at all."""
    await house.upstream.settle(
        settled(1, ("baccarat.player", "standard", 10_000, WIN, 20_000)),
        settled(2, ("baccarat.banker", "5%", 3_000, LOSE, 0)),
        rounds=2,
    )
    await house.upstream.settle(
        settled(1, ("baccarat.player", "standard", 10_000, LOSE, 0), revision=1),
        settled(2, ("baccarat.banker", "5%", 3_000, VOID, 3_000), revision=1, void=True),
        rounds=2,
    )
    await house.upstream.settle(settled(1, ("baccarat.tie", "8", 700, LOSE, 0), revision=2), rounds=2)
    await house.upstream.progressives.commit(rounds=2)

    async def applied() -> bool:
        positions = {each.feed: each.position for each in (await house.report()).positions}
        return positions["settlements"] == 5

    await eventually(applied)
    rows, _ = table(await house.report(2), "win")
    assert money(rows[0]) == (1, 1, 700, 0, 700)


async def test_a_report_is_complete_to_what_every_source_has_told(house: House) -> None:
    """Rounds alone, or settlements beyond the others, do not make a report complete."""
    await house.upstream.rounds.commit([rounds.Entry(day_opened=rounds.DayOpened(gaming_day="2026-03-02"))])
    await house.upstream.settle(settled(1, ("baccarat.player", "standard", 500, LOSE, 0)), rounds=3)
    assert (await house.report()).complete_to_rounds_position == 0
    await house.upstream.progressives.commit(rounds=1, submissions=1)
    assert (await house.report(complete_to=1)).complete_to_rounds_position == 1
    await house.upstream.progressives.commit(rounds=3)
    assert (await house.report(complete_to=3)).complete_to_rounds_position == 3


def link() -> progressives.Entry:
    """A live Heavenly 9 link of two levels."""
    return progressives.Entry(
        link=progressives.Link(
            link_id="HVN",
            version=1,
            property_id=PROPERTY,
            code=HEAVENLY,
            paytable="standard",
            meters=[progressives.MeterTerms(level="mega"), progressives.MeterTerms(level="mini")],
            state=progressives.LINK_STATE_LIVE,
        )
    )


def contribution(round_no: int, mega: int, mini: int, readings: tuple[int, int]) -> progressives.Entry:
    """A $5 wager's contribution to both levels, in micro-dollars."""
    return progressives.Entry(
        contribution=progressives.Contribution(
            key=key(round_no),
            code=HEAVENLY,
            paytable="standard",
            submission_id="RS-1",
            stake_cents=500,
            link_id="HVN",
            link_version=1,
            amount_micros=[mega, mini],
            reading_micros=readings,
            reserve_amount_micros=[50_000, 0],
            reserve_micros=[50_000 * round_no, 0],
        )
    )


def movement(level: str, cause: "progressives.MeterCause.ValueType", amount: int, after: int) -> progressives.Entry:
    """A movement of the day by any other cause."""
    return progressives.Entry(
        movement=progressives.MeterMovement(
            link_id="HVN",
            link_version=1,
            level=level,
            cause=cause,
            amount_micros=amount,
            reading_after_micros=after,
            gaming_day="2026-03-02",
        )
    )


def jackpot(state: "progressives.JackpotState.ValueType") -> progressives.Entry:
    """A jackpot of the mini meter in this state."""
    return progressives.Entry(
        jackpot=progressives.Jackpot(
            jackpot_id="J-1",
            hit_id="H-1",
            link_id="HVN",
            link_version=1,
            level="mini",
            key=key(2),
            amount_cents=10_050,
            state=state,
            paid_from="slip",
        )
    )


async def test_meters_are_summed_by_link_and_level(house: House) -> None:
    """Contributions, reserve, awards, hits and the day's last reading stand for each level of a link."""
    await house.upstream.progressives.commit(
        [
            link(),
            movement("mega", progressives.METER_CAUSE_SEED_HOUSE, 10_000_000_000, 10_000_000_000),
            movement("mini", progressives.METER_CAUSE_SEED_HOUSE, 100_000_000, 100_000_000),
            contribution(1, 500_000, 250_000, (10_000_500_000, 100_250_000)),
        ],
        rounds=1,
    )
    await house.upstream.progressives.commit(
        [
            contribution(2, 500_000, 250_000, (10_001_000_000, 100_500_000)),
            movement("mini", progressives.METER_CAUSE_AWARD, -100_500_000, 0),
            jackpot(progressives.JACKPOT_STATE_HIT),
            movement("mini", progressives.METER_CAUSE_SEED_HOUSE, 100_000_000, 100_000_000),
        ],
        rounds=2,
    )
    await house.upstream.settle(settled(1, (HEAVENLY, "standard", 500, LOSE, 0)), rounds=2)
    report = await house.report(complete_to=2)
    rows, _ = table(report, "progressives")
    assert [tuple(row.values()) for row in rows] == [
        ("HVN", "mega", 1_000_000, 100_000, 0, 0, 10_001_000_000),
        ("HVN", "mini", 500_000, 0, 10_050, 1, 100_000_000),
    ]
    moved, _ = table(report, "meter_movements")
    assert ("mini", "award", -100_500_000) in [(row["level"], row["cause"], row["amount"]) for row in moved]
    (line,), _ = table(report, "side_wagers")
    assert (line["wager"], line["win"], line["theoretical_hold"]) == (HEAVENLY, 340, "18.4928")


async def test_a_jackpot_counts_as_its_latest_entry_says(house: House) -> None:
    """A jackpot paid by slip stands in the win table; one that is voided is no award."""
    await house.upstream.progressives.commit([link(), jackpot(progressives.JACKPOT_STATE_HIT)], rounds=1)
    await house.upstream.progressives.commit([jackpot(progressives.JACKPOT_STATE_PAID)], rounds=2)
    await house.upstream.settle(settled(1, ("baccarat.tie", "8", 500, LOSE, 0)), rounds=2)
    rows, _ = table(await house.report(complete_to=2), "win")
    assert rows[0]["progressive_paid"] == 10_050


async def test_exceptions_are_counted_by_who_named_them(house: House) -> None:
    """Rounds, settlement and progressives each name their exceptions; one without a day stands on every day."""
    await house.upstream.rounds.commit(
        [
            rounds.Entry(exception=rounds.ExceptionNotice(reason="BASE_WAGER_MISSING", key=key(1))),
            rounds.Entry(exception=rounds.ExceptionNotice(reason="BASE_WAGER_MISSING", key=key(2))),
            rounds.Entry(exception=rounds.ExceptionNotice(reason="EPOCH_LOST")),
        ]
    )
    await house.upstream.settlements.commit(
        [settlement.Entry(exception=settlement.SettlementException(reason="RESULT_MISSING", key=key(3)))], rounds=5
    )
    await house.upstream.progressives.commit(
        [progressives.Entry(exception=progressives.ProgressivesException(reason="NO_LIVE_LINK", key=key(3)))],
        rounds=5,
    )
    rows, totals = table(await house.report(complete_to=5), "exceptions")
    assert [tuple(row.values()) for row in rows] == [
        ("progressives", "NO_LIVE_LINK", 1),
        ("rounds", "BASE_WAGER_MISSING", 2),
        ("rounds", "EPOCH_LOST", 1),
        ("settlement", "RESULT_MISSING", 1),
    ]
    assert totals["count"] == 5


async def test_a_batch_and_its_cursor_are_one(house: House, database: Database) -> None:
    """A batch that cannot be written leaves nothing behind; once it can, it is in the sums exactly once."""
    owner = await asyncpg.connect(database.owner_url)
    try:
        await owner.execute("revoke insert on reporting.round_sum from casino_reporting")
        await house.upstream.settle(settled(1, ("baccarat.tie", "8", 500, LOSE, 0)), rounds=2)
        await house.upstream.progressives.commit(rounds=2)
        await eventually(lambda: _refused_once(house))
        assert await owner.fetchval("select count(*) from reporting.wager_sum") == 0
        await owner.execute("grant insert on reporting.round_sum to casino_reporting")
    finally:
        await owner.close()
    rows, _ = table(await house.report(complete_to=2), "win")
    assert money(rows[0]) == (1, 1, 500, 0, 500)


async def _refused_once(house: House) -> bool:
    sample = house.service.metrics.registry.get_sample_value("casino_retries_total", {"what": "follow settlements"})
    return bool(sample)


async def test_a_service_that_starts_again_goes_on_where_it_stood(house: House) -> None:
    """After a stop the cursors hold: nothing is summed twice and nothing is left out."""
    await house.upstream.settle(settled(1, ("baccarat.tie", "8", 500, LOSE, 0)), rounds=2)
    await house.upstream.progressives.commit(rounds=2)
    await house.report(complete_to=2)
    await house.service.stop()
    await house.upstream.settle(settled(2, ("baccarat.tie", "8", 700, LOSE, 0)), rounds=2)
    house.service = await start(house.settings)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.service.port}") as channel:
        house.stub = type(house.stub)(channel)

        async def both() -> bool:
            rows, _ = table(await house.report(), "win")
            return money(rows[0]) == (2, 2, 1_200, 0, 1_200)

        await eventually(both)


async def test_a_report_that_there_is_not_is_refused_by_name(house: House) -> None:
    """An unknown report or property is NOT_FOUND, an unreadable day INVALID_ARGUMENT."""
    for given, code, said in (
        ({"name": "weekly-loss"}, "NOT_FOUND", "expected a report: adjustments, counter-checks, daily-win, "),
        ({"property_id": "ELSEWHERE"}, "NOT_FOUND", "given 'ELSEWHERE'"),
        ({"gaming_day": "yesterday"}, "INVALID_ARGUMENT", "YYYY-MM-DD, given 'yesterday'"),
    ):
        asked: dict[str, Any] = {"name": "daily-win", "property_id": PROPERTY, "gaming_day": "2026-03-02"}
        with pytest.raises(grpc.aio.AioRpcError) as found:
            await house.stub.GetReport(messages.GetReportRequest(**{**asked, **given}), metadata=AS_CLERK)
        assert found.value.code() is grpc.StatusCode[code]
        assert said in str(found.value.details())
