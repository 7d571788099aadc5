"""A link: the meters shared by tables of one property on one wager code and one paytable, and its states."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple, NoReturn

from services.games.catalogue import catalogue
from services.games.wagers import Meter, Wager
from services.kernel.errors import AlreadyDecided, LinkContradictsRules, LinkTaken, SamePrincipal
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT, dollars


class LinkState(StrEnum):
    """Where a link stands; its latest fact says."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    LIVE = "live"
    SUSPENDED = "suspended"
    RETIRED = "retired"


COVERING = (LinkState.APPROVED, LinkState.LIVE, LinkState.SUSPENDED)
"""States in which a link has its tables to itself."""


class MeterTerms(NamedTuple):
    """A level of a link: cents, rates in hundredths of a percent of the stake, a limit of 0 is none."""

    level: str
    seed_cents: int
    increment_rate: int
    reserve_rate: int
    limit_cents: int

    @property
    def seed_micros(self) -> int:
        """The seed in micro-dollars."""
        return self.seed_cents * MICROS_PER_CENT


class Draft(NamedTuple):
    """What a proposal says."""

    link_id: str
    title: str
    code: str
    paytable: str
    meters: tuple[MeterTerms, ...]
    table_ids: tuple[str, ...]
    effective_from: date


@dataclass(frozen=True, slots=True)
class Link:
    """A link's state from a position of the rounds feed on."""

    link_id: str
    version: int
    title: str
    code: str
    paytable: str
    meters: tuple[MeterTerms, ...]
    table_ids: tuple[str, ...]
    effective_from: date
    state: LinkState
    proposed_by: str
    proposed_at: datetime
    approved_by: str | None
    approved_at: datetime | None
    rounds_position: int


def propose(
    draft: Draft, former: Link | None, others: Iterable[Link], by: str, at: datetime, rounds_position: int
) -> Link:
    """A proposed link; a proposal that nobody approved yet is replaced by its next version.

    Raises LinkContradictsRules; LinkTaken where the link was approved before.
    """
    if former is not None and former.state is not LinkState.PROPOSED:
        raise LinkTaken(f"expected a link_id without an approved link, given {draft.link_id}, which is {former.state}")
    check_link(draft)
    version = former.version + 1 if former else 1
    link = Link(draft.link_id, version, *draft[1:], LinkState.PROPOSED, by, at, None, None, rounds_position)
    _check_alone(link, others)
    return link


def approve(link: Link, version: int, others: Iterable[Link], by: str, at: datetime, rounds_position: int) -> Link:
    """The approved link. Raises AlreadyDecided, SamePrincipal, LinkContradictsRules."""
    if link.state is not LinkState.PROPOSED or link.version != version:
        raise AlreadyDecided(
            f"expected version {version} of link {link.link_id} to be proposed, version {link.version} is {link.state}"
        )
    if by == link.proposed_by:
        raise SamePrincipal(f"expected another principal than {by}, who proposed link {link.link_id}")
    _check_alone(link, others)
    return replace(link, state=LinkState.APPROVED, approved_by=by, approved_at=at, rounds_position=rounds_position)


def go_live(link: Link, rounds_position: int) -> Link:
    """The link from the opening of its gaming day on."""
    return replace(link, state=LinkState.LIVE, rounds_position=rounds_position)


def goes_live(link: Link, gaming_day: date) -> bool:
    """Whether the opening of this gaming day brings the link to life."""
    return link.state is LinkState.APPROVED and link.effective_from <= gaming_day


def check_link(draft: Draft) -> None:
    """Holds a proposal against the section of its wager, as in force on its first gaming day.

    Raises LinkContradictsRules, naming the section, the field, what was expected and what was given.
    """
    rule = catalogue().get(draft.code)
    if rule is None or not rule.meters:
        known = " or ".join(code for code, wager in catalogue().items() if wager.meters)
        _refuse("601a.2", "code", f"a wager with a meter: {known}", draft.code or "none")
    if draft.paytable not in rule.paytables:
        _refuse(rule.section, "paytable", " or ".join(rule.paytables), draft.paytable or "none")
    if not rule.in_force(draft.effective_from):
        _refuse(rule.section, "effective_from", f"a gaming day of {rule.period()}", draft.effective_from)
    if not draft.link_id:
        _refuse(rule.section, "link_id", "a name of the caller's choice", "none")
    _check_tables(rule, draft.table_ids)
    _check_meters(rule, draft.paytable, draft.meters)


def _check_tables(rule: Wager, table_ids: tuple[str, ...]) -> None:
    if not table_ids or not all(table_ids):
        _refuse(rule.section, "table_ids", "at least one table, each by its name", list(table_ids))
    for table_id in table_ids:
        if table_ids.count(table_id) > 1:
            _refuse(rule.section, "table_ids", "every table once", f"{table_id} twice")


def _check_meters(rule: Wager, paytable: str, meters: tuple[MeterTerms, ...]) -> None:
    filed, given = {meter.level: meter for meter in rule.meters_of(paytable)}, [terms.level for terms in meters]
    if sorted(filed) != sorted(given):
        _refuse(rule.section, "meters", f"the levels {', '.join(filed)}, each once", ", ".join(given) or "none")
    for terms in meters:
        _check_seed(rule, filed[terms.level], terms)
        _check_rates(rule, filed[terms.level], terms)


def _check_seed(rule: Wager, filed: Meter, terms: MeterTerms) -> None:
    right = terms.seed_cents == filed.seed_cents
    if filed.minimum_seed:
        right = terms.seed_cents >= filed.seed_cents
    if not right:
        expected = f"{'at least ' if filed.minimum_seed else ''}${dollars(filed.seed_cents)}"
        _refuse(rule.section, f"seed of {terms.level}", expected, f"${dollars(terms.seed_cents)}")


def _check_rates(rule: Wager, filed: Meter, terms: MeterTerms) -> None:
    if filed.increment_rate is None and not 0 < terms.increment_rate < RATE_UNIT:
        # The section leaves the rate of progression to the Rules Submission.
        given = _percent(terms.increment_rate)
        _refuse(rule.section, f"increment_rate of {terms.level}", "a rate above 0.00% and under 100.00%", given)
    for name in ("increment_rate", "reserve_rate"):
        expected, rate = getattr(filed, name), getattr(terms, name)
        if expected not in (None, rate):
            _refuse(rule.section, f"{name} of {terms.level}", _percent(expected), _percent(rate))
    if terms.limit_cents:
        given = f"${dollars(terms.limit_cents)}"
        _refuse(rule.section, f"limit of {terms.level}", "none, as the section names none", given)


def _check_alone(link: Link, others: Iterable[Link]) -> None:
    for other in others:
        if other.link_id == link.link_id or other.state not in COVERING or other.code != link.code:
            continue
        shared = sorted(set(link.table_ids) & set(other.table_ids))
        if shared:
            section = catalogue()[link.code].section
            expected = f"each table on one link of {link.code}"
            _refuse(section, "table_ids", expected, f"{shared[0]}, which is on link {other.link_id}")


def _percent(rate: int) -> str:
    whole, rest = divmod(abs(rate), 100)
    return f"{'-' if rate < 0 else ''}{whole}.{rest:02d}%"


def _refuse(section: str, field: str, expected: str, given: object) -> NoReturn:
    raise LinkContradictsRules(f"{section}: {field}: expected {expected}, given {given}")
