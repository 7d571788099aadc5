"""What is sent twice, fails, comes too early or is decided twice ends no stream and leaves nothing behind."""

import asyncio
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import asyncpg
import grpc
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from services.rounds import follower, operations, rpc
from services.rounds.book import DAYS_OF_SHOES
from services.rounds.calendar import Days
from services.rounds.intake import Intake
from services.rounds.sources import LARGEST_EPOCH, SourcePosition
from services.rounds.store import move_sources
from services.rounds.writer import Writer
from services.runtime.feeds import HeadMoved
from tests.databases import Database
from tests.rounds.conftest import ANN, OPENED, PROPERTY, TABLE, Rounds, event, wager, whole
from tests.rounds.streams import register, shoe, sources, talking
from tests.rounds.test_corrections import ILLEGAL, bodies
from tests.rounds.test_ladder import said
from tests.rounds.test_releases import REJECT, agree, decide, held, hold_id, named, propose, refusal
from tests.rounds.test_several_results import HAND, added, floor_of_two, stakes
from tests.rounds.test_several_results import wager as stake

__all__ = ["floor_of_two"]
SAME: dict[str, Any] = {"table_id": TABLE, "shoe": 1, "round_no": 1, "opened_at": whole(1).opened_at}


def later(body: Any, days: int) -> Any:
    """The same round so many days later."""
    made = type(body)()
    made.CopyFrom(body)
    made.opened_at.FromDatetime(OPENED + timedelta(days=days))
    return made


def written_by(rounds: Rounds) -> Writer:
    """The writer, for what no message shows."""
    coroutines: list[Any] = [task.get_coro() for task in rounds.service._tasks]
    found = next(each for each in coroutines if each.__qualname__ == "Writer.run")
    writer: Writer = found.cr_frame.f_locals["self"]
    return writer


async def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds, ten seconds at most."""
    for _ in range(200):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it does not hold after ten seconds")


async def test_a_table_event_twice_in_one_commit_is_a_duplicate(rounds: Rounds) -> None:
    """Other content at the same table and time is a conflict, in one commit as in two."""
    closed = event(floor.TableClosed(table_id=TABLE))
    changed = [event(floor.ShoeChanged(table_id=TABLE, shoe=number)) for number in (1, 2)]
    response = await rounds.submit([closed, closed, *changed, event(whole(5))])
    assert response.durable_through_sequence == 5
    assert said(response) == [(2, "DUPLICATE", "DUPLICATE"), (4, "QUARANTINED", "CONFLICT")]
    assert await rounds.kinds() == ["day_opened", "table_closed", "shoe_changed", "whole_round"]
    assert b"RELEASE_IMPOSSIBLE" in await refusal(rounds, "CONFLICT")


async def test_an_event_that_cannot_be_taken_in_is_kept_and_the_others_go_on(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is quarantined by name in its own source's stream; no other stream hears of it."""
    await register(rounds, "pit-2")
    admit = Intake.admit

    def broken(self: Intake, origin: Any, event_: Any, key: Any, shift: int, refused: Any) -> Any:
        if key.round_no == 13:
            raise ZeroDivisionError
        return admit(self, origin, event_, key, shift, refused)

    monkeypatch.setattr(Intake, "admit", broken)
    bad, beside = [event(whole(number)) for number in (12, 13, 14)], [event(whole(number)) for number in (21, 22)]
    one, other = await asyncio.gather(rounds.submit(bad), rounds.submit(beside, hello=rounds.hello(1, "pit-2")))
    assert (said(one), one.durable_through_sequence) == ([(2, "QUARANTINED", "NOT_TAKEN_IN")], 3)
    assert (said(other), other.durable_through_sequence) == ([], 2)
    assert said(await rounds.submit(bad))[1] == (2, "DUPLICATE", "NOT_TAKEN_IN")
    assert [each.key.round_no for each in await bodies(rounds, "exception")] == [13]
    assert sorted(each.key.round_no for each in await bodies(rounds, "whole_round")) == [12, 14, 21, 22]
    assert await rounds.differences() == []


async def test_an_event_whose_reading_fails_is_kept_without_a_round(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not even its key can be written, its bytes are kept."""
    day_and_shift = Days.day_and_shift

    def broken(self: Days, seconds: int, instant: Any) -> Any:
        if seconds == whole(13).opened_at.seconds:
            raise ZeroDivisionError
        return day_and_shift(self, seconds, instant)

    monkeypatch.setattr(Days, "day_and_shift", broken)
    response = await rounds.submit([event(whole(12)), event(whole(13)), event(whole(14))])
    assert (said(response), response.durable_through_sequence) == ([(2, "QUARANTINED", "NOT_TAKEN_IN")], 3)
    [kept] = await held(rounds)
    assert (kept.event, kept.HasField("key")) == (event(whole(13)), False)


async def test_a_held_table_event_answers_for_its_own_time_alone(rounds: Rounds) -> None:
    """The same said of another time is another event."""
    early = event(floor.TableClosed(table_id="BAC-02"))
    assert said(await rounds.submit([early])) == [(1, "REJECTED", "TABLE_UNKNOWN")]
    table = entries.TableSettings(
        property_id=PROPERTY, table_id="BAC-02", pit="P1", game="baccarat", effective_from="2026-01-01"
    )
    await rounds.call("SetTable", pb.SetTableRequest(request_id="t2", settings=table))
    after = event(floor.TableClosed(table_id="BAC-02"), OPENED + timedelta(minutes=1))
    assert said(await rounds.submit([early, after])) == [(1, "DUPLICATE", "TABLE_UNKNOWN")]
    assert "table_closed" in await rounds.kinds()


async def test_the_next_day_is_opened_after_trouble(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever keeps a day from being opened is logged and tried again."""
    calls: list[Any] = []
    writer, started = written_by(rounds), OPENED

    async def open_day(service: Any, writer_: Any, now: Any) -> None:
        calls.append(now)
        if len(calls) == 1:
            raise HeadMoved("another process was first")

    monkeypatch.setattr(operations, "open_day", open_day)
    monkeypatch.setattr(follower, "LONGEST_SLEEP_SECONDS", 0.05)
    monkeypatch.setattr(rounds.service, "clock", lambda: started)
    task = asyncio.create_task(follower.open_days(rounds.service, writer))
    await asyncio.sleep(0.2)
    started += timedelta(days=1)
    await until(lambda: len(calls) == 2)
    assert not task.done()
    task.cancel()


async def test_a_table_with_another_offer_stays_refused_over_a_restart(rounds: Rounds) -> None:
    """Until it is opened with the offer in force."""
    bad = event(floor.TableOpened(table_id=TABLE, offer_digest="cafe"))
    good = event(floor.TableOpened(table_id=TABLE, offer_digest=rounds.offer.digest), OPENED + timedelta(minutes=1))
    await rounds.submit([bad])
    for number in (1, 2):
        await rounds.stop()
        await rounds.start()
        assert said(await rounds.submit([event(whole(number))])) == [(1, "QUARANTINED", "DIGEST_UNKNOWN")]
    assert said(await rounds.submit([good, event(whole(3))])) == []
    await rounds.stop()
    await rounds.start()
    assert said(await rounds.submit([event(whole(4))])) == []
    assert await rounds.differences() == []


async def test_a_source_never_moves_back(rounds: Rounds, database: Database) -> None:
    """A position behind the one on disk is another process's past."""
    hello = rounds.hello(3)
    await rounds.submit([shoe(1), shoe(2)], hello=hello)
    connection = await asyncpg.connect(database.url("rounds"))
    try:
        for at in (SourcePosition(2, 9), SourcePosition(3, 1)):
            with pytest.raises(HeadMoved, match="pit-1"):
                await move_sources(connection, PROPERTY, [("pit-1", at, b"")])
    finally:
        await connection.close()
    request = pb.GetIngestPositionRequest(property_id=PROPERTY, source_id="pit-1")
    found = await rounds.call("GetIngestPosition", request)
    assert (found.source_epoch, found.durable_through_sequence) == (3, 2)
    written_by(rounds).book.sources["pit-1"] = SourcePosition(1, 7)
    with pytest.raises(grpc.aio.AioRpcError, match="Expected epoch 3"):
        await rounds.submit([shoe(3)], hello=rounds.hello(2))


async def test_an_epoch_has_a_successor(rounds: Rounds) -> None:
    """One beyond which no other can be named is refused."""
    with pytest.raises(grpc.aio.AioRpcError, match="Expected a source_epoch from 1 to") as problem:
        await rounds.submit([shoe(1)], hello=rounds.hello(LARGEST_EPOCH + 1))
    assert problem.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_the_same_quarantined_content_is_held_once(rounds: Rounds) -> None:
    """In one commit, in one epoch and in the next."""
    hello, bad = rounds.hello(), event(floor.ResultDealt(**SAME, result=whole(1, ILLEGAL).result))
    begun = [event(floor.RoundOpened(**SAME)), event(floor.BettingClosed(**SAME, wagers=[wager(1)]))]
    again = await rounds.submit([*begun, bad, bad], hello=hello)
    assert said(again) == [(3, "QUARANTINED", "ILLEGAL_COUP"), (4, "DUPLICATE", "ILLEGAL_COUP")]
    assert said(await rounds.submit([bad], first=5, hello=hello)) == [(5, "DUPLICATE", "ILLEGAL_COUP")]
    assert said(await rounds.submit([bad])) == [(1, "DUPLICATE", "ILLEGAL_COUP")]
    assert len(await held(rounds)) == 1
    assert await rounds.differences() == []


async def test_a_result_held_twice_voids_its_round_with_the_last_of_them(rounds: Rounds, database: Database) -> None:
    """Facts of before may be there twice: the first rejected is a copy."""
    bad = event(floor.ResultDealt(**SAME, result=whole(1, ILLEGAL).result))
    begun = [event(floor.RoundOpened(**SAME)), event(floor.BettingClosed(**SAME, wagers=[wager(1)]))]
    await rounds.submit([*begun, bad])
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute(
            "INSERT INTO rounds.held_fact SELECT property_id, source_id, epoch, sequence + 6, wager_no, answer, reason,"
            " message, gaming_day, table_id, shoe, round_no, roll, digest, content, recorded_at, principal"
            " FROM rounds.held_fact"
        )
    finally:
        await connection.close()
    for voids, fact in enumerate(await held(rounds)):
        assert len(await bodies(rounds, "void")) == 0
        await propose(rounds, fact.hold_id, REJECT)
        await agree(rounds, fact.hold_id)
        assert len(await bodies(rounds, "void")) == voids


async def test_what_has_its_place_taken_is_not_released(floor_of_two: Rounds) -> None:
    """Stakes are numbered 1, 2, 3; those of a number that is recorded by now stay outside."""
    early, late = (stakes(1, 2, added(stake(number, "craps.field", roll=1))) for number in (8, 9))
    first = stakes(1, 1, added(stake(7, "craps.place_6", roll=1)))
    response = await floor_of_two.submit([*HAND[:3], early, first, late])
    assert said(response) == [(4, "QUARANTINED", "OUT_OF_STATE")]
    assert b"RELEASE_IMPOSSIBLE" in await refusal(floor_of_two, "OUT_OF_STATE")
    assert await floor_of_two.differences() == []


async def test_a_wrong_clock_opens_no_day(rounds: Rounds) -> None:
    """A day later than the one after that under way is refused by name, of rounds and of tables."""
    ahead = event(later(whole(1), 2))
    response = await rounds.submit([ahead, event(floor.TableClosed(table_id=TABLE), OPENED + timedelta(days=365))])
    assert said(response) == [(1, "QUARANTINED", "TIME_AHEAD"), (2, "QUARANTINED", "TIME_AHEAD")]
    assert await rounds.kinds() == []
    assert said(await rounds.submit([event(later(whole(2), 1))])) == []
    assert await rounds.kinds() == ["day_opened", "whole_round"]
    assert await rounds.differences() == []


@pytest.mark.parametrize("restarted", [False, True], ids=["running", "restarted"])
async def test_a_quarantined_event_opens_no_day_and_is_noticed_when_it_opens(rounds: Rounds, restarted: bool) -> None:
    """Its notice stands behind the day's opening, and keeps the day open as any other does."""
    await rounds.submit([event(whole(1, ILLEGAL))])
    assert await rounds.kinds() == []
    assert await rounds.differences() == []
    if restarted:
        await rounds.stop()
        await rounds.start()
    await rounds.submit([event(whole(2))])
    assert await rounds.kinds() == ["day_opened", "exception", "whole_round"]
    assert await rounds.differences() == []
    await decide(rounds, "ILLEGAL_COUP", REJECT)
    assert (await rounds.kinds())[-1] == "exception_resolved"
    assert await rounds.differences() == []


async def test_an_event_rejected_before_its_day_opens_is_never_noticed(rounds: Rounds) -> None:
    """There is nothing to resolve."""
    await rounds.submit([event(whole(1, ILLEGAL))])
    await decide(rounds, "ILLEGAL_COUP", REJECT)
    await rounds.submit([event(whole(2))])
    assert await rounds.kinds() == ["day_opened", "whole_round"]
    assert await rounds.differences() == []


async def test_a_gap_does_not_end_the_doubt(rounds: Rounds) -> None:
    """What was kept in an earlier epoch is known again after it."""
    assert said(await rounds.submit([b"\xff\xff"])) == [(1, "REJECTED", "UNREADABLE")]
    hello = rounds.hello()
    assert said(await rounds.submit([shoe(2)], first=2, hello=hello)) == [(2, "GAP", "GAP")]
    assert "pit-1" in written_by(rounds).book.doubtful
    assert said(await rounds.submit([b"\xff\xff"], hello=hello)) == [(1, "DUPLICATE", "UNREADABLE")]


async def test_a_source_that_is_killed_says_no_farewell(rounds: Rounds) -> None:
    """The end of its connection is not the end of its stream."""
    code = f"""
        import asyncio, grpc
        from casino.rounds.v1 import rounds_service_pb2 as pb, rounds_service_pb2_grpc as stubs

        async def main():
            channel = grpc.aio.insecure_channel("127.0.0.1:{rounds.ports["rounds"]}")
            call = stubs.RoundsServiceStub(channel).StreamRounds(metadata={ANN!r})
            hello = pb.Hello(property_id="{PROPERTY}", source_id="pit-1", source_epoch=1, protocol_version=1)
            await call.write(pb.StreamRoundsRequest(hello=hello))
            print((await call.read()).window, flush=True)
            await asyncio.sleep(60)

        asyncio.run(main())
    """
    root = Path(__file__).parents[2]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", dedent(code), stdout=asyncio.subprocess.PIPE, cwd=root
    )
    assert process.stdout is not None
    await process.stdout.readline()
    process.kill()
    await process.wait()
    vigil = written_by(rounds).vigil
    await until(lambda: not vigil.streams)
    assert vigil._watched["pit-1"].expected


async def test_the_vigil_names_tables_of_the_property_alone(rounds: Rounds) -> None:
    """Whatever a source may say."""
    async with talking(rounds, 1) as talk:
        await talk.batch(1, [shoe(1), shoe(2, "NOWHERE")])
        await talk.durable()
        assert list((await sources(rounds))["pit-1"].table_ids) == [TABLE]


async def test_shoes_of_days_that_are_past_are_dropped(rounds: Rounds) -> None:
    """The shoes of the last two days opened stay in memory."""
    await rounds.submit([event(later(whole(1), days)) for days in (-2, -1, 0)])
    await rounds.submit([event(later(whole(2), 1))])
    assert len(written_by(rounds).book.shoes) == DAYS_OF_SHOES


async def test_held_facts_are_listed_up_to_a_bound(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for a decision comes before what does not, the newest before the older."""
    await rounds.submit([event(whole(1, ILLEGAL)), b"\xff\x01", b"\xff\x02"])
    monkeypatch.setattr(rpc, "MOST_HELD", 2)
    assert [fact.reason for fact in await held(rounds)].count("ILLEGAL_COUP") == 1
    assert len(await held(rounds)) == 2
    monkeypatch.setattr(rpc, "MOST_HELD_BYTES", len(event(whole(1, ILLEGAL))))
    assert [fact.reason for fact in await held(rounds)] == ["ILLEGAL_COUP"]


@pytest.mark.parametrize(
    "name", ["", "pit-1/1/1/0", "pit-1/x/1/0/00000000", "pit-1/1/1/0/00000000", "a/1/1/9999999999/0"]
)
async def test_a_name_of_no_held_fact_is_unknown(rounds: Rounds, name: str) -> None:
    """Whatever it looks like."""
    await rounds.submit([event(whole(1, ILLEGAL))])
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await propose(rounds, name)
    assert b"HOLD_UNKNOWN" in named(problem.value)
    await propose(rounds, await hold_id(rounds, "ILLEGAL_COUP"))
