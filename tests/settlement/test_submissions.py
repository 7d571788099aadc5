"""Rules Submissions as such."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from services.games.terms import digest
from services.kernel import errors
from services.settlement.submissions import Proposal, approved, proposed, read_tables_json, tables_json, terms_of
from tests.settlement.conftest import table_terms

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def filed(*tables: Any, day: date = date(2026, 3, 2)) -> Proposal:
    return Proposal("HAR", "Baccarat", "Harbor Casino", day, tables)


def test_a_proposal_takes_the_next_number_and_is_not_approved() -> None:
    """A submission is named by its number and waits for a second person."""
    found = proposed(filed(table_terms(), table_terms("BAC-02")), 3, "ann", NOW)
    assert (found.submission_id, found.approved_by, list(found.tables)) == ("RS-3", "", ["BAC-01", "BAC-02"])


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ((), ("601a.2", "tables", "at least one", "none")),
        ((table_terms(""),), ("601a.2", "table_id", "once", "none")),
        ((table_terms(), table_terms()), ("601a.2", "table_id", "once", "BAC-01 twice")),
        ((table_terms(game="whist"),), ("game", "baccarat", "whist", "BAC-01")),
        ((table_terms(decks=5),), ("decks", "5", "BAC-01")),
    ],
)
def test_a_proposal_that_contradicts_the_rules_is_refused(tables: Any, words: tuple[str, ...]) -> None:
    """The refusal names section, field, what was expected, what was given and the table."""
    with pytest.raises(errors.TermsContradictRules) as refusal:
        proposed(filed(*tables), 1, "ann", NOW)
    assert not [word for word in words if word not in refusal.value.message]


def test_an_approval_takes_a_second_person_once() -> None:
    """The proposer cannot approve, and nobody approves twice."""
    found = proposed(filed(table_terms()), 1, "ann", NOW)
    with pytest.raises(errors.SamePrincipal):
        approved(found, "ann", NOW)
    done = approved(found, "bob", NOW)
    assert done == replace(found, approved_by="bob", approved_at=NOW)
    with pytest.raises(errors.AlreadyDecided):
        approved(done, "cy", NOW)


def test_stored_terms_are_the_terms_filed() -> None:
    """What is kept reads back to the same offers, limits and options."""
    terms = table_terms()
    terms.offers[0].maximum_cents = 50_000
    found = proposed(filed(terms, table_terms("BAC-02")), 1, "ann", NOW)
    again = read_tables_json("RS-1", tables_json(found.tables))
    assert [digest(each) for each in again.values()] == [digest(each) for each in found.tables.values()]
    assert list(again) == list(found.tables)


def test_a_table_that_is_not_covered_has_no_terms() -> None:
    """A round at a table that the submission does not name cannot settle by it."""
    with pytest.raises(errors.NoSubmission, match="BAC-09"):
        terms_of(proposed(filed(table_terms()), 1, "ann", NOW), "BAC-09")
