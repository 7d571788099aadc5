"""How far a report reaches."""

from services.reporting.completeness import complete_to
from services.reporting.follower import reach
from services.runtime.followers import Batch
from services.runtime.store import Move


def test_a_report_reaches_as_far_as_its_slowest_source() -> None:
    """Complete to R means that rounds, settlements and progressives have all been applied up to R."""
    assert complete_to({"rounds": 90, "settlements": 70, "progressives": 80}) == 70
    assert complete_to({"rounds": 90, "settlements": 70}) == 0


def _batch(applied: int, head: int, upstream: dict[str, int] | None) -> Batch:
    return Batch([], Move("settlements", 0, applied, b""), upstream, head)


def test_a_feed_reaches_its_authors_cursor_once_its_head_is_applied() -> None:
    """The author's cursors hold at the head it named; before that head is applied they say nothing here."""
    assert reach(_batch(5, 5, {"rounds": 42, "submissions": 7})) == 42
    assert reach(_batch(4, 5, {"rounds": 42})) is None
    assert reach(_batch(5, 5, None)) is None
    assert reach(_batch(5, 5, {"submissions": 7})) is None
