"""Builders that read like a dealer's card: `coup("7H 9C", "4D 3S 2C")`."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from services.games.baccarat import wagers as baccarat_wagers
from services.games.baccarat.coup import Coup, Coups, deal
from services.games.catalogue import catalogue
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement
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


def terms(paytables: Mapping[str, str] | None = None, *, kind: str = "live", decks: int = 8, seats: int = 7) -> Terms:
    """Terms that offer every wager of Baccarat on its first paytable, or on the one named here by code."""
    named = paytables or {}
    offers = {
        code: Offer(code, named.get(code, next(iter(rule.paytables))), max(rule.minimum_cents, 100))
        for code, rule in catalogue().items()
        if rule.game == "baccarat"
    }
    return Terms("RS-1", "baccarat", kind, decks, seats, offers)


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
def wager_file(folder: Path, name: str, source: str) -> Iterator[None]:
    """A wager module in force for a while: one file dropped among Baccarat's, no other change."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    baccarat_wagers.__path__.append(str(folder))
    invalidate_caches()
    catalogue.cache_clear()
    try:
        yield
    finally:
        baccarat_wagers.__path__.remove(str(folder))
        sys.modules.pop(f"{baccarat_wagers.__name__}.{name}", None)
        catalogue.cache_clear()
