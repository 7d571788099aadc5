"""Pricing: what each wager of a round pays. `settle_round` is the only function that prices."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from services.games.catalogue import wager
from services.games.paytables import PUSH, Cell, Fixed, MeterShare, Odds, Paytable
from services.games.terms import Terms
from services.games.wagers import Classify, Line, Pending, PlacedWager, Placement, Wager
from services.kernel.errors import PaytableUnknown, WagerNotOffered
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT, half_up

COMMISSION_ROUNDING = "commission_rounding"
"""The option that says to what a commission is rounded half up (ruling M3): its values and their cents."""
COMMISSION_UNITS = {"cent": 1, "nearest_quarter": 25}


class Award(NamedTuple):
    """A part of what a winning wager receives on top of a stake that is returned.

    `kind`: odds, fixed, meter, envy, bonus. `paid_from`: inventory, slip, terminal. `cents` is 0 for a
    meter's share, which `progressives` alone prices; `level` and `percent` (hundredths of a percent) say
    which share.
    """

    kind: str
    paid_from: str
    cents: int
    level: str = ""
    percent: int = 0


class Settled(NamedTuple):
    """One settled wager: `outcome` win, lose, push or pending; `line` empty on a loss.

    `payout_cents` has the stake where it is returned; `breakage_micros` is what rounding left with the house.
    """

    wager_no: int
    outcome: str
    line: str
    payout_cents: int
    breakage_micros: int
    awards: tuple[Award, ...]


Price = Callable[[int], tuple[str, int, int, tuple[Award, ...]]]
"""Of a stake in cents: outcome, payout, breakage and awards."""


def settle_round(history: Any, wagers: Sequence[PlacedWager], terms: Terms) -> list[Settled]:
    """Settles the wagers of one round by its history, each by the paytable it carries, in the order given.

    The wagers are those that admission let through: raises WagerUnknown, WagerNotOffered, PaytableUnknown
    for any other. A line that a paytable prints as N/A loses; a line it does not have is a fault of the
    rules: KeyError.
    """
    settled = []
    for wager_no, seat, code, paytable, stake, on, _ in wagers:
        classify, prices = _rules(code, paytable, terms)
        line = classify(history, _placement(seat, on), terms)
        outcome, payout, breakage, awards = prices[line](stake)
        won = line if outcome != "lose" and isinstance(line, str) else ""
        settled.append(Settled(wager_no, outcome, won, payout, breakage, awards))
    return settled


def _rules(code: str, paytable: str, terms: Terms) -> tuple[Classify, dict[Line | Pending | None, Price]]:
    offer = terms.offers.get(code)
    if offer is None:
        raise WagerNotOffered(f"settling {code}: expected one of {', '.join(terms.offers)}")
    return _priced(wager(code), paytable, offer.options)


@lru_cache(maxsize=4096)
def _placement(seat: int, on: str) -> Placement:
    return Placement(seat, on)


@lru_cache(maxsize=4096)
def _priced(
    rule: Wager, name: str, options: tuple[tuple[str, str], ...]
) -> tuple[Classify, dict[Line | Pending | None, Price]]:
    paytable = rule.paytables.get(name)
    if paytable is None:
        raise PaytableUnknown(f"settling {rule.code}: expected {' or '.join(rule.paytables)}, given {name!r}")
    unit = COMMISSION_UNITS[dict(options).get(COMMISSION_ROUNDING, "cent")]
    prices: dict[Line | Pending | None, Price] = {None: _lost, Pending.PENDING: _pending}
    prices.update({line: _price(cell, paytable, unit) for line, cell in paytable.lines.items()})
    return rule.classify, prices


def _price(cell: Cell, paytable: Paytable, unit: int) -> Price:
    if isinstance(cell, Odds):
        return _odds_price(cell, paytable.commission, unit)
    if isinstance(cell, Fixed):
        fixed = (Award("fixed", "inventory", cell.cents),)
        return lambda stake: ("win", cell.cents, 0, fixed)
    if isinstance(cell, MeterShare):
        share = (Award("meter", "slip", 0, cell.level, cell.percent),)
        return lambda stake: ("win", 0, 0, share)
    return _pushed if cell is PUSH else _lost


def _odds_price(odds: Odds, commission: int, unit: int) -> Price:
    numerator, denominator, returned = odds

    def price(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
        won, breakage = divmod(stake * numerator * MICROS_PER_CENT // denominator, MICROS_PER_CENT)
        if commission:
            won -= half_up(won * commission, RATE_UNIT * unit) * unit
        return "win", won + stake if returned else won, breakage, (Award("odds", "inventory", won),)

    return price


def _lost(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "lose", 0, 0, ()


def _pushed(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "push", stake, 0, ()


def _pending(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "pending", 0, 0, ()
