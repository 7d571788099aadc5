"""The contract of the service, over real gRPC and Postgres."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel import errors
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import MEGA, Progressives, approval, by, proposal, refused, served
from tests.progressives.recorded import CODE, DAY, PROPERTY, WHOLE, Upstream, day_opened, part

LIVE, APPROVED = entries_pb2.LINK_STATE_LIVE, entries_pb2.LINK_STATE_APPROVED
PROPOSED = entries_pb2.LINK_STATE_PROPOSED
ON_H9 = wager_on(CODE, 500)


async def test_a_link_is_proposed_and_approved_by_two_people(progressives: Progressives) -> None:
    """Both states are entered in the feed with who and when, at the position up to which rounds are applied."""
    link = await progressives.approved()
    assert (link.state, link.version, link.proposed_by, link.approved_by) == (APPROVED, 1, "ann", "bob")
    entries = await progressives.entries(0)
    assert [entry.link.state for entry in entries] == [PROPOSED, APPROVED]
    assert entries[1].link == link
    listed = await progressives.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))
    assert [each.link for each in listed.links] == [link]
    assert not listed.links[0].meters


UNSEEDED = [entries_pb2.MeterTerms(level="mega", seed_cents=1)]
REFUSALS: tuple[tuple[str, Any, str, type[errors.Refusal], grpc.StatusCode], ...] = (
    ("ApproveLink", approval(), "ann", errors.SamePrincipal, grpc.StatusCode.PERMISSION_DENIED),
    ("ApproveLink", approval(version=2), "bob", errors.AlreadyDecided, grpc.StatusCode.FAILED_PRECONDITION),
    ("ApproveLink", approval(link_id="X"), "bob", errors.LinkUnknown, grpc.StatusCode.NOT_FOUND),
    (
        "ProposeLink",
        proposal("p2", meters=UNSEEDED),
        "ann",
        errors.LinkContradictsRules,
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
    ("ProposeLink", proposal("p1", title="x"), "ann", errors.RequestIdTaken, grpc.StatusCode.ALREADY_EXISTS),
    ("ProposeLink", proposal(""), "ann", errors.InvalidRequest, grpc.StatusCode.INVALID_ARGUMENT),
    (
        "ProposeLink",
        proposal("p3", effective_from="2.3.2026"),
        "ann",
        errors.InvalidRequest,
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
)


async def test_a_refusal_is_named_and_changes_nothing(progressives: Progressives) -> None:
    """A status carries the refusal's name, and the feed has the proposal alone."""
    await progressives.call("ProposeLink", proposal())
    for method, request, who, refusal, code in REFUSALS:
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await progressives.call(method, request, who)
        assert problem.value.code() is code
        assert refused(problem.value, refusal)
    assert len(await progressives.entries(0)) == 1


async def test_a_repeated_request_gets_the_first_answer(progressives: Progressives) -> None:
    """The same request_id and content are done once."""
    first = await progressives.call("ProposeLink", proposal())
    assert await progressives.call("ProposeLink", proposal()) == first
    assert len(await progressives.entries(0)) == 1


async def test_a_link_approved_during_a_day_waits_for_the_next(progressives: Progressives, upstream: Upstream) -> None:
    """A day that is open already does not bring a link to life; its rounds contribute nothing."""
    last = await upstream.rounds.record(day_opened())
    await progressives.entries(last)
    await progressives.approved()
    last = await upstream.rounds.record(part("whole_round", 1, ON_H9), day_opened(DAY.replace(day=3)))
    bodies = [entry.WhichOneof("body") for entry in await progressives.entries(last)]
    assert bodies == ["link", "link", "exception", "link", "movement"]


async def test_signs_get_every_meter_at_once_and_then_those_that_move(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Cents rounded down, the revision that moved the meter, and pending jackpots."""
    await progressives.approved()
    await progressives.entries(await upstream.rounds.record(day_opened()))
    request = pb.WatchMetersRequest(property_id=PROPERTY, link_id="H9")
    stream = progressives.stub.WatchMeters(request, metadata=by("sign"), timeout=10)
    (first,) = (await stream.read()).meters
    assert (first.display_cents, first.revision, first.pending_jackpots) == (1_000_000, 4, 0)
    await upstream.rounds.record(part("whole_round", 1, wager_on(CODE, 501)))
    (second,) = (await stream.read()).meters
    assert (second.reading_micros, second.display_cents, second.revision) == (10_000_501_000, 1_000_050, 5)
    await upstream.rounds.record(part("whole_round", 2, wager_on(CODE, 500), cards=WHOLE))
    (third,) = (await stream.read()).meters
    assert (third.reading_micros, third.pending_jackpots) == (10_000_001_000, 1)
    stream.cancel()


async def test_an_unknown_link_has_no_sign(progressives: Progressives) -> None:
    """Watching a link that is not there is refused."""
    request = pb.WatchMetersRequest(property_id=PROPERTY, link_id="X")
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await progressives.stub.WatchMeters(request, metadata=by("sign"), timeout=10).read()
    assert refused(problem.value, errors.LinkUnknown)


async def test_a_cursor_beyond_the_head_is_refused(progressives: Progressives) -> None:
    """A reader that claims more than there is has another feed."""
    request = pb.WatchEntriesRequest(property_id=PROPERTY, after_position=9)
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await progressives.stub.WatchEntries(request, metadata=by("ann"), timeout=10).read()
    assert refused(problem.value, errors.CursorAhead)


async def test_two_links_may_not_share_a_table(progressives: Progressives) -> None:
    """A table's wager code belongs to one link."""
    await progressives.approved()
    with pytest.raises(grpc.aio.AioRpcError, match="which is on link H9"):
        await progressives.call("ProposeLink", proposal("p2", link_id="H9-B"))


async def test_a_second_process_on_one_database_sees_what_the_first_wrote(
    progressives: Progressives, upstream: Upstream, database: Database, home: Path
) -> None:
    """A writer whose head was moved by another reads everything again before it decides."""
    async with served(database, home, upstream.port) as other:
        await progressives.approved()
        with pytest.raises(grpc.aio.AioRpcError, match="which is on link H9"):
            await other.call("ProposeLink", proposal("p2", link_id="H9-B", title="slow"))
        assert len(await progressives.entries(0)) == 2


async def test_status_tells_both_cursors(progressives: Progressives, upstream: Upstream) -> None:
    """Heads and cursors of the property are told as they stand."""
    await progressives.approved()
    await progressives.entries(await upstream.rounds.record(day_opened()))
    async with asyncio.timeout(5):
        while True:
            status = (await progressives.call("GetStatus", pb.GetStatusRequest())).status.properties[0]
            cursors = {each.feed: each.position for each in status.cursors}
            if cursors == {"rounds": 1, "submissions": 1}:
                break
    assert {head.feed: head.position for head in status.heads} == {"progressives": 4}
    assert MEGA.seed_cents == 1_000_000
