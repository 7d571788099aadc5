"""Telling a script to a platform: sources stream it, people release, claim, verify and pay; again after any trouble."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import grpc

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.properties import wait_until_level
from clients.sdk.client import Casino
from clients.sdk.refusals import RefusedByServer
from clients.sdk.stream import RoundsStream
from services.kernel.errors import Busy
from tests.faults.script import DAY, Script

PAYEE = progressives.Payee(name="Ann Other", address="1 Boardwalk", tax_number="123-45-6789", identification="licence")
ATTEMPTS = 20
GATEWAY = "gateway"

OfSource = Callable[[str], Casino]
"""The client with which a source speaks."""


async def register(casino: Casino, script: Script) -> None:
    """Makes the sources known."""
    for source in [*script.sources, GATEWAY]:
        request = rounds.RegisterSourceRequest(
            request_id=f"{script.house.property_id}-{source}", property_id=script.house.property_id, source_id=source
        )
        await casino.call(casino.rounds.RegisterSource, request)


async def open_day(casino: Casino, script: Script) -> None:
    """The day's first event, which belongs to no round."""
    opened = floor.Event(shoe_changed=floor.ShoeChanged(table_id="BAC-07", shoe=1))
    opened.occurred_at.FromDatetime(script.house.calendar.start_of(DAY))
    await _stream(script, casino, GATEWAY, [opened], 1)
    await level(casino, script)


async def tell(script: Script, casino: Casino, of_source: OfSource, batch: int) -> None:
    """The whole day; returns when everybody has everything."""
    for place, events in enumerate((script.before, script.after)):
        await asyncio.gather(*(_stream(script, of_source(name), name, events[name], batch) for name in script.sources))
        await level(casino, script)
        if place == 0:
            await act(casino, script)


async def tell_in_order(script: Script, casino: Casino, before: Sequence[floor.Event]) -> None:
    """The whole day by one source, its first part in this order, one event after the other."""
    after = [event for name in script.sources for event in script.after[name]]
    await _stream(script, casino, GATEWAY, before, 1)
    await level(casino, script)
    await act(casino, script)
    await _stream(script, casino, GATEWAY, after, 1)
    await level(casino, script)


async def level(casino: Casino, script: Script) -> None:
    """Returns once every service has all that there is."""
    await again(lambda: wait_until_level(casino, script.house.property_id))


async def level_of(casino: Casino, property_id: str, seconds: float) -> None:
    """The same of a property that may need long for it. TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                await wait_until_level(casino, property_id)
                return
            except (Busy, RefusedByServer):
                await asyncio.sleep(0.5)


async def again(work: Callable[[], Awaitable[Any]]) -> Any:
    """What a person does who is told that something is wrong: the same once more."""
    for left in reversed(range(ATTEMPTS)):
        try:
            return await work()
        except RefusedByServer as refusal:
            if not left or refusal.code not in (
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.CANCELLED,
                grpc.StatusCode.DEADLINE_EXCEEDED,
                grpc.StatusCode.NOT_FOUND,
            ):
                raise
            await asyncio.sleep(0.1)
    raise AssertionError("expected a last attempt")


class _Small(RoundsStream):
    """A stream whose messages hold few events."""

    def __init__(self, casino: Casino, property_id: str, source: str, batch: int) -> None:
        super().__init__(casino, property_id, source)
        self._batch = batch

    def _sendable(self) -> int:
        return min(super()._sendable(), self._batch)


async def _stream(script: Script, casino: Casino, source: str, events: Sequence[floor.Event], batch: int) -> None:
    """Everything of one source, from the beginning again when another client of it has taken over."""

    async def attempt() -> None:
        async with _Small(casino, script.house.property_id, source, batch) as stream:
            for event in events:
                await stream.send(event)

    for _ in range(ATTEMPTS):
        try:
            return await attempt()
        except RefusedByServer as refusal:
            if refusal.reason != "EPOCH_STALE":
                raise
    raise AssertionError(f"expected {source} to be alone at last")


async def interfere(script: Script, casino: Casino, source: str) -> None:
    """Another client of the source tells the first of its events."""
    async with RoundsStream(casino, script.house.property_id, source) as stream:
        for event in script.before[source][:2]:
            await stream.send(event)


async def act(casino: Casino, script: Script) -> None:
    """The held wager is released by two, the shared jackpots of a table are claimed, verified and paid."""
    await _release(casino, script)
    await level(casino, script)
    property_id = script.house.property_id
    claim = progressives.ClaimJackpotRequest(
        request_id=f"{property_id}-claim", property_id=property_id, table_id="BAC-01", seat=1
    )
    claimed = await again(lambda: casino.call(casino.progressives.ClaimJackpot, claim))
    for jackpot in claimed.jackpots:
        await _pay(casino, property_id, jackpot.jackpot_id)


async def _release(casino: Casino, script: Script) -> None:
    property_id, approver = script.house.property_id, casino.acting_as(script.house.approver)
    request = rounds.ListHeldFactsRequest(property_id=property_id)
    (held,) = (await again(lambda: casino.call(casino.rounds.ListHeldFacts, request))).facts
    proposal = rounds.ProposeHeldFactDecisionRequest(
        request_id=f"{property_id}-release",
        property_id=property_id,
        hold_id=held.hold_id,
        decision=entries.HOLD_DECISION_RELEASE,
        reason="seen on the recording",
    )
    await again(lambda: casino.call(casino.rounds.ProposeHeldFactDecision, proposal))
    approval = rounds.ApproveHeldFactDecisionRequest(
        request_id=f"{property_id}-release-approved", property_id=property_id, hold_id=held.hold_id, proposal=1
    )
    await again(lambda: approver.call(approver.rounds.ApproveHeldFactDecision, approval))


async def _pay(casino: Casino, property_id: str, jackpot_id: str) -> None:
    manager, cashier = casino.acting_as("pit-manager"), casino.acting_as("cashier")
    given: Mapping[str, str] = {"property_id": property_id, "jackpot_id": jackpot_id}
    check = progressives.VerifyJackpotRequest(request_id=f"verify-{jackpot_id}", rank="pit_manager", **given)
    await again(lambda: manager.call(manager.progressives.VerifyJackpot, check))
    payment = progressives.PayJackpotRequest(request_id=f"pay-{jackpot_id}", payee=PAYEE, **given)
    await again(lambda: cashier.call(cashier.progressives.PayJackpot, payment))
