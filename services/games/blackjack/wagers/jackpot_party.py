"""Jackpot Party progressive (58 Pa. Code 633c.2): the dealer has a Blackjack, or an ace up.

The first line that fits pays, in the order the section lists them; a straight is ace to jack alone (ruling K1), pairs
are by rank. The odds are for one: the stake is dropped before the deal and does not come back (ruling M2).

Thirty-six tables are printed, P1 to P36, and they are of few kinds. Within a kind the tables differ by their decks, and
the options A to C of P17 on by the mega meter alone; `P17A` is P17, Option A. All stand as printed (ruling
K3): P12 to P16 are $5 tables on the odds of the $1 tables P3 and P6, and the major meter of P35 and P36 grows by 2 %
where that of P32 to P34 grows by 5 %.

Where no wager is printed, P10, P11 and P17 on, it is $1 or $5 as (e) allows and the Rules Submission says: `P10-$1`.
A total increment rate, P7 to P16, goes to the meter whole. Envy (ruling J5) is a fixed amount at either wager.
"""

from collections.abc import Iterator
from typing import NamedTuple

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.four_cards import FOUR_CARDS, FourCards, four_cards
from services.games.blackjack.must_hit_by import MUST_HIT_BY
from services.games.blackjack.round import Table
from services.games.paytables import Cell, MeterShare, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Meter, Pending, Placement, Wager

DIAMONDS, OTHER = "royal_flush_diamonds", "royal_flush_other"
_LINES = (
    DIAMONDS,
    OTHER,
    "three_of_a_kind",
    "straight",
    "flush",
    "two_pair",
    "all_same_color",
    "pair",
    "dealer_blackjack",
    "dealer_ace_up",
)
_ENVY = {DIAMONDS: 300_000, OTHER: 100_000}
_DECKS = (1, 2, 4, 6, 8)
"""633c.2(b): the decks of the five tables of a kind, in their order."""

_ONE, _FIVE = 100, 500


def classify(history: Table, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of 633c.2(a), highest first, PENDING where the dealer's second card was not dealt, or None."""
    seat = history.seat(placement.seat)
    if len(seat.dealer) < 2:
        return PENDING
    found = four_cards(seat)
    if not found.dealer_blackjack:
        return "dealer_ace_up" if found.ace_up else None
    if found.royal:
        return DIAMONDS if found.royal == "D" else OTHER
    return next((line for line, fits in _fitting(found) if fits), "dealer_blackjack")


def _fitting(found: FourCards) -> tuple[tuple[Line, bool], ...]:
    return (
        ("three_of_a_kind", found.three_of_a_kind),
        ("straight", found.straight),
        ("flush", found.flush),
        ("two_pair", found.two_pair),
        ("all_same_color", found.same_color),
        ("pair", found.pair),
    )


class Single(NamedTuple):
    """Tables on one meter, of which a royal flush in diamonds takes all and another a tenth: the odds for one of the
    other lines, seed, increment and reserve rate, wager (0: none printed), envy.
    """

    odds: tuple[int, ...]
    seed_dollars: int
    rate: int
    reserve: int
    wager: int
    envy: bool


class Several(NamedTuple):
    """Tables on a mega meter and others, each of which its line takes whole: the odds for one of the lines without a
    meter, the meters below the mega one (level, seed in dollars, rate), envy.
    """

    odds: tuple[int, ...]
    meters: tuple[tuple[str, int, int], ...]
    envy: bool


_HIGH = (150, 80, 60, 40, 20, 10, 5, 2)
_MIDDLE = (150, 70, 50, 30, 15, 10, 5, 3)
_LOW = (100, 75, 50, 25, 15, 10, 4, 2)
"""Odds of three of a kind down to the dealer's ace up."""

_SINGLE = {
    "P1 P4": Single(_HIGH, 50_000, 1_600, 375, _FIVE, envy=False),
    "P2 P5": Single(_MIDDLE, 50_000, 1_500, 350, _FIVE, envy=False),
    "P3 P6": Single(_LOW, 10_000, 1_900, 425, _ONE, envy=False),
    "P7 P8 P9": Single(_MIDDLE, 50_000, 1_850, 0, _FIVE, envy=True),
    "P10 P11": Single(_MIDDLE, 50_000, 1_850, 0, 0, envy=True),
    "P12 P13 P14 P15 P16": Single(_LOW, 50_000, 2_325, 0, _FIVE, envy=True),
}
"""633c.2(i), P1 to P16."""

_FROM_TWO_PAIR = (40, 20, 10, 5, 2)
_THREE_METERS = (("major", 5_000, 700), ("minor", 500, 700))
_FOUR_METERS = (("major", 5_000, 500), ("minor", 500, 300), ("mini", 300, 300))
_FIVE_METERS = (*_FOUR_METERS, ("micro", 250, 300))
_SEVERAL = {
    "P17 P18 P19 P20 P21": Several((150, 50, *_FROM_TWO_PAIR), _THREE_METERS, envy=True),
    "P22 P23 P24 P25 P26": Several((50, *_FROM_TWO_PAIR), _FOUR_METERS, envy=True),
    "P27 P28 P29 P30 P31": Several((60, *_FROM_TWO_PAIR), _FOUR_METERS, envy=False),
    "P32 P33 P34": Several(_FROM_TWO_PAIR, _FIVE_METERS, envy=True),
    "P35 P36": Several(_FROM_TWO_PAIR, (("major", 5_000, 200), *_FIVE_METERS[1:]), envy=True),
}
"""633c.2(i), P17 to P36."""

_OPTIONS = {"A": (50_000, 600), "B": (25_000, 700), "C": (10_000, 750)}
"""The mega meter of each option from P17 on: seed in dollars, rate."""


def _decks(name: str) -> tuple[int, ...]:
    """Six decks for P1 to P3, eight for P4 to P6, then each five tables one, two, four, six and eight."""
    number = int(name[1:])
    return ((6,) if number <= 3 else (8,)) if number <= 6 else (_DECKS[(number - 7) % len(_DECKS)],)


def _paytables() -> Iterator[tuple[str, Paytable]]:
    """Every table, option and wager by its name: `P1`, `P10-$5`, `P17A-$1`."""
    for names, kind in _SINGLE.items():
        for name in names.split():
            for ending, wager in _wagers(kind.wager):
                yield name + ending, _single(kind, _decks(name), wager)
    for names, several in _SEVERAL.items():
        for name in names.split():
            for option, mega in _OPTIONS.items():
                for ending, wager in _wagers(0):
                    yield name + option + ending, _several(several, mega, _decks(name), wager)


def _wagers(printed: int) -> tuple[tuple[str, int], ...]:
    return (("", printed),) if printed else (("-$1", _ONE), ("-$5", _FIVE))


def _single(kind: Single, decks: tuple[int, ...], wager: int) -> Paytable:
    level = "progressive"
    shares: list[Cell] = [MeterShare(level, 10_000), MeterShare(level, 1_000)]
    meter = Meter(
        level, 100 * kind.seed_dollars, minimum_seed=False, increment_rate=kind.rate, reserve_rate=kind.reserve
    )
    return _paytable(shares, kind.odds, (meter,), decks, wager, envy=kind.envy)


def _several(kind: Several, mega: tuple[int, int], decks: tuple[int, ...], wager: int) -> Paytable:
    meters = tuple(
        Meter(level, 100 * dollars, minimum_seed=False, increment_rate=rate)
        for level, dollars, rate in (("mega", *mega), *kind.meters)
    )
    shares: list[Cell] = [MeterShare(each.level, 10_000) for each in meters]
    return _paytable(shares, kind.odds, meters, decks, wager, envy=kind.envy)


def _paytable(
    shares: list[Cell],
    odds: tuple[int, ...],
    meters: tuple[Meter, ...],
    decks: tuple[int, ...],
    wager: int,
    *,
    envy: bool,
) -> Paytable:
    cells = [*shares, *map(for_one, odds)]
    return Paytable(
        dict(zip(_LINES, cells, strict=True)),
        decks=decks,
        denominations=(wager,),
        envy=_ENVY if envy else {},
        meters=meters,
    )


def _number(name: str) -> int:
    """The number of a table: 17 for `P17A-$1`."""
    return int(name.partition("-")[0][1:].rstrip("".join(_OPTIONS)))


PAYTABLES = dict(sorted(_paytables(), key=lambda named: _number(named[0])))

WAGERS = (
    Wager(
        code="blackjack.jackpot_party",
        section="633c.2",
        title="Jackpot Party progressive",
        game="blackjack",
        classify=classify,
        paytables=PAYTABLES,
        sample=FOUR_CARDS,
        needs=BASE_WAGERS,
        meters=PAYTABLES["P1"].meters,
        denominations=(_ONE, _FIVE),
        mysteries=MUST_HIT_BY,
    ),
)
