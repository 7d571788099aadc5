"""Statuses: which code a refusal has, and whether the caller is told when to come again."""

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from services.kernel import errors
from services.runtime.statuses import status_of

DETAILS = "grpc-status-details-bin"


def details(refusal: errors.Refusal) -> tuple[grpc.StatusCode, str, float | None]:
    """Code, reason and seconds to wait, as a client reads them."""
    status = status_of(refusal)
    packed = status_pb2.Status.FromString(dict(status.trailing_metadata)[DETAILS])
    info, retry, wait = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo(), None
    for each in packed.details:
        if each.Unpack(retry):
            wait = retry.retry_delay.ToTimedelta().total_seconds()
        else:
            each.Unpack(info)
    return status.code, info.reason, wait


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (errors.Busy(), (grpc.StatusCode.UNAVAILABLE, "BUSY", 1.0)),
        (errors.WindowExceeded(), (grpc.StatusCode.RESOURCE_EXHAUSTED, "WINDOW_EXCEEDED", 1.0)),
        (errors.EpochStale(), (grpc.StatusCode.FAILED_PRECONDITION, "EPOCH_STALE", None)),
        (errors.InvalidRequest(), (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", None)),
        (errors.CursorAhead(), (grpc.StatusCode.OUT_OF_RANGE, "CURSOR_AHEAD", None)),
    ],
)
def test_what_may_be_sent_again_says_when(
    refusal: errors.Refusal, expected: tuple[grpc.StatusCode, str, float | None]
) -> None:
    """UNAVAILABLE and RESOURCE_EXHAUSTED come with RetryInfo, and no other does."""
    assert details(refusal) == expected
