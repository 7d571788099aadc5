"""What the floor tells: one short gaming day at eight tables of five games, by three sources.

Each source has tables of its own, so that the order between sources matters for one link alone, the shared one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from casino.floor.v1 import events_pb2 as floor
from clients.floor.day import DEALERS
from clients.floor.full_house import full_house
from clients.floor.house import PROGRESSIVE, House, Link, Table, house, people
from clients.floor.sample import FIRST_DAY
from services.games.catalogue import catalogue, wager
from services.games.terms import MYSTERY, Terms

DAY = FIRST_DAY
SHARED_TABLES = ("BAC-01", "BAC-02", "BAC-04")
MYSTERY_NAME = "D-$5"
SEED = 20260302
PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")
OTHER = ("2D 4C", "KC 9C")


@dataclass(frozen=True)
class Script:
    """The house, and by source what it tells before and after the people of the house have acted."""

    house: House
    before: dict[str, list[floor.Event]]
    after: dict[str, list[floor.Event]]

    @property
    def sources(self) -> list[str]:
        """Their names."""
        return sorted(self.before)


def script(property_id: str, *, mystery: bool = True) -> Script:
    """The day of a property; without `mystery` no table has a hidden trigger."""
    made = _house(property_id, mystery=mystery)
    told = _Told(made)
    before = {
        "pit-a": [
            *(told.baccarat("BAC-03", number, PLAIN) for number in (1, 2)),
            told.baccarat("BAC-01", 1, PLAIN),
            told.baccarat("BAC-03", 3, WHOLE),
            told.baccarat("BAC-01", 2, WHOLE),
            told.void("BAC-03", 2),
            told.baccarat("BAC-03", 4, PLAIN, late=True),
        ],
        "pit-b": [
            *_dealt(made, "craps", 2),
            told.baccarat("BAC-02", 1, PLAIN),
            *(told.baccarat("BAC-05", number, PLAIN) for number in range(1, 8)),
        ],
        "pit-c": [
            *_dealt(made, "roulette", 4),
            told.baccarat("BAC-04", 1, PLAIN),
            told.baccarat("BAC-07", 1, PLAIN),
            told.baccarat("BAC-07", 2, PLAIN),
            told.amend("BAC-07", 2, OTHER),
            *_dealt(made, "blackjack", 4),
        ],
    }
    after = {
        "pit-a": [told.baccarat("BAC-03", number, PLAIN) for number in (5, 6, 7)],
        "pit-b": [told.void("BAC-05", 1), told.baccarat("BAC-05", 8, PLAIN), told.baccarat("BAC-05", 9, PLAIN)],
        "pit-c": [told.baccarat("BAC-07", number, WHOLE) for number in (3, 4, 5)],
    }
    return Script(made, before, after)


def _house(property_id: str, *, mystery: bool) -> House:
    tables = {table.table_id: table for table in house(property_id, "Faults", 7).tables if table.table_id != "BAC-06"}
    if mystery:
        hidden = tables["BAC-05"]
        offer = replace(hidden.terms.offers[PROGRESSIVE], options=((MYSTERY, MYSTERY_NAME),))
        offers = MappingProxyType({**hidden.terms.offers, PROGRESSIVE: offer})
        tables["BAC-05"] = replace(hidden, terms=replace(hidden.terms, offers=offers))
    made = (*tables.values(), *(_plain(game) for game in ("craps", "roulette", "blackjack")))
    return House(property_id, "Faults", *people(property_id), made, tuple(_links(property_id, mystery=mystery)), True)


def _plain(game: str) -> Table:
    """The first table of a game in the house of every wager, with those that move no meter of any kind."""
    table = next(each for each in full_house(day=DAY).tables if each.terms.game == game)
    rules = {code: catalogue()[code] for code in table.terms.offers}
    kept = {code for code, rule in rules.items() if not rule.meters and not code.startswith("external.")}
    offers = {
        code: offer
        for code, offer in table.terms.offers.items()
        if code in kept and (not rules[code].needs or kept.intersection(rules[code].needs))
    }
    terms: Terms = replace(table.terms, offers=MappingProxyType(offers))
    return replace(table, terms=terms)


def _links(property_id: str, *, mystery: bool) -> list[Link]:
    rule = wager(PROGRESSIVE)
    hidden = next(each for each in rule.mysteries if each.name == MYSTERY_NAME) if mystery else None
    given: Any = {
        "SHARED": (SHARED_TABLES, None),
        "OWN": (("BAC-03",), None),
        "HIDDEN": (("BAC-05",), hidden),
    }
    return [
        Link(f"{property_id}-{name}", name.title(), PROGRESSIVE, "standard", rule.meters, tables, configured)
        for name, (tables, configured) in given.items()
    ]


def _dealt(made: House, game: str, rounds: int) -> list[floor.Event]:
    """A seeded run of rounds in pieces at the table of a game."""
    table = next(each for each in made.tables if each.terms.game == game)
    # The same day for every property: its name is no part of the seed.
    dealer = DEALERS[game](replace(made, property_id="SEED"), table, DAY, SEED, staged=True)
    return list(dealer.play(rounds).events)


class _Told:
    """Baccarat rounds, a second apart."""

    def __init__(self, made: House) -> None:
        self._made = made

    def _body(self, table_id: str, number: int, cards: Sequence[str], *, late: bool) -> floor.WholeRound:
        player, banker = cards
        whole = floor.WholeRound(table_id=table_id, shoe=1, round_no=number)
        whole.opened_at.FromDatetime(self._made.calendar.start_of(DAY) + timedelta(seconds=number))
        terms = next(each.terms for each in self._made.tables if each.table_id == table_id)
        for seat in (1, 2):
            base = floor.Wager(wager_no=seat, seat=seat, code="baccarat.player", paytable="standard")
            base.stake_cents = 10_000
            whole.wagers.append(base)
            if PROGRESSIVE in terms.offers:
                side = floor.Wager(wager_no=seat + 2, seat=seat, code=PROGRESSIVE, paytable="standard", stake_cents=500)
                whole.wagers.append(side)
        if late:
            whole.no_more_bets_at.FromDatetime(whole.opened_at.ToDatetime() + timedelta(milliseconds=400))
            whole.wagers[-1].placed_at.FromDatetime(whole.opened_at.ToDatetime() + timedelta(milliseconds=500))
        whole.result.baccarat.player.extend(player.split())
        whole.result.baccarat.banker.extend(banker.split())
        return whole

    def baccarat(self, table_id: str, number: int, cards: Sequence[str], *, late: bool = False) -> floor.Event:
        """A whole round with a wager on Player at two seats, and the progressive where it is offered.

        Of one that is `late` the last wager was placed after betting had closed, and is held.
        """
        whole = self._body(table_id, number, cards, late=late)
        return floor.Event(occurred_at=whole.opened_at, whole_round=whole)

    def void(self, table_id: str, number: int) -> floor.Event:
        """The round did not count."""
        whole = self._body(table_id, number, PLAIN, late=False)
        void = floor.RoundVoided(table_id=table_id, shoe=1, round_no=number, opened_at=whole.opened_at)
        void.item_no, void.reason, void.actor = 1, "misdeal", "kim"
        return floor.Event(occurred_at=whole.opened_at, void=void)

    def amend(self, table_id: str, number: int, cards: Sequence[str]) -> floor.Event:
        """The round had other cards."""
        whole = self._body(table_id, number, cards, late=False)
        amended = floor.RoundAmended(round=whole, item_no=1, reason="misread", actor="kim")
        return floor.Event(occurred_at=whole.opened_at, amend=amended)
