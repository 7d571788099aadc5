"""A gaming day from open to filed, over the contract and on Postgres."""

import asyncio
from typing import Any

import grpc
import pytest

from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from tests.reporting.conftest import House, eventually
from tests.reporting.papers import (
    advance,
    blockers,
    box,
    complete,
    counted,
    file_day,
    notice,
    post,
    post_all,
    status,
    whole_day,
    written,
)
from tests.reporting.test_projections import LOSE, settled
from tests.reporting.upstream import PROPERTY

STATES = ["DAY_STATE_COUNTED", "DAY_STATE_AUDITED", "DAY_STATE_FILED"]


@pytest.fixture
async def quiet_house(house: House) -> House:
    """A house in which nothing is played and everything is known."""
    await complete(house)
    return house


async def refused(call: Any) -> tuple[str, str]:
    """Code and sentence of a refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as found:
        await call
    return found.value.code().name, str(found.value.details())


async def play(house: House, day: str = "2026-03-02", table: str = "BAC-01") -> None:
    """One settled round of 10.00 lost, everything complete to rounds position 3."""
    round_ = settled(1, ("baccarat.player", "standard", 1_000, LOSE, 0))
    round_.key.gaming_day, round_.key.table_id = day, table
    await house.upstream.settle(round_, rounds=3)
    await house.upstream.progressives.commit(rounds=3)
    await house.report(complete_to=2)


async def test_a_day_is_counted_audited_and_filed(house: House) -> None:
    """Each step is a fact with who took it and when, in the documents feed, and nothing is left in the way."""
    await play(house)
    await post_all(house, whole_day())
    assert blockers(await status(house)) == []
    filed = await file_day(house)
    found = await status(house)
    assert [paper.DayState.Name(each.state) for each in found.history] == STATES
    assert [each.changed_by for each in found.history] == ["a counter", "an auditor", "a controller"]
    assert (found.state, found.version) == (paper.DAY_STATE_FILED, 1)
    assert found.history[-1] == filed.day
    assert list(found.reports) == list(filed.reports)


async def test_a_step_again_gets_its_first_answer(house: House) -> None:
    """Under the same request_id; under another one the day is no longer in the state for it."""
    await post_all(house, whole_day())
    first = await advance(house, "counted", "a counter", request_id="R-1")
    assert await advance(house, "counted", "a counter", request_id="R-1") == first
    code, sentence = await refused(advance(house, "counted", "a counter", request_id="R-2"))
    assert (code, sentence) == (
        "FAILED_PRECONDITION",
        "expected a day that is open to become counted; given one that is counted",
    )


async def test_steps_are_taken_in_order_and_by_name(house: House) -> None:
    """Nothing is audited before it is counted or filed before it is audited, and open is no step."""
    await post_all(house, whole_day())
    assert "expected a day that is counted" in (await refused(advance(house, "audited", "x")))[1]
    assert "expected a day that is audited" in (await refused(advance(house, "filed", "x")))[1]
    code, sentence = await refused(advance(house, "open", "x"))
    assert (code, sentence) == ("INVALID_ARGUMENT", "expected a step: counted, audited, filed; given open")


async def test_who_counted_does_not_audit(quiet_house: House) -> None:
    """The audit takes a second person."""
    await post_all(quiet_house, whole_day())
    await advance(quiet_house, "counted", "Ann")
    code, sentence = await refused(advance(quiet_house, "audited", "Ann"))
    assert code == "PERMISSION_DENIED"
    assert "expected another person to audit than Ann" in sentence


async def test_a_table_that_played_needs_its_documents(house: House) -> None:
    """Opener, count and closer of every table with a round, or with any document of its opening."""
    await play(house)
    await post(house, written("opener", "O-1", "500.00"))
    await post(house, written("drop", "D-1", box_serial="B-7"))
    code, sentence = await refused(advance(house, "counted", "a counter"))
    assert code == "FAILED_PRECONDITION"
    assert "DOCUMENT_MISSING: BAC-01: expected opener, count and closer" in sentence
    assert "count and closer missing" in sentence
    assert ("counted", "BOX_NOT_COUNTED", "B-7") in blockers(await status(house))


async def test_an_electronic_table_has_its_meters_read(house: House) -> None:
    """A meter reading stands in the place of opener, count and closer where there is none of these."""
    await play(house)
    await post(house, written("meter_reading", "R-1", wagers_cents=1_000, payouts_cents=400))
    assert blockers(await status(house)) == []
    await post(house, written("opener", "O-1", "500.00"))
    assert blockers(await status(house)) == [("counted", "DOCUMENT_MISSING", "BAC-01")]


async def test_counts_that_differ_name_both_counters(quiet_house: House) -> None:
    """The day is not audited until the box is counted again, by another person's correction."""
    papers = whole_day()
    papers[5] = box("N-1", "38,250.00", "10,000.00", second_count=counted("Ben", "38,240.00", "10,000.00"))
    await post_all(quiet_house, papers)
    await post(quiet_house, notice("E-1", "N-1"))
    await advance(quiet_house, "counted", "a counter")
    _, sentence = await refused(advance(quiet_house, "audited", "an auditor"))
    assert "Ann counted currency 38,250.00" in sentence
    assert "Ben counted currency 38,240.00" in sentence
    await post(quiet_house, box("N-2", "38,250.00", "10,000.00", corrects="N-1", reason="recounted"), by="count lead")
    assert blockers(await status(quiet_house)) == []
    await advance(quiet_house, "audited", "an auditor")


async def test_an_unsigned_slip_is_open_until_it_is_explained(quiet_house: House) -> None:
    """A missing signature, amounts without denominations: named, and ended by an error notification that names it."""
    papers = whole_day()
    papers[1] = written("fill", "F-1", "20,000.00", denominations=[], signatures=[])
    await post_all(quiet_house, papers)
    assert blockers(await status(quiet_house)) == [
        ("audited", "SIGNATURE_MISSING", "F-1"),
        ("audited", "DENOMINATIONS_MISSING", "F-1"),
    ]
    await post(quiet_house, notice("E-1", "F-1"))
    assert blockers(await status(quiet_house)) == []


async def test_a_missing_serial_number_is_open_until_it_is_explained(quiet_house: House) -> None:
    """Between two fills of a series; an error notification names one number or a range of them."""
    await post_all(quiet_house, [*whole_day(), written("fill", "F-5", "100.00")])
    assert blockers(await status(quiet_house)) == [("audited", "SERIALS_MISSING", "F-2..F-4")]
    await post(quiet_house, notice("E-1", "F-3"))
    assert blockers(await status(quiet_house)) == [
        ("audited", "SERIALS_MISSING", "F-2"),
        ("audited", "SERIALS_MISSING", "F-4"),
    ]
    asked = messages.ListMissingSerialsRequest(property_id=PROPERTY, from_day="2026-03-01", to_day="2026-03-31")
    listed = await quiet_house.stub.ListMissingSerials(asked, metadata=(("principal", "x"),))
    assert [(each.first, each.last, each.before, list(each.explained_by)) for each in listed.missing] == [
        ("F-2", "F-4", "F-5", ["E-1"]),
        ("F-2", "F-2", "F-5", []),
        ("F-4", "F-4", "F-5", []),
    ]
    await post(quiet_house, notice("E-2", "F-2..F-4"))
    assert blockers(await status(quiet_house)) == []


async def test_an_opener_is_what_the_last_closer_left(quiet_house: House) -> None:
    """Otherwise it is named with both amounts until an error notification names it."""
    await post_all(quiet_house, whole_day())
    await file_day(quiet_house)
    await post(quiet_house, written("opener", "O-2", "32,300.00", gaming_day="2026-03-03"))
    found = await status(quiet_house, "2026-03-03")
    (opener,) = [each for each in found.blockers if each.reason == "OPENER_DIFFERS"]
    assert opener.detail == ("opener O-2 of BAC-01: expected 32,400.00 as closed on 2026-03-02 (X-1); given 32,300.00")


async def test_a_day_waits_for_the_figures(house: House) -> None:
    """It is audited once everything up to the opening of the next day is settled and in the meters."""
    await post_all(house, whole_day())
    opened = rounds.Entry(day_opened=rounds.DayOpened(gaming_day="2026-03-03"))
    await house.upstream.rounds.commit([opened])

    async def waits() -> bool:
        return ("audited", "NOT_COMPLETE", "3") in blockers(await status(house))

    await eventually(waits)
    await house.upstream.settlements.commit(rounds=3)
    await house.upstream.progressives.commit(rounds=3)

    async def complete() -> bool:
        return blockers(await status(house)) == []

    await eventually(complete)


async def test_a_day_with_exceptions_and_pending_wagers_is_not_filed(house: House) -> None:
    """Each unresolved exception and each unsettled wager is named; one that stays on record may be explained."""
    pending = settled(1, ("baccarat.player", "standard", 1_000, settlement.OUTCOME_PENDING, 0))
    await house.upstream.settle(pending, rounds=2)
    key = rounds.RoundKey(gaming_day="2026-03-02", table_id="BAC-01", shoe=1, round_no=1)
    await house.upstream.rounds.commit(
        [
            rounds.Entry(exception=rounds.ExceptionNotice(reason="SHOE_EXCEEDED", key=key)),
            rounds.Entry(exception=rounds.ExceptionNotice(reason="STAKE_MISSING", key=key)),
            rounds.Entry(exception=rounds.ExceptionNotice(reason="BASE_WAGER_MISSING", key=key, wager_no=1)),
        ]
    )
    await house.upstream.settlements.commit(rounds=5)
    await house.upstream.progressives.commit(rounds=5)
    await house.report(complete_to=5)
    await post_all(house, whole_day())
    explained = ("SHOE_EXCEEDED", "STAKE_MISSING", "BASE_WAGER_MISSING")
    await post(house, notice("E-1", *(f"rounds/{reason}/BAC-01" for reason in explained)))
    assert blockers(await status(house)) == [
        ("filed", "WAGERS_PENDING", "BAC-01"),
        ("filed", "EXCEPTION", "rounds/BASE_WAGER_MISSING/BAC-01"),
    ]
    await advance(house, "counted", "a counter")
    await advance(house, "audited", "an auditor")
    code, sentence = await refused(advance(house, "filed", "a controller"))
    assert code == "FAILED_PRECONDITION"
    assert "WAGERS_PENDING: BAC-01: 1 wagers are not settled" in sentence
    assert "EXCEPTION: BAC-01: 1 unresolved BASE_WAGER_MISSING of rounds" in sentence


async def test_a_document_that_came_after_the_audit_is_looked_at_too(quiet_house: House) -> None:
    """Each step is held to all before it."""
    await post_all(quiet_house, whole_day())
    await advance(quiet_house, "counted", "a counter")
    await advance(quiet_house, "audited", "an auditor")
    await post(quiet_house, written("fill", "F-2", "100.00", signatures=[]))
    assert "SIGNATURE_MISSING: fill F-2" in (await refused(advance(quiet_house, "filed", "a controller")))[1]


async def test_days_have_23_and_25_hours_and_leap_days_are_days(house: House) -> None:
    """By the property's calendar: New York's clocks change on 8 March and 1 November 2026; 2028 has 29 February."""
    days = {"2026-03-07": 1_380, "2026-10-31": 1_500, "2028-02-29": 1_440, "2026-06-01": 1_440}
    for place, day in enumerate(days):
        await post(house, written("fill", f"{day}/1", "100.00", gaming_day=day))
        assert place < len(days)
    found = {day: (await status(house, day)).minutes for day in days}
    assert found == days


async def test_a_day_under_way_is_not_counted(house: House) -> None:
    """It ends at its cut-over or when a later day is opened."""
    day = "2099-03-02"
    await post(house, written("opener", "2099-1", "1.00", gaming_day=day))
    reasons = [reason for _, reason, _ in blockers(await status(house, day))]
    assert reasons[0] == "DAY_UNDER_WAY"


async def test_two_who_count_at_once_count_once(house: House) -> None:
    """One of two simultaneous requests takes the step, the other is told that the day has left the state."""
    await post_all(house, whole_day())
    both = await asyncio.gather(
        advance(house, "counted", "Ann"), advance(house, "counted", "Ben"), return_exceptions=True
    )
    assert sorted(isinstance(each, grpc.aio.AioRpcError) for each in both) == [False, True]
    assert len((await status(house)).history) == 1


async def test_a_jackpot_slip_is_held_against_the_jackpot(quiet_house: House) -> None:
    """A slip of a jackpot that progressives does not know is open."""
    await post_all(quiet_house, [*whole_day(), written("jackpot_slip", "J-1", "1,234.56", jackpot_id="J-none")])
    assert blockers(await status(quiet_house)) == [("audited", "JACKPOT_UNKNOWN", "J-1")]
