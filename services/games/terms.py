"""What a Rules Submission states for one table: its game, its equipment and every wager it offers."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, NoReturn

from services.games.catalogue import catalogue
from services.games.results import GAMES, Game
from services.games.wagers import KINDS, Wager
from services.kernel.errors import TermsContradictRules
from services.kernel.money import dollars


@dataclass(frozen=True, slots=True)
class Offer:
    """One wager as a table offers it: paytable by name, limits in cents (None is no maximum), options by
    name.
    """

    code: str
    paytable: str
    minimum_cents: int
    maximum_cents: int | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Terms:
    """The terms of one table under one approved submission; `offers` by wager code."""

    submission_id: str
    game: str
    kind: str
    decks: int
    seats: int
    offers: Mapping[str, Offer]

    @classmethod
    def read(cls, submission_id: str, message: Any) -> "Terms":
        """The terms of an object with `game`, `kind`, `decks`, `seats` and `offers`, each with `code`,
        `paytable`, `minimum_cents`, `maximum_cents` (0 is no maximum) and the mapping `options`.

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
            )
        table = str(message.game), str(message.kind), int(message.decks), int(message.seats)
        return cls(submission_id, *table, MappingProxyType(offers))


def canonical_json(terms: Terms) -> str:
    """The terms as one JSON text, keys and offers sorted, no spaces, without the submission's id.

    Equal terms give equal texts, whoever writes them; a maximum of 0 is none.
    """
    table = {"decks": terms.decks, "game": terms.game, "kind": terms.kind, "seats": terms.seats}
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
        wager = catalogue().get(code)
        if wager is None:
            _refuse("601a.2", "wager", "one of the catalogue", code)
        _check_place(wager, terms, gaming_day)
        _check_paytable(wager, offer, terms)
        _check_limits(wager, offer)
        _check_options(wager, offer)


def _plain(offer: Offer) -> dict[str, object]:
    return {
        "code": offer.code,
        "maximum_cents": offer.maximum_cents or 0,
        "minimum_cents": offer.minimum_cents,
        "options": dict(offer.options),
        "paytable": offer.paytable,
    }


def _check_table(game: Game, terms: Terms) -> None:
    if terms.kind not in KINDS:
        _refuse(f"{game.chapter}.2", "kind", " or ".join(KINDS), terms.kind)
    if terms.decks < game.fewest_decks:
        _refuse(f"{game.chapter}.3", "decks", f"at least {game.fewest_decks}", terms.decks)
    if terms.seats < 1:
        _refuse(f"{game.chapter}.2", "seats", "at least 1", terms.seats)
    if not terms.offers:
        _refuse("601a.2", "offers", "at least one wager", "none")


def _check_place(wager: Wager, terms: Terms, gaming_day: date) -> None:
    if wager.game != terms.game:
        _refuse(wager.section, f"game of {wager.code}", wager.game, terms.game)
    if terms.kind not in wager.table_kinds:
        _refuse(wager.section, f"kind of table for {wager.code}", " or ".join(wager.table_kinds), terms.kind)
    if not wager.in_force(gaming_day):
        _refuse(wager.section, f"gaming day of {wager.code}", wager.period(), gaming_day)
    if wager.needs and not any(code in terms.offers for code in wager.needs):
        _refuse(wager.section, f"base wager of {wager.code}", " or ".join(wager.needs), "none of them offered")


def _check_paytable(wager: Wager, offer: Offer, terms: Terms) -> None:
    paytable = wager.paytables.get(offer.paytable)
    if paytable is None:
        _refuse(wager.section, f"paytable of {wager.code}", " or ".join(wager.paytables), offer.paytable)
    if paytable.decks and terms.decks not in paytable.decks:
        allowed = " or ".join(map(str, paytable.decks))
        _refuse(wager.section, f"decks for paytable {offer.paytable} of {wager.code}", allowed, terms.decks)
    for other in terms.offers.values():
        if wager.family and other.paytable != offer.paytable and _family(other.code) == wager.family:
            field = f"paytable of {wager.code}"
            _refuse(wager.section, field, f"{other.paytable}, as {other.code} of {wager.family}", offer.paytable)


def _family(code: str) -> str:
    return catalogue()[code].family if code in catalogue() else ""


def _check_limits(wager: Wager, offer: Offer) -> None:
    least = max(wager.minimum_cents, 1)
    if offer.minimum_cents < least:
        _refuse(
            wager.section,
            f"minimum of {wager.code}",
            f"at least ${dollars(least)}",
            _money(offer.minimum_cents),
        )
    if offer.maximum_cents is not None and offer.maximum_cents < offer.minimum_cents:
        expected = f"at least the minimum, {_money(offer.minimum_cents)}"
        _refuse(wager.section, f"maximum of {wager.code}", expected, _money(offer.maximum_cents))
    most = wager.maximum_cents
    if most is not None and (offer.maximum_cents or most + 1) > most:
        given = "no maximum" if offer.maximum_cents is None else _money(offer.maximum_cents)
        _refuse(wager.section, f"maximum of {wager.code}", f"at most {_money(most)}", given)


def _check_options(wager: Wager, offer: Offer) -> None:
    for name, value in offer.options:
        if name not in wager.options:
            _refuse(wager.section, f"option of {wager.code}", " or ".join(wager.options) or "none", name)
        if value not in wager.options[name]:
            _refuse(wager.section, f"option {name} of {wager.code}", " or ".join(wager.options[name]), value)


def _money(cents: int) -> str:
    return f"${dollars(cents)}"


def _refuse(section: str, field: str, expected: str, given: object) -> NoReturn:
    raise TermsContradictRules(f"{section}: {field}: expected {expected}, given {given}")
