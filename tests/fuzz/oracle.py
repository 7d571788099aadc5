"""What an answer may be: a refusal by one of the platform's own names, in a sentence of its own."""

from collections.abc import Iterator

import grpc
from google.rpc import error_details_pb2, status_pb2

from services.kernel.errors import Refusal

FAILED = (
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.DATA_LOSS,
)
INNER = ("Traceback", "failed inside", "does not answer", "<class", "object at 0x", "asyncpg", "Exception", "Error:")
"""Words that come from within: no caller made any of them happen."""
ANSWERS = frozenset({"DUPLICATE", "GAP"})
"""What an event may be answered besides the refusals."""


class Fault(AssertionError):
    """The platform did not refuse as it should."""


def _named(family: type[Refusal]) -> Iterator[str]:
    yield family().reason
    for each in family.__subclasses__():
        yield from _named(each)


REASONS = frozenset(_named(Refusal))


def judge(problem: grpc.aio.AioRpcError) -> str:
    """The name under which a call was refused. Fault where it has none, or where it tells of the inside."""
    words = problem.details() or ""
    if problem.code() in FAILED:
        raise Fault(f"expected a named refusal, got {problem.code().name}: {words}")
    metadata = dict(problem.trailing_metadata() or ())
    status = status_pb2.Status.FromString(bytes(metadata.get("grpc-status-details-bin", b"")))
    info = error_details_pb2.ErrorInfo()
    if not status.details or not status.details[0].Unpack(info):
        raise Fault(f"expected a status that names its refusal, got {problem.code().name}: {words}")
    if info.domain != "casino":
        raise Fault(f"expected a refusal of the domain casino, got {info.domain!r}")
    judge_sentence(info.reason, words)
    return str(info.reason)


def judge_sentence(reason: str, words: str, known: frozenset[str] = REASONS) -> None:
    """A reason that the platform has, with a sentence for a person. Fault otherwise."""
    if reason not in known:
        raise Fault(f"expected one of the platform's reasons, got {reason!r}: {words}")
    if not words or any(each in words for each in INNER):
        raise Fault(f"expected a sentence for a person, got {reason}: {words!r}")
