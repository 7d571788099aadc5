"""A Rules Submission: proposed by one person, approved by another, in force from a gaming day onward."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

from services.games.analysis import bands
from services.games.terms import Terms, canonical_json, check_terms
from services.kernel import errors
from services.kernel.house_edge import EdgeBand

SECTION = "601a.2"
"""58 Pa. Code 601a.2, Table games Rules Submissions."""


class Proposal(NamedTuple):
    """What a certificate holder files: `tables` are objects with `table_id` and what `Terms.read` reads."""

    property_id: str
    title: str
    certificate_holder: str
    effective_from: date
    tables: Sequence[Any]


@dataclass(frozen=True)
class Submission:
    """A filed Rules Submission; `tables` by table id. It is approved when `approved_by` names somebody."""

    submission_id: str
    property_id: str
    title: str
    certificate_holder: str
    effective_from: date
    tables: Mapping[str, Terms]
    proposed_by: str
    proposed_at: datetime
    approved_by: str = ""
    approved_at: datetime | None = None


def submission_id(number: int) -> str:
    """The name of a property's n-th submission."""
    return f"RS-{number}"


def proposed(proposal: Proposal, number: int, by: str, at: datetime) -> Submission:
    """The submission, each of its tables held against the regulation as in force on its first gaming day.

    Raises TermsContradictRules, naming section, field, what was expected, what was given, and the table.
    """
    name = submission_id(number)
    tables = _checked(name, proposal)
    return Submission(
        name,
        proposal.property_id,
        proposal.title,
        proposal.certificate_holder,
        proposal.effective_from,
        tables,
        by,
        at,
    )


def _checked(name: str, proposal: Proposal) -> Mapping[str, Terms]:
    if not proposal.tables:
        raise errors.TermsContradictRules(f"{SECTION}: tables: expected at least one table, given none")
    tables = read_tables(name, proposal.tables)
    for table_id, terms in tables.items():
        try:
            check_terms(terms, proposal.effective_from)
        except errors.TermsContradictRules as refusal:
            raise errors.TermsContradictRules(f"{refusal.message} (table {table_id})") from refusal
    return tables


def warnings(proposal: Proposal, band: EdgeBand) -> list[str]:
    """What a certificate holder is told of offers that the regulation allows: exact house edges out of the band.

    A sentence each, with its tables. Raises TermsContradictRules as `proposed` does.
    """
    said: dict[str, list[str]] = {}
    for table_id, terms in _checked("", proposal).items():
        for sentence in bands.table_warnings(terms, band.fractions):
            said.setdefault(sentence, []).append(table_id)
    return [f"{sentence} ({', '.join(table_ids)})" for sentence, table_ids in said.items()]


def approved(submission: Submission, by: str, at: datetime) -> Submission:
    """The submission, approved. Raises AlreadyDecided; SamePrincipal where the proposer approves."""
    if submission.approved_by:
        raise errors.AlreadyDecided(
            f"expected {submission.submission_id} proposed, it was approved by {submission.approved_by}"
        )
    if by == submission.proposed_by:
        raise errors.SamePrincipal(
            f"expected an approval of {submission.submission_id} by another person than {by}, who proposed it"
        )
    return replace(submission, approved_by=by, approved_at=at)


def terms_of(submission: Submission, table_id: str) -> Terms:
    """The terms of one table. Raises NoSubmission where the submission has no such table."""
    terms = submission.tables.get(table_id)
    if terms is None:
        given = f"{submission.submission_id} with {', '.join(submission.tables)}"
        raise errors.NoSubmission(f"expected a submission that covers table {table_id}, given {given}")
    return terms


def read_tables(name: str, messages: Sequence[Any]) -> Mapping[str, Terms]:
    """The terms by table, in the order given. Raises TermsContradictRules where a table is not named once."""
    tables: dict[str, Terms] = {}
    for message in messages:
        table_id = str(message.table_id)
        if not table_id or table_id in tables:
            given = f"{table_id} twice" if table_id else "none"
            raise errors.TermsContradictRules(f"{SECTION}: table_id: expected each table once, given {given}")
        tables[table_id] = Terms.read(name, message)
    return MappingProxyType(tables)


def tables_json(tables: Mapping[str, Terms]) -> str:
    """The tables as JSON text, which `read_tables_json` reads back; offers are sorted by their code."""
    return json.dumps(
        [{"table_id": table_id, "terms": json.loads(canonical_json(terms))} for table_id, terms in tables.items()]
    )


def read_tables_json(name: str, text: str) -> Mapping[str, Terms]:
    """The terms by table, of the text that `tables_json` writes."""
    return read_tables(name, [_table(each["table_id"], each["terms"]) for each in json.loads(text)])


def _table(table_id: str, terms: Mapping[str, Any]) -> SimpleNamespace:
    offers = [SimpleNamespace(**offer) for offer in terms["offers"]]
    return SimpleNamespace(**{**terms, "table_id": table_id, "offers": offers})
