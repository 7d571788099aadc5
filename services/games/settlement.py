"""Pricing: what each wager of a round pays. `settle_round` is the only function that prices."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from services.games.catalogue import wager
from services.games.paytables import PUSH, STAKE, VOID, Cell, Fixed, MeterShare, Odds, PartReturned, Paytable
from services.games.terms import Terms
from services.games.wagers import AUTOMATED, Classify, Line, Pending, PlacedWager, Placement, Wager
from services.kernel.errors import PaytableUnknown, WagerNotOffered
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT, half_up

COMMISSION_ROUNDING = "commission_rounding"
"""The option that says to what a commission is rounded half up (ruling M3): its values and their cents."""
COMMISSION_UNITS = {"cent": 1, "nearest_quarter": 25}


STATED = "stated"
"""When and by what line a wager settles whose payout the floor states (ruling K13)."""
NOTHING_STATED: Mapping[int, int] = MappingProxyType({})

ENVY = "envy"
"""The line of a wager that lost by itself and receives for another's win at the table (ruling J5)."""


class Award(NamedTuple):
    """A part of what a winning wager receives on top of a stake that is returned.

    `kind`: odds, fixed, meter, envy, bonus. `paid_from`: inventory, slip (shares of a meter, ruling J7), terminal (a
    fully automated table has no inventory). `cents` is 0 for a meter's share, which `progressives` alone prices;
    `level` and `percent` (hundredths of a percent) say which share.
    """

    kind: str
    paid_from: str
    cents: int
    level: str = ""
    percent: int = 0


class Settled(NamedTuple):
    """One settled wager: `outcome` win, lose, push, void or pending; `line` empty on a loss.

    `payout_cents` has the stake where it is returned; `breakage_micros` is what rounding left with the house.
    """

    wager_no: int
    outcome: str
    line: str
    payout_cents: int
    breakage_micros: int
    awards: tuple[Award, ...]


_new = tuple.__new__

Price = Callable[[int], tuple[str, int, int, tuple[Award, ...]]]
"""Of a stake in cents: outcome, payout, breakage and awards."""
Told = Callable[[int], tuple[str, Line, int, int, tuple[Award, ...]]]
"""Of a stake in cents what is told of the wager: outcome, line, payout, breakage and awards."""
STAKES_KEPT = 256
"""So many stakes have their price kept with a line: they are multiples of a table's chips."""


class Rules(NamedTuple):
    """How wagers of one code and paytable are settled at one table."""

    classify: Classify
    told: Mapping[Line | Pending | None, Told]
    envy: Mapping[str, int]
    by_floor: bool


def settle_round(
    history: Any, wagers: Sequence[PlacedWager], terms: Terms, stated: Mapping[int, int] = NOTHING_STATED
) -> list[Settled]:
    """Settles the wagers of one round by its history, each by the paytable it carries, in the order given.

    The wagers are those that admission let through: raises WagerUnknown, WagerNotOffered, PaytableUnknown
    for any other. A line that a paytable prints as N/A loses; a line it does not have is a fault of the
    rules: KeyError. No payout is above the maximum that the table's offer states. `stated`: by wager number what the
    floor says it paid, in cents, for wagers that settle so (ruling K13); such a one without is pending.
    """
    settled, envied, priced = [], False, terms.priced
    for wager_no, seat, code, paytable, stake, on, _, roll in wagers:
        classify, told, envy, by_floor = priced.get((code, paytable)) or _rules(code, paytable, terms)
        if by_floor:
            settled.append(_as_stated(wager_no, stake, stated.get(wager_no), terms))
            continue
        outcome, line, payout, breakage, awards = told[classify(history, _placement(seat, on, roll), terms)](stake)
        # The class's own constructor is a call more for every wager.
        settled.append(_new(Settled, (wager_no, outcome, line, payout, breakage, awards)))
        if envy and line in envy:
            envied = True
    return _with_envy(wagers, settled, terms) if envied else settled


def _with_envy(wagers: Sequence[PlacedWager], settled: list[Settled], terms: Terms) -> list[Settled]:
    """Adds to each wager what it receives for the wins of the others of its code, never for its own (ruling J5).

    One position's wagers on one winning hand are one win: a seat gives envy once for each line it hits.
    """
    winners = {
        (placed.code, placed.seat, placed.on, each.line): _rules(placed.code, placed.paytable, terms).envy[each.line]
        for placed, each in zip(wagers, settled, strict=True)
        if each.line in _rules(placed.code, placed.paytable, terms).envy
    }
    return [
        _envious(placed, each, terms, [key for key in winners if key[0] == placed.code and key[1] != placed.seat])
        for placed, each in zip(wagers, settled, strict=True)
    ]


def _envious(placed: PlacedWager, own: Settled, terms: Terms, others: Sequence[tuple[str, int, str, Line]]) -> Settled:
    envy = _rules(placed.code, placed.paytable, terms).envy
    amounts = [envy[line] for *_, line in others if line in envy]
    if not amounts:
        return own
    source = "terminal" if terms.kind == AUTOMATED else "inventory"
    room = (terms.offers[placed.code].maximum_payout_cents or sum(amounts) + own.payout_cents) - own.payout_cents
    awards = []
    for amount in amounts:
        awards.append(Award("envy", source, min(amount, room)))
        room -= awards[-1].cents
    payout = own.payout_cents + sum(award.cents for award in awards)
    outcome, line = ("win", ENVY) if own.outcome == "lose" else (own.outcome, own.line)
    return Settled(own.wager_no, outcome, line, payout, own.breakage_micros, (*own.awards, *awards))


def _rules(code: str, paytable: str, terms: Terms) -> Rules:
    offer = terms.offers.get(code)
    if offer is None:
        raise WagerNotOffered(f"settling {code}: expected one of {', '.join(terms.offers)}")
    automated = terms.kind == AUTOMATED
    found = _priced(wager(code), paytable, offer.options, offer.maximum_payout_cents, automated)
    terms.priced[code, paytable] = found
    return found


@lru_cache(maxsize=4096)
def _placement(seat: int, on: str, roll: int) -> Placement:
    return Placement(seat, on, roll)


@lru_cache(maxsize=4096)
def _priced(rule: Wager, name: str, options: tuple[tuple[str, str], ...], most: int | None, automated: bool) -> Rules:
    paytable = rule.paytables.get(name)
    if paytable is None:
        raise PaytableUnknown(f"settling {rule.code}: expected {' or '.join(rule.paytables)}, given {name!r}")
    unit = COMMISSION_UNITS[dict(options).get(COMMISSION_ROUNDING, "cent")]
    source = "terminal" if automated else "inventory"
    prices: dict[Line | Pending | None, Price] = {None: _lost, Pending.PENDING: _pending}
    for line, cell in paytable.lines.items():
        price = _price(cell, paytable, unit, source)
        prices[line] = price if most is None else _limited(price, most)
    if rule.bonus is not None:
        for line, cents in rule.bonus.under(dict(options)).items():
            award = Award("bonus", source, cents)
            prices[line] = _with_bonus(prices[line], award, rule.bonus.least_stake_cents, most)
    told = {line: _told(line, price) for line, price in prices.items()}
    return Rules(rule.classify, told, paytable.envy, rule.settles == STATED)


def _told(line: Line | Pending | None, price: Price) -> Told:
    """What is told of a wager that hit a line, at its price; a line that pays nothing is told as a loss."""

    @lru_cache(maxsize=STAKES_KEPT)
    def told(stake: int) -> tuple[str, Line, int, int, tuple[Award, ...]]:
        outcome, payout, breakage, awards = price(stake)
        shown = line if isinstance(line, str) and (payout or outcome != "lose") else ""
        return outcome, shown, payout, breakage, awards

    return told


def _price(cell: Cell, paytable: Paytable, unit: int, source: str) -> Price:
    if isinstance(cell, Odds):
        return _odds_price(cell, paytable, unit, source)
    if isinstance(cell, Fixed):
        fixed = (Award(cell.kind, source, cell.cents),)
        return lambda stake: ("win", cell.cents, 0, fixed)
    if isinstance(cell, MeterShare):
        share = (Award("meter", "slip", 0, cell.level, cell.percent),)
        return lambda stake: ("win", 0, 0, share)
    if isinstance(cell, PartReturned):
        return _part_price(cell)
    return {PUSH: _pushed, VOID: _voided}.get(cell, _lost)


def _part_price(part: PartReturned) -> Price:
    def price(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
        returned, breakage = divmod(stake * part.numerator * MICROS_PER_CENT // part.denominator, MICROS_PER_CENT)
        return "lose", returned, breakage, ()

    return price


def _as_stated(wager_no: int, stake: int, payout: int | None, terms: Terms) -> Settled:
    """A wager that the engine cannot prove: what the floor says it paid, the stake included (ruling K13)."""
    if payout is None:
        return Settled(wager_no, "pending", "", 0, 0, ())
    if payout <= stake:
        return Settled(wager_no, "push" if payout == stake else "lose", STATED if payout else "", payout, 0, ())
    source = "terminal" if terms.kind == AUTOMATED else "inventory"
    return Settled(wager_no, "win", STATED, payout, 0, (Award("odds", source, payout - stake),))


def _odds_price(odds: Odds, paytable: Paytable, unit: int, source: str) -> Price:
    numerator, denominator, returned = odds
    commission, of_stake = paytable.commission, paytable.commission_of == STAKE

    def price(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
        won, breakage = divmod(stake * numerator * MICROS_PER_CENT // denominator, MICROS_PER_CENT)
        if commission:
            won -= half_up((stake if of_stake else won) * commission, RATE_UNIT * unit) * unit
        return "win", won + stake if returned else won, breakage, (Award("odds", source, won),)

    return price


def _limited(price: Price, most: int) -> Price:
    """The price, cut where it passes what the table pays at most; what is cut is no breakage."""

    def limited(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
        outcome, payout, breakage, awards = price(stake)
        over = payout - most
        if over <= 0:
            return outcome, payout, breakage, awards
        # The stake is never above the maximum payout, so the one award has all that is to be cut.
        return outcome, most, 0, tuple(award._replace(cents=award.cents - over) for award in awards)

    return limited


def _with_bonus(price: Price, bonus: Award, least_stake: int, most: int | None) -> Price:
    """The price and, on a stake that is large enough, the bonus beside it, up to what the table pays at most."""

    def with_bonus(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
        outcome, payout, breakage, awards = price(stake)
        if stake < least_stake:
            return outcome, payout, breakage, awards
        cents = bonus.cents if most is None else min(bonus.cents, most - payout)
        return outcome, payout + cents, breakage, (*awards, bonus._replace(cents=cents))

    return with_bonus


def _lost(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "lose", 0, 0, ()


def _pushed(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "push", stake, 0, ()


def _voided(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "void", stake, 0, ()


def _pending(stake: int) -> tuple[str, int, int, tuple[Award, ...]]:
    return "pending", 0, 0, ()
