"""Tables of the three games with one wager offered, or some."""

from collections.abc import Mapping

from services.games.baccarat.coup import Coups
from services.games.catalogue import catalogue
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement
from tests.builders import coup

KING_9S = "1:KS9S 2:KH9C 3:KD9D"
OPTIONS = {"royal_9": (("king_9_by_seat", KING_9S),)}


def table(paytables: Mapping[str, str], *, decks: int = 8, seats: int = 3, kind: str = "live") -> Terms:
    """Terms that offer these wagers on these paytables, each at the least stake its section allows."""
    offers = {}
    for code, name in paytables.items():
        rule = catalogue()[code]
        amounts = rule.paytables[name].denominations if name in rule.paytables else ()
        least = max(rule.minimum_cents, *amounts, 100)
        offers[code] = Offer(code, name, least, None, OPTIONS.get(code.partition(".")[2], ()))
    return Terms("RS-1", catalogue()[next(iter(paytables))].game, kind, decks, seats, offers)


def line_at(code: str, player: str, banker: str, *, seat: int = 1, on: str = "") -> Line | Pending | None:
    """The line that a wager at this seat hits on a coup."""
    rule = catalogue()[code]
    return rule.classify(Coups(coup(player, banker)), Placement(seat, on), table({code: next(iter(rule.paytables))}))


def settled_at(
    code: str, paytable: str, player: str, banker: str, stake_cents: int, *, seat: int = 1, on: str = ""
) -> Settled:
    """The one wager, settled on a coup."""
    placed = PlacedWager(1, seat, code, paytable, stake_cents, on)
    (found,) = settle_round(Coups(coup(player, banker)), [placed], table({code: paytable}))
    return found
