"""Which wagers of a round settle, and which are held, each with its reason."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NamedTuple

from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager, Wager
from services.kernel.errors import (
    BaseWagerHeld,
    BaseWagerMissing,
    Held,
    PaytableUnknown,
    PlacementUnknown,
    Refusal,
    SeatUnknown,
    StakeOffDenomination,
    StakeOverMaximum,
    StakeUnderMinimum,
    WagerLate,
    WagerNotOffered,
    WagerUnknown,
)
from services.kernel.money import LARGEST_STAKE_CENTS, dollars

TIMED = ("no_more_bets", "first_card")
"""Locks that are moments of the clock; the others are rolls."""

HeldWager = tuple[PlacedWager, Refusal]
Dependent = tuple[int, Wager]
"""The place of a wager in its round that needs a base, and its rule."""


class Usual(NamedTuple):
    """The areas and the stakes in cents with which a wager placed before the round is sure to be let in."""

    rule: Wager
    areas: tuple[str, ...]
    stakes: Container[int]


def admit(
    wagers: Sequence[PlacedWager],
    terms: Terms,
    gaming_day: date,
    no_more_bets_at: datetime | None,
    first_card_at: datetime | None,
    history: Any = None,
) -> tuple[list[PlacedWager], list[HeldWager]]:
    """The round's wagers that settle and those that are held, each list in the order given.

    A wager is late if it was placed after the moment its section names; one without `placed_at`, or a round
    without that moment, says that it was in time. `history`: the round's results so far, where there are any; what was
    placed between two rolls is judged by the rolls alone. A wager whose base wager is held is held with it.
    """
    refusals: dict[int, Refusal] = {}
    dependent: list[Dependent] = []
    usual, seats = _usual(terms), terms.seats
    for index, placed in enumerate(wagers):
        _, seat, code, paytable, stake, on, placed_at, roll = placed
        found = usual.get((code, paytable)) if placed_at is None and not roll else None
        if found is not None and stake in found.stakes and on in found.areas and 1 <= seat <= seats:
            rule = found.rule
        else:
            try:
                rule = _check(placed, terms, gaming_day, no_more_bets_at, first_card_at, history)
            except Held as refusal:
                refusals[index] = refusal
                continue
        if rule.needs:
            dependent.append((index, rule))
    if dependent:
        _hold_without_base(wagers, dependent, refusals)
    if not refusals:
        return list(wagers), []
    accepted = [placed for index, placed in enumerate(wagers) if index not in refusals]
    return accepted, [(wagers[index], refusals[index]) for index in sorted(refusals)]


def _usual(terms: Terms) -> Mapping[tuple[str, str], Usual]:
    """Every wager of the table by code and paytable, made once and kept with the terms.

    Most wagers are found here; `_check` decides the others, and names what is wrong.
    """
    for code, offer in terms.offers.items() if not terms.usual else ():
        rule = catalogue().get(code)
        if rule is not None and offer.paytable in rule.paytables:
            terms.usual[code, offer.paytable] = Usual(rule, rule.areas(terms.wheel), _stakes(rule, offer))
    return terms.usual


def _stakes(rule: Wager, offer: Offer) -> Container[int]:
    """None of a wager that is not always in force, or whose lock is no moment of the clock: more decides there."""
    if rule.effective or rule.expires or rule.lock not in TIMED:
        return ()
    least, step = max(offer.minimum_cents, rule.minimum_cents), rule.increment_cents
    most = LARGEST_STAKE_CENTS if offer.maximum_cents is None else offer.maximum_cents
    allowed = range(-(-least // step) * step, most + 1, step)
    denominations = rule.paytables[offer.paytable].denominations or rule.denominations
    return frozenset(denominations).intersection(allowed) if denominations else allowed


def _check(
    placed: PlacedWager,
    terms: Terms,
    gaming_day: date,
    no_more_bets_at: datetime | None,
    first_card_at: datetime | None,
    history: Any,
) -> Wager:
    """The rule of a wager that settles unless its base is held; raises the refusal of any other."""
    rule = _check_terms(placed, catalogue().get(placed.code), terms, gaming_day)
    if placed.roll or rule.lock not in TIMED:
        _check_roll(placed, rule, terms, history)
    if placed.placed_at is not None and not placed.roll:
        locks = {"first_card": first_card_at, "in_play": None}
        _check_lock(placed, rule, locks.get(rule.lock, no_more_bets_at))
    return rule


def _check_terms(placed: PlacedWager, rule: Wager | None, terms: Terms, gaming_day: date) -> Wager:
    if rule is None:
        raise WagerUnknown(f"expected a wager of the catalogue, given {placed.code!r}")
    offer = terms.offers.get(placed.code)
    if offer is None:
        raise WagerNotOffered(f"expected {_words(terms.offers)}, given {placed.code}")
    if (rule.effective or rule.expires) and not rule.in_force(gaming_day):
        raise WagerNotOffered(f"expected a gaming day of {rule.period()} for {placed.code}, given {gaming_day}")
    if placed.paytable != offer.paytable:
        raise PaytableUnknown(f"expected paytable {offer.paytable} of {placed.code}, given {placed.paytable!r}")
    if not 1 <= placed.seat <= terms.seats:
        raise SeatUnknown(f"expected a seat from 1 to {terms.seats}, given {placed.seat}")
    if placed.on not in rule.areas(terms.wheel):
        raise PlacementUnknown(f"expected {placed.code} on {_words(rule.areas(terms.wheel))}, given {placed.on!r}")
    _check_stake(placed, rule, offer)
    return rule


def _check_stake(placed: PlacedWager, rule: Wager, offer: Offer) -> None:
    stake = placed.stake_cents
    if stake < offer.minimum_cents or stake < rule.minimum_cents:
        least = max(offer.minimum_cents, rule.minimum_cents)
        raise StakeUnderMinimum(f"expected at least ${dollars(least)} on {placed.code}, given ${dollars(stake)}")
    if offer.maximum_cents is not None and stake > offer.maximum_cents:
        most = dollars(offer.maximum_cents)
        raise StakeOverMaximum(f"expected at most ${most} on {placed.code}, given ${dollars(stake)}")
    denominations = rule.paytables[offer.paytable].denominations or rule.denominations
    if denominations and stake not in denominations:
        amounts = _words(f"${dollars(amount)}" for amount in denominations)
        raise StakeOffDenomination(f"expected {amounts} on {placed.code}, given ${dollars(stake)}")
    if stake % rule.increment_cents:
        amounts = f"steps of ${dollars(rule.increment_cents)}"
        raise StakeOffDenomination(f"expected {amounts} on {placed.code}, given ${dollars(stake)}")


def _check_lock(placed: PlacedWager, rule: Wager, lock: datetime | None) -> None:
    if lock is not None and placed.placed_at is not None and placed.placed_at > lock:
        moment = rule.lock.replace("_", " ")
        given = placed.placed_at.isoformat()
        raise WagerLate(f"expected {placed.code} by {moment} at {lock.isoformat()}, given {given}")


def _check_roll(placed: PlacedWager, rule: Wager, terms: Terms, history: Any) -> None:
    if not GAMES[terms.game].in_time(rule.lock, placed.roll, history):
        moment = rule.lock.replace("_", " ")
        raise WagerLate(f"expected {placed.code} by {moment}, given after roll {placed.roll} of the round")


def _hold_without_base(wagers: Sequence[PlacedWager], dependent: list[Dependent], refusals: dict[int, Refusal]) -> None:
    """Holds each dependent wager without an accepted base at its seat, or out of proportion to it, until no more
    follow.
    """
    before = -1
    while before != len(refusals):
        before = len(refusals)
        there: defaultdict[int, set[str]] = defaultdict(set)
        for index, placed in enumerate(wagers):
            if index not in refusals:
                there[placed.seat].add(placed.code)
        held = {(wagers[index].seat, wagers[index].code) for index in refusals}
        for index, rule in dependent:
            seat, needs = wagers[index].seat, rule.needs
            if index not in refusals and there[seat].isdisjoint(needs):
                refusals[index] = _baseless(wagers[index], needs, any((seat, code) in held for code in needs))
        _hold_out_of_proportion(wagers, dependent, refusals)


def _hold_out_of_proportion(
    wagers: Sequence[PlacedWager], dependent: list[Dependent], refusals: dict[int, Refusal]
) -> None:
    """Holds each wager with which the stakes on its area leave the part of their base that its section allows.

    They are taken in the order given, so that of two on one area the first stands.
    """
    shared = [(index, rule) for index, rule in dependent if rule.base_share and index not in refusals]
    taken: dict[tuple[int, str, str], int] = {}
    for index, rule in shared:
        placed = wagers[index]
        base = sum(
            each.stake_cents
            for other, each in enumerate(wagers)
            if other not in refusals and each.seat == placed.seat and each.code in rule.needs
        )
        if not base:
            # Its base was held for its own stake just before, in this same pass.
            refusals[index] = _baseless(placed, rule.needs, held=True)
            continue
        area = placed.seat, placed.code, placed.on
        stakes = taken.get(area, 0) + placed.stake_cents
        if refusal := _out_of_proportion(rule.base_share, Fraction(stakes, base), placed):
            refusals[index] = refusal
        else:
            taken[area] = stakes


def _out_of_proportion(
    share: tuple[Fraction, Fraction] | None, given: Fraction, placed: PlacedWager
) -> StakeUnderMinimum | StakeOverMaximum | None:
    if share is None or share[0] <= given <= share[1]:
        return None
    least, most = share
    parts = f"{least} to {most}" if least and least != most else f"{'' if least else 'at most '}{most}"
    text = f"expected {parts} times the base wager on {placed.code}, given {given}"
    return StakeOverMaximum(text) if given > most else StakeUnderMinimum(text)


def _baseless(placed: PlacedWager, needs: tuple[str, ...], held: bool) -> Refusal:
    expected = f"expected {_words(needs)} at seat {placed.seat} with {placed.code}"
    return BaseWagerHeld(f"{expected}, which is held") if held else BaseWagerMissing(f"{expected}, given none")


def _words(names: Iterable[str]) -> str:
    return " or ".join(name or "the wager's own area" for name in names)
