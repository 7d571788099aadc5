"""The auditor follows rounds of several rolls and spins that look back, and sums them as the report does."""

from typing import Any

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.settlements import check_settlements
from clients.cli.audit.wager_sums import WagerSums
from services.kernel import errors
from services.reporting import wire as reporting_wire
from services.reporting.sums import SettlementsChange
from services.reporting.wager_lines import lines, table
from services.runtime.feeds import kind_of
from services.runtime.followers import Followed
from services.settlement import wire
from services.settlement.settlements import Play, Unsettled, settle
from services.settlement.submissions import read_tables
from tests.clients.test_audit import history
from tests.reporting.builders import summed
from tests.reporting.test_daily_win import cells
from tests.settlement.recorded import recorded_round, result_of, wager_of
from tests.settlement.test_rolls_and_spins import FIELD, HAND, HARD, ODDS, PASS, SECOND, SMALL, TABLES, hand, on, spin

SEVENTEEN: dict[str, Any] = {"previous": result_of("roulette", {"pocket": "17"})}
LATER = SECOND._replace(roll=2)


def stakes(item_no: int, *added: floor.AddedStake) -> rounds.Entry:
    """Stakes that were added to the hand, or wagers taken down."""
    read = recorded_round("CRP-01", 1, [])
    return rounds.Entry(stakes_added=rounds.StakesAddedToRound(round=read, item_no=item_no, stakes=added))


def added(*wagers: Any) -> list[floor.AddedStake]:
    return [floor.AddedStake(kind=floor.STAKE_KIND_MID_ROUND, wager=wager_of(each)) for each in wagers]


def entries() -> list[rounds.Entry]:
    """The hand with all that its wagers went through, and three spins."""
    first, second, third, fourth, fifth = hand(1)
    b2b, straight = on("roulette.b2b", 1, 500), on("roulette.straight", 2, 500, place="17")
    down = floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=6)
    return [
        rounds.Entry(betting_closed=recorded_round("CRP-01", 1, [], PASS, HARD, SMALL)),
        first,
        stakes(1, *added(ODDS, FIELD)),
        second,
        stakes(2, *added(LATER, on("craps.pass", 7, roll=2))),
        third,
        stakes(3, down),
        fourth,
        fifth,
        spin(1, {"pocket": "17"}, b2b, straight),
        spin(2, {"pocket": "17", "drawn_payout": 250}, b2b, straight, **SEVENTEEN),
        spin(3, {"pocket": "17", "drawn_payout": 7}, b2b, **SEVENTEEN),
        rounds.Entry(whole_round=recorded_round("MIN-01", 1, [result_of("minibaccarat", "KC 9C", "KC 9C")], *royals())),
    ]


def royals() -> list[Any]:
    return [on("minibaccarat.royal_9", seat, 500, seat=seat) for seat in (1, 2)]


def settled(recorded: list[rounds.Entry]) -> list[Any]:
    """What the service makes of them, as the bodies of its feed."""
    terms, found = read_tables("RS-1", TABLES), []
    followed = [
        Followed(position, kind_of(each, str(each.WhichOneof("body"))), each.SerializeToString())
        for position, each in enumerate(recorded, 1)
    ]
    for play in wire.read_rounds(followed):
        assert isinstance(play, Play)
        found.append(_body(play, terms[play.key.table_id]))
    return found


def _body(play: Play, terms: Any) -> tuple[str, Any]:
    try:
        entry = wire.settlement_entry(settle(play, terms, 0), "1.0")
    except errors.DrawNotFiled as refusal:
        unsettled = Unsettled(play.key, play.position, refusal.reason, refusal.message)
        return "exception", settlement.Entry.FromString(wire.exception_entry(unsettled).data).exception
    return "settled", settlement.Entry.FromString(entry.data).settled


def audited(recorded: list[rounds.Entry], told: list[Any]) -> list[Findings]:
    """What the auditor finds of both feeds."""
    filed = settlement.Submission(submission_id="RS-1", effective_from="2026-03-02", tables=TABLES)
    bodies = [(str(each.WhichOneof("body")), getattr(each, str(each.WhichOneof("body")))) for each in recorded]
    made = history(submissions=[("approved", filed)], rounds=bodies, settlements=told)
    return check_settlements(made, len(recorded))


def test_rolls_spins_and_shares_settle_as_the_auditor_expects() -> None:
    """Every roll and spin is settled as recomputed, and every wager comes to the result that decides it."""
    recorded = entries()
    found = audited(recorded, settled(recorded))
    assert [each.differences for each in found] == [[], [], []]
    assert [each.checked for each in found] == [9, 13, 10]


TAMPERED = (
    (lambda recorded, told: told[1][1].outcome.__setitem__(0, settlement.OUTCOME_PUSH), "outcome"),
    (lambda recorded, told: told[5][1].inventory_cents.__setitem__(0, 0), "inventory_cents"),
    (lambda recorded, told: setattr(told[5][1], "wheel", "single_zero"), "wheel: expected double_zero"),
    (lambda recorded, told: told.pop(0), "settlements: expected 1, given 0"),
    (lambda recorded, told: recorded[3].result.wagers.__delitem__(0), "wagers: expected [1, 2, 3, 4, 5], given [2,"),
    (lambda recorded, told: setattr(recorded[3].result.wagers[0], "seat", 9), "wager 1 is not the one"),
    (lambda recorded, told: recorded[7].result.ClearField("taken_down"), "wagers taken down: expected [6], given []"),
)


@pytest.mark.parametrize(("change", "said"), TAMPERED)
def test_what_was_changed_is_named(change: Any, said: str) -> None:
    """A changed outcome, a missing settlement, a wager lost between two rolls: each is a difference."""
    recorded = entries()
    told = settled(recorded)
    change(recorded, told)
    differences = [each for found in audited(recorded, told) for each in found.differences]
    assert any(said in each for each in differences), differences


def test_the_auditor_sums_wagers_as_the_report_does() -> None:
    """Lines, wheels, base and side wagers and theory come out alike, each by code of its own."""
    whole = recorded_round("CRP-01", 2, [result_of("craps", *dice) for dice in HAND], PASS, HARD, SMALL)
    phoenix = recorded_round(
        "MIN-01", 2, [result_of("minibaccarat", "KC 9C", "2D 4C")], on("minibaccarat.player", 1), *royals()[1:]
    )
    recorded = [*entries(), rounds.Entry(whole_round=whole), rounds.Entry(whole_round=phoenix)]
    told = [body for kind, body in settled(recorded) if kind == "settled"]
    change = SettlementsChange()
    for each in told:
        change.add_round(
            reporting_wire.heading(each), each.key.roll, reporting_wire.settled_wagers(each), void=each.void
        )
    made_of = lines(summed(change), {})
    assert [len(found) > 2 for found in made_of] == [True, True, False]
    sums = WagerSums()
    for each in told:
        sums.settle(each)
    for (rows, totals), found in zip(sums.rows(), made_of, strict=True):
        made = table("wagers", "Wagers", found)
        shown = [cells(made, row) for row in (*made.rows, made.totals or ())]
        assert [_plain(each) for each in shown] == [_plain(each) for each in (*rows, totals)]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value or None for name, value in row.items()}
