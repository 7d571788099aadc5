"""Any result of any game, as the rules can have dealt, spun or thrown it."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from services.games.baccarat.coup import Coups
from services.games.blackjack.house import BASE_WAGERS, BLACKJACK, ORIGINAL_ONLY, PEEK
from services.games.catalogue import catalogue
from services.games.craps.chains import Chain, Mixture
from services.games.craps.chains import states as states_of
from services.games.craps.hand import ROLLS, Hand
from services.games.results import GAMES
from services.games.roulette.layout import WHEELS
from services.games.roulette.spin import SEVENS
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager, Placement, Wager
from tests.builders import dealt_coups, terms
from tests.games.blackjack.rounds import SEATS, dealt_round

B2B, LIGHTNING = (
    list(map(int, catalogue()[code].assumed["payouts"].split(",")))
    for code in ("roulette.b2b", "roulette.lightning_straight")
)
DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


def wagers_of(game: str) -> list[Wager]:
    """The wagers of one game."""
    return [rule for rule in catalogue().values() if rule.game == game]


def rolls_of(dice: list[tuple[int, int]]) -> list[Any]:
    """Rolls as the floor sends them."""
    return [SimpleNamespace(first_die=first, second_die=second) for first, second in dice]


@st.composite
def hands(draw: st.DrawFn) -> list[tuple[int, int]]:
    """The dice of a shooter's hand, up to the seven-out at most."""
    dice: list[tuple[int, int]] = []
    for pair in draw(st.lists(DICE, min_size=1, max_size=30)):
        dice.append(pair)
        if Hand.of(dice).over:
            break
    return dice


@st.composite
def spins(draw: st.DrawFn, wheel: str) -> tuple[Any, Any]:
    """A spin as the floor sends it, with all that its wagers may draw, and the one before it."""
    pockets = WHEELS[wheel]
    pocket, before = draw(st.sampled_from(pockets)), draw(st.sampled_from([None, *pockets]))
    before = draw(st.sampled_from([before, pocket]))
    bonus = draw(st.lists(st.sampled_from(pockets), min_size=3, max_size=3, unique=True))
    lucky = draw(st.lists(st.sampled_from(pockets), min_size=1, max_size=5, unique=True))
    spin = SimpleNamespace(
        pocket=pocket,
        bonus_pockets=bonus if pocket in SEVENS else [],
        drawn_payout=draw(st.sampled_from(B2B)) if pocket == before else 0,
        lucky_numbers=[SimpleNamespace(pocket=each, pays_to_one=draw(st.sampled_from(LIGHTNING))) for each in lucky],
    )
    return spin, None if before is None else SimpleNamespace(pocket=before)


@st.composite
def histories(draw: st.DrawFn, terms: Terms) -> Any:
    """Any history of the table's game."""
    game = GAMES[terms.game]
    if game.name == "craps":
        return game.read(rolls_of(draw(hands())), 0, None)
    if game.name == "roulette":
        spin, before = draw(spins(terms.wheel))
        return game.read([spin], 0, before)
    if game.name == "blackjack":
        return game.read([dealt_round(draw(st.randoms(use_true_random=False)), terms)], terms.decks, None)
    return Coups(draw(dealt_coups()))


@st.composite
def tables(draw: st.DrawFn) -> Terms:
    """A table of any game that offers all of its wagers, on any kind of table and wheel."""
    game = draw(st.sampled_from(sorted(GAMES)))
    kind = draw(st.sampled_from(["live", "hybrid", "fully_automated"]))
    return terms(game=game, kind=kind, wheel=draw(st.sampled_from(sorted(WHEELS))), every=True)


@st.composite
def placed(draw: st.DrawFn, terms: Terms, rolls: int = 0, most: int = 12) -> list[PlacedWager]:
    """Wagers of one round at that table: any codes, paytables, areas, stakes and seats, each after some roll."""
    wagers = []
    for number in range(draw(st.integers(1, most))):
        rule = draw(st.sampled_from(wagers_of(terms.game)))
        paytable, on = draw(st.sampled_from(list(rule.paytables))), draw(st.sampled_from(rule.placements))
        seat, stake, roll = draw(st.integers(1, 7)), draw(st.integers(1, 10**7)), draw(st.integers(0, rolls))
        wagers.append(PlacedWager(number, seat, rule.code, paytable, stake, on, None, roll))
    return wagers


def every_case(rule: Wager, setting: Any) -> Iterator[tuple[Any, Placement]]:
    """Histories that between them hit every line the wager can hit, each with the placement it is seen from."""
    if rule.sample is not None:
        yield from ((case.history, rule.sample.placement) for case in rule.sample.cases(setting))
        return
    if rule.game == "blackjack":
        for history in rounds_of(rule.code):
            yield from ((history, Placement(seat, on)) for seat in range(1, SEATS + 1) for on in rule.placements)
        return
    law = rule.distribution
    chains = [part for _, part in law.parts] if isinstance(law, Mixture) else [law]
    for chain in chains:
        assert isinstance(chain, Chain)
        yield from ((hand.then(roll), chain.placement) for hand in states_of(chain).values() for roll in ROLLS)


@cache
def rounds_of(code: str) -> Sequence[Any]:
    """Rounds of Blackjack enough to end a wager's hands in every way: with the base wager that it goes with, and of
    Blackjack itself, where the dealer does not look for a Blackjack before hands are played.
    """
    base = code.removesuffix("_ante")
    known = ((base if base in BASE_WAGERS else BLACKJACK, PEEK), (BLACKJACK, ORIGINAL_ONLY))
    tables = [
        Terms("", "blackjack", "live", 6, SEATS, {each: Offer(each, "", 100, options=(("dealer_blackjack", look),))})
        for each, look in known
    ]
    random, game = Random(633), GAMES["blackjack"]
    return [game.read([dealt_round(random, table)], 6, None) for table in tables * 300]
