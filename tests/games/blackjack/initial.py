"""Wagers on the cards dealt first, seen and settled on one deal: `line_at("blackjack.top_3", "8C 8D", "8H KS")`."""

from services.games.blackjack.round import Table, shown
from services.games.catalogue import catalogue
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement
from tests.builders import cards


def table(code: str, paytable: str = "", **options: str) -> Terms:
    """Terms that offer this one wager, by default on its first paytable, with the options its figures assume."""
    rule = catalogue()[code]
    name = paytable or next(iter(rule.paytables))
    least = max(rule.minimum_cents, *rule.paytables[name].denominations, 100)
    offer = Offer(code, name, least, None, tuple(sorted({**rule.assumed, **options}.items())))
    decks = (*rule.paytables[name].decks, 8)[0]
    return Terms("RS-1", "blackjack", rule.table_kinds[0], decks, 3, {code: offer})


def dealt(player: str, dealer: str, third: str = "") -> Table:
    """A round with one player's two cards, the dealer's two and the card the player takes next, if any."""
    return shown(cards(player), cards(dealer), cards(third)[0] if third else None)


def line_at(code: str, player: str, dealer: str, third: str = "", **options: str) -> Line | None:
    """The line that the wager hits on a deal."""
    found = catalogue()[code].classify(dealt(player, dealer, third), Placement(1), table(code, **options))
    assert not isinstance(found, Pending)
    return found


def settled_at(code: str, paytable: str, player: str, dealer: str, stake_cents: int = 500, third: str = "") -> Settled:
    """The one wager, settled on a deal."""
    placed = PlacedWager(1, 1, code, paytable, stake_cents)
    (found,) = settle_round(dealt(player, dealer, third), [placed], table(code, paytable))
    return found
