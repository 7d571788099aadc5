"""A link: the meters shared by tables of one property on one wager code and one paytable, and its states.

It is held against the section of its wager, and against what the approved Rules Submissions let its tables offer on
its first gaming day. A refusal names the section, the field, what was expected and what was given.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from services.games import terms as submitted
from services.games.catalogue import catalogue
from services.games.terms import Terms
from services.games.wagers import Meter, Mystery, Wager
from services.kernel import errors
from services.kernel.money import LARGEST_METER_CENTS, MICROS_PER_CENT, RATE_UNIT, display_cents
from services.progressives.offers import amounts, check_tables, money, refuse, stakes_of

MYSTERY = submitted.MYSTERY
"""Name of a mystery meter's level, and of the option by which a table chooses it."""


class LinkState(StrEnum):
    """Where a version of a link stands; its latest fact says."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    LIVE = "live"
    SUSPENDED = "suspended"
    RETIRED = "retired"
    WITHDRAWN = "withdrawn"


IN_FORCE = (LinkState.LIVE, LinkState.SUSPENDED)
"""States of a link that is amended and not proposed anew."""
DRAFTS = (LinkState.PROPOSED, LinkState.APPROVED)
"""States of a version that is not in force yet."""
BEGUN = (*IN_FORCE, LinkState.RETIRED)
"""States of a version that is or was in force."""
COVERING = (LinkState.APPROVED, *IN_FORCE)
"""States in which a link has its tables to itself."""


class MeterTerms(NamedTuple):
    """A level of a link: cents, rates in hundredths of a percent of the stake, a limit of 0 is none.

    `mystery` names the configuration of a mystery meter; its seed is the minimum, its limit the maximum.
    """

    level: str
    seed_cents: int
    increment_rate: int
    reserve_rate: int
    limit_cents: int
    mystery: str = ""

    @property
    def seed_micros(self) -> int:
        """The seed in micro-dollars."""
        return self.seed_cents * MICROS_PER_CENT

    @property
    def limit_micros(self) -> int:
        """The limit in micro-dollars; 0 is none."""
        return self.limit_cents * MICROS_PER_CENT

    @property
    def top_micros(self) -> int:
        """The most that may stand on the meter, micro-dollars: its limit, or what the largest meter shows."""
        return (self.limit_cents or LARGEST_METER_CENTS) * MICROS_PER_CENT


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
    """A state of a version of a link, from a position of the rounds feed on.

    `changed_by`, `changed_at` and `reason` of one that was suspended, resumed, retired or withdrawn.
    """

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
    changed_by: str = ""
    changed_at: datetime | None = None
    reason: str = ""


def propose(
    draft: Draft,
    current: Link | None,
    pending: Link | None,
    others: Iterable[Link],
    offers: Mapping[str, Terms],
    readings: Mapping[str, int],
    by: str,
    at: datetime,
    rounds_position: int,
    withdrawn: int = 0,
) -> Link:
    """A proposed link, or the proposed amendment of the one in force.

    `current`: the version in force or retired; `pending`: one proposed or approved that is not in force, of which a
    proposed one is replaced; `others`: every version that stands anywhere; `offers`: by table on the link's first
    gaming day; `readings`: micro-dollars by level of the meters that run; `withdrawn`: the highest version that was
    withdrawn, 0 for none.

    Raises LinkContradictsRules; LinkTaken for the name of a link approved and never live, or retired; LinkOutOfState
    where an amendment is approved already.
    """
    _check_replaceable(draft, current, pending)
    _check(draft, others, offers, str(draft.effective_from))
    if current is not None:
        _check_amendment(draft, current, readings)
    version = max([withdrawn, *(each.version for each in (current, pending) if each)]) + 1
    return Link(draft.link_id, version, *draft[1:], LinkState.PROPOSED, by, at, None, None, rounds_position)


def approve(
    link: Link,
    version: int,
    others: Iterable[Link],
    offers: Mapping[str, Terms],
    by: str,
    at: datetime,
    rounds_position: int,
) -> Link:
    """The approved version. Raises AlreadyDecided, SamePrincipal, LinkContradictsRules."""
    if link.state is not LinkState.PROPOSED or link.version != version:
        raise errors.AlreadyDecided(
            f"expected version {version} of link {link.link_id} to be proposed, version {link.version} is {link.state}"
        )
    if by == link.proposed_by:
        raise errors.SamePrincipal(f"expected another principal than {by}, who proposed link {link.link_id}")
    _check(link, others, offers, str(link.effective_from))
    return replace(link, state=LinkState.APPROVED, approved_by=by, approved_at=at, rounds_position=rounds_position)


def go_live(link: Link, rounds_position: int) -> Link:
    """The link from the opening of its gaming day on."""
    return replace(link, state=LinkState.LIVE, rounds_position=rounds_position)


def goes_live(link: Link, gaming_day: date) -> bool:
    """Whether the opening of this gaming day brings the version into force."""
    return link.state is LinkState.APPROVED and link.effective_from <= gaming_day


def withdraw(link: Link, version: int, by: str, reason: str, at: datetime, rounds_position: int) -> Link:
    """A version that is not in force, taken back: one person suffices, for it only takes away.

    Raises AlreadyDecided where another version stands, LinkOutOfState, InvalidRequest without a reason.
    """
    if link.version != version:
        raise errors.AlreadyDecided(
            f"expected version {link.version} of link {link.link_id}, which is {link.state}, given {version}"
        )
    _check_state(link, *DRAFTS)
    return _changed(link, LinkState.WITHDRAWN, by, _reason(link, reason), at, rounds_position)


def suspend(link: Link, by: str, reason: str, at: datetime, rounds_position: int) -> Link:
    """The link out of play. Raises LinkOutOfState, InvalidRequest without a reason."""
    _check_state(link, LinkState.LIVE)
    return _changed(link, LinkState.SUSPENDED, by, _reason(link, reason), at, rounds_position)


def resume(
    link: Link,
    others: Iterable[Link],
    offers: Mapping[str, Terms],
    by: str,
    reason: str,
    at: datetime,
    rounds_position: int,
) -> Link:
    """The link back in play, held against the rules again: somebody may have touched what it runs on.

    Raises LinkOutOfState, SamePrincipal, LinkContradictsRules, InvalidRequest without a reason.
    """
    _check_state(link, LinkState.SUSPENDED)
    given = _reason(link, reason)
    if by == link.changed_by:
        raise errors.SamePrincipal(f"expected another principal than {by}, who suspended link {link.link_id}")
    _check(link, others, offers, "the day it is resumed")
    return _changed(link, LinkState.LIVE, by, given, at, rounds_position)


def retire(link: Link, by: str, reason: str, at: datetime, rounds_position: int) -> Link:
    """The link at its end. Raises LinkOutOfState where it is not in force."""
    _check_state(link, *IN_FORCE)
    return _changed(link, LinkState.RETIRED, by, reason, at, rounds_position)


def _changed(link: Link, state: LinkState, by: str, reason: str, at: datetime, rounds_position: int) -> Link:
    return replace(
        link, state=state, changed_by=by, changed_at=at, reason=reason.strip(), rounds_position=rounds_position
    )


def _check_state(link: Link, *states: LinkState) -> None:
    if link.state not in states:
        expected = " or ".join(states)
        raise errors.LinkOutOfState(f"expected link {link.link_id} to be {expected}, given one that is {link.state}")


def _reason(link: Link, reason: str) -> str:
    if not reason.strip():
        raise errors.InvalidRequest(f"reason: expected why link {link.link_id} is changed, given none")
    return reason


def _check_replaceable(draft: Draft, current: Link | None, pending: Link | None) -> None:
    amended = current is not None and current.state in IN_FORCE
    if pending is not None and pending.state is not LinkState.PROPOSED and amended:
        expected = f"no approved amendment of link {draft.link_id} to be waiting"
        raise errors.LinkOutOfState(f"expected {expected}, version {pending.version} is {pending.state}")
    for former in (current, pending):
        if former is not None and former.state is not LinkState.PROPOSED and not amended:
            expected = "a link_id without an approved link"
            raise errors.LinkTaken(f"expected {expected}, given {draft.link_id}, which is {former.state}")


def _check_amendment(draft: Draft, current: Link, readings: Mapping[str, int]) -> None:
    """Code and levels stay, a mystery's trigger is drawn, a limit never lies under what the sign shows."""
    section, held = catalogue()[current.code].section, f"as version {current.version} of link {current.link_id}"
    otherwise = "; for another retire the link and propose a new one"
    if draft.code != current.code:
        refuse(section, "code", f"{current.code}, {held}{otherwise}", draft.code)
    levels, given = (", ".join(terms.level for terms in each.meters) for each in (current, draft))
    if given != levels:
        refuse(section, "meters", f"{levels} in this order, {held}{otherwise}", given)
    for before, terms in zip(current.meters, draft.meters, strict=True):
        if before.mystery != terms.mystery:
            refuse(section, MYSTERY, f"{before.mystery}, {held}, whose trigger is drawn{otherwise}", terms.mystery)
        reading = readings.get(terms.level, 0)
        if 0 < terms.limit_micros <= reading and not terms.mystery:
            least = f"none, or above the reading of {money(display_cents(reading))}"
            refuse(section, f"limit of {terms.level}", least, money(terms.limit_cents))


def _check(proposal: Draft | Link, others: Iterable[Link], offers: Mapping[str, Terms], day: str) -> None:
    check_link(proposal)
    _check_alone(proposal, others)
    check_tables(proposal, offers, day)


def check_link(proposal: Draft | Link) -> None:
    """Holds a link against the section of its wager, as in force on its first gaming day.

    Raises LinkContradictsRules, naming the section, the field, what was expected and what was given.
    """
    rule = catalogue().get(proposal.code)
    if rule is None or not (rule.meters or rule.mysteries):
        known = " or ".join(code for code, wager in catalogue().items() if wager.meters or wager.mysteries)
        refuse("601a.2", "code", f"a wager with a meter: {known}", proposal.code or "none")
    if proposal.paytable not in rule.paytables:
        refuse(rule.section, "paytable", " or ".join(rule.paytables), proposal.paytable or "none")
    if not rule.in_force(proposal.effective_from):
        refuse(rule.section, "effective_from", f"a gaming day of {rule.period()}", proposal.effective_from)
    if not proposal.link_id:
        refuse(rule.section, "link_id", "a name of the caller's choice", "none")
    _check_tables(rule, proposal.table_ids)
    _check_meters(rule, proposal.paytable, proposal.meters)


def _check_tables(rule: Wager, table_ids: tuple[str, ...]) -> None:
    if not table_ids or not all(table_ids):
        refuse(rule.section, "table_ids", "at least one table, each by its name", list(table_ids))
    for table_id in table_ids:
        if table_ids.count(table_id) > 1:
            refuse(rule.section, "table_ids", "every table once", f"{table_id} twice")


def _check_meters(rule: Wager, paytable: str, meters: tuple[MeterTerms, ...]) -> None:
    filed, given = {meter.level: meter for meter in rule.meters_of(paytable)}, [terms.level for terms in meters]
    progressive = [level for level in given if level != MYSTERY or not rule.mysteries]
    if sorted(filed) != sorted(progressive) or not given or given.count(MYSTERY) > 1:
        levels = [*filed, *([f"{MYSTERY} if wanted" if filed else MYSTERY] if rule.mysteries else [])]
        refuse(rule.section, "meters", f"the levels {', '.join(levels)}, each once", ", ".join(given) or "none")
    for terms in meters:
        if terms.level == MYSTERY:
            _check_mystery(rule, paytable, terms)
        else:
            _check_meter(rule, filed[terms.level], terms)
    together = sum(terms.increment_rate + terms.reserve_rate for terms in meters)
    if together >= RATE_UNIT:
        refuse(rule.section, "rates of all levels", "less than 100.00% of the stake together", _percent(together))


def _check_meter(rule: Wager, filed: Meter, terms: MeterTerms) -> None:
    _check_seed(rule, filed, terms)
    _check_size(rule, terms)
    _check_rates(rule, filed, terms)
    if terms.limit_cents and terms.limit_cents <= terms.seed_cents:
        expected = f"none, or above the seed of {money(terms.seed_cents)}"
        refuse(rule.section, f"limit of {terms.level}", expected, money(terms.limit_cents))
    if terms.mystery:
        refuse(rule.section, f"mystery of {terms.level}", f"none but of the level {MYSTERY}", terms.mystery)


def _check_seed(rule: Wager, filed: Meter, terms: MeterTerms) -> None:
    right = terms.seed_cents == filed.seed_cents
    if filed.minimum_seed:
        right = terms.seed_cents >= filed.seed_cents
    if not right:
        expected = f"{'at least ' if filed.minimum_seed else ''}{money(filed.seed_cents)}"
        refuse(rule.section, f"seed of {terms.level}", expected, money(terms.seed_cents))


def _check_size(rule: Wager, terms: MeterTerms) -> None:
    for name, given in (("seed", terms.seed_cents), ("limit", terms.limit_cents)):
        if given > LARGEST_METER_CENTS:
            expected = f"at most {money(LARGEST_METER_CENTS)}, the largest meter"
            refuse(rule.section, f"{name} of {terms.level}", expected, money(given))


def _check_rates(rule: Wager, filed: Meter, terms: MeterTerms) -> None:
    if filed.increment_rate is None and not 0 < terms.increment_rate < RATE_UNIT:
        # The section leaves the rate of progression to the Rules Submission.
        given = _percent(terms.increment_rate)
        refuse(rule.section, f"increment_rate of {terms.level}", "a rate above 0.00% and under 100.00%", given)
    for name in ("increment_rate", "reserve_rate"):
        expected, rate = getattr(filed, name), getattr(terms, name)
        if expected not in (None, rate):
            refuse(rule.section, f"{name} of {terms.level}", _percent(expected), _percent(rate))


def _check_mystery(rule: Wager, paytable: str, terms: MeterTerms) -> None:
    """A mystery meter is exactly one of the printed configurations, for the stake of the paytable (ruling J6)."""
    filed = next((each for each in rule.mysteries if each.name == terms.mystery), None)
    if filed is None:
        known = " or ".join(each.name for each in rule.mysteries)
        refuse(rule.mysteries[0].section or rule.section, MYSTERY, known, terms.mystery or "none")
    section, stakes = filed.section or rule.section, stakes_of(rule, paytable)
    if stakes and filed.denomination_cents and (filed.denomination_cents,) != stakes:
        refuse(section, MYSTERY, f"one for {amounts(stakes)}, as paytable {paytable}", _described(filed))
    for name, expected, given in (
        ("seed", money(filed.minimum_cents), money(terms.seed_cents)),
        ("limit", money(filed.maximum_cents), money(terms.limit_cents)),
        ("increment_rate", _percent(filed.increment_rate), _percent(terms.increment_rate)),
        ("reserve_rate", _percent(0), _percent(terms.reserve_rate)),
    ):
        if expected != given:
            refuse(section, f"{name} of {MYSTERY}", f"{expected} under {filed.name}", given)


def check_offers(proposal: Draft | Link, offers: Mapping[str, Terms]) -> None:
    """Holds a link against what its tables offer on its first gaming day, so that all of them play for one prize at
    the same odds and the same stake. Raises LinkContradictsRules.
    """
    check_tables(proposal, offers, str(proposal.effective_from))


def _check_alone(proposal: Draft | Link, others: Iterable[Link]) -> None:
    for other in others:
        if other.link_id == proposal.link_id or other.state not in COVERING or other.code != proposal.code:
            continue
        shared = sorted(set(proposal.table_ids) & set(other.table_ids))
        if shared:
            section = catalogue()[proposal.code].section
            expected = f"each table on one link of {proposal.code}"
            refuse(section, "table_ids", expected, f"{shared[0]}, which is on link {other.link_id}")


def _described(filed: Mystery) -> str:
    return f"{filed.name}, for {money(filed.denomination_cents)}"


def _percent(rate: int) -> str:
    whole, rest = divmod(abs(rate), 100)
    return f"{'-' if rate < 0 else ''}{whole}.{rest:02d}%"
