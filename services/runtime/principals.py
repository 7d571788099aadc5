"""The interceptor that every call passes: who calls, from where, how it ended.

The principal comes from the call's metadata, and only callers on this machine's loopback are believed. Certificates,
tokens and roles would replace `_principal` and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeAlias

import asyncpg
import grpc
import structlog
from google.protobuf.message import DecodeError

from services.kernel import errors
from services.runtime import texts
from services.runtime.ages import ENDLESS, until_aged
from services.runtime.logs import Log
from services.runtime.metrics import Metrics
from services.runtime.statuses import status_of

PRINCIPAL = "principal"
LOOPBACK = ("ipv4:127.", "ipv6:[::1]", "ipv6:%5B::1%5D")
OPEN_TO_ALL = ("/grpc.health.", "/grpc.reflection.")
DATABASE_DOWN = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
)
DATABASE_FULL = asyncpg.InsufficientResourcesError

_current: ContextVar[str] = ContextVar("principal")

# Texts, because grpc's classes take no parameters outside a type checker.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


def current_principal() -> str:
    """Who makes the call under way."""
    return _current.get()


def as_refusal(problem: Exception) -> errors.Refusal | None:
    """A refusal as it is; a database that is down or full as one that may be tried again; else None."""
    if isinstance(problem, errors.Refusal):
        return problem
    if isinstance(problem, DATABASE_FULL):
        return errors.Busy("The database is full; nothing of this request was kept. Send it again later.")
    if isinstance(problem, (*DATABASE_DOWN, TimeoutError)):
        return errors.Busy("The database does not answer; nothing of this request was kept. Send it again.")
    return None


def _unstorable(problem: Exception) -> errors.Refusal | None:
    """A request with a value that no column can hold: sending it again is of no use."""
    # A day that is infinite to the database gives no bounds to a partition.
    if isinstance(problem, (asyncpg.DataError, asyncpg.InvalidObjectDefinitionError)):
        return errors.InvalidRequest(f"Expected values that the database can hold; it says: {problem}.")
    return None


class Gate(grpc.aio.ServerInterceptor):
    """Names the principal, logs and counts the call, ends it at its age, and turns refusals into statuses."""

    def __init__(self, log: Log, metrics: Metrics, age: float) -> None:
        """`age`: seconds that a connection lives, and so a call that has no end of its own."""
        self._log, self._metrics, self._age = log, metrics, age

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Wraps the handler of every call but health and reflection."""
        handler, method = await continuation(handler_call_details), str(handler_call_details.method)
        if handler is None or method.startswith(OPEN_TO_ALL):
            return handler
        return self._wrapped(handler, method.rsplit("/", 1)[1])

    def _wrapped(self, handler: Handler, method: str) -> Handler:
        behaviour: Any = handler.unary_unary or handler.unary_stream or handler.stream_stream
        codec: dict[str, Any] = {
            "response_serializer": handler.response_serializer,
        }
        # The bytes come as they are and are read within the call: gRPC itself would answer what it cannot read with
        # UNKNOWN and the words of an exception.
        read = partial(_read, handler.request_deserializer)
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(self._unary(behaviour, method, read), **codec)
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(self._stream(behaviour, method, read), **codec)
        read_each = partial(_read_each, read)
        return grpc.stream_stream_rpc_method_handler(self._stream(behaviour, method, read_each), **codec)

    def _unary(
        self, behaviour: Callable[[Any, Context], Awaitable[Any]], method: str, read: Callable[[bytes], Any]
    ) -> Callable[..., Any]:
        async def call(content: bytes, context: Context) -> Any:
            async with _Call(self._log, self._metrics, method, context):
                return await behaviour(_told(read(content)), context)

        return call

    def _stream(
        self, behaviour: Callable[[Any, Context], AsyncIterator[Any]], method: str, read: Callable[[Any], Any]
    ) -> Callable[..., Any]:
        endless = method.startswith(ENDLESS)

        async def call(content: Any, context: Context) -> AsyncIterator[Any]:
            async with _Call(self._log, self._metrics, method, context):
                responses = behaviour(_told(read(content)), context)
                async for response in until_aged(responses, self._age) if endless else responses:
                    yield response

        return call


def _read(parse: Callable[[bytes], Any] | None, content: bytes) -> Any:
    """The message in a call's bytes. InvalidRequest where they are none, or where a text cannot be kept."""
    if parse is None:
        return content
    try:
        message = parse(content)
    except DecodeError as problem:
        raise errors.InvalidRequest(
            f"Expected a serialised message of this method, got {len(content)} bytes that are none."
        ) from problem
    texts.check(message)
    return message


async def _read_each(read: Callable[[bytes], Any], contents: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    async for content in contents:
        yield read(content)


def _told(request: Any) -> Any:
    """The request itself; its id, where it has one, is told in every line that is logged of the call."""
    if request_id := getattr(request, "request_id", ""):
        structlog.contextvars.bind_contextvars(request_id=request_id)
    return request


class _Call:
    """One call: enters with the principal bound, leaves logged, counted and with a status."""

    def __init__(self, log: Log, metrics: Metrics, method: str, context: Context) -> None:
        self._log, self._metrics, self._method, self._context = log, metrics, method, context
        self._began = time.monotonic()

    async def __aenter__(self) -> None:
        structlog.contextvars.clear_contextvars()
        try:
            principal = _principal(self._context)
        except errors.Refusal as refusal:
            await self._refuse(refusal)
            raise
        _current.set(principal)
        structlog.contextvars.bind_contextvars(method=self._method, principal=principal)

    async def __aexit__(self, kind: Any, problem: BaseException | None, trace: Any) -> None:
        if not isinstance(problem, Exception) or isinstance(problem, grpc.aio.AbortError):
            self._done("CANCELLED" if problem else "OK")
            return
        refusal = as_refusal(problem) or _unstorable(problem)
        if refusal is None:
            self._log.error("call failed", exc_info=problem)
            refusal = errors.Busy(f"{self._method} failed inside; it was logged. The same request may be sent again.")
        await self._refuse(refusal)

    async def _refuse(self, refusal: errors.Refusal) -> None:
        self._metrics.refusals.labels(refusal.reason).inc()
        self._done(refusal.reason, message=refusal.message)
        await self._context.abort_with_status(status_of(refusal))

    def _done(self, code: str, **more: str) -> None:
        self._metrics.calls.labels(self._method, code).inc()
        took = int((time.monotonic() - self._began) * 1000)
        self._log.debug("call done", call=self._method, code=code, milliseconds=took, **more)


def _principal(context: Context) -> str:
    if not context.peer().startswith(LOOPBACK):
        raise errors.Forbidden(f"Expected a caller on this machine's loopback, got {context.peer()}.")
    metadata = dict(context.invocation_metadata() or ())
    principal = str(metadata.get(PRINCIPAL, "")).strip()
    if not principal:
        raise errors.Unidentified("Expected metadata 'principal' naming who calls; there was none.")
    if len(principal.encode()) > texts.MOST_NAME_BYTES:
        raise errors.Unidentified(f"Expected a principal of at most {texts.MOST_NAME_BYTES} bytes.")
    return principal
