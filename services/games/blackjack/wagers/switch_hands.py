"""Switch Hands and Blackjack Premium (58 Pa. Code 633c.4): two cards more, for which a player may give up the first.

Switch Hands pays a Blackjack of one suit or color 2 to 1 after a switch, and a tie of Blackjacks 1 to 2 then, if filed
(i). In Premium the ante is the player's choice; whoever placed it is paid 2 to 1 on such a Blackjack, and every tie of
Blackjacks pays 1 to 2 (o). The ante, $1 for each $5, stays with the house once the player switches, and is returned
otherwise (ruling K12). Side wagers look at the two cards that are played (ruling K14).
"""

from fractions import Fraction
from functools import partial

from services.games.blackjack.base import hand_line
from services.games.blackjack.house import BASE_WAGERS, OPTIONS, OWN_CARDS, PREMIUM, SWITCH_HANDS, hybrid_table
from services.games.blackjack.round import Action, Seat, Switch, Table
from services.games.paytables import PUSH, VOID, Cell, PartReturned, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Placement, Wager

FIVE_DOLLARS = 500
ANTE = Fraction(1, 5)


def classify_switch_hands(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`colored_blackjack` and `tie_blackjack` after a switch, else the lines of Blackjack."""
    seat = history.seat(placement.seat)
    return _line(seat, colored=seat.switched, tie=seat.switched)


def classify_premium(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`colored_blackjack` with an ante, `tie_blackjack`, else the lines of Blackjack."""
    seat = history.seat(placement.seat)
    return _line(seat, colored=seat.switch is not Switch.NONE, tie=True)


def _line(seat: Seat, *, colored: bool, tie: bool) -> Line | None:
    line, hand = hand_line(seat), seat.hands[0]
    if not hand.blackjack or Action.EVEN_MONEY in hand.actions:
        return line
    if seat.dealer_blackjack:
        return "tie_blackjack" if tie else line
    return "colored_blackjack" if colored and hand.cards[0].color == hand.cards[1].color else line


def classify_ante(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`kept` (returned), `no_switch_hand` (void), or None once the player switched."""
    switch = history.seat(placement.seat).switch
    return {Switch.KEPT: "kept", Switch.NONE: "no_switch_hand"}.get(switch)


def one_base(code: str, terms: Terms) -> Contradiction | None:
    """A table plays one of the three games; Premium includes the usual one (633c.4(k))."""
    others = [other for other in BASE_WAGERS if other != code and other in terms.offers]
    return Contradiction(f"Blackjack wagers beside {code}", "none", ", ".join(others)) if others else None


def _paytable(tie: Cell) -> Paytable:
    return Paytable(
        {
            "colored_blackjack": to_one(2),
            "blackjack": to_one(3, 2),
            "tie_blackjack": tie,
            "even_money": to_one(1),
            "win": to_one(1),
            "push": PUSH,
            "surrender": PartReturned(1, 2),
        }
    )


def _ante(base: str, title: str) -> Wager:
    return Wager(
        code=f"{base}_ante",
        section="633c.4",
        title=f"{title} ante",
        game="blackjack",
        classify=classify_ante,
        paytables={"standard": Paytable({"kept": PUSH, "no_switch_hand": VOID})},
        needs=(base,),
        base_share=(ANTE, ANTE),
        table_kinds=("live", "fully_automated"),
        depends_on="play",
    )


TIE_PAYS = to_one(1, 2)
HOUSE_OPTIONS = {**OPTIONS, "dealing": (OWN_CARDS,)}

WAGERS = (
    Wager(
        code=SWITCH_HANDS,
        section="633c.4",
        title="Switch Hands Blackjack",
        game="blackjack",
        classify=classify_switch_hands,
        paytables={"tie push": _paytable(PUSH), "tie 1 to 2": _paytable(TIE_PAYS)},
        needs=(f"{SWITCH_HANDS}_ante",),
        increment_cents=FIVE_DOLLARS,
        table_kinds=("live", "fully_automated"),
        options=HOUSE_OPTIONS,
        depends_on="play",
        checks=(hybrid_table, partial(one_base, SWITCH_HANDS)),
    ),
    _ante(SWITCH_HANDS, "Switch Hands"),
    Wager(
        code=PREMIUM,
        section="633c.4",
        title="Blackjack Premium",
        game="blackjack",
        classify=classify_premium,
        paytables={"standard": _paytable(TIE_PAYS)},
        table_kinds=("live", "fully_automated"),
        options=HOUSE_OPTIONS,
        depends_on="play",
        checks=(hybrid_table, partial(one_base, PREMIUM)),
    ),
    _ante(PREMIUM, "Blackjack Premium"),
)
