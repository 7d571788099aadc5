"""One service's process: database pool, gRPC server with health and reflection, metrics, background tasks."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextvars import Context
from importlib.metadata import version
from typing import Any
from wsgiref.simple_server import WSGIServer

import asyncpg
import grpc
import uvloop
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from services.kernel import errors
from services.kernel.clock import Clock, system_clock
from services.runtime import logs, steps, store
from services.runtime.feeds import Feed, kind_of
from services.runtime.followers import Batch
from services.runtime.metrics import Metrics
from services.runtime.principals import PRINCIPAL, Gate
from services.runtime.seals import Sealer
from services.runtime.settings import Settings

SOFTWARE_VERSION = version("casino-back-office")
GRACE_SECONDS = 5.0
CANCEL_SECONDS = 1.0
ACQUIRE_SECONDS = 10.0
"""For which a connection to the database is waited for."""
KEEPALIVE_MILLISECONDS = 30_000
COLLECTED_AFTER = (200_000, 50, 100)
"""New objects after which the collector looks at the youngest, and so on: its three thresholds."""
LARGEST_MESSAGE = 64 << 20
DAY_OPENED = kind_of(rounds_pb2.Entry(), "day_opened")


class Service:
    """What the four services have in common. `start` when the servicer is added, `stop` to end gracefully."""

    def __init__(self, name: str, settings: Settings, clock: Clock = system_clock) -> None:
        self.name, self.settings, self.clock = name, settings, clock
        self.log = logs.log(name)
        self.metrics = Metrics(name)
        self.sealer = Sealer(settings.home, name)
        self.pool: store.Pool
        self.stopping = asyncio.Event()
        self._seal_due = asyncio.Event()
        self.port = 0
        self._metrics_server: WSGIServer | None = None
        self._feeds: dict[tuple[str, str], Feed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._channels: list[grpc.aio.Channel] = []
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(
            interceptors=[Gate(self.log, self.metrics, settings.max_connection_age_seconds)],
            options=[
                ("grpc.max_connection_age_ms", settings.max_connection_age_seconds * 1000),
                ("grpc.keepalive_time_ms", KEEPALIVE_MILLISECONDS),
                ("grpc.http2.min_ping_interval_without_data_ms", KEEPALIVE_MILLISECONDS // 2),
                ("grpc.max_receive_message_length", LARGEST_MESSAGE),
                ("grpc.so_reuseport", 0),
            ],
        )

    async def open(self) -> None:
        """Connects to the database; waits for it as long as it takes."""
        while True:
            try:
                self.pool = await open_pool(self.settings.url(self.name))
                return
            except (OSError, asyncpg.PostgresError) as problem:
                self.log.warning("database not there yet", problem=str(problem))
                await asyncio.sleep(0.2)

    def connect(self, name: str) -> grpc.aio.Channel:
        """A channel to another service of this platform, closed at the stop."""
        self._channels.append(channel(self.settings.service(name).address))
        return self._channels[-1]

    async def start(
        self, descriptor: ServiceDescriptor, servicer: object, ready: Callable[[], Awaitable[None]]
    ) -> None:
        """Serves `servicer` and begins to seal; `ready` is run with the port taken and before any call is answered."""
        own = self.settings.service(self.name)
        self._server.add_generic_rpc_handlers((method_handlers(descriptor, servicer),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (descriptor.full_name, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )
        try:
            self.port = self._server.add_insecure_port(own.address)
        except RuntimeError:
            # Whoever tries again connects again.
            await self.pool.close()
            raise
        if own.metrics_port:
            self._metrics_server, _ = self.metrics.serve(own.metrics_port)
        await ready()
        await self._server.start()
        for name in (descriptor.full_name, ""):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self.spawn(self._seal_for_ever())
        self.log.info("serving", port=self.port, metrics_port=own.metrics_port, version=SOFTWARE_VERSION)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs a background task; one that fails is logged."""
        # In a context of its own: what the call under way binds to its log lines is not the task's.
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            self.log.error("background task failed", exc_info=problem)

    async def stop(self) -> None:
        """Stops taking calls, lets those under way end, seals, closes the database."""
        await self._health.enter_graceful_shutdown()
        self.stopping.set()
        for feed in self.feeds():
            await feed.close()
        await self._server.stop(GRACE_SECONDS)
        await cancelled(list(self._tasks))
        try:
            await self.seal()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
            self.log.warning("no seal at the stop", problem=str(problem))
        if self._metrics_server:
            self._metrics_server.shutdown()
            self._metrics_server.server_close()
        for connected in self._channels:
            await connected.close()
        await asyncio.wait_for(self.pool.close(), GRACE_SECONDS)
        self.log.info("stopped")

    async def seal(self) -> None:
        """Seals every head that has moved."""
        async with self.pool.acquire() as connection:
            for feed in list(self._feeds.values()):
                await self.sealer.seal(connection, feed, self.clock())

    def seal_soon(self) -> None:
        """Seals without waiting for the minute: at a cut-over."""
        self._seal_due.set()

    def seal_at_cut_over(self, batch: Batch) -> None:
        """For followers of rounds: seals once a batch with an opened day has been applied."""
        if any(entry.kind == DAY_OPENED for entry in batch.entries):
            self.seal_soon()

    async def _seal_for_ever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.seal_seconds):
                    await self._seal_due.wait()
            self._seal_due.clear()
            try:
                await self.seal()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
                self.log.warning("no seal now; will try again", problem=str(problem))

    async def make_feed(self, name: str, property_id: str, partitioned: tuple[str, ...] = ()) -> Feed:
        """The author's side of a feed, loaded; its entries lie in the table `<name>_entry`."""
        key = (property_id, name)
        if key not in self._feeds:
            feed = Feed(name, property_id, f"{name}_entry", SOFTWARE_VERSION, partitioned)
            async with self.pool.acquire() as connection:
                await feed.load(connection)
            self._feeds.setdefault(key, feed)
        return self._feeds[key]

    def feed(self, name: str, property_id: str) -> Feed:
        """A feed that has been made. Busy if this service has not heard of the property yet."""
        feed = self._feeds.get((property_id, name))
        if feed is None:
            raise errors.Busy(f"{self.name} knows no property {property_id!r} yet; ask again shortly.")
        return feed

    def feeds(self) -> list[Feed]:
        """Every feed of the service."""
        return list(self._feeds.values())

    async def watch(self, name: str, property_id: str, after: int) -> AsyncIterator[bytes]:
        """The frames of a feed from a cursor on. CursorAhead beyond the head."""
        feed = self.feed(name, property_id)
        if not 0 <= after <= feed.position:
            raise errors.CursorAhead(f"Expected a cursor from 0 to the head {feed.position} of {name}, got {after}.")
        async for frame in feed.frames(self.pool, after):
            yield frame

    async def status(self) -> feeds_pb2.ServiceStatus:
        """Heads and cursors of every property, read in one transaction."""
        async with self.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            heads, cursors = await store.heads(connection), await store.all_cursors(connection)
        properties = sorted({head[0] for head in heads} | {cursor[0] for cursor in cursors})
        return feeds_pb2.ServiceStatus(
            service=self.name,
            software_version=SOFTWARE_VERSION,
            properties=[_positions(name, heads, cursors, self._lags(name)) for name in properties],
        )

    def _lags(self, property_id: str) -> list[feeds_pb2.FollowerLag]:
        return [
            feeds_pb2.FollowerLag(feed=feed, head=lag.head, entries=lag.entries, seconds=lag.seconds)
            for (owner, feed), lag in sorted(self.metrics.followers.items())
            if owner == property_id
        ]


async def cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Ends tasks; a cancellation that a task swallowed is given again."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=CANCEL_SECONDS)


def _positions(
    property_id: str,
    heads: list[tuple[str, str, int, bytes]],
    cursors: list[tuple[str, str, int, bytes]],
    lags: list[feeds_pb2.FollowerLag],
) -> feeds_pb2.PropertyPositions:
    return feeds_pb2.PropertyPositions(
        property_id=property_id,
        lags=lags,
        heads=[
            feeds_pb2.Head(feed=feed, position=position, hash=hash_)
            for owner, feed, position, hash_ in heads
            if owner == property_id
        ],
        cursors=[
            feeds_pb2.UpstreamCursor(feed=feed, position=position, hash=hash_)
            for owner, feed, position, hash_ in cursors
            if owner == property_id
        ],
    )


class _Connection(asyncpg.Connection):
    """A connection that is handed on without a statement to reset it, which each commit would wait for.

    Nothing that a service does outlives its transaction: no setting, no lock, no cursor, no channel listened to. But a
    statement that is prepared and not run, because the call was given up between the two, has begun a transaction
    that only the next statement ends; such a connection gets one.
    """

    __slots__ = ("_begun",)

    async def _get_statement(self, *given: Any, **named: Any) -> Any:
        try:
            return await super()._get_statement(*given, **named)  # type: ignore[misc]  # no part of the stubs
        except BaseException:
            self._begun = True
            raise

    def get_reset_query(self) -> str:
        """No statement, or one that ends what was begun."""
        begun, self._begun = getattr(self, "_begun", False), False
        return "SELECT" if begun else ""


class _Pool(asyncpg.Pool):
    """A pool that nobody waits for without end: TimeoutError when no connection is free in time."""

    __slots__ = ()

    def acquire(self, *, timeout: float | None = None) -> Any:
        """As asyncpg's, with a limit where none is given."""
        return super().acquire(timeout=ACQUIRE_SECONDS if timeout is None else timeout)


async def open_pool(url: str) -> store.Pool:
    """The connections of a service to its database."""
    pool = await asyncpg.create_pool(
        url,
        min_size=1,
        max_size=10,
        command_timeout=60,
        connection_class=_Connection,
        server_settings={"application_name": "casino"},
    )
    # `create_pool` makes a pool of no other class, and what it hands to the constructor differs by version.
    pool.__class__ = _Pool
    return pool


def method_handlers(descriptor: ServiceDescriptor, servicer: object) -> grpc.GenericRpcHandler:
    """Handlers of every method of a service. A feed's watcher yields frames that are bytes already."""
    handlers = {method.name: _method_handler(method, getattr(servicer, method.name)) for method in descriptor.methods}
    return grpc.method_handlers_generic_handler(descriptor.full_name, handlers)


def _method_handler(method: MethodDescriptor, behaviour: Callable[..., Any]) -> grpc.RpcMethodHandler[Any, Any]:
    codec: dict[str, Any] = {
        "request_deserializer": GetMessageClass(method.input_type).FromString,
        "response_serializer": GetMessageClass(method.output_type).SerializeToString,
    }
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(behaviour, **codec)
    if not method.server_streaming:
        return grpc.unary_unary_rpc_method_handler(behaviour, **codec)
    if "batch" in method.output_type.fields_by_name:
        codec["response_serializer"] = None
    return grpc.unary_stream_rpc_method_handler(behaviour, **codec)


def channel(address: str) -> grpc.aio.Channel:
    """A channel to another service of this platform."""
    return grpc.aio.insecure_channel(
        address,
        options=[
            ("grpc.max_receive_message_length", LARGEST_MESSAGE),
            ("grpc.keepalive_time_ms", KEEPALIVE_MILLISECONDS),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1000),
        ],
    )


def as_service(name: str) -> tuple[tuple[str, str], ...]:
    """Metadata with which one service calls another."""
    return ((PRINCIPAL, f"service:{name}"),)


def main(start: Callable[[Settings], Awaitable[Service]]) -> None:
    """Runs one service until SIGTERM or SIGINT."""
    import os

    settings = Settings.read(os.environ)
    logs.configure(settings.log_level)
    if settings.fault:
        steps.arm(settings.fault)
    uvloop.run(_until_stopped(start, settings))


async def _until_stopped(start: Callable[[Settings], Awaitable[Service]], settings: Settings) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    service = await start(settings)
    collect_rarely()
    await stopping.wait()
    await service.stop()


def collect_rarely() -> None:
    """Tells the collector how a started service uses memory.

    What was made at the start lives as long as the process and need not be looked at again. A commit makes tens of
    thousands of tuples that hold no cycle: at the usual 700 it would look at each of them again and again.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
