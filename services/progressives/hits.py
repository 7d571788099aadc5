"""What the winners of one meter in one round receive (rulings J1 and J2)."""

from collections.abc import Sequence
from typing import NamedTuple

from services.kernel.money import MICROS_PER_CENT, RATE_UNIT


class Winner(NamedTuple):
    """A wager's award on a meter: `percent` in hundredths of a percent, `ordinal` of its awards on the level; cents."""

    wager_no: int
    seat: int
    code: str
    paytable: str
    percent: int
    paid_from: str
    ordinal: int = 0
    stake_cents: int = 0


class Hit(NamedTuple):
    """Winners in seat order with the cents of each; `whole` when one of them takes all, so the meter resets."""

    winners: list[Winner]
    cents: list[int]
    whole: bool


def hit(reading_micros: int, winners: Sequence[Winner]) -> Hit:
    """Prices the awards of one round on one meter, all on the reading after the round's contributions.

    Winners of the whole share its cents equally, left-over cents one each in seat order (J1); a percentage
    is of the same reading, rounded down to the cent (J2).
    """
    ordered = sorted(winners, key=_seat_order)
    sharing = sum(winner.percent >= RATE_UNIT for winner in ordered)
    shares = iter(_shared(reading_micros // MICROS_PER_CENT, sharing))
    cents = [
        next(shares) if winner.percent >= RATE_UNIT else _part(reading_micros, winner.percent) for winner in ordered
    ]
    return Hit(ordered, cents, sharing > 0)


def _seat_order(winner: Winner) -> tuple[int, int, int]:
    return winner.seat, winner.wager_no, winner.ordinal


def _shared(cents: int, sharing: int) -> list[int]:
    if not sharing:
        return []
    each, left_over = divmod(cents, sharing)
    return [each + (place < left_over) for place in range(sharing)]


def _part(reading_micros: int, percent: int) -> int:
    return reading_micros * percent // (RATE_UNIT * MICROS_PER_CENT)
