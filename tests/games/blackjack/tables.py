"""Rounds of Blackjack that read like a dealer's notes: `result(hand("8H 8D", "stand"), dealer="6H KD 5C")`."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from services.games.blackjack.house import BLACKJACK
from services.games.blackjack.round import Action, Switch, Table
from services.games.catalogue import catalogue
from services.games.results import GAMES, read_history
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement


def hand(cards: str, actions: str = "", seat: int = 1, no: int = 0, **given: Any) -> Any:
    """One hand as recorded; actions are words with spaces between, as `hit stand`."""
    named: Mapping[str, Any] = {
        "split_from": 0,
        "position": 0,
        "switch_hand": int(Switch.NONE),
        "discarded": (),
        "extra_card": "",
        **given,
    }
    words = [int(Action[each.upper()]) for each in actions.split()]
    return SimpleNamespace(seat=seat, hand_no=no, cards=cards.split(), actions=words, **named)


def result(*hands: Any, dealer: str, community: str = "") -> Any:
    """A recorded result."""
    return SimpleNamespace(hands=hands, dealer=dealer.split(), community=community.split())


def table(*, base: str = BLACKJACK, kind: str = "live", decks: int = 6, **options: str) -> Terms:
    """Terms that offer a base wager under these house rules, and every other Blackjack wager on its first paytable."""
    offers = {
        code: Offer(code, next(iter(rule.paytables)), 1)
        for code, rule in catalogue().items()
        if rule.game == "blackjack" and code not in ("blackjack.switch_hands", "blackjack.premium", BLACKJACK)
    }
    offers[base] = Offer(base, next(iter(catalogue()[base].paytables)), 1, None, tuple(sorted(options.items())))
    return Terms("RS-1", "blackjack", kind, decks, 7, offers)


def history(*hands: Any, dealer: str, terms: Terms | None = None, community: str = "") -> Table:
    """The round, read and held against the table's rules."""
    under = terms or table()
    found = read_history("blackjack", [result(*hands, dealer=dealer, community=community)], under.decks)
    GAMES["blackjack"].check(found, under)
    assert isinstance(found, Table)
    return found


def line(code: str, found: Table, on: str = "", seat: int = 1, terms: Terms | None = None) -> Line | Pending | None:
    """The line that a wager hits."""
    return catalogue()[code].classify(found, Placement(seat, on), terms or table())


def settled(code: str, found: Table, on: str = "", stake_cents: int = 1_000, terms: Terms | None = None) -> Settled:
    """The one wager at seat 1, settled on the round."""
    under = terms or table()
    placed = PlacedWager(1, 1, code, under.offers[code].paytable, stake_cents, on)
    (one,) = settle_round(found, [placed], under)
    return one
