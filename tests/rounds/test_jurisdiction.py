"""A property says whose tax rates and thresholds hold for it."""

import grpc
import pytest

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from tests.rounds.conftest import PROPERTY, Rounds


async def test_a_property_names_its_jurisdiction(rounds: Rounds) -> None:
    """None if it does not, else a short name in capital letters; rows and entries agree about it."""
    settings = entries.PropertySettings(
        property_id=PROPERTY, time_zone="America/New_York", cut_over="06:00", effective_from="2026-04-01"
    )
    for given in ("pa", "P", "Pennsylvania", "PA "):
        settings.jurisdiction = given
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await rounds.call("SetProperty", pb.SetPropertyRequest(request_id=f"j{given}", settings=settings))
        assert problem.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    settings.jurisdiction = "MD"
    await rounds.call("SetProperty", pb.SetPropertyRequest(request_id="j", settings=settings))
    listed = (await rounds.call("ListProperties", pb.ListPropertiesRequest())).properties
    assert [each.jurisdiction for each in listed] == ["", "MD"]
    assert await rounds.differences() == []
