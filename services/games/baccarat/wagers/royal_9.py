"""Royal 9 progressive (58 Pa. Code 627c.3, 629c.3): a face card and a nine as the first two cards of either hand.

Every position has a king and a nine of its own printed on the layout; which, the Rules Submission files in the
option `king_9_by_seat`, as `1:KS9S 2:KH9C`. The listed order decides and one line pays: the personal mega winner does
not take mega envy too, and mega envy needs only that some position carries the combination, whether anyone sits there
or not (rulings B1, B5). The stake is gone once the cards are dealt (ruling M2), which is also when it is too late to
place it: (a)(2).
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from services.games.baccarat.base import base_wagers
from services.games.baccarat.coup import Coups
from services.games.baccarat.first_cards import ROYAL_9S, Royal9, royal_9_of
from services.games.paytables import Fixed, MeterShare, Paytable
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Meter, Mystery, Placement, Wager
from services.kernel.cards import CARDS

KING_9_BY_SEAT = "king_9_by_seat"
EXPECTED = "expected a king and a nine for each seat, as 1:KS9S 2:KH9C"
MYSTERIES = (
    Mystery("1", 0, 25_000, 100_000, 500),
    Mystery("2", 0, 10_000, 50_000, 500),
    Mystery("3", 0, 10_000, 20_000, 200),
)
"""627c.3(h): configurations for any denomination."""
SEVEN_SEATS = "1:KC9C 2:KD9D 3:KH9H 4:KS9S 5:KC9S 6:KD9H 7:KS9D"
"""The positions the analysis stands on: the section leaves them to the layout."""


class King9s(NamedTuple):
    """The kings and nines printed on a layout: by seat, and all of them."""

    by_seat: Mapping[int, Royal9]
    printed: frozenset[Royal9]


def read_king_9s(text: str) -> King9s:
    """The combinations written `1:KS9S 2:KH9C`. Raises ValueError for any other writing and for one that is given
    twice, as a seat or as a combination: they are unique (e)(5).
    """
    found: dict[int, Royal9] = {}
    for word in text.split():
        number, _, both = word.partition(":")
        king, nine = CARDS.get(both[:2]), CARDS.get(both[2:])
        if not (number.isascii() and number.isdecimal() and king and nine) or (king.rank, nine.rank) != ("K", "9"):
            raise ValueError(f"{EXPECTED}, given {word}")
        if int(number) in found or (king, nine) in found.values():
            raise ValueError(f"{EXPECTED}, each seat and each combination once, given {word} again")
        found[int(number)] = king, nine
    if not found:
        raise ValueError(f"{EXPECTED}, given {text!r}")
    return King9s(found, frozenset(found.values()))


def every_seat(code: str, terms: Terms) -> Contradiction | None:
    """Holds a layout to a combination for every position of the table (e)(5)."""
    king_9s: King9s = terms.parsed(code, KING_9_BY_SEAT)
    wanted, given = list(range(1, terms.seats + 1)), sorted(king_9s.by_seat)
    if wanted == given:
        return None
    return Contradiction(f"seats of {KING_9_BY_SEAT}", f"each of 1 to {terms.seats}", ", ".join(map(str, given)))


def classify(code: str, history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """The line of subsections (f) and (g), in listed order, or None."""
    player, banker = royal_9_of(history.last.player.cards), royal_9_of(history.last.banker.cards)
    if player is None and banker is None:
        return None
    king_9s: King9s = terms.parsed(code, KING_9_BY_SEAT)
    personal = king_9s.by_seat.get(placement.seat)
    if personal is not None and personal in (player, banker):
        if player == banker:
            return "personal_king_9_on_both"
        return "personal_king_9_on_banker" if banker == personal else "personal_king_9_on_player"
    if player == banker and player in king_9s.printed:
        return "mega_envy"
    return _royal_line(player, banker)


def _royal_line(player: Royal9 | None, banker: Royal9 | None) -> Line:
    royal_9s = [found for found in (player, banker) if found]
    suited = [face.suit == nine.suit for face, nine in royal_9s]
    if len(royal_9s) == 2:
        return "suited_royal_9_tie" if all(suited) else "royal_9_tie"
    return "suited_royal_9" if suited[0] else "royal_9"


def _paytable(denomination: int, seeds: tuple[int, int, int], envy: int, fixed: tuple[int, int, int, int]) -> Paytable:
    """One denomination: the least seeds of mega, major and minor, mega envy and the four fixed amounts, in cents."""
    suited_tie, tie, suited, royal = fixed
    return Paytable(
        {
            "personal_king_9_on_both": MeterShare("mega", 10_000),
            "personal_king_9_on_banker": MeterShare("major", 10_000),
            "personal_king_9_on_player": MeterShare("minor", 10_000),
            "mega_envy": Fixed(envy, "envy"),
            "suited_royal_9_tie": Fixed(suited_tie),
            "royal_9_tie": Fixed(tie),
            "suited_royal_9": Fixed(suited),
            "royal_9": Fixed(royal),
        },
        denominations=(denomination,),
        meters=tuple(
            Meter(level, seed, minimum_seed=True, increment_rate=None)
            for level, seed in zip(("mega", "major", "minor"), seeds, strict=True)
        ),
    )


FIVE = _paytable(500, (5_000_000, 45_000, 45_000), 500_000, (150_000, 25_000, 5_000, 2_500))
ONE = _paytable(100, (1_000_000, 9_000, 9_000), 100_000, (30_000, 5_000, 1_000, 500))


def _royal_9(game: str, section: str) -> Wager:
    code = f"{game}.royal_9"
    return Wager(
        code=code,
        section=section,
        title="Royal 9 progressive",
        game=game,
        classify=partial(classify, code),
        paytables={"$5": FIVE, "$1": ONE},
        sample=ROYAL_9S,
        needs=base_wagers(game) + (("rising_phoenix.banker",) if game == "minibaccarat" else ()),
        meters=FIVE.meters,
        denominations=(100, 500),
        lock="first_card",
        options={KING_9_BY_SEAT: read_king_9s},
        required_options=(KING_9_BY_SEAT,),
        assumed={KING_9_BY_SEAT: SEVEN_SEATS},
        mysteries=MYSTERIES,
        checks=(partial(every_seat, code),),
    )


WAGERS = (_royal_9("minibaccarat", "627c.3"), _royal_9("midibaccarat", "629c.3"))
