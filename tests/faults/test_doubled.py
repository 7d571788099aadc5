"""What the scenarios found, each as a case of its own."""

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as pb
from tests.rounds.conftest import OPENED, TABLE, Rounds, rounds

__all__ = ["rounds"]


async def test_a_table_event_doubled_within_one_commit_is_a_duplicate(rounds: Rounds) -> None:
    """The second copy is known by the first, though the database has neither yet."""
    closed = floor.Event(table_closed=floor.TableClosed(table_id=TABLE))
    closed.occurred_at.FromDatetime(OPENED)
    data = closed.SerializeToString(deterministic=True)
    response = await rounds.submit([data, data])
    assert [(answer.sequence, answer.kind) for answer in response.answers] == [(2, pb.ANSWER_KIND_DUPLICATE)]
    assert (await rounds.kinds()).count("table_closed") == 1
