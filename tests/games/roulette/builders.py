"""Builders that read like a croupier's call: `spin("17")`, `line_of("roulette.split", "17", on="17-20")`."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from services.games.catalogue import catalogue
from services.games.roulette.layout import WHEELS
from services.games.roulette.spin import SEVENS, LuckyNumber, Spin, Spins
from services.games.roulette.wagers import b2b, lightning
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement

Lit = Mapping[str, int]
FILED = {
    "roulette.b2b": {"payouts": ",".join(map(str, b2b.LISTED))},
    "roulette.lightning_straight": {"payouts": ",".join(map(str, lightning.LISTED))},
}
"""The options of a table that files every payout."""


def spin(pocket: str, bonus: str = "", draw: int = 0, lit: Lit | None = None, *, before: str = "") -> Spins:
    """A spin, after the spin `before` if one is on record; lit numbers are `{"17": 499}`."""
    lucky = [LuckyNumber(*each) for each in (lit or {}).items()]
    return Spins(Spin.spun(before) if before else None, Spin.spun(pocket, bonus.split(), draw, lucky))


def recorded(pocket: str, bonus: str = "", draw: int = 0, lit: Sequence[tuple[str, int]] = ()) -> Any:
    """A recorded spin, as the floor sends it."""
    lucky = [SimpleNamespace(pocket=each, pays_to_one=pays) for each, pays in lit]
    return SimpleNamespace(pocket=pocket, bonus_pockets=bonus.split(), drawn_payout=draw, lucky_numbers=lucky)


def table(*codes: str, wheel: str = "double_zero", paytable: str = "", **options: str) -> Terms:
    """A Roulette table that offers these wagers, each with every payout filed or with the options given here."""
    offers = {}
    for code in codes:
        chosen = FILED.get(code, {}) and (options or FILED[code])
        name = paytable or next(iter(catalogue()[code].paytables))
        offers[code] = Offer(code, name, 100, options=tuple(sorted(chosen.items())))
    return Terms("RS-1", "roulette", "live", 0, 8, offers, wheel)


def line_of(code: str, history: Spins, on: str = "") -> Line | Pending | None:
    """The line that a wager hits."""
    return catalogue()[code].classify(history, Placement(1, on), table(code))


def settled(code: str, history: Spins, *, on: str = "", paytable: str = "", stake_cents: int = 500) -> Settled:
    """The one wager, settled."""
    terms = table(code, paytable=paytable)
    placed = PlacedWager(1, 1, code, terms.offers[code].paytable, stake_cents, on)
    (found,) = settle_round(history, [placed], terms)
    return found


@st.composite
def spins(draw: st.DrawFn, wheel: str = "double_zero") -> Spins:
    """Any spin of this wheel after any other, whole: with its bonus round, its draw and its Lucky Numbers."""
    pockets = st.sampled_from(WHEELS[wheel])
    before, pocket = draw(pockets), draw(pockets)
    pocket = before if draw(st.integers(0, 3)) == 0 else pocket
    bonus = draw(st.lists(pockets, min_size=3, max_size=3, unique=True)) if pocket in SEVENS else []
    payout = draw(st.sampled_from(b2b.LISTED)) if pocket == before else 0
    lit = draw(st.dictionaries(pockets, st.sampled_from(lightning.LISTED), min_size=1, max_size=5))
    last = Spin.spun(pocket, bonus, payout, [LuckyNumber(*each) for each in lit.items()])
    return Spins(Spin.spun(before), last)
