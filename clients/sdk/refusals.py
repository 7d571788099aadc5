"""What a service refused, read from its gRPC status, and how long a caller goes on trying."""

from __future__ import annotations

import asyncio
import random
import time

import grpc
from google.rpc import error_details_pb2, status_pb2

DETAILS = "grpc-status-details-bin"
DOMAIN = "casino"
FIRST_WAIT = 0.05
LONGEST_WAIT = 2.0
JITTER = 0.25
"""Part of a wait that is added at random, so that many callers do not come back at once."""


class RefusedByServer(Exception):
    """A call ended with a status that is not OK.

    `reason` is the refusal's name, for example `EPOCH_STALE`, or the status code's name where the status
    carries none; `message` says what was expected and what was given; `code` is the gRPC code;
    `retry_after` in seconds is what the service asked for, None where it asked for nothing.
    """

    def __init__(self, reason: str, message: str, code: grpc.StatusCode, retry_after: float | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason, self.message, self.code, self.retry_after = reason, message, code, retry_after

    @classmethod
    def read(cls, problem: grpc.aio.AioRpcError) -> RefusedByServer:
        """The refusal in a failed call: google.rpc.ErrorInfo and RetryInfo of its status details."""
        code, message = problem.code(), problem.details() or "the service said nothing more"
        reason, retry_after = code.name, None
        for packed in _status(problem).details:
            info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
            if packed.Unpack(info) and info.domain == DOMAIN:
                reason = info.reason
            elif packed.Unpack(retry):
                retry_after = retry.retry_delay.ToTimedelta().total_seconds()
        return cls(reason, message, code, retry_after)

    @property
    def retriable(self) -> bool:
        """Whether the same request may be sent again: UNAVAILABLE, or RESOURCE_EXHAUSTED with RetryInfo.

        CANCELLED too: it is how a call ends that a stopping service cuts off.
        """
        exhausted = self.code is grpc.StatusCode.RESOURCE_EXHAUSTED and self.retry_after is not None
        return exhausted or self.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


def _status(problem: grpc.aio.AioRpcError) -> status_pb2.Status:
    status = status_pb2.Status()
    for key, value in problem.trailing_metadata() or ():
        if key == DETAILS and isinstance(value, bytes):
            status.ParseFromString(value)
    return status


class Patience:
    """How long a caller goes on trying: at most `seconds` without progress.

    The waits double, are never shorter than what the service asked for, and are drawn out at random.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.progressed()

    def progressed(self) -> None:
        """Something came through: the time starts anew."""
        self._until, self._wait = time.monotonic() + self._seconds, FIRST_WAIT

    async def wait(self, refusal: RefusedByServer) -> None:
        """Waits before the next attempt. Raises the refusal if it is final or the time is over."""
        wait = max(self._wait, refusal.retry_after or 0) * random.uniform(1, 1 + JITTER)
        if not refusal.retriable or time.monotonic() + wait > self._until:
            raise refusal
        self._wait = min(2 * self._wait, LONGEST_WAIT)
        await asyncio.sleep(wait)
