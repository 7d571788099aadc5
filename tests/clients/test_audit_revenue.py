"""The auditor's win by table and class against the service's: of the same papers, by code that shares nothing."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.audit.revenue import Payments, TableDay, class_tables, vigorish_tables, win_tables
from clients.cli.audit.table_sums import TableSum
from services.reporting.daily_win import daily_win
from services.reporting.document import Document
from services.reporting.documents.wire import document_message
from services.reporting.sums import WIN, SettlementsChange
from services.reporting.table import Table
from tests.reporting.builders import DAY, box, day_facts, heading, slip, summed, wagers

PAID, VOIDED = progressives.JACKPOT_STATE_PAID, progressives.JACKPOT_STATE_VOIDED
METERS: dict[str, Any] = {"wagers_cents": 100_000, "payouts_cents": 90_000}


def felt(table: str) -> list[Document]:
    """A table's slips with a win."""
    return [
        slip("opener", table, "500.00"),
        slip("fill", table, "100.00"),
        box(table, "300.00", "50.00"),
        slip("counter_check", table, "50.00"),
        slip("closer", table, "450.00"),
    ]


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Rows and totals by the names of the columns, an empty text as no value."""
    names = [column.name for column in table.columns]
    rows = [*table.rows, *([table.totals] if table.totals else [])]
    return [_plain(dict(zip(names, row, strict=True))) for row in rows]


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value == "" else value for name, value in row.items()}


@pytest.mark.parametrize("kind", ["", "live", "hybrid", "fully_automated"])
@pytest.mark.parametrize(
    "documents",
    [
        felt("BAC-01"),
        felt("BAC-01")[:3],
        [slip("meter_reading", "BAC-01", **METERS)],
        [*felt("BAC-01"), slip("meter_reading", "BAC-01", **METERS)],
        [slip("vigorish_uncollected", "BAC-01", "12.50"), slip("vigorish_recovered", "BAC-01", "2.50")],
        [slip("counter_check", "BAC-01", "10.00")],
        [slip("jackpot_slip", "BAC-01", "10.00", jackpot_id="J-1")],
        [],
    ],
)
@pytest.mark.parametrize("played", [True, False])
def test_the_auditor_finds_the_services_win(kind: str, documents: Sequence[Document], *, played: bool) -> None:
    """For every kind of table and whatever papers there are, with a payment and without, played or not."""
    change = SettlementsChange()
    if played:
        change.add_round(heading(), 0, wagers(("baccarat.player", "standard", 1_000, WIN, 2_000)))
    for paid in ({}, {"BAC-01": 700}, {"BAC-01": -700, "BAC-02": 300}):
        kinds = {"BAC-01": kind} if kind else {}
        facts = day_facts(documents=documents, wagers=summed(change), rounds=change.rounds, kinds=kinds, paid=paid)
        told = {table.name: rows_of(table) for table in daily_win(facts)}
        names = {each.table_id for each in documents} | ({"BAC-01"} if played else set()) | set(paid)
        dealt = TableSum(1, 1, 1, 1_000, 2_000, 2_000) if played else TableSum()
        days = [
            TableDay(
                name,
                [document_message(each) for each in documents if each.table_id == name],
                dealt if name == "BAC-01" else TableSum(),
                kinds.get(name, ""),
                paid.get(name, 0),
            )
            for name in sorted(names)
        ]
        places = {"BAC-01": ("P1", "baccarat"), "BAC-02": ("P2", "baccarat")}
        for name, (rows, totals) in {
            "win": win_tables("SAMPLE", days, places),
            "classes": class_tables(days),
            "vigorish": vigorish_tables(DAY.isoformat(), days),
        }.items():
            assert [_plain(row) for row in [*rows, *([totals] if totals else [])]] == told[name]


def jackpot(
    state: "progressives.JackpotState.ValueType", at: datetime | None, cents: int = 500
) -> progressives.Jackpot:
    """A jackpot of BAC-01 as of a state."""
    made = progressives.Jackpot(jackpot_id="J-1", amount_cents=cents, state=state, paid_from="slip")
    made.key.gaming_day, made.key.table_id = "2026-03-02", "BAC-01"
    if at:
        made.at.FromDatetime(at)
    return made


def test_a_payment_is_of_the_gaming_day_of_its_moment() -> None:
    """At 05:59 the day before is under way; a void is of its own day; without a moment the day of the hit counts."""
    payments = Payments()
    payments.setting(
        rounds.PropertySettings(
            time_zone="America/New_York", cut_over="06:00", shift_starts=["06:00"], effective_from="2026-01-01"
        )
    )
    payments.jackpot(jackpot(PAID, datetime(2026, 3, 4, 10, 59, tzinfo=UTC)))
    assert [dict(payments.on(f"2026-03-0{day}")) for day in (2, 3, 4)] == [{}, {"BAC-01": 500}, {}]
    payments.jackpot(jackpot(VOIDED, datetime(2026, 3, 6, 18, tzinfo=UTC)))
    assert [dict(payments.on(f"2026-03-0{day}")) for day in (3, 6)] == [{"BAC-01": 500}, {"BAC-01": -500}]
    payments.jackpot(jackpot(PAID, None))
    assert dict(payments.on("2026-03-02")) == {"BAC-01": 500}
