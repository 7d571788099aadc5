"""The four services as one object: addresses, the principal, deadlines, retries, refusals."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

import grpc

from casino.progressives.v1.progressives_service_pb2_grpc import ProgressivesServiceStub
from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from casino.rounds.v1.rounds_service_pb2_grpc import RoundsServiceStub
from casino.settlement.v1.settlement_service_pb2_grpc import SettlementServiceStub
from clients.sdk.refusals import Patience, RefusedByServer

if TYPE_CHECKING:
    # The asynchronous stubs are types alone: at run time one stub serves both kinds of channel.
    from casino.progressives.v1.progressives_service_pb2_grpc import ProgressivesServiceAsyncStub
    from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceAsyncStub
    from casino.rounds.v1.rounds_service_pb2_grpc import RoundsServiceAsyncStub
    from casino.settlement.v1.settlement_service_pb2_grpc import SettlementServiceAsyncStub

SERVICES = ("rounds", "settlement", "progressives", "reporting")
FIRST_PORT = 7401
DEADLINE = 20.0
PATIENCE = 30.0
LARGEST_MESSAGE = 64 << 20
OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
    # A service that comes back is found again at once.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 30_000),
    # Two clients of one process must not share a connection that one of them closes.
    ("grpc.use_local_subchannel_pool", 1),
)

Request = TypeVar("Request")
Response = TypeVar("Response")


def addresses(environ: Mapping[str, str]) -> dict[str, str]:
    """Host:port of each service: CASINO_<SERVICE>_ADDRESS, else 127.0.0.1:7401 to :7404."""
    return {
        name: environ.get(f"CASINO_{name.upper()}_ADDRESS") or f"127.0.0.1:{FIRST_PORT + place}"
        for place, name in enumerate(SERVICES)
    }


def new_request_id() -> str:
    """An id for one unary write; made once, kept over every repeat of it."""
    return str(uuid.uuid4())


class Casino:
    """The platform as a client sees it; `async with Casino(principal="a-person") as casino`.

    `places`: address of each service by name, those of the environment if not given. `principal`: who calls,
    CASINO_PRINCIPAL if not given. `patience`: seconds for which a refused call is sent again while it may be.
    """

    rounds: RoundsServiceAsyncStub
    settlement: SettlementServiceAsyncStub
    progressives: ProgressivesServiceAsyncStub
    reporting: ReportingServiceAsyncStub

    def __init__(
        self,
        places: Mapping[str, str] | None = None,
        principal: str | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.places = dict(addresses(os.environ) if places is None else places)
        self.principal = principal or os.environ.get("CASINO_PRINCIPAL") or ""
        self.patience = patience
        self._channels: list[grpc.aio.Channel] = []

    async def __aenter__(self) -> Casino:
        channels = [grpc.aio.insecure_channel(self.places[name], options=OPTIONS) for name in SERVICES]
        self._channels = channels
        self.rounds = RoundsServiceStub(channels[0])
        self.settlement = SettlementServiceStub(channels[1])
        self.progressives = ProgressivesServiceStub(channels[2])
        self.reporting = ReportingServiceStub(channels[3])
        return self

    async def __aexit__(self, *problem: object) -> None:
        for channel in self._channels:
            await channel.close()
        self._channels = []

    def acting_as(self, principal: str) -> Casino:
        """The same connections with another principal; closed with this one, needs no `async with`."""
        other = Casino(self.places, principal, self.patience)
        other.rounds, other.settlement = self.rounds, self.settlement
        other.progressives, other.reporting = self.progressives, self.reporting
        return other

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What every call carries."""
        return (("principal", self.principal),) if self.principal else ()

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        timeout: float = DEADLINE,
        patience: float | None = None,
    ) -> Response:
        """One unary call: `await casino.call(casino.rounds.GetOffer, GetOfferRequest(...))`.

        Sent again, as it is, while the service says it may be, for at most `patience` seconds; each attempt
        has `timeout` seconds. A write carries a `request_id` made by the caller (`new_request_id`), so that
        a repeat is recognised. Raises RefusedByServer.
        """
        patient = Patience(self.patience if patience is None else patience)
        while True:
            try:
                return await method(request, metadata=self.metadata, timeout=timeout)
            except grpc.aio.AioRpcError as problem:
                await patient.wait(RefusedByServer.read(problem))

    async def stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Request, Response], request: Request
    ) -> AsyncGenerator[Response, None]:
        """The answers of one server stream, once, without a deadline. Raises RefusedByServer."""
        call = method(request, metadata=self.metadata)
        try:
            async for response in call:
                yield response
        except grpc.aio.AioRpcError as problem:
            raise RefusedByServer.read(problem) from problem
        finally:
            call.cancel()

    async def stream_again(
        self, name: str, opened: Callable[[], AsyncGenerator[Response, None]]
    ) -> AsyncGenerator[Response, None]:
        """The answers of a stream that has no end of its own: `opened` anew whenever it breaks or reaches its age.

        Raises RefusedByServer for what is final, and after `patience` seconds without an answer.
        """
        patience = Patience(self.patience)
        while True:
            heard, ended = False, RefusedByServer("STREAM_ENDED", f"{name} ended", grpc.StatusCode.UNAVAILABLE)
            try:
                async with aclosing(opened()) as responses:
                    async for response in responses:
                        heard = True
                        yield response
            except RefusedByServer as refusal:
                ended = refusal
            if heard:
                # The time to give up begins when a connection that had served breaks.
                patience.progressed()
            await patience.wait(ended)
