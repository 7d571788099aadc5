"""Rising Phoenix Baccarat (58 Pa. Code 627b.4): a variation of Minibaccarat with twenty Bonus wagers.

Standard play has Minibaccarat's own Player, Banker and tie (627b.4(h)(1)). Commission-free, the Banker's winning
three-card 7 pushes and no 6 is half-paid (ruling B6), so its Banker is a wager of its own here; 627b.2, to which the
section refers, is read as 627c.2. The section was in force from 5 August 2023 to 4 August 2026 (ruling B7). Golden
Talons (627b.5) and Harmony Progressive (627b.6) are named there and their texts are not known, so there is none here.
The Bonus wagers are permissible wagers (627b.4(g)) that need no other.
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import NamedTuple

from services.games.baccarat.base import COMMISSION_FREE
from services.games.baccarat.coup import Coup, Coups, Side
from services.games.baccarat.first_cards import BANKER_PAIRS, PLAYER_PAIRS
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Placement, Sample, Wager

DECKS = (6, 8)
EFFECTIVE, EXPIRES = date(2023, 8, 5), date(2026, 8, 4)
MINIBACCARAT_BANKER = "minibaccarat.banker"


class Bonus(NamedTuple):
    """One Bonus wager: the name of its code and its one line, its title, its odds to one, and what wins it."""

    name: str
    title: str
    odds: int
    wins: Callable[[Coup], bool]
    sample: Sample = COUPS_BY_POINTS


def classify_bonus(bonus: Bonus, history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """The one line of this Bonus wager, or None."""
    return bonus.name if bonus.wins(history.last) else None


def classify_banker(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`banker_wins`, `three_card_seven`, `tie`, or None."""
    coup = history.last
    if coup.winner is Side.BANKER:
        return "three_card_seven" if coup.banker.total == 7 and len(coup.banker) == 3 else "banker_wins"
    return "tie" if coup.winner is Side.TIE else None


def one_banker(terms: Terms) -> Contradiction | None:
    """Holds a commission-free table to this one wager on the Banker."""
    other = terms.offers.get(MINIBACCARAT_BANKER)
    field = f"offer of {MINIBACCARAT_BANKER} beside rising_phoenix.banker"
    return Contradiction(field, "none", other.paytable) if other else None


def no_half_paid_six(terms: Terms) -> Contradiction | None:
    """Holds a table with Bonus wagers to a Banker with commission, or to the commission-free one of this section."""
    banker = terms.offers.get(MINIBACCARAT_BANKER)
    if banker is None or banker.paytable != COMMISSION_FREE:
        return None
    expected = "5% or 4%, or rising_phoenix.banker in its place"
    return Contradiction(f"paytable of {MINIBACCARAT_BANKER}", expected, banker.paytable)


def _winner(coup: Coup, side: Side, total: int, cards: int) -> bool:
    hand = coup.player if side is Side.PLAYER else coup.banker
    return coup.winner is side and (hand.total, len(hand)) == (total, cards)


def _over(coup: Coup, high: int, low: int, cards: int = 0) -> bool:
    """Either hand wins with `high` over `low`; both hands have so many cards, 0 being any number."""
    hands = (coup.player, coup.banker)
    return {hand.total for hand in hands} == {high, low} and (not cards or {len(hand) for hand in hands} == {cards})


def _tie(coup: Coup, *totals: int) -> bool:
    return coup.winner is Side.TIE and coup.player.total in totals


BONUSES = (
    Bonus("sun_7", "Sun 7", 40, lambda coup: _winner(coup, Side.BANKER, 7, 3)),
    Bonus("moon_8", "Moon 8", 25, lambda coup: _winner(coup, Side.PLAYER, 8, 3)),
    Bonus("nine_over_seven", "9 over 7", 25, lambda coup: _over(coup, 9, 7)),
    Bonus("two_card_8_over_two_card_1", "2-card 8 over 2-card 1", 50, lambda coup: _over(coup, 8, 1, cards=2)),
    Bonus("player_three_card_6", "Player wins with a 3-card 6", 40, lambda coup: _winner(coup, Side.PLAYER, 6, 3)),
    Bonus(
        "banker_1_or_2",
        "Banker wins with 1 or 2",
        60,
        lambda coup: coup.winner is Side.BANKER and coup.banker.total in (1, 2),
    ),
    Bonus(
        "both_8_or_9",
        "Player and Banker have 8 or 9",
        20,
        lambda coup: min(coup.player.total, coup.banker.total) >= 8,
    ),
    Bonus("one_over_zero", "1 over 0", 90, lambda coup: _over(coup, 1, 0)),
    Bonus("three_card_6_over_three_card_3", "3-card 6 over 3-card 3", 150, lambda coup: _over(coup, 6, 3, cards=3)),
    Bonus("three_card_8_over_three_card_0", "3-card 8 over 3-card 0", 130, lambda coup: _over(coup, 8, 0, cards=3)),
    Bonus(
        "banker_over_two_card_7",
        "Banker wins over a 2-card 7",
        30,
        lambda coup: coup.winner is Side.BANKER and (coup.player.total, len(coup.player)) == (7, 2),
    ),
    Bonus("three_card_9_over_three_card_6", "3-card 9 over 3-card 6", 200, lambda coup: _over(coup, 9, 6, cards=3)),
    Bonus("three_card_9_over_three_card_8", "3-card 9 over 3-card 8", 200, lambda coup: _over(coup, 9, 8, cards=3)),
    Bonus(
        "player_three_card_8_over_three_card_0",
        "Player wins with 3-card 8 over 3-card 0",
        250,
        lambda coup: coup.winner is Side.PLAYER and _over(coup, 8, 0, cards=3),
    ),
    Bonus("tie_0", "Tie with 0", 150, lambda coup: _tie(coup, 0)),
    Bonus("tie_1_to_3", "Tie with 1, 2 or 3", 70, lambda coup: _tie(coup, 1, 2, 3)),
    Bonus("tie_4_to_7", "Tie with 4, 5, 6 or 7", 15, lambda coup: _tie(coup, 4, 5, 6, 7)),
    Bonus("tie_8_or_9", "Tie with 8 or 9", 40, lambda coup: _tie(coup, 8, 9)),
    Bonus("player_pair", "Player pair", 11, lambda coup: coup.player.pair, PLAYER_PAIRS),
    Bonus("banker_pair", "Banker pair", 11, lambda coup: coup.banker.pair, BANKER_PAIRS),
)
"""627b.4(g)(4)(i) to (xx) with the odds of (h)(2)."""

WAGERS = (
    Wager(
        code="rising_phoenix.banker",
        section="627b.4",
        title="Rising Phoenix: Banker commission-free (3-card 7 pushes)",
        game="minibaccarat",
        classify=classify_banker,
        paytables={
            COMMISSION_FREE: Paytable(
                {"banker_wins": to_one(1), "three_card_seven": PUSH, "tie": PUSH},
                decks=DECKS,
            )
        },
        sample=COUPS_BY_POINTS,
        effective=EFFECTIVE,
        expires=EXPIRES,
        checks=(one_banker,),
    ),
    *(
        Wager(
            code=f"rising_phoenix.{bonus.name}",
            section="627b.4",
            title=f"Rising Phoenix: {bonus.title}",
            game="minibaccarat",
            classify=partial(classify_bonus, bonus),
            paytables={"standard": Paytable({bonus.name: to_one(bonus.odds)}, decks=DECKS)},
            sample=bonus.sample,
            effective=EFFECTIVE,
            expires=EXPIRES,
            checks=(no_half_paid_six,),
        )
        for bonus in BONUSES
    ),
)
