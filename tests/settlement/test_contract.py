"""The contract of the settlement service over real gRPC."""

import grpc
import pytest

from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.kernel import errors
from tests.settlement.conftest import Settlement, by, proposal, refused, table_terms
from tests.settlement.recorded import key


def approval(settlement: Settlement, name: str, request_id: str = "a1") -> pb.ApproveSubmissionRequest:
    return pb.ApproveSubmissionRequest(request_id=request_id, property_id=settlement.property_id, submission_id=name)


async def test_a_submission_is_proposed_approved_and_told_in_the_feed(settlement: Settlement) -> None:
    """Two people file a submission; the feed carries what the answer says, byte for byte in every field."""
    proposed = (await settlement.call("ProposeSubmission", proposal(settlement.property_id))).submission
    assert (proposed.submission_id, proposed.proposed_by, proposed.approved_by) == ("RS-1", "ann", "")
    assert proposed.state == entries_pb2.SUBMISSION_STATE_PROPOSED
    answer = await settlement.call("ApproveSubmission", approval(settlement, "RS-1"), "bob")
    assert (answer.position, answer.submission.approved_by) == (1, "bob")
    assert answer.submission.state == entries_pb2.SUBMISSION_STATE_APPROVED
    request = pb.WatchSubmissionsRequest(property_id=settlement.property_id)
    async for frame in settlement.stub.WatchSubmissions(request, metadata=by("bob"), timeout=10):
        entry = entries_pb2.SubmissionsEntry.FromString(frame.batch.entries[0])
        break
    assert entry.approved == answer.submission
    get = pb.GetSubmissionRequest(property_id=settlement.property_id, submission_id="RS-1")
    assert (await settlement.call("GetSubmission", get)).submission == answer.submission


async def test_submissions_are_numbered_in_the_order_proposed(settlement: Settlement) -> None:
    """Numbers are dense within the property; a refused proposal takes none."""
    await settlement.call("ProposeSubmission", proposal(settlement.property_id, "p1"))
    with pytest.raises(grpc.aio.AioRpcError):
        await settlement.call(
            "ProposeSubmission", proposal(settlement.property_id, "p2", tables=[table_terms(decks=3)])
        )
    await settlement.call("ProposeSubmission", proposal(settlement.property_id, "p3"))
    found = await settlement.call("ListSubmissions", pb.ListSubmissionsRequest(property_id=settlement.property_id))
    assert [each.submission_id for each in found.submissions] == ["RS-1", "RS-2"]


async def test_a_repeat_gets_the_stored_answer(settlement: Settlement) -> None:
    """A request is done once; other content under its id is refused."""
    first = await settlement.call("ProposeSubmission", proposal(settlement.property_id))
    assert await settlement.call("ProposeSubmission", proposal(settlement.property_id)) == first
    approved = await settlement.call("ApproveSubmission", approval(settlement, "RS-1"), "bob")
    assert await settlement.call("ApproveSubmission", approval(settlement, "RS-1"), "bob") == approved
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await settlement.call("ProposeSubmission", proposal(settlement.property_id, title="Other"))
    assert problem.value.code() is grpc.StatusCode.ALREADY_EXISTS
    assert refused(problem.value, errors.RequestIdTaken)


async def test_an_approval_that_cannot_be_is_refused_by_name(settlement: Settlement) -> None:
    """Each refusal of an approval has its status and its name, and leaves the feed as it was."""
    await settlement.call("ProposeSubmission", proposal(settlement.property_id, "p1"))
    await settlement.call("ProposeSubmission", proposal(settlement.property_id, "p2"))
    await settlement.call("ApproveSubmission", approval(settlement, "RS-2", "a0"), "bob")
    for who, request, code, refusal in (
        ("ann", approval(settlement, "RS-1"), grpc.StatusCode.PERMISSION_DENIED, errors.SamePrincipal),
        ("bob", approval(settlement, "RS-7"), grpc.StatusCode.NOT_FOUND, errors.Unknown),
        ("cy", approval(settlement, "RS-2"), grpc.StatusCode.FAILED_PRECONDITION, errors.AlreadyDecided),
        ("cy", approval(settlement, "RS-1", ""), grpc.StatusCode.INVALID_ARGUMENT, errors.InvalidRequest),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await settlement.call("ApproveSubmission", request, who)
        assert problem.value.code() is code
        assert refused(problem.value, refusal)
    assert settlement.service.feed("submissions", settlement.property_id).position == 1


async def test_terms_that_contradict_the_rules_are_refused(settlement: Settlement) -> None:
    """The status names the refusal and its message the table."""
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await settlement.call(
            "ProposeSubmission", proposal(settlement.property_id, tables=[table_terms(), table_terms()])
        )
    assert problem.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert refused(problem.value, errors.TermsContradictRules)
    assert "BAC-01 twice" in str(problem.value.details())


async def test_what_is_not_there_is_refused(settlement: Settlement) -> None:
    """A round that never settled, a submission never proposed, a day that is none: each has its status."""
    today = rounds_pb2.RoundKey(gaming_day="today")
    for method, request, code in (
        (
            "GetSettlement",
            pb.GetSettlementRequest(property_id=settlement.property_id, key=key(9)),
            grpc.StatusCode.NOT_FOUND,
        ),
        (
            "GetSubmission",
            pb.GetSubmissionRequest(property_id=settlement.property_id, submission_id="RS-9"),
            grpc.StatusCode.NOT_FOUND,
        ),
        (
            "GetSettlement",
            pb.GetSettlementRequest(property_id=settlement.property_id, key=today),
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await settlement.call(method, request)
        assert problem.value.code() is code


async def test_a_cursor_beyond_the_head_is_refused(settlement: Settlement) -> None:
    """A reader that claims more than there is, is told so."""
    request = pb.WatchSettlementsRequest(property_id=settlement.property_id, after_position=5)
    stream = settlement.stub.WatchSettlements(request, metadata=by("ann"), timeout=10)
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await anext(aiter(stream))
    assert problem.value.code() is grpc.StatusCode.OUT_OF_RANGE


async def test_the_status_names_heads_and_cursors(settlement: Settlement) -> None:
    """Both feeds of a property are told with their heads, and the rounds feed with its cursor."""
    await settlement.approved()
    status = (await settlement.call("GetStatus", pb.GetStatusRequest())).status
    (found,) = [each for each in status.properties if each.property_id == settlement.property_id]
    assert {head.feed: head.position for head in found.heads} == {"settlements": 0, "submissions": 1}
    assert [cursor.feed for cursor in found.cursors] == ["rounds"]
