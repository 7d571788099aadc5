"""What a Rules Submission states for one table: its game, its equipment and every wager it offers."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NoReturn

from services.games.catalogue import catalogue, wager
from services.games.results import GAMES, Game
from services.games.wagers import KINDS, Parser, Wager
from services.kernel.errors import TermsContradictRules
from services.kernel.money import dollars

MYSTERY = "mystery"
"""The option by which a table chooses a mystery bonus of the wager, and the one that says what it is paid from."""
MYSTERY_PAID_FROM = "mystery_paid_from"


@dataclass(frozen=True, slots=True)
class Offer:
    """One wager as a table offers it: paytable by name, limits in cents (None is no maximum), options by
    name. No wager is paid more than the maximum payout, the stake included.
    """

    code: str
    paytable: str
    minimum_cents: int
    maximum_cents: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    maximum_payout_cents: int | None = None


@dataclass(frozen=True)
class Terms:
    """The terms of one table under one approved submission; `offers` by wager code.

    `decks` is 0 where the game has no cards, `wheel` empty where it has no wheel.
    """

    submission_id: str
    game: str
    kind: str
    decks: int
    seats: int
    offers: Mapping[str, Offer]
    wheel: str = ""

    @cached_property
    def priced(self) -> dict[tuple[str, str], Any]:
        """How wagers are settled at this table, by code and paytable: kept here by `settlement`, made once for each."""
        return {}

    @cached_property
    def usual(self) -> dict[tuple[str, str], Any]:
        """What a wager that settles lies within, by code and paytable: kept here by `admission`."""
        return {}

    @property
    def setting(self) -> int | str | None:
        """What the exact figures of this table are counted for: its wheel, its decks, or neither."""
        return self.wheel or self.decks or None

    def option(self, code: str, name: str) -> str | None:
        """What the table chose for an option of a wager, else the first value the section has, else None."""
        offer = self.offers.get(code)
        chosen = dict(offer.options).get(name) if offer else None
        return chosen if chosen is not None else default_option(code, name)

    def parsed(self, code: str, name: str) -> Any:
        """What the option's parser reads from the choice; None where nothing was chosen."""
        text = self.option(code, name)
        return None if text is None else _parsed(code, name, text)

    @classmethod
    def read(cls, submission_id: str, message: Any) -> "Terms":
        """The terms of an object with `game`, `kind`, `decks`, `seats` and `offers`, each with `code`,
        `paytable`, `minimum_cents`, `maximum_cents` (0 is no maximum) and the mapping `options`; where they are
        given, also `wheel`, and `maximum_payout_cents` of an offer (0 is none).

        Raises TermsContradictRules where one wager is offered twice.
        """
        offers: dict[str, Offer] = {}
        for given in message.offers:
            if given.code in offers:
                _refuse("601a.2", f"offers of {given.code}", "one", "two")
            offers[given.code] = Offer(
                str(given.code),
                str(given.paytable),
                int(given.minimum_cents),
                int(given.maximum_cents) or None,
                tuple(sorted(given.options.items())),
                int(getattr(given, "maximum_payout_cents", 0)) or None,
            )
        table = str(message.game), str(message.kind), int(message.decks), int(message.seats)
        return cls(submission_id, *table, MappingProxyType(offers), str(getattr(message, "wheel", "")))


def default_option(code: str, name: str) -> str | None:
    """The value that stands where nothing was chosen: the first the section has; None where it names none."""
    known = catalogue().get(code)
    values = options_of(known).get(name) if known else None
    return values[0] if isinstance(values, tuple) else None


def options_of(rule: Wager) -> dict[str, tuple[str, ...] | Parser]:
    """The options of a wager by name; one with mysteries has two more, by which a table chooses one (ruling J7)."""
    if not rule.mysteries:
        return dict(rule.options)
    names = ("", *(each.name for each in rule.mysteries))
    return {**rule.options, MYSTERY: names, MYSTERY_PAID_FROM: ("slip", "inventory")}


@lru_cache(maxsize=1024)
def _parsed(code: str, name: str, text: str) -> Any:
    read = options_of(wager(code))[name]
    return text if isinstance(read, tuple) else read(text)


def canonical_json(terms: Terms) -> str:
    """The terms as one JSON text, keys and offers sorted, no spaces, without the submission's id.

    Equal terms give equal texts, whoever writes them; a maximum of 0 is none. A wheel and a maximum payout stand in
    it only where there is one.
    """
    table: dict[str, object] = {"decks": terms.decks, "game": terms.game, "kind": terms.kind, "seats": terms.seats}
    if terms.wheel:
        table["wheel"] = terms.wheel
    offers = [_plain(terms.offers[code]) for code in sorted(terms.offers)]
    return json.dumps({**table, "offers": offers}, sort_keys=True, separators=(",", ":"))


def digest(terms: Terms) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal: what the floor and the platform compare."""
    return hashlib.sha256(canonical_json(terms).encode()).hexdigest()


def check_terms(terms: Terms, gaming_day: date) -> None:
    """Holds the terms against the regulation, as in force on that gaming day.

    Raises TermsContradictRules, naming the section, the field, what was expected and what was given.
    """
    game = GAMES.get(terms.game)
    if game is None:
        _refuse("601a.2", "game", " or ".join(GAMES), terms.game)
    _check_table(game, terms)
    for code, offer in terms.offers.items():
        rule = catalogue().get(code)
        if rule is None:
            _refuse("601a.2", "wager", "one of the catalogue", code)
        _check_place(rule, terms, gaming_day)
        _check_paytable(rule, offer, terms)
        _check_family(rule, offer, terms)
        _check_limits(rule, offer)
        _check_maximum_payout(rule, offer)
        _check_options(rule, offer)
        for check in rule.checks:
            if found := check(terms):
                _refuse(rule.section, *found)


def _check_table(game: Game, terms: Terms) -> None:
    if terms.kind not in KINDS:
        _refuse(f"{game.chapter}.2", "kind", " or ".join(KINDS), terms.kind)
    _check_equipment(game, terms)
    if terms.seats < 1:
        _refuse(f"{game.chapter}.2", "seats", "at least 1", terms.seats)
    if not terms.offers:
        _refuse("601a.2", "offers", "at least one wager", "none")


def _check_equipment(game: Game, terms: Terms) -> None:
    if game.fewest_decks is not None and terms.decks < game.fewest_decks:
        _refuse(f"{game.chapter}.3", "decks", f"at least {game.fewest_decks}", terms.decks)
    if game.fewest_decks is None and terms.decks:
        _refuse(f"{game.chapter}.1", "decks", f"none in {game.name}", terms.decks)
    if terms.wheel not in (game.wheels or ("",)):
        expected = " or ".join(game.wheels) or f"none in {game.name}"
        _refuse(f"{game.chapter}.1", "wheel", expected, terms.wheel or "none")


def _check_place(rule: Wager, terms: Terms, gaming_day: date) -> None:
    if rule.game != terms.game:
        _refuse(rule.section, f"game of {rule.code}", rule.game, terms.game)
    if terms.kind not in rule.table_kinds:
        _refuse(rule.section, f"kind of table for {rule.code}", " or ".join(rule.table_kinds), terms.kind)
    if not rule.in_force(gaming_day):
        _refuse(rule.section, f"gaming day of {rule.code}", rule.period(), gaming_day)
    if rule.needs and not any(code in terms.offers for code in rule.needs):
        _refuse(rule.section, f"base wager of {rule.code}", " or ".join(rule.needs), "none of them offered")


def _check_paytable(rule: Wager, offer: Offer, terms: Terms) -> None:
    paytable = rule.paytables.get(offer.paytable)
    if paytable is None:
        _refuse(rule.section, f"paytable of {rule.code}", " or ".join(rule.paytables), offer.paytable)
    if paytable.decks and terms.decks not in paytable.decks:
        allowed = " or ".join(map(str, paytable.decks))
        _refuse(rule.section, f"decks for paytable {offer.paytable} of {rule.code}", allowed, terms.decks)
    if paytable.wheels and terms.wheel not in paytable.wheels:
        allowed = " or ".join(paytable.wheels)
        _refuse(rule.section, f"wheel for paytable {offer.paytable} of {rule.code}", allowed, terms.wheel)


def _check_family(rule: Wager, offer: Offer, terms: Terms) -> None:
    for other in terms.offers.values():
        if rule.family and other.paytable != offer.paytable and _family(other.code) == rule.family:
            field = f"paytable of {rule.code}"
            _refuse(rule.section, field, f"{other.paytable}, as {other.code} of {rule.family}", offer.paytable)


def _family(code: str) -> str:
    return catalogue()[code].family if code in catalogue() else ""


def _check_limits(rule: Wager, offer: Offer) -> None:
    least = max(rule.minimum_cents, 1)
    if offer.minimum_cents < least:
        _refuse(
            rule.section,
            f"minimum of {rule.code}",
            f"at least ${dollars(least)}",
            _money(offer.minimum_cents),
        )
    if offer.maximum_cents is not None and offer.maximum_cents < offer.minimum_cents:
        expected = f"at least the minimum, {_money(offer.minimum_cents)}"
        _refuse(rule.section, f"maximum of {rule.code}", expected, _money(offer.maximum_cents))
    most = rule.maximum_cents
    if most is not None and (offer.maximum_cents or most + 1) > most:
        given = "no maximum" if offer.maximum_cents is None else _money(offer.maximum_cents)
        _refuse(rule.section, f"maximum of {rule.code}", f"at most {_money(most)}", given)


def _check_maximum_payout(rule: Wager, offer: Offer) -> None:
    """A maximum payout never keeps a stake from being returned: the largest stake is not above it."""
    most = offer.maximum_payout_cents
    if most is not None and (offer.maximum_cents is None or most < offer.maximum_cents):
        known = offer.maximum_cents is not None
        least = f"at least the maximum stake, {_money(offer.maximum_cents or 0)}" if known else "none without a maximum"
        _refuse(rule.section, f"maximum payout of {rule.code}", least, _money(most))


def _check_options(rule: Wager, offer: Offer) -> None:
    chosen, known = dict(offer.options), options_of(rule)
    for name, value in chosen.items():
        if name not in known:
            _refuse(rule.section, f"option of {rule.code}", " or ".join(known) or "none", name)
        _check_value(rule, name, known[name], value)
    for name in rule.required_options:
        if name not in chosen:
            _refuse(rule.section, f"option {name} of {rule.code}", "a choice", "none")
    _check_mystery(rule, offer, chosen.get(MYSTERY, ""))


def _check_value(rule: Wager, name: str, allowed: tuple[str, ...] | Parser, value: str) -> None:
    field = f"option {name} of {rule.code}"
    if isinstance(allowed, tuple):
        if value not in allowed:
            _refuse(rule.section, field, " or ".join(each or "none" for each in allowed), value)
        return
    try:
        allowed(value)
    except ValueError as problem:
        raise TermsContradictRules(f"{rule.section}: {field}: {problem}") from problem


def _check_mystery(rule: Wager, offer: Offer, name: str) -> None:
    """A mystery is for the denomination that its configuration is printed for."""
    chosen = next((each for each in rule.mysteries if each.name == name), None)
    if chosen is not None and chosen.denomination_cents > offer.minimum_cents:
        least = f"at least {_money(chosen.denomination_cents)} with mystery {name}"
        _refuse(rule.section, f"minimum of {rule.code}", least, _money(offer.minimum_cents))


def _plain(offer: Offer) -> dict[str, object]:
    cap = {} if offer.maximum_payout_cents is None else {"maximum_payout_cents": offer.maximum_payout_cents}
    return {
        **cap,
        "code": offer.code,
        "maximum_cents": offer.maximum_cents or 0,
        "minimum_cents": offer.minimum_cents,
        "options": dict(offer.options),
        "paytable": offer.paytable,
    }


def _money(cents: int) -> str:
    return f"${dollars(cents)}"


def _refuse(section: str, field: str, expected: str, given: object) -> NoReturn:
    raise TermsContradictRules(f"{section}: {field}: expected {expected}, given {given}")
