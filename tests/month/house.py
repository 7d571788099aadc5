"""The house of the month: forty tables of every game and of every class of revenue, with their links."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, time
from itertools import islice

from clients.floor.full_house import full_house
from clients.floor.house import CUT_OVER, SHIFTS, ZONE, House, Link, Table, by_code, by_decks, people, pit_of
from services.games.catalogue import wager
from services.games.terms import Offer, Terms, check_terms
from services.kernel.clock import Calendar
from services.kernel.errors import TermsContradictRules

PROPERTY = "MONTH"
FIRST_DAY = date(2026, 3, 2)
CALENDAR = Calendar(ZONE, time.fromisoformat(CUT_OVER), tuple(map(time.fromisoformat, SHIFTS)))
SEATS = 3
"""Players at a table: more would make more wagers a round, not other ones."""

LIVE, HYBRID, AUTOMATED = "live", "hybrid", "fully_automated"
WANTED = (
    *(("baccarat", kind, 2) for kind in (LIVE, HYBRID, AUTOMATED)),
    *(("minibaccarat", kind, count) for kind, count in ((LIVE, 3), (HYBRID, 1), (AUTOMATED, 1))),
    *(("midibaccarat", kind, count) for kind, count in ((LIVE, 2), (HYBRID, 1), (AUTOMATED, 1))),
    *(("roulette", kind, count) for kind, count in ((LIVE, 4), (HYBRID, 1), (AUTOMATED, 2))),
    *(("craps", kind, count) for kind, count in ((LIVE, 3), (AUTOMATED, 1))),
    *(("blackjack", kind, count) for kind, count in ((LIVE, 10), (HYBRID, 2), (AUTOMATED, 2))),
)
"""How many tables of which game and kind; together forty."""

TERMINALS_ALONE = "blackjack"
"""The game whose hybrid tables have terminals alone (633c.5): nobody plays it there with chips."""
SEATED = "king_9_by_seat"
"""The option that says something of each seat."""


def forty_tables() -> House:
    """The house: tables as the house that offers everything has them, of each game and kind so many."""
    offered = full_house(PROPERTY)
    tables = tuple(_tables(offered.tables))
    return House(
        PROPERTY, "Forty tables", *people(PROPERTY), tables, tuple(_links(offered.links, tables)), thorough=True
    )


def _tables(offered: tuple[Table, ...]) -> Iterator[Table]:
    number = 0
    for game, kind, count in WANTED:
        for terms in islice(_of_kind(offered, game, kind), count):
            number += 1
            yield Table(f"{game[:3].upper()}-{number:02d}", pit_of(number), terms)


def _of_kind(offered: tuple[Table, ...], game: str, kind: str) -> Iterator[Terms]:
    """The game's tables of a kind, then those of other kinds as far as the rules let them be of this one."""
    of_game = [each.terms for each in offered if each.terms.game == game]
    for terms in sorted(of_game, key=lambda terms: terms.kind != kind):
        kept = [offer for offer in terms.offers.values() if kind in wager(offer.code).table_kinds]
        found = replace(terms, kind=kind, seats=min(SEATS, terms.seats), offers=by_code(map(_seated, kept)))
        try:
            check_terms(found, FIRST_DAY)
        except TermsContradictRules:
            continue  # what this table is cannot be of that kind
        yield found


def _seated(offer: Offer) -> Offer:
    """The offer with what it says of seats cut down to those that there are."""
    kept = {name: " ".join(text.split()[:SEATS]) if name == SEATED else text for name, text in offer.options}
    return replace(offer, options=tuple(sorted(kept.items())))


def _links(links: tuple[Link, ...], tables: tuple[Table, ...]) -> Iterator[Link]:
    """Those links of which the house has tables."""
    for link in links:
        decks = int(link.link_id.rpartition("-")[2].removesuffix("D"))
        linked = by_decks(tables, link.code, link.paytable).get(decks, ())
        if linked:
            yield replace(link, table_ids=linked)
