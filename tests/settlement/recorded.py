"""A rounds feed on a free port: what a test records is committed and served as the author of play would."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

import grpc

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import entries_pb2, rounds_service_pb2
from services.games.wagers import PlacedWager
from services.runtime.chains import GENESIS
from services.runtime.feeds import Feed, NewEntry, kind_of, progress_frame

TABLE, DAY = "BAC-01", date(2026, 3, 2)
FORTUNE = ("7H 9C", "2D 3S 2C")
"""Player 6, Banker a three-card 7: Fortune 7 wins."""
METER = ("2C 3C 4C", "KC 4C 5C")
"""Two three-card nines of one suit: the progressive's whole meter."""
ILLEGAL = ("KC 6D 8D", "2C 3D")
"""The Player stands on 6."""


def key(number: int, table_id: str = TABLE) -> entries_pb2.RoundKey:
    """The key of a round of the day's first shoe."""
    return entries_pb2.RoundKey(gaming_day=DAY.isoformat(), table_id=table_id, shoe=1, round_no=number)


def result_of(game: str, *shown: Any) -> events_pb2.Result:
    """A recorded result: the cards of both hands, the two dice, or what a spin shows, by name."""
    if game == "craps":
        return events_pb2.Result(craps=events_pb2.CrapsResult(first_die=shown[0], second_die=shown[1]))
    if game == "roulette":
        return events_pb2.Result(roulette=events_pb2.RouletteResult(**shown[0]))
    found = events_pb2.Result()
    getattr(found, game).CopyFrom(events_pb2.BaccaratResult(player=shown[0].split(), banker=shown[1].split()))
    return found


def recorded_round(
    table: str, number: int, results: Sequence[events_pb2.Result], *wagers: PlacedWager, roll: int = 0, **more: Any
) -> entries_pb2.Round:
    """A round of any game; `more` may give the previous result and the wagers taken down."""
    where = entries_pb2.RoundKey(gaming_day=DAY.isoformat(), table_id=table, shoe=0, round_no=number, roll=roll)
    placed = [wager_of(each) for each in wagers]
    stamp = {"shift": 1, "pit": "P1", "submission_id": "RS-1", "dealer": "D7"}
    return entries_pb2.Round(key=where, wagers=placed, history=results, **{**stamp, **more})


def wager_of(each: PlacedWager) -> events_pb2.Wager:
    """A wager as the floor sends it."""
    return events_pb2.Wager(
        wager_no=each.wager_no,
        seat=each.seat,
        code=each.code,
        paytable=each.paytable,
        stake_cents=each.stake_cents,
        placement=each.on,
        roll=each.roll,
    )


def dealt(
    number: int, cards: tuple[str, str], *wagers: PlacedWager, submission: str = "RS-1", table: str = TABLE
) -> entries_pb2.Round:
    """A round with its result."""
    result = events_pb2.BaccaratResult(player=cards[0].split(), banker=cards[1].split())
    return entries_pb2.Round(
        key=key(number, table),
        shift=1,
        pit="P1",
        submission_id=submission,
        dealer="D7",
        wagers=[wager_of(each) for each in wagers],
        history=[events_pb2.Result(baccarat=result)],
    )


def whole(*given: Any, **more: Any) -> entries_pb2.Entry:
    """A whole round's entry."""
    return entries_pb2.Entry(whole_round=dealt(*given, **more))


class Recorded:
    """The rounds of one property: the two methods of the author of play that settlement calls."""

    def __init__(self, property_id: str) -> None:
        self.property_id = property_id
        self._feed = Feed("rounds", property_id, "rounds_entry", "test")
        self._feed.hash = GENESIS
        self._frames: list[tuple[int, bytes]] = []
        self._moved = asyncio.Condition()
        self._server = grpc.aio.server()
        self.port = 0
        self.settings = [entries_pb2.PropertySettings(property_id=property_id, effective_from="2026-01-01")]
        self.answers = True

    async def start(self) -> None:
        methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "ListProperties": grpc.unary_unary_rpc_method_handler(
                self.properties,
                rounds_service_pb2.ListPropertiesRequest.FromString,
                rounds_service_pb2.ListPropertiesResponse.SerializeToString,
            ),
            "WatchRounds": grpc.unary_stream_rpc_method_handler(
                self.frames, rounds_service_pb2.WatchRoundsRequest.FromString
            ),
        }
        service = rounds_service_pb2.DESCRIPTOR.services_by_name["RoundsService"].full_name
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()

    async def stop(self) -> None:
        await self._server.stop(0)

    async def record(self, *entries: entries_pb2.Entry) -> int:
        """Commits entries together; returns the position of the last."""
        new = [
            NewEntry(kind_of(entry, entry.WhichOneof("body") or ""), DAY, entry.SerializeToString())
            for entry in entries
        ]
        prepared = self._feed.prepare(new, "floor", datetime(2026, 3, 2, 12, tzinfo=UTC))
        self._frames.append((prepared.new, prepared.frame))
        self._feed.publish(prepared)
        async with self._moved:
            self._moved.notify_all()
        return prepared.new

    async def properties(self, request: Any, context: Any) -> rounds_service_pb2.ListPropertiesResponse:
        if not self.answers:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "away")
        return rounds_service_pb2.ListPropertiesResponse(properties=self.settings)

    async def frames(self, request: Any, context: Any) -> AsyncIterator[bytes]:
        after = request.after_position
        while True:
            for last, frame in [each for each in self._frames if each[0] > after]:
                yield frame
                after = last
            yield progress_frame(self._feed.position, self._feed.hash, {})
            async with self._moved:
                while self._feed.position <= after:
                    await self._moved.wait()
