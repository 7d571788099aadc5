"""Whatever is done to a row by hand, verify finds and names it."""

import pytest

from clients.cli import properties, reports
from tests.tampering.chains import CHAINS
from tests.tampering.kinds import FLOOR, JOURNAL, REPORTS, SETTLEMENT, Kind
from tests.tampering.laboratory import Laboratory

KINDS = (*FLOOR, *SETTLEMENT, *JOURNAL, *REPORTS, *CHAINS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_direct_edit_is_found_and_named(laboratory: Laboratory, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word of the kind stands in what verify says."""
    monkeypatch.setattr(properties, "BEHIND_SECONDS", 0.3)
    monkeypatch.setattr(reports, "WAIT_SECONDS", 0.3)
    said = laboratory.said_of(kind)
    assert [word for word in kind.words if not any(word in line for line in said)] == [], "\n".join(said)


def test_what_nobody_touched_is_clean(laboratory: Laboratory) -> None:
    """Before and after every edit verify finds no difference."""
    assert laboratory.differences() == []


def test_every_table_is_edited_in_some_way(laboratory: Laboratory) -> None:
    """A table that no edit touches could be changed without anybody's seeing it."""
    assert laboratory.tables() - {table for kind in KINDS for table in kind.tables} == set()
