"""The client of the services: principal, retries, refusals."""

import grpc
import pytest

from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk.client import addresses, new_request_id
from clients.sdk.refusals import Patience, RefusedByServer
from services.kernel import errors
from tests.clients.peer import DOWN, Peer, serving


def test_addresses_are_those_of_the_environment_or_the_defaults() -> None:
    """CASINO_<SERVICE>_ADDRESS says where a service is, 127.0.0.1:7401 to :7404 where it is unset."""
    found = addresses({"CASINO_SETTLEMENT_ADDRESS": "127.0.0.1:9"})
    assert found == {
        "rounds": "127.0.0.1:7401",
        "settlement": "127.0.0.1:9",
        "progressives": "127.0.0.1:7403",
        "reporting": "127.0.0.1:7404",
    }


async def test_busy_service_gets_the_same_request_again() -> None:
    """UNAVAILABLE is sent again under the same request_id until it is answered."""
    peer = Peer(refusals=[DOWN])
    async with serving(peer) as casino:
        request = pb.SetPropertyRequest(request_id=new_request_id())
        answer = await casino.call(casino.rounds.SetProperty, request)
    assert answer.position == 7
    assert peer.request_ids == [request.request_id] * 2


async def test_refusal_keeps_its_name_and_sentence() -> None:
    """A refusal comes back with the reason of its ErrorInfo and is not sent again."""
    peer = Peer(refusals=[errors.Taken("another property has this id")])
    async with serving(peer) as casino:
        with pytest.raises(RefusedByServer) as caught:
            await casino.call(casino.rounds.SetProperty, pb.SetPropertyRequest(request_id="a"))
    refused = caught.value
    assert (refused.reason, refused.message) == ("TAKEN", "another property has this id")
    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert peer.request_ids == ["a"]


async def test_caller_waits_no_longer_than_its_patience() -> None:
    """A service that stays busy is given up with its own refusal."""
    peer = Peer(refusals=[DOWN] * 9)
    async with serving(peer) as casino:
        with pytest.raises(RefusedByServer, match="does not answer"):
            await casino.call(casino.rounds.SetProperty, pb.SetPropertyRequest(request_id="a"), patience=0.2)


async def test_call_without_a_service_names_the_code() -> None:
    """Where nothing listens the reason is the status code's own name."""
    async with serving(Peer()) as casino:
        with pytest.raises(RefusedByServer) as caught:
            await casino.call(casino.rounds.ListProperties, pb.ListPropertiesRequest())
    assert caught.value.reason == "UNIMPLEMENTED"


async def test_resources_exhausted_for_good_are_not_tried_again() -> None:
    """RESOURCE_EXHAUSTED without a time to wait is final."""
    refusal = RefusedByServer("RESOURCE_EXHAUSTED", "too large", grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert not refusal.retriable
    with pytest.raises(RefusedByServer):
        await Patience(10).wait(refusal)
    assert RefusedByServer("X", "later", grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=0.0).retriable


async def test_acting_as_another_changes_the_principal_alone() -> None:
    """Two people share the connections and differ in the metadata."""
    async with serving(Peer()) as casino:
        other = casino.acting_as("ann")
        assert other.metadata == (("principal", "ann"),)
        assert other.rounds is casino.rounds
        assert casino.metadata == (("principal", "floor"),)
