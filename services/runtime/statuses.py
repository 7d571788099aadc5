"""The one place where refusals become gRPC statuses, and back."""

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from services.kernel import errors

DOMAIN = "casino"
RETRY_SECONDS = 1
# With these the caller is told when to come again.
RETRIABLE = (code_pb2.UNAVAILABLE, code_pb2.RESOURCE_EXHAUSTED)

CODES: tuple[tuple[type[errors.Refusal], int], ...] = (
    (errors.CursorAhead, code_pb2.OUT_OF_RANGE),
    (errors.Unidentified, code_pb2.UNAUTHENTICATED),
    (errors.Forbidden, code_pb2.PERMISSION_DENIED),
    (errors.Taken, code_pb2.ALREADY_EXISTS),
    (errors.Unknown, code_pb2.NOT_FOUND),
    (errors.Precondition, code_pb2.FAILED_PRECONDITION),
    (errors.Exhausted, code_pb2.RESOURCE_EXHAUSTED),
    (errors.Busy, code_pb2.UNAVAILABLE),
    (errors.Refusal, code_pb2.INVALID_ARGUMENT),
)


def status_of(refusal: errors.Refusal) -> grpc.Status:
    """The gRPC status of a refusal: its code, its sentence, its name in google.rpc.ErrorInfo.

    Where the same may be sent again, google.rpc.RetryInfo says after how long.
    """
    code = next(code for family, code in CODES if isinstance(refusal, family))
    details = [_packed(error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN))]
    if code in RETRIABLE:
        wait = Duration(seconds=RETRY_SECONDS)
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=wait)))
    return rpc_status.to_status(status_pb2.Status(code=code, message=refusal.message, details=details))


def _packed(message: error_details_pb2.ErrorInfo | error_details_pb2.RetryInfo) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed
