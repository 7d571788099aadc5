"""The register of changed parameters: links (605a.8), Rules Submissions (601a.2), settings of property and tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from services.kernel.money import decimal_text, dollars
from services.reporting.document import TableSetting
from services.reporting.periods import Asked
from services.reporting.registers.record import LinkRecord, SubmissionRecord
from services.reporting.sums import PropertySetting, TableTerms
from services.reporting.table import TEXT, Column, Row, Table

TITLE = "Parameter changes"
SIGNATURES = ("Preparer", "Reviewer")
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("element", "Element", TEXT),
    Column("old", "Old", TEXT),
    Column("new", "New", TEXT),
    Column("effective", "Effective", TEXT),
    Column("requester", "Requested by", TEXT),
    Column("approver", "Approved by", TEXT),
    Column("at", "At", TEXT),
    Column("reason", "Why", TEXT),
    Column("position", "Stands on", TEXT),
)
CHANGED = ("suspended", "retired", "withdrawn")
"""States of a link that one person brings about."""
LINK_NOTES = ("A link's rates are percent of the stake. What is merely proposed or approved is not in force yet.",)
SUBMISSION_NOTES = (
    "By the gaming day from which they are in force: kinds of tables, wagers and their paytables.",
    "Stake limits, seats, decks and options of a submission are not followed here: the settlement service has them.",
)
SETTING_NOTES = ("One person sets a property or a table; of several settings of one day the last is in force.",)
ENTERED = ("effective_from", "table_id", "set_by", "set_at", "position")
"""What a setting has besides what it says."""


@dataclass(frozen=True)
class ParameterFacts:
    """States of links up to the period's end, submissions with what they say of tables, settings from each day on."""

    asked: Asked
    links: Sequence[LinkRecord]
    submissions: Sequence[SubmissionRecord]
    terms: Sequence[TableTerms]
    properties: Sequence[PropertySetting]
    tables: Sequence[TableSetting]


def parameter_changes(facts: ParameterFacts) -> tuple[Table, ...]:
    """One line for each element that changed, with what it was and what it is."""
    return (
        Table("links", "Progressive links", COLUMNS, tuple(_links(facts)), None, LINK_NOTES),
        Table("submissions", "Rules Submissions", COLUMNS, tuple(_submissions(facts)), None, SUBMISSION_NOTES),
        Table("settings", "Properties and tables", COLUMNS, tuple(_settings(facts)), None, SETTING_NOTES),
    )


def _links(facts: ParameterFacts) -> Iterator[Row]:
    states: dict[tuple[str, int], str] = {}
    said: dict[str, dict[str, str]] = {}
    for each in facts.links:
        name = each.link_id, each.version
        changes = [("state", states.get(name, ""), each.state)]
        if name not in states:
            old, new = said.get(each.link_id, {}), _said(each)
            changes += [(key, old.get(key, ""), new.get(key, "")) for key in {**old, **new}]
            said[each.link_id] = new
        states[name] = each.state
        if facts.asked.first <= each.gaming_day <= facts.asked.last:
            yield from (_link_row(each, *change) for change in changes if change[1] != change[2])


def _said(link: LinkRecord) -> dict[str, str]:
    """What a version of a link says, element by element."""
    found = {"title": link.title, "wager": link.code, "paytable": link.paytable, "tables": ", ".join(link.table_ids)}
    terms = zip(
        *(link.levels, link.seeds_cents, link.increment_rates, link.reserve_rates, link.limits_cents, link.mysteries),
        strict=True,
    )
    for level, seed, increment, reserve, limit, mystery in terms:
        found |= {
            f"{level} seed": dollars(seed),
            f"{level} increment rate": f"{decimal_text(Fraction(increment, 100), 2)} %",
            f"{level} reserve rate": f"{decimal_text(Fraction(reserve, 100), 2)} %",
            f"{level} limit": dollars(limit) if limit else "none",
        }
        if mystery:
            found[f"{level} mystery"] = mystery
    return found


def _link_row(link: LinkRecord, element: str, old: str, new: str) -> Row:
    changed = link.state in CHANGED or bool(link.changed_by)
    return (
        str(link.gaming_day),
        f"link {link.link_id} version {link.version}: {element}",
        *(old, new, link.effective_from),
        link.changed_by if changed else link.proposed_by,
        "" if changed else link.approved_by,
        link.at.isoformat(timespec="seconds") if link.at else "",
        link.reason,
        f"progressives {link.position}",
    )


def _submissions(facts: ParameterFacts) -> Iterator[Row]:
    by_position = {each.position: each for each in facts.submissions}
    latest: dict[str, dict[str, str]] = {}
    for each in sorted(facts.terms, key=lambda terms: (terms.effective_from, terms.position, terms.table_id)):
        old, new = latest.get(each.table_id, {}), {"kind": each.kind, **dict(each.offers)}
        latest[each.table_id] = new
        submission = by_position.get(each.position)
        if submission is not None and facts.asked.first <= each.effective_from <= facts.asked.last:
            yield from _submission_rows(submission, each, old, new)


def _submission_rows(
    submission: SubmissionRecord, terms: TableTerms, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Row]:
    for element in {**old, **new}:
        if old.get(element) != new.get(element):
            yield (
                str(terms.effective_from),
                f"table {terms.table_id}: {element}",
                old.get(element, ""),
                new.get(element, "no longer offered"),
                str(terms.effective_from),
                submission.proposed_by,
                submission.approved_by,
                submission.approved_at.isoformat(timespec="seconds") if submission.approved_at else "",
                f"submission {submission.submission_id}, {submission.title}",
                f"submissions {submission.position}",
            )


def _settings(facts: ParameterFacts) -> Iterator[Row]:
    yield from _dated(facts, ((f"property {facts.asked.property_id}", each) for each in facts.properties))
    yield from _dated(facts, ((f"table {each.table_id}", each) for each in facts.tables))


def _dated(facts: ParameterFacts, rows: Iterable[tuple[str, PropertySetting | TableSetting]]) -> Iterator[Row]:
    """What each setting changes of the one before it of the same property or table, in order of their days."""
    latest: dict[str, dict[str, object]] = {}
    for name, each in rows:
        new = {key: said for key, said in each._asdict().items() if key not in ENTERED}
        old = latest.get(name, {})
        latest[name] = new
        if facts.asked.first <= each.effective_from <= facts.asked.last:
            changes = [(key, old.get(key, ""), said) for key, said in new.items() if old.get(key) != said]
            yield from (_setting_row(name, each, *change) for change in changes)


def _setting_row(name: str, setting: PropertySetting | TableSetting, key: str, old: object, new: object) -> Row:
    day = str(setting.effective_from)
    return (
        day,
        f"{name}: {key.replace('_', ' ')}",
        _text(old),
        _text(new),
        day,
        setting.set_by,
        "",
        setting.set_at.isoformat(timespec="seconds") if setting.set_at else "",
        "",
        f"rounds {setting.position}",
    )


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
