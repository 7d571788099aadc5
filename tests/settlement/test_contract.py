"""The contract of the settlement service over real gRPC."""

import grpc
import pytest

from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.kernel import errors
from tests.settlement.conftest import Settlement, by, proposal, refused, table_terms
from tests.settlement.recorded import Recorded, key


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


async def proposed_from(settlement: Settlement, day: str) -> list[str]:
    """The warnings of a proposal in force from a day on."""
    request = proposal(settlement.property_id, f"from {day}", effective_from=day)
    return list((await settlement.call("ProposeSubmission", request)).warnings)


async def test_a_proposal_is_warned_by_the_band_in_force_on_its_first_day(
    settlement: Settlement, rounds: Recorded
) -> None:
    """The property's band on effective_from decides, a later setting of the same day before an earlier."""
    rounds.settings += [band(settlement, "2026-04-01", "", "1"), band(settlement, "2026-04-01", "0", "1.2")]
    rounds.settings += [band(settlement, "2026-05-01", "", ""), band(settlement, "2026-01-01", "0", "0", "OTHER")]
    assert await proposed_from(settlement, "2026-03-31") == []
    warned = await proposed_from(settlement, "2026-04-01")
    assert {said.split(": ")[1] for said in warned} >= {"baccarat.player", "baccarat.tie"}
    assert not any("baccarat.banker:" in said for said in warned)
    assert all("expected a house edge of 0.00% to 1.20%, given " in said for said in warned)
    assert await proposed_from(settlement, "2026-05-01") == []
    rounds.settings = [band(settlement, "2026-06-01", "0", "1.2")]
    assert await proposed_from(settlement, "2026-05-31"), "before its first settings a property has theirs"


def band(
    settlement: Settlement, day: str, lowest: str, highest: str, property_id: str = ""
) -> rounds_pb2.PropertySettings:
    """Settings of the property, or of another, with a house-edge band."""
    return rounds_pb2.PropertySettings(
        property_id=property_id or settlement.property_id,
        effective_from=day,
        house_edge_from=lowest,
        house_edge_to=highest,
    )


async def test_a_proposal_waits_for_rounds_and_a_repeat_does_not(settlement: Settlement, rounds: Recorded) -> None:
    """Without the band nothing is kept; what was answered before is answered again, whatever holds by now."""
    first = await settlement.call("ProposeSubmission", proposal(settlement.property_id))
    rounds.settings.append(band(settlement, "2026-01-01", "0", "1"))
    rounds.answers = False
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await settlement.stub.ProposeSubmission(proposal(settlement.property_id, "p2"), metadata=by("ann"), timeout=10)
    assert refused(problem.value, errors.Busy)
    assert "expected rounds to tell the house-edge band" in str(problem.value.details())
    assert await settlement.call("ProposeSubmission", proposal(settlement.property_id)) == first
    rounds.answers = True
    assert await settlement.call("ProposeSubmission", proposal(settlement.property_id)) == first
    again = await settlement.call("ProposeSubmission", proposal(settlement.property_id, "p2"))
    assert (again.submission.submission_id, bool(again.warnings), list(first.warnings)) == ("RS-2", True, [])


async def test_a_property_that_rounds_does_not_know_is_refused(settlement: Settlement, rounds: Recorded) -> None:
    """There is no band to go by."""
    rounds.settings = []
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await settlement.call("ProposeSubmission", proposal(settlement.property_id))
    assert refused(problem.value, errors.PropertyUnknown)
