"""Which wagers of a round settle, and which are held, each with its reason."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any

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
from services.kernel.money import dollars

TIMED = ("no_more_bets", "first_card")
"""Locks that are moments of the clock; the others are rolls."""

HeldWager = tuple[PlacedWager, Refusal]


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
    known, locks = catalogue(), {"first_card": first_card_at, "in_play": None}
    refusals: dict[int, Refusal] = {}
    dependent: list[int] = []
    for index, placed in enumerate(wagers):
        try:
            rule = _check(placed, known.get(placed.code), terms, gaming_day)
            if placed.roll or rule.lock not in TIMED:
                _check_roll(placed, rule, terms, history)
            if placed.placed_at is not None and not placed.roll:
                _check_lock(placed, rule, locks.get(rule.lock, no_more_bets_at))
        except Held as refusal:
            refusals[index] = refusal
        else:
            if rule.needs:
                dependent.append(index)
    if dependent:
        _hold_without_base(wagers, dependent, refusals)
    if not refusals:
        return list(wagers), []
    accepted = [placed for index, placed in enumerate(wagers) if index not in refusals]
    return accepted, [(wagers[index], refusals[index]) for index in sorted(refusals)]


def _check(placed: PlacedWager, rule: Wager | None, terms: Terms, gaming_day: date) -> Wager:
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


def _hold_without_base(wagers: Sequence[PlacedWager], dependent: list[int], refusals: dict[int, Refusal]) -> None:
    """Holds each dependent wager without an accepted base at its seat, or out of proportion to it, until no more
    follow.
    """
    before = -1
    while before != len(refusals):
        before = len(refusals)
        there = {(placed.seat, placed.code) for index, placed in enumerate(wagers) if index not in refusals}
        held = {(wagers[index].seat, wagers[index].code) for index in refusals}
        for index in dependent:
            seat, needs = wagers[index].seat, catalogue()[wagers[index].code].needs
            if index not in refusals and not any((seat, code) in there for code in needs):
                refusals[index] = _baseless(wagers[index], needs, any((seat, code) in held for code in needs))
        _hold_out_of_proportion(wagers, dependent, refusals)


def _hold_out_of_proportion(wagers: Sequence[PlacedWager], dependent: list[int], refusals: dict[int, Refusal]) -> None:
    """Holds each wager with which the stakes on its area leave the part of their base that its section allows.

    They are taken in the order given, so that of two on one area the first stands.
    """
    shared = [index for index in dependent if index not in refusals and catalogue()[wagers[index].code].base_share]
    taken: dict[tuple[int, str, str], int] = {}
    for index in shared:
        placed, rule = wagers[index], catalogue()[wagers[index].code]
        base = sum(
            each.stake_cents
            for other, each in enumerate(wagers)
            if other not in refusals and each.seat == placed.seat and each.code in rule.needs
        )
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
