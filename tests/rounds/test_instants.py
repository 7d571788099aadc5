"""Instants that cannot be: a round that was played is recorded all the same, and nobody who follows stumbles."""

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from services.progressives import wire as progressives
from services.progressives.play import Correction, Play
from services.rounds import wire
from services.runtime.followers import Followed
from tests.rounds.conftest import Rounds, event, wager, whole
from tests.rounds.test_corrections import amend, void
from tests.rounds.test_ladder import said

IMPOSSIBLE = [
    Timestamp(seconds=1_772_463_600_000),
    Timestamp(seconds=-(10**15)),
    Timestamp(seconds=1_772_463_600, nanos=-1),
    Timestamp(),
]
METER = "baccarat.heavenly_9_progressive"


def told_at(raw: bytes, at: Timestamp) -> bytes:
    """An event that says it occurred then."""
    read = floor.Event.FromString(raw)
    read.occurred_at.CopyFrom(at)
    return read.SerializeToString()


def events(at: Timestamp) -> list[bytes]:
    """Rounds whole, in pieces, told again and made void, one with a wager that moves a meter among them."""
    metered = whole(1, wagers=[wager(1), wager(2, METER, 500)])
    staged = [event(piece) for piece in wire.pieces(whole(3)).values()]
    made = [event(metered), event(whole(2)), *staged, amend(metered), void(2)]
    return [told_at(raw, at) for raw in made]


@pytest.mark.parametrize("at", IMPOSSIBLE)
async def test_a_round_told_at_an_impossible_time_is_recorded_without_it(rounds: Rounds, at: Timestamp) -> None:
    """Its day comes from `opened_at`; the entries say nothing of when they occurred, and progressives reads them."""
    assert said(await rounds.submit(events(at))) == []
    told: list[Any] = [getattr(each, each.WhichOneof("body") or "") for _, each in await rounds.feed()]
    of_rounds = [getattr(each, "round", each) for each in told if hasattr(each, "occurred_at")]
    assert len(of_rounds) == 7
    assert not [each for each in of_rounds if each.HasField("occurred_at")]
    followed = [
        Followed(position, entry.ListFields()[0][0].number, entry.SerializeToString())
        for position, entry in await rounds.feed()
    ]
    assert {type(each) for each in progressives.read_rounds(followed)} >= {Play, Correction}
    assert await rounds.differences() == []


async def test_a_possible_time_stays(rounds: Rounds) -> None:
    """What can be is entered as it was told."""
    at = Timestamp(seconds=1_772_463_600, nanos=5)
    assert said(await rounds.submit([told_at(event(whole(1)), at)])) == []
    assert [each.whole_round.occurred_at for _, each in await rounds.feed() if each.HasField("whole_round")] == [at]
