"""What the approved Rules Submissions let each table offer on a gaming day, and whether a link fits it."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from services.games.catalogue import catalogue
from services.games.terms import MYSTERY, Offer, Terms
from services.games.wagers import Wager
from services.kernel.errors import LinkContradictsRules
from services.kernel.money import dollars

if TYPE_CHECKING:
    from services.progressives.link import Draft, Link


class Submission(NamedTuple):
    """An approved Rules Submission as received; `position` in the submissions feed, the terms by table."""

    position: int
    submission_id: str
    effective_from: date
    tables: Mapping[str, Terms]


def terms_on(submissions: Iterable[Submission], gaming_day: date) -> dict[str, Terms]:
    """What each table offers on a gaming day, of the submissions received so far.

    By the rule that stamps a round: of those in force on the day that name the table the one in force last, and of
    several from one day the one approved last.
    """
    found: dict[str, Terms] = {}
    in_force = [each for each in submissions if each.effective_from <= gaming_day]
    for each in sorted(in_force, key=lambda each: (each.effective_from, each.position)):
        found.update(each.tables)
    return found


def check_tables(proposal: "Draft | Link", offers: Mapping[str, Terms], day: str) -> None:
    """Holds a link against what its tables offer on a day, named for a reader: all of them play for one prize at the
    same odds and the same stake. Raises LinkContradictsRules.
    """
    rule = catalogue()[proposal.code]
    first = proposal.table_ids[0]
    for table_id in proposal.table_ids:
        terms = offers.get(table_id)
        if terms is not None and terms.game != rule.game:
            refuse(rule.section, f"game at {table_id}", rule.game, terms.game)
        if terms is None or proposal.code not in terms.offers:
            expected = f"an approved Rules Submission that offers {proposal.code} at {table_id} on {day}"
            given = f"{terms.submission_id}, which does not offer it" if terms else "none"
            refuse(rule.section, "table_ids", expected, given)
        _check_offer(rule, proposal, table_id, terms)
        _check_same(rule, (first, offers[first]), (table_id, terms))


def _check_offer(rule: Wager, proposal: "Draft | Link", table_id: str, terms: Terms) -> None:
    offer, stakes = terms.offers[rule.code], stakes_of(rule, proposal.paytable)
    offered = stakes_of(rule, offer.paytable)
    if offered != stakes:
        expected, given = (f"{amounts(each)} of paytable" for each in (stakes, offered))
        field = f"denomination at {table_id}"
        refuse(rule.section, field, f"{expected} {proposal.paytable}", f"{given} {offer.paytable}")
    if offer.paytable != proposal.paytable:
        refuse(rule.section, f"paytable at {table_id}", f"{proposal.paytable}, as the link has", offer.paytable)
    most = offer.maximum_cents
    if any(stake < offer.minimum_cents or (most is not None and stake > most) for stake in stakes):
        given = f"{money(offer.minimum_cents)} to {'no maximum' if most is None else money(most)}"
        refuse(rule.section, f"limits at {table_id}", f"limits that admit {amounts(stakes)}", given)
    decks = rule.paytables[proposal.paytable].decks
    if decks and terms.decks not in decks:
        expected = f"{' or '.join(map(str, decks))} for paytable {proposal.paytable}"
        refuse(rule.section, f"decks at {table_id}", expected, terms.decks)
    _check_chosen(rule, proposal, table_id, terms, offer)


def _check_chosen(rule: Wager, proposal: "Draft | Link", table_id: str, terms: Terms, offer: Offer) -> None:
    """The tables choose the mystery that the link has. Where no stake is printed, its own is their least one."""
    name = next((each.mystery for each in proposal.meters if each.level == MYSTERY), "")
    chosen = terms.option(rule.code, MYSTERY) or ""
    if chosen != name:
        field = f"option {MYSTERY} at {table_id}"
        refuse(rule.section, field, f"{name or 'none'}, as the link has", chosen or "none")
    filed = next((each for each in rule.mysteries if each.name == name), None)
    least = filed.denomination_cents if filed else 0
    if filed and least not in (0, offer.minimum_cents) and not stakes_of(rule, offer.paytable):
        expected = f"{money(least)}, for which {name} is printed"
        refuse(filed.section or rule.section, f"minimum at {table_id}", expected, money(offer.minimum_cents))


def _check_same(rule: Wager, first: tuple[str, Terms], other: tuple[str, Terms]) -> None:
    """One link, one set of odds and, where no stake is printed, one least stake."""
    (name, terms), (table_id, given) = first, other
    if given.decks != terms.decks:
        refuse(rule.section, f"decks at {table_id}", f"{terms.decks}, as at {name}", given.decks)
    least, minimum = (each.offers[rule.code].minimum_cents for each in (terms, given))
    if least != minimum and not stakes_of(rule, given.offers[rule.code].paytable):
        refuse(rule.section, f"minimum at {table_id}", f"{money(least)}, as at {name}", money(minimum))


def stakes_of(rule: Wager, paytable: str) -> tuple[int, ...]:
    """The stakes in cents that a paytable is printed for; none where it is for any."""
    filed = rule.paytables.get(paytable)
    return (filed.denominations if filed else ()) or rule.denominations


def amounts(stakes: tuple[int, ...]) -> str:
    """Stakes in cents for a reader: `$1.00 or $5.00`."""
    return " or ".join(map(money, stakes)) or "any stake"


def money(cents: int) -> str:
    """Cents for a reader: `$1,234.56`."""
    return f"${dollars(cents)}"


def refuse(section: str, field: str, expected: str, given: object) -> NoReturn:
    """Raises LinkContradictsRules with what was expected of a field and what was given."""
    raise LinkContradictsRules(f"{section}: {field}: expected {expected}, given {given}")
