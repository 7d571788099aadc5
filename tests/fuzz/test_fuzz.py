"""Whatever is sent: an answer or a refusal by name, nothing of the inside, and the platform goes on."""

import random
from pathlib import Path

import grpc
import pytest

from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.rounds_file import read_card_log, read_rounds
from services.kernel.clock import day_written
from services.kernel.errors import InvalidRequest, Unreadable
from tests.fuzz import bases
from tests.fuzz.exploration import explore
from tests.fuzz.house import METHODS, PROPERTY, House
from tests.fuzz.oracle import judge
from tests.fuzz.targets import COMMANDS, TARGETS
from tests.fuzz.values import LONG

FEW, SOME = 4, 25
SEED = 20_260_302
SLOW_SECONDS = 120


def test_every_method_of_the_platform_is_fuzzed() -> None:
    """No method of the four services is left out."""
    assert METHODS.keys() <= TARGETS.keys()


def test_nothing_that_is_sent_gets_more_than_a_refusal_by_name(house: House) -> None:
    """Some examples of every target, the same each time; the platform is well after each target."""
    explored = explore(house, list(TARGETS.values()), 0, SEED, FEW)
    assert not explored.failures, "\n".join(each.told for each in explored.failures)
    assert explored.examples.keys() == TARGETS.keys()


@pytest.mark.slow
def test_two_minutes_of_fuzzing_find_nothing(house: House) -> None:
    """Other examples in every run; a failure tells the seed that finds it again."""
    targets, number = [*TARGETS.values(), COMMANDS], random.randrange(1 << 32)
    explored = explore(house, targets, SLOW_SECONDS, number, SOME)
    assert not explored.failures, "\n".join(f"seed {each.seed}: {each.told}" for each in explored.failures)


@pytest.mark.parametrize("method", ["rounds.GetStatus", "rounds.WatchRounds"])
def test_bytes_that_are_no_message_are_refused_by_name(house: House, method: str) -> None:
    """A request that cannot be parsed is an INVALID_REQUEST, not an exception's words."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        house.run(_answered(house, method, b"\x00"))
    assert (judge(refused.value), refused.value.code()) == ("INVALID_REQUEST", grpc.StatusCode.INVALID_ARGUMENT)


async def _answered(house: House, method: str, content: bytes) -> object:
    call = house.call(method, content)
    return await (call.read() if METHODS[method].server_streaming else call)


@pytest.mark.parametrize("first", [2**63 - 1, 2**62])
def test_a_batch_whose_sequences_have_no_successor_is_refused(house: House, first: int) -> None:
    """The sequence after the last one must fit an int64, for every answer names it."""
    source = f"pit-{first}"  # the exploration raises the epochs of the sources that it knows
    house.run(_registered(house, source))
    hello = rounds.Hello(property_id=PROPERTY, source_id=source, source_epoch=1, protocol_version=1)
    batch = rounds.EventBatch(first_sequence=first, events=[b"\xff", b"\xff"])
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        house.run(_submitted(house, rounds.SubmitEventsRequest(hello=hello, batch=batch)))
    assert judge(refused.value) == "INVALID_REQUEST"


async def _registered(house: House, source_id: str) -> object:
    return await house.asked("rounds.RegisterSource", request_id=source_id, property_id=PROPERTY, source_id=source_id)


async def _submitted(house: House, request: rounds.SubmitEventsRequest) -> object:
    return await house.call("rounds.SubmitEvents", request)


@pytest.mark.parametrize("text", [LONG, "a\0b"], ids=["long", "zero character"])
def test_a_name_that_no_key_can_hold_never_comes_into_a_feed(house: House, text: str) -> None:
    """A follower whose tables could not keep it would stand still for good."""
    setting = bases.table()
    setting.table_id = text
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        house.run(_set(house, rounds.SetTableRequest(request_id="no-key", settings=setting)))
    assert judge(refused.value) == "INVALID_REQUEST"


async def _set(house: House, request: rounds.SetTableRequest) -> object:
    return await house.call("rounds.SetTable", request)


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "20260302", "2026-W10-1"])
def test_a_day_is_written_in_one_way_and_of_a_year_that_a_calendar_reaches(day: str) -> None:
    """The end of the last day and the start of the first cannot be computed."""
    with pytest.raises(InvalidRequest):
        day_written(day)


@pytest.mark.parametrize("value", ["1e999999999", "-1e999999999", "[" * 100_000, "9" * 5_000])
def test_a_number_or_a_nesting_without_end_is_one_unreadable_line(tmp_path: Path, value: str) -> None:
    """Neither the memory nor the stack is filled by a line; the next line is read."""
    file = tmp_path / "rounds.jsonl"
    file.write_text(f'{{"tableId":"BAC-01","shoe":{value}}}\n{{"tableId":"BAC-01","roundNo":1}}\n')
    bad, good = read_rounds(file)
    assert isinstance(bad.refusal, Unreadable)
    assert good.round is not None


@pytest.mark.parametrize("row", [b"\xff", b"1,1," + b"x" * 140_000])
def test_a_card_log_that_cannot_be_read_is_refused_by_name(tmp_path: Path, row: bytes) -> None:
    """Bytes that are no UTF-8 and cells without end are UNREADABLE."""
    file = tmp_path / "log.csv"
    file.write_bytes(b"shoe,round,p1,p2,p3,b1,b2,b3\n" + row + b"\n")
    with pytest.raises(Unreadable):
        list(read_card_log(file, "BAC-01", []))
