"""Rounds in pieces: opened, betting closed, result; folded against whole rounds; over the stream."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import grpc
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from services.rounds import wire
from tests.databases import Database
from tests.rounds.conftest import ANN, DAY, PROPERTY, TABLE, Rounds, event, wager, whole
from tests.rounds.test_ladder import said


def pieces(body: floor.WholeRound) -> list[bytes]:
    """The same round as three events."""
    return [event(piece) for piece in wire.pieces(body).values()]


async def test_a_round_in_pieces_carries_its_wagers_again_in_the_result(rounds: Rounds) -> None:
    """Followers keep no state of open rounds: the result entry says everything."""
    body = whole(1, wagers=[wager(1), wager(2, "baccarat.tie")])
    assert said(await rounds.submit(pieces(body))) == []
    assert await rounds.kinds() == ["day_opened", "round_opened", "betting_closed", "result"]
    result = (await rounds.feed())[-1][1].result
    assert [w.code for w in result.wagers] == ["baccarat.player", "baccarat.tie"]
    assert list(result.history[0].baccarat.player) == ["9H", "KS"]


async def test_an_open_round_survives_a_restart(rounds: Rounds) -> None:
    """What was recorded of the round is read again."""
    opened, closed, result = pieces(whole(1))
    await rounds.submit([opened])
    await rounds.stop()
    await rounds.start()
    await rounds.submit([closed])
    await rounds.stop()
    await rounds.start()
    assert said(await rounds.submit([result])) == []
    assert (await rounds.kinds())[1:] == ["round_opened", "betting_closed", "result"]


async def test_a_whole_round_equal_to_its_pieces_is_a_duplicate(rounds: Rounds) -> None:
    """Folded content is compared, whichever form came first."""
    body = whole(1)
    await rounds.submit(pieces(body))
    assert said(await rounds.submit([event(body)])) == [(1, "DUPLICATE", "DUPLICATE")]
    other = whole(1, "8H KS/2D 3C")
    assert said(await rounds.submit([event(other)])) == [(1, "QUARANTINED", "CONFLICT")]


async def test_the_other_form_of_a_round_is_known_in_the_same_epoch_too(rounds: Rounds) -> None:
    """A source that is not looked up any more collides on the round's key: nothing is doubled in any form."""
    hello = rounds.hello()
    await rounds.submit(pieces(whole(1)), 1, hello)
    await rounds.submit([event(whole(2))], 4, hello)
    assert said(await rounds.submit([event(whole(1))], 5, hello)) == [(5, "DUPLICATE", "DUPLICATE")]
    await rounds.submit([event(whole(3))], 6, hello)
    for sequence, piece in enumerate(pieces(whole(2)), 7):
        assert said(await rounds.submit([piece], sequence, hello)) == [(sequence, "DUPLICATE", "DUPLICATE")]
    kinds = (await rounds.kinds())[1:]
    assert kinds == ["round_opened", "betting_closed", "result", "whole_round", "whole_round"]


async def test_pieces_of_a_known_whole_round_are_duplicates(rounds: Rounds) -> None:
    """Held wagers are part of what is compared."""
    body = whole(1, wagers=[wager(1), wager(2, "baccarat.fortune_7", seat=2)])
    assert said(await rounds.submit([event(body)])) == [(1, "HELD", "BASE_WAGER_MISSING")]
    assert [answer[1] for answer in said(await rounds.submit(pieces(body)))] == ["DUPLICATE"] * 3
    changed = whole(1, wagers=[wager(1)])
    assert said(await rounds.submit(pieces(changed)[1:2])) == [(1, "QUARANTINED", "CONFLICT")]


@pytest.mark.parametrize("known", [1, 2])
async def test_a_whole_round_completes_what_is_known_in_pieces(rounds: Rounds, known: int) -> None:
    """The missing pieces are entered; the known ones are not entered again."""
    body = whole(1)
    await rounds.submit(pieces(body)[:known])
    assert said(await rounds.submit([event(body)])) == []
    assert (await rounds.kinds())[1:] == ["round_opened", "betting_closed", "result"]
    assert said(await rounds.submit([event(body)])) == [(1, "DUPLICATE", "DUPLICATE")]
    assert not sum(found.different for found in (await rounds.verified()).values())


async def test_an_illegal_result_leaves_the_round_open_for_a_legal_one(rounds: Rounds) -> None:
    """The illegal result is kept outside the feed; the round waits."""
    opened, closed, _ = pieces(whole(1))
    bad = pieces(whole(1, "9H KS 2C/2D 3C"))[2]
    assert said(await rounds.submit([opened, closed, bad])) == [(3, "QUARANTINED", "ILLEGAL_COUP")]
    assert said(await rounds.submit([pieces(whole(1))[2]])) == []
    assert (await rounds.kinds())[-1] == "result"


async def test_table_events_are_known_again_by_their_time(rounds: Rounds) -> None:
    """Opened, shoe changed and closed are entered once."""
    events = [
        event(floor.TableOpened(table_id=TABLE, offer_digest=rounds.offer.digest)),
        event(floor.ShoeChanged(table_id=TABLE, shoe=2)),
        event(floor.TableClosed(table_id=TABLE)),
    ]
    assert said(await rounds.submit(events)) == []
    assert [answer[1] for answer in said(await rounds.submit(events))] == ["DUPLICATE"] * 3
    assert await rounds.kinds() == ["day_opened", "table_opened", "shoe_changed", "table_closed"]


async def stream(rounds: Rounds, requests: list[pb.StreamRoundsRequest]) -> list[pb.StreamRoundsResponse]:
    """Everything that a stream answers to these messages."""

    async def sent() -> AsyncIterator[pb.StreamRoundsRequest]:
        for request in requests:
            yield request

    return [response async for response in rounds.stub.StreamRounds(sent(), metadata=ANN, timeout=20)]


def batch(first: int, events: list[bytes]) -> pb.StreamRoundsRequest:
    """A batch for the stream."""
    return pb.StreamRoundsRequest(batch=pb.EventBatch(first_sequence=first, events=events))


async def test_the_stream_acknowledges_in_order_and_sees_a_lost_tail(rounds: Rounds) -> None:
    """Hello is answered with window and position; batches cumulatively; a heartbeat names what has not arrived."""
    responses = await stream(
        rounds,
        [
            pb.StreamRoundsRequest(hello=rounds.hello()),
            batch(1, [event(whole(1)), event(whole(2))]),
            pb.StreamRoundsRequest(gap_fill=pb.GapFill(first_sequence=3, last_sequence=5, reason="restart")),
            batch(6, [event(whole(6))]),
            pb.StreamRoundsRequest(heartbeat=pb.Heartbeat(last_sequence_sent=8)),
        ],
    )
    assert [response.durable_through_sequence for response in responses] == [0, 2, 5, 6, 6]
    assert responses[0].window == 4_000
    assert (responses[4].answers[0].missing_from, responses[4].answers[0].missing_to) == (7, 8)


async def test_what_is_sent_twice_before_the_first_commit_is_kept_once(rounds: Rounds) -> None:
    """Overlapping batches of one stream share a commit: facts held back are known by content there too."""
    held = event(whole(1, wagers=[wager(1), wager(2, "baccarat.tie", seat=9)]))
    sent = batch(1, [held, b"\xff", event(whole(2, "9H KS 2C/2D 3C"))])
    _, first, again = await stream(rounds, [pb.StreamRoundsRequest(hello=rounds.hello()), sent, sent])
    assert (first.durable_through_sequence, again.durable_through_sequence) == (3, 3)
    assert [answer[1] for answer in said(first)] == ["HELD", "REJECTED", "QUARANTINED"]
    assert [answer[1] for answer in said(again)] == ["DUPLICATE", "HELD", "DUPLICATE", "DUPLICATE"]
    assert (await rounds.kinds()).count("exception") == 2


async def test_a_stream_that_a_later_epoch_has_fenced_ends(rounds: Rounds) -> None:
    """Two clients of one source never write side by side."""
    answered = asyncio.Event()

    async def old_client() -> AsyncIterator[pb.StreamRoundsRequest]:
        yield pb.StreamRoundsRequest(hello=rounds.hello(1))
        await answered.wait()
        yield batch(1, [event(whole(1))])

    call = rounds.stub.StreamRounds(old_client(), metadata=ANN, timeout=20)
    await call.read()
    await rounds.submit([event(whole(2))], hello=rounds.hello(2))
    answered.set()
    with pytest.raises(grpc.aio.AioRpcError, match="Expected epoch 2"):
        await call.read()


@pytest.mark.parametrize(
    ("requests", "code", "reason"),
    [
        ([batch(1, [b""])], grpc.StatusCode.FAILED_PRECONDITION, "hello"),
        (
            [pb.StreamRoundsRequest(hello=pb.Hello(property_id=PROPERTY, source_id="pit-1", source_epoch=1))],
            grpc.StatusCode.FAILED_PRECONDITION,
            "protocol_version 1",
        ),
        (
            [
                pb.StreamRoundsRequest(
                    hello=pb.Hello(property_id=PROPERTY, source_id="pit-9", source_epoch=1, protocol_version=1)
                )
            ],
            grpc.StatusCode.FAILED_PRECONDITION,
            "pit-9",
        ),
        (
            [
                pb.StreamRoundsRequest(
                    hello=pb.Hello(property_id=PROPERTY, source_id="pit-1", source_epoch=1, protocol_version=1)
                ),
                batch(1, []),
            ],
            grpc.StatusCode.INVALID_ARGUMENT,
            "1 to 500 events",
        ),
    ],
)
async def test_a_stream_that_cannot_be_is_refused_by_name(
    rounds: Rounds, requests: list[pb.StreamRoundsRequest], code: grpc.StatusCode, reason: str
) -> None:
    """The status is for the stream alone, and says what was expected."""
    with pytest.raises(grpc.aio.AioRpcError, match=reason) as refusal:
        await stream(rounds, requests)
    assert refusal.value.code() is code


async def test_a_table_with_another_offer_is_refused_and_the_stream_lives(rounds: Rounds) -> None:
    """The first answer names the digest in force; the table's events are kept outside the feed."""
    wrong = pb.OfferDigest(table_id=TABLE, gaming_day=DAY, digest="00")
    responses = await stream(
        rounds, [pb.StreamRoundsRequest(hello=rounds.hello(offers=[wrong])), batch(1, [event(whole(1))])]
    )
    assert responses[0].expected_offers[0].digest == rounds.offer.digest
    assert said(responses[1]) == [(1, "QUARANTINED", "DIGEST_UNKNOWN")]


async def test_an_offer_is_told_for_its_day_and_may_be_told_anew(rounds: Rounds) -> None:
    """Another day's stale offer refuses nothing of this day; after `table_opened` with the right one rounds go on."""
    stale, right = ("2026-03-01", "00"), (DAY, rounds.offer.digest)
    offers = [pb.OfferDigest(table_id=TABLE, gaming_day=day, digest=digest) for day, digest in (stale, right)]
    hello = pb.StreamRoundsRequest(hello=rounds.hello(offers=offers))
    responses = await stream(rounds, [hello, batch(1, [event(whole(1))])])
    assert [each.gaming_day for each in responses[0].expected_offers] == ["2026-03-01"]
    assert said(responses[1]) == []
    wrong = pb.OfferDigest(table_id=TABLE, gaming_day=DAY, digest="00")
    told = event(floor.TableOpened(table_id=TABLE, offer_digest=rounds.offer.digest))
    sent = [batch(1, [event(whole(2))]), batch(2, [told]), batch(3, [event(whole(3))])]
    responses = await stream(rounds, [pb.StreamRoundsRequest(hello=rounds.hello(offers=[wrong])), *sent])
    assert [said(each) for each in responses[1:]] == [[(1, "QUARANTINED", "DIGEST_UNKNOWN")], [], []]


async def test_a_repeated_unary_write_gets_the_stored_answer(rounds: Rounds) -> None:
    """The same request once; other content under its id is refused."""
    table = entries.TableSettings(property_id=PROPERTY, table_id="B-2", pit="P1", effective_from="2026-01-01")
    request = pb.SetTableRequest(request_id="again", settings=table)
    first = await rounds.call("SetTable", request)
    assert await rounds.call("SetTable", request) == first
    request.settings.pit = "P2"
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await rounds.call("SetTable", request)
    assert refusal.value.code() is grpc.StatusCode.ALREADY_EXISTS


async def test_a_request_that_no_column_can_hold_is_not_to_be_sent_again(rounds: Rounds) -> None:
    """INVALID_ARGUMENT, not UNAVAILABLE: a client would send it for ever."""
    table = entries.TableSettings(property_id=PROPERTY, table_id="B-2", pit="\0", effective_from="2026-01-01")
    with pytest.raises(grpc.aio.AioRpcError, match="Expected values") as refusal:
        await rounds.call("SetTable", pb.SetTableRequest(request_id="zero", settings=table))
    assert refusal.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_full_database_is_retryable_and_nothing_is_acknowledged(rounds: Rounds, database: Database) -> None:
    """Disk full (SQLSTATE 53100): UNAVAILABLE, the process lives, and the same events are accepted later, once."""
    owner: Any = await asyncpg.connect(database.owner_url)
    await owner.execute(
        "create function rounds.full() returns trigger language plpgsql as"
        " $$ begin raise exception 'disk full' using errcode = '53100'; end $$;"
        " create trigger full_disk before insert on rounds.round_event for each row execute function rounds.full()"
    )
    hello = rounds.hello()
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await rounds.submit([event(whole(1))], hello=hello)
    assert refusal.value.code() is grpc.StatusCode.UNAVAILABLE
    await owner.execute("drop trigger full_disk on rounds.round_event")
    await owner.close()
    response = await rounds.submit([event(whole(1))], hello=hello)
    assert (said(response), response.durable_through_sequence) == ([], 1)
    assert (await rounds.kinds()).count("whole_round") == 1


async def test_tampering_is_found_and_named(rounds: Rounds, database: Database) -> None:
    """A value changed behind the service's back, by the owner with the triggers off, is named by Verify."""
    await rounds.submit([event(whole(n)) for n in range(1, 4)])
    owner: Any = await asyncpg.connect(database.owner_url)
    await owner.execute(
        "alter table rounds.round_event disable trigger all;"
        "update rounds.round_event set round_no = 99 where round_no = 2;"
        "alter table rounds.rounds_entry disable trigger all;"
        "update rounds.rounds_entry set entry = entry || '\\x00'::bytea where position = 5"
    )
    await owner.close()
    found = await rounds.verified()
    assert found["rounds: rounds entries rehashed"].different > 0
    assert "position 5" in found["rounds: rounds entries rehashed"].differences[0]


async def test_rounds_are_listed_in_pages_and_shown_with_what_is_held(rounds: Rounds) -> None:
    """A page ends at its size and the next begins after its last position."""
    await rounds.submit([event(whole(n)) for n in range(1, 6)])
    found, after = [], 0
    while True:
        request = pb.ListRoundsRequest(property_id=PROPERTY, gaming_day=DAY, page_size=2, after_position=after)
        page = (await rounds.call("ListRounds", request)).rounds
        if not page:
            break
        found += [row.entry.whole_round.key.round_no for row in page]
        after = page[-1].position
    assert found == [1, 2, 3, 4, 5]
    key = entries.RoundKey(gaming_day=DAY, table_id=TABLE, shoe=1, round_no=3)
    shown = await rounds.call("GetRound", pb.GetRoundRequest(property_id=PROPERTY, key=key))
    assert [row.entry.WhichOneof("body") for row in shown.events] == ["whole_round"]
    key.round_no = 9
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await rounds.call("GetRound", pb.GetRoundRequest(property_id=PROPERTY, key=key))
    assert refusal.value.code() is grpc.StatusCode.NOT_FOUND
