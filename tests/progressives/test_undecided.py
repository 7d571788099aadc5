"""The service's status counts what waits for people."""

from casino.progressives.v1 import progressives_service_pb2 as pb
from tests.progressives.conftest import Progressives, decided, decision
from tests.progressives.recorded import PROPERTY, Upstream
from tests.progressives.test_decision_rpc import adjustment, linked

__all__ = ["linked"]


async def undecided(progressives: Progressives) -> dict[str, int]:
    """Decisions that wait, by property."""
    answer = await progressives.call("GetStatus", pb.GetStatusRequest())
    return {each.property_id: each.decisions for each in answer.undecided}


async def test_decisions_count_until_somebody_takes_them(linked: Progressives, upstream: Upstream) -> None:
    """A proposal waits until it is approved or rejected; a property where nothing waits is left out."""
    assert await undecided(linked) == {}
    one = (await linked.call("ProposeDecision", decision("d1", adjustment=adjustment(-7)))).decision
    await linked.call("ProposeDecision", decision("d2", adjustment=adjustment(5)))
    assert await undecided(linked) == {PROPERTY: 2}
    await linked.call("ApproveDecision", decided("d3", one.decision_id), "bob")
    assert await undecided(linked) == {PROPERTY: 1}
