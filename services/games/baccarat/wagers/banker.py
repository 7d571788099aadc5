"""Wager on the Banker's hand (58 Pa. Code 631a.8(a), 631a.12; 627a.12; 629a.12): even money less a commission; a tie
pushes.

The commission is 5 % of the winnings, or 4 % if the Rules Submission says so, rounded half up to the cent
or, as an option of the Rules Submission, to the quarter dollar (ruling M3). A commission-free game (631c.5, 627c.2,
629c.2) takes none and pays 1 to 2 where the Banker wins with 6; its ties pay 8 to 1.
"""

from functools import partial

from services.games.baccarat.base import COMMISSION_FREE, COMMISSION_FREE_SECTIONS
from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Placement, Wager

_SECTIONS = {"baccarat": "631a.12", "minibaccarat": "627a.12", "midibaccarat": "629a.12"}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`banker_wins`, `banker_wins_on_six`, `tie`, or None."""
    coup = history.last
    if coup.winner is Side.BANKER:
        return "banker_wins_on_six" if coup.banker.total == 6 else "banker_wins"
    return "tie" if coup.winner is Side.TIE else None


def ties_pay_eight(game: str, terms: Terms) -> Contradiction | None:
    """Holds a commission-free table to ties at 8 to 1 (631c.5(j), 627c.2(j), 629c.2(j))."""
    banker, tie = terms.offers.get(f"{game}.banker"), terms.offers.get(f"{game}.tie")
    if banker is None or tie is None or banker.paytable != COMMISSION_FREE or tie.paytable == "8":
        return None
    field = f"paytable of {tie.code} beside a commission-free Banker ({COMMISSION_FREE_SECTIONS[game]}(j))"
    return Contradiction(field, "8", tie.paytable)


def _paytable(*, commission: int = 0) -> Paytable:
    on_six = to_one(1) if commission else to_one(1, 2)
    return Paytable({"banker_wins": to_one(1), "banker_wins_on_six": on_six, "tie": PUSH}, commission=commission)


WAGERS = tuple(
    Wager(
        code=f"{game}.banker",
        section=section,
        title="Banker",
        game=game,
        classify=classify,
        paytables={
            "5%": _paytable(commission=500),
            "4%": _paytable(commission=400),
            COMMISSION_FREE: _paytable(),
        },
        sample=COUPS_BY_POINTS,
        options={"commission_rounding": ("cent", "nearest_quarter")},
        checks=(partial(ties_pay_eight, game),),
    )
    for game, section in _SECTIONS.items()
)
