"""Super 4 progressive (58 Pa. Code 633c.6): the dealer has a Blackjack, or an ace up.

The first line that fits pays, in the order the section lists them; a straight is ace to jack alone (ruling K1). The
text wants two pair and pair alike in suit and rank; the published game looks at rank alone and is
`blackjack.super_4_by_rank`, which a table offers in place of the other (ruling K2). Paytable 3-1's row "no dealer face
up ace: loss" means no ace up and no dealer Blackjack (ruling K4), which loses under every paytable.

The amounts are dollars on the wager of $5, which does not come back; `1-3` is Paytable 1, Option 3. The chosen suit is
the Rules Submission's, and so is a mystery progressive of subsection (j).
"""

from collections.abc import Mapping
from functools import partial

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.four_cards import FOUR_CARDS, FourCards, four_cards
from services.games.blackjack.round import Table
from services.games.paytables import Cell, Fixed, MeterShare, Paytable
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Meter, Mystery, Placement, Wager

CHOSEN_SUIT = "chosen_suit"
SUIT_NAMES = {"diamonds": "D", "clubs": "C", "hearts": "H", "spades": "S"}
TEXT = "blackjack.super_4"
BY_RANK = "blackjack.super_4_by_rank"


def classify(code: str, history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of 633c.6(a), highest first, or None."""
    found = four_cards(history.seat(placement.seat))
    if not found.dealer_blackjack:
        return "dealer_ace_up" if found.ace_up else None
    if found.royal:
        chosen = SUIT_NAMES[terms.option(code, CHOSEN_SUIT) or ""]
        return "royal_flush_chosen_suit" if found.royal == chosen else "royal_flush_other_suit"
    hit = (line for line, fits in _kinds(found, by_rank=code == BY_RANK).items() if fits)
    return next(hit, "dealer_blackjack")


def _kinds(found: FourCards, *, by_rank: bool) -> Mapping[Line, bool]:
    return {
        "three_of_a_kind": found.three_of_a_kind,
        "straight": found.straight,
        "flush": found.flush,
        "two_pair": found.two_pair if by_rank else found.two_pair_identical,
        "all_same_color": found.same_color,
        "pair": found.pair if by_rank else found.pair_identical,
    }


def _one_reading(terms: Terms) -> Contradiction | None:
    if TEXT in terms.offers and BY_RANK in terms.offers:
        return Contradiction("two pair and pair", f"one of {TEXT} and {BY_RANK}", "both")
    return None


_METERS = {
    "1-1": ("star 50000 600", "heart 5000 700", "spade 500 700"),
    "1-2": ("star 25000 700", "heart 5000 700", "spade 500 700"),
    "1-3": ("star 10000 750", "heart 5000 700", "spade 500 700"),
    "2-1": ("star 50000 600", "heart 5000 500", "spade 500 300", "diamond 300 300"),
    "2-2": ("star 25000 600", "heart 5000 500", "spade 500 300", "diamond 300 300"),
    "3-1": ("star 50000 600", "heart 5000 200", "spade 500 300", "diamond 300 300", "club 250 300"),
    "3-2": ("star 25000 600", "heart 5000 200", "spade 500 300", "diamond 300 300", "club 250 300"),
    "3-3": ("star 10000 600", "heart 5000 200", "spade 500 300", "diamond 300 300", "club 250 300"),
}
"""633c.6(i): the meters in the order of the lines they pay, each with its seed in dollars and its rate."""
_AWARDS = {
    "royal_flush_chosen_suit": 0,
    "royal_flush_other_suit": 0,
    "three_of_a_kind": 0,
    "straight": 750,
    "flush": 250,
    "two_pair": 200,
    "all_same_color": 100,
    "pair": 50,
    "dealer_blackjack": 25,
    "dealer_ace_up": 10,
}
"""633c.6(i): the dollars of each line that has no meter."""


def _paytable(printed: tuple[str, ...]) -> Paytable:
    meters = tuple(_meter(*each.split()) for each in printed)
    lines: dict[str, Cell] = {line: Fixed(100 * award) for line, award in _AWARDS.items()}
    lines.update({line: MeterShare(meter.level, 10_000) for line, meter in zip(_AWARDS, meters, strict=False)})
    return Paytable(lines, decks=(1, 2, 4, 6, 8), meters=meters)


def _meter(level: str, seed_dollars: str, rate: str) -> Meter:
    return Meter(level, 100 * int(seed_dollars), minimum_seed=False, increment_rate=int(rate))


PAYTABLES = {name: _paytable(printed) for name, printed in _METERS.items()}

MYSTERIES = (
    Mystery("1", 500, 25_000, 100_000, 500),
    Mystery("2", 500, 10_000, 50_000, 500),
    Mystery("3", 500, 10_000, 20_000, 200),
)
"""633c.6(j)."""


def _wager(code: str, title: str, unreached: Mapping[Line, str]) -> Wager:
    return Wager(
        code=code,
        section="633c.6",
        title=title,
        game="blackjack",
        classify=partial(classify, code),
        paytables=PAYTABLES,
        sample=FOUR_CARDS,
        needs=BASE_WAGERS,
        meters=PAYTABLES["1-1"].meters,
        denominations=(500,),
        options={CHOSEN_SUIT: tuple(SUIT_NAMES)},
        required_options=(CHOSEN_SUIT,),
        assumed={CHOSEN_SUIT: "diamonds"},
        mysteries=MYSTERIES,
        unreached=unreached,
        checks=(_one_reading,) if code == BY_RANK else (),
    )


_TWO_DECKS = "with two decks or more"
WAGERS = (
    _wager(TEXT, "Super 4 progressive", {"two_pair": _TWO_DECKS, "pair": _TWO_DECKS}),
    _wager(BY_RANK, "Super 4 progressive, pairs by rank", {}),
)
