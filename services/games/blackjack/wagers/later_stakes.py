"""Stakes that a player adds during a round: Double Down (58 Pa. Code 633a.10), Splitting Pairs (633a.11), Insurance
(633a.8). They belong to the Blackjack wager of their seat; a double and a split name the hand they lie on.

Where the dealer has a Blackjack after hands were played, the house rules say whether it takes more than the original
wager (633a.11(d)); what a hand lost by a bust before stays lost.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.games.blackjack.base import BASE_WAGERS, collected, outcome
from services.games.blackjack.house import DECK_COUNTS, house_rules
from services.games.blackjack.outcomes import double_law
from services.games.blackjack.round import Action, Seat, Table
from services.games.blackjack.samples import ACE_AND_HOLE
from services.games.blackjack.strategy import NAME
from services.games.paytables import PUSH, VOID, Cell, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

HALF = Fraction(1, 2)


def classify_double(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`win`, `push`, `dealer_blackjack` (returned), `not_doubled` (void), or None."""
    seat, number = history.seat(placement.seat), int(placement.on)
    hand = seat.hand(number)
    if hand is None or Action.DOUBLE not in hand.actions:
        return "not_doubled"
    return _added(seat, number, taken=collected(house_rules(terms), split=False))


def classify_split(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`win`, `push`, `dealer_blackjack` (returned), `not_split` (void), or None."""
    seat, number = history.seat(placement.seat), int(placement.on)
    if seat.hand(number) is None:
        return "not_split"
    return _added(seat, number, taken=collected(house_rules(terms), split=True))


def _added(seat: Seat, number: int, *, taken: bool) -> Line | None:
    if seat.dealer_blackjack and not seat.hands[number].bust and not taken:
        return "dealer_blackjack"
    return outcome(seat, number)


def classify_insurance(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`dealer_blackjack`, `no_ace_up` (void), or None."""
    seat = history.seat(placement.seat)
    if seat.upcard.rank != "A":
        return "no_ace_up"
    return "dealer_blackjack" if seat.dealer_blackjack else None


def double_distribution(paytable: str, decks: Any) -> Mapping[Line | None, Fraction]:
    """The lines of a double where the written strategy doubles."""
    return double_law(decks)


ADDED: dict[str, Cell] = {"win": to_one(1), "push": PUSH, "dealer_blackjack": PUSH}
PEEKED = "the dealer looks for a Blackjack before anybody plays"

WAGERS = (
    Wager(
        code="blackjack.double",
        section="633a.10",
        title="Double Down",
        game="blackjack",
        classify=classify_double,
        paytables={"standard": Paytable({**ADDED, "not_doubled": VOID})},
        needs=BASE_WAGERS,
        placements=("0", "1", "2", "3"),
        lock="in_play",
        base_share=(Fraction(0), Fraction(1)),
        distribution=double_distribution,
        assumes=f"{NAME}, where it doubles",
        kept_for=DECK_COUNTS,
        unreached={"dealer_blackjack": PEEKED, "not_doubled": "the hand is doubled"},
    ),
    Wager(
        code="blackjack.split",
        section="633a.11",
        title="Splitting Pairs",
        game="blackjack",
        classify=classify_split,
        paytables={"standard": Paytable({**ADDED, "not_split": VOID})},
        needs=BASE_WAGERS,
        placements=("1", "2", "3"),
        lock="in_play",
        base_share=(Fraction(1), Fraction(1)),
        depends_on="play",
    ),
    Wager(
        code="blackjack.insurance",
        section="633a.8",
        title="Insurance",
        game="blackjack",
        classify=classify_insurance,
        paytables={"2 to 1": Paytable({"dealer_blackjack": to_one(2), "no_ace_up": VOID})},
        needs=BASE_WAGERS,
        lock="in_play",
        base_share=(Fraction(0), HALF),
        sample=ACE_AND_HOLE,
        kept_for=DECK_COUNTS,
        unreached={"no_ace_up": "insurance is offered against an ace alone"},
    ),
)
