"""`casino status`: degraded sources by name, with their tables and where they stand."""

from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.cli.intakes import intake, intake_lines

SILENT = pb.SourceStatus(
    source_id="pit-1",
    source_epoch=3,
    durable_through_sequence=41,
    state=pb.SOURCE_STATE_SILENT,
    silent_seconds=45,
    table_ids=["BAC-01", "BAC-02"],
    last_sequence=41,
)
GAP = pb.SourceStatus(
    source_id="pit-2", state=pb.SOURCE_STATE_GAP, table_ids=[], last_sequence=9, missing_from=5, missing_to=9
)


def test_degraded_sources_stand_on_lines_of_their_own() -> None:
    """Silence names seconds, a gap names the sequences that are missing; others are counted."""
    calm = pb.SourceStatus(source_id="pit-3", state=pb.SOURCE_STATE_STREAMING)
    found = intake(pb.IntakeStatus(property_id="P", sources=[SILENT, GAP, calm], waiting_events=7, held_open=2))
    assert intake_lines("P", found) == [
        "P: 1 of 3 sources streaming, 7 events waiting, 2 held facts open",
        "  DEGRADED pit-1: silent for 45 s; tables BAC-01, BAC-02; last sequence 41",
        "  DEGRADED pit-2: sequences 5 to 9 are missing; tables no table yet; last sequence 9",
    ]
    assert found["sources"]["pit-1"] == {
        "state": "silent",
        "degraded": True,
        "epoch": 3,
        "durable_through_sequence": 41,
        "last_sequence": 41,
        "silent_seconds": 45,
        "tables": ["BAC-01", "BAC-02"],
        "missing": None,
        "under_way": 0,
    }


def test_oldest_round_without_a_result_is_named() -> None:
    """With its key and when it was opened; nothing is said where there is none."""
    said = pb.IntakeStatus(
        oldest_unfinished=entries_pb2.RoundKey(gaming_day="2026-03-02", table_id="BAC-01", shoe=2, round_no=5)
    )
    said.oldest_unfinished_opened_at.FromJsonString("2026-03-02T18:00:00Z")
    lines = intake_lines("P", intake(said))
    assert lines[1:] == [
        "  oldest round without a result: 2026-03-02 BAC-01 shoe 2 round 5, opened 2026-03-02T18:00:00Z"
    ]
    assert intake(pb.IntakeStatus())["oldest_unfinished"] is None
