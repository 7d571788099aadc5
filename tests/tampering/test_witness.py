"""What the database cannot tell once its seals are gone, a witness outside of it does."""

from pathlib import Path

import pytest

from tests.tampering.chains import DOCUMENTS, anew, records_anew
from tests.tampering.kinds import Kind
from tests.tampering.laboratory import Laboratory

UNFOLLOWED = (
    Kind(
        "documents written anew with their rows, their seals deleted",
        DOCUMENTS,
        anew("reporting", "documents_entry", "documents", "B-7", "B-8")
        + "; UPDATE reporting.document SET box_serial = 'B-8' WHERE box_serial = 'B-7';"
        " DELETE FROM reporting.seal WHERE feed = 'documents'",
        ("reporting: the seal of documents at position",),
    ),
    Kind(
        "records written anew with their row, their seals deleted",
        ("rounds.source", "rounds.record", "rounds.seal"),
        "UPDATE rounds.source SET description = 'another' WHERE source_id = 'pit';"
        " UPDATE rounds.record SET content = replace(content, 'a pit', 'another') WHERE fact = 'source';"
        + records_anew("rounds")
        + "; DELETE FROM rounds.seal WHERE feed = 'records'",
        ("rounds: the seal of records at position",),
    ),
)


@pytest.mark.parametrize("kind", UNFOLLOWED, ids=lambda kind: kind.name)
def test_seals_deleted_with_what_they_sealed_are_missed_by_a_witness(
    laboratory: Laboratory, kind: Kind, tmp_path: Path
) -> None:
    """Without one verify finds nothing; with one it names service, feed and position, and goes on to do so."""
    witness = tmp_path / "witness.json"
    assert laboratory.differences(witness) == []
    seen = witness.read_bytes()
    assert laboratory.said_of(kind) == []
    for _ in range(2):
        said = laboratory.said_of(kind, witness)
        assert [word for word in kind.words if not any(word in line for line in said)] == [], "\n".join(said)
        assert len(said) == 1
        assert "is gone" in said[0]
        assert witness.read_bytes() == seen
    assert laboratory.differences(witness) == []
