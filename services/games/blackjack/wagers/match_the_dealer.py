"""Match the Dealer progressive (58 Pa. Code 633c.3): cards of the player's initial two match the dealer's upcard.

One line pays, the highest; where one card matches, the other does not (ruling K5). The odds are for one: the stake is
dropped before the deal and does not come back (ruling M2). The meter's seed is 1,000 times the wager of $1 or $5 that
the table offers (subsections (e) and (j)), so that each printed paytable is one for each amount: `six-4-$5` is the
section's six-deck Paytable 4 at $5.
"""

from collections.abc import Iterator

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import UPCARD_MATCHES, matches
from services.games.blackjack.round import Table
from services.games.paytables import MeterShare, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import Line, Meter, Placement, Wager
from services.kernel.cards import CARDS

_LINES = {(1, 1): "one_suited_one_non_suited", (1, 0): "one_suited", (0, 2): "two_non_suited", (0, 1): "one_non_suited"}
"""By the number of cards that match in suit and rank, and of those that match in rank alone."""


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of 633c.3(a), highest first, or None."""
    seat = history.seat(placement.seat)
    suited, non_suited = matches(seat)
    if suited == 2:
        return "two_suited_aces_of_spades" if seat.upcard is CARDS["AS"] else "two_suited"
    return _LINES.get((suited, non_suited))


_SIX = "12 10 4 2, 10 7 6 3, 8 4 8 4, 75 4 15 3, 12 9 6 3, 13 10 6 3, 11 7 8 4, 100 5 20 3, 15 12 6 3, 13 9 8 4"
_EIGHT = "9 6 6 3, 12 10 4 2, 8 4 8 4, 75 4 15 3, 12 9 6 3, 10 6 8 4, 13 10 6 3, 14 11 6 3, 100 5 20 3, 15 12 6 3"
"""633c.3(i): Paytables 1 to 10, each N for 1 of the four lines below those of the meter, in their order."""


def _paytables() -> Iterator[tuple[str, Paytable]]:
    for word, decks, printed in (("six", 6, _SIX), ("eight", 8, _EIGHT)):
        for number, column in enumerate(printed.split(", "), start=1):
            odds = [int(each) for each in column.split()]
            yield from ((f"{word}-{number}-${dollars}", _paytable(decks, odds, dollars)) for dollars in (1, 5))


def _paytable(decks: int, odds: list[int], wager_dollars: int) -> Paytable:
    suited_and_not, suited, two_non_suited, non_suited = odds
    stake = wager_dollars * 100
    return Paytable(
        {
            "two_suited_aces_of_spades": MeterShare("mega", 10_000),
            "two_suited": MeterShare("mega", 1_000),
            "one_suited_one_non_suited": for_one(suited_and_not),
            "one_suited": for_one(suited),
            "two_non_suited": for_one(two_non_suited),
            "one_non_suited": for_one(non_suited),
        },
        decks=(decks,),
        denominations=(stake,),
        meters=(Meter("mega", 1_000 * stake, minimum_seed=False, increment_rate=1_500, reserve_rate=600),),
    )


PAYTABLES = dict(_paytables())

WAGERS = (
    Wager(
        code="blackjack.match_the_dealer",
        section="633c.3",
        title="Match the Dealer progressive",
        game="blackjack",
        classify=classify,
        paytables=PAYTABLES,
        sample=UPCARD_MATCHES,
        needs=BASE_WAGERS,
        meters=PAYTABLES["six-1-$1"].meters,
        denominations=(100, 500),
    ),
)
