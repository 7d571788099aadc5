"""Builders that read like a dealer's card: `coup("7H 9C", "4D 3S 2C")`."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from services.games.baccarat.coup import Coup, Coups, deal
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement, Wager
from services.kernel.cards import CARDS, Card, card

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Reference material kept beside the repository; tests that read it are skipped where it is absent."""
NO_SHARED = "the published reference files are not beside this repository"


def cards(text: str) -> list[Card]:
    """The cards written rank then suit, with spaces between."""
    return [card(each) for each in text.split()]


def coup(player: str, banker: str) -> Coup:
    """The coup with these cards, each hand in deal order."""
    return Coup.dealt(cards(player), cards(banker))


def recorded(player: str, banker: str) -> Any:
    """A recorded result with these cards, as the floor sends it."""
    return SimpleNamespace(player=player.split(), banker=banker.split())


def terms(
    paytables: Mapping[str, str] | None = None,
    *,
    game: str = "baccarat",
    kind: str = "live",
    decks: int = 8,
    seats: int = 7,
    wheel: str = "single_zero",
    every: bool = False,
) -> Terms:
    """Terms that offer every wager of a game on its first paytable, or on the one named here by code.

    Those that such a table may not offer beside the others are left out, unless `every` wager is wanted.
    """
    named = paytables or {}
    offers = {
        code: offer(code, named.get(code, next(iter(rule.paytables))))
        for code, rule in catalogue().items()
        if rule.game == game
    }
    played = GAMES[game]
    decks, wheel = decks if played.fewest_decks else 0, wheel if played.wheels else ""
    found = Terms("RS-1", game, kind, decks, seats, offers, wheel)
    if every:
        return found
    allowed = {code: each for code, each in offers.items() if _allowed(catalogue()[code], found)}
    return Terms("RS-1", game, kind, decks, seats, allowed, wheel)


def _allowed(rule: Wager, found: Terms) -> bool:
    return found.kind in rule.table_kinds and not any(check(found) for check in rule.checks)


def offer(code: str, paytable: str, maximum_payout_cents: int | None = None) -> Offer:
    """A wager offered at the least stake it may have, with the options that its figures assume."""
    rule = catalogue()[code]
    least = max(rule.minimum_cents, *rule.paytables[paytable].denominations, 100)
    return Offer(code, paytable, least, None, tuple(sorted(rule.assumed.items())), maximum_payout_cents)


def with_offer(code: str, **changes: Any) -> Terms:
    """The builder's terms, one offer changed."""
    found = terms()
    known = found.offers.get(code, Offer(code, "", 100))
    given = {"paytable": known.paytable, "minimum_cents": known.minimum_cents}
    return Terms("RS-1", "baccarat", "live", 8, 7, {**found.offers, code: Offer(code, **{**given, **changes})})


def wager_on(code: str, stake_cents: int = 500, *, seat: int = 1, no: int = 1, **given: Any) -> PlacedWager:
    """A wager on its first paytable and, where it has several areas, on the first of them."""
    rule = catalogue()[code]
    paytable = given.pop("paytable", next(iter(rule.paytables)))
    on = given.pop("on", rule.placements[0])
    return PlacedWager(no, seat, code, paytable, stake_cents, on, **given)


def line_of(code: str, player: str, banker: str, on: str = "") -> Line | Pending | None:
    """The line that a wager hits on a coup."""
    return catalogue()[code].classify(Coups(coup(player, banker)), Placement(1, on), terms())


def settled(code: str, paytable: str, player: str, banker: str, stake_cents: int = 500) -> Settled:
    """The one wager, settled on a coup."""
    placed = wager_on(code, stake_cents, paytable=paytable)
    (found,) = settle_round(Coups(coup(player, banker)), [placed], terms({code: paytable}))
    return found


@st.composite
def dealt_coups(draw: st.DrawFn) -> Coup:
    """Any coup that an eight-deck shoe can deal."""
    return deal(iter(draw(st.lists(st.sampled_from(list(CARDS.values())), min_size=6, max_size=6))))


@contextmanager
def wager_file(folder: Path, name: str, source: str, game: str = "baccarat") -> Iterator[None]:
    """A wager module in force for a while: one file dropped among those of a game, no other change."""
    package = import_module(f"services.games.{game}.wagers")
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    package.__path__.append(str(folder))
    invalidate_caches()
    catalogue.cache_clear()
    try:
        yield
    finally:
        package.__path__.remove(str(folder))
        sys.modules.pop(f"{package.__name__}.{name}", None)
        catalogue.cache_clear()
