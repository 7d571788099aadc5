"""Rounds played by the written strategy, counted exactly."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from services.games.blackjack import played
from services.games.blackjack.cards import dealer_draws, is_blackjack, total_of
from services.games.blackjack.outcomes import buzzer_law, buzzer_line, double_law, line_of, main_law
from services.games.blackjack.played import BLACKJACK, BUST, Outcome, law_of_play
from services.games.blackjack.round import Action
from services.games.blackjack.strategy import UPCARDS, Allowed
from services.games.blackjack.strategy import played as decided
from services.games.catalogue import wager
from tests.builders import cards


def test_all_outcomes_sum_to_one() -> None:
    """Of one deck, with every rule."""
    for hits in (False, True):
        for surrender in (False, True):
            assert sum(law_of_play(1, hits_soft_17=hits, surrender=surrender).values()) == 1


def test_a_small_shoe_is_counted_as_dealing_out_all_its_orders_does() -> None:
    """Every order of a few cards, dealt and played one by one, gives the same chances."""
    shoe = cards("2C 4C 5D 6H 9S KH QD AS")
    counts = Counter(UPCARDS.index(played_value(each.rank)) for each in shoe)
    found: Counter[Outcome] = Counter()
    orders = list(permutations(range(len(shoe))))
    for order in orders:
        found[_dealt([shoe[place] for place in order])] += 1
    law: dict[Outcome, Fraction] = {}
    stock = [counts[place] for place in range(len(UPCARDS))]
    for column, upcard in enumerate(UPCARDS):
        if stock[column]:
            rest = [number - (place == column) for place, number in enumerate(stock)]
            for outcome, share in played._against(upcard, rest, hits_soft_17=False, surrender=True):
                law[outcome] = law.get(outcome, Fraction(0)) + share * Fraction(stock[column], len(shoe))
    shown = {outcome: chance for outcome, chance in law.items() if chance}
    assert shown == {outcome: Fraction(number, len(orders)) for outcome, number in found.items() if outcome.player}
    assert sum(shown.values()) == 1


def played_value(rank: str) -> int:
    """What a card counts, an ace 11."""
    return {"A": 11, "K": 10, "Q": 10, "J": 10}.get(rank) or int(rank)


def _dealt(order: list[Any]) -> Outcome:
    """The round dealt from these cards."""
    player, dealer, rest = [order[0], order[2]], [order[1], order[3]], order[4:]
    if is_blackjack(dealer):
        return Outcome(Action.STAND, BLACKJACK if is_blackjack(player) else total_of(player)[0], BLACKJACK)
    last, allowed = Action.STAND, Allowed()
    while total_of(player)[0] < 21:
        last = decided(player, dealer[0], allowed)
        allowed = Allowed(double=False, surrender=False)
        if last in (Action.HIT, Action.DOUBLE):
            player.append(rest.pop(0))
        if last is not Action.HIT:
            break
    natural = is_blackjack(player)
    total = BLACKJACK if natural else min(total_of(player)[0], BUST)
    if last is Action.HIT:
        last = Action.HIT if total == BUST else Action.STAND
    if total == BUST or last is Action.SURRENDER:
        return Outcome(last, total, BUST)
    while dealer_draws(dealer, hits_soft_17=False):
        dealer.append(rest.pop(0))
    return Outcome(last, total, min(total_of(dealer)[0], BUST))


@pytest.mark.enumeration
def test_figures_of_six_decks_are_those_found_elsewhere() -> None:
    """20 against 21 or Blackjack 1.640 %, 21 against 21 0.36 %; Buzzer Beater returns more than 116 % (ruling K11)."""
    law = buzzer_law(6)
    assert round(law["20_against_21"] * 100_000) == 1_640
    assert round(law["21_against_21"] * 10_000) == 36
    lines = wager("blackjack.buzzer_beater").paytables["standard"].lines
    returned = sum(chance * (int(str(lines[line]).split()[0]) + 1) for line, chance in law.items() if line)
    assert returned > Fraction(116, 100)


@pytest.mark.parametrize(
    ("last", "player", "dealer", "line"),
    [
        (Action.STAND, BLACKJACK, BLACKJACK, "push"),
        (Action.STAND, BLACKJACK, 21, "blackjack"),
        (Action.STAND, 20, BLACKJACK, None),
        (Action.HIT, BUST, BUST, None),
        (Action.SURRENDER, 16, BUST, "surrender"),
        (Action.STAND, 12, BUST, "win"),
        (Action.DOUBLE, 19, 18, "win"),
        (Action.STAND, 18, 18, "push"),
        (Action.STAND, 17, 18, None),
    ],
)
def test_an_outcome_is_a_line_of_the_blackjack_wager(last: Action, player: int, dealer: int, line: str | None) -> None:
    """As the wager itself classifies."""
    assert line_of(Outcome(last, player, dealer)) == line


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        (BLACKJACK, BLACKJACK, "blackjack_on_both"),
        (BLACKJACK, 21, None),
        (BUST, 20, None),
        (20, BUST, None),
        (20, BLACKJACK, "20_against_21"),
        (19, 19, "19_against_19"),
        (20, 19, None),
        (18, 20, None),
    ],
)
def test_buzzer_beater_lines(player: int, dealer: int, line: str | None) -> None:
    """A hand of 19 or more that the dealer's equals or beats (633c.5(u))."""
    assert buzzer_line(player, dealer) == line


def test_laws_of_wagers_sum_to_one() -> None:
    """Of one deck: the Blackjack wager, a double, Buzzer Beater."""
    for law in (main_law(1), double_law(1), buzzer_law(1)):
        assert sum(law.values()) == 1
    assert double_law(1)["win"] > double_law(1)[None]
