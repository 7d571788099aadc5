"""Facts about Blackjack found by others."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import chain, cycle
from typing import Any, NamedTuple

import pytest

from clients.floor.blackjack_hands import Deal, Sitting
from clients.floor.blackjack_player import HandInPlay, Strategist
from services.games.blackjack.house import house_rules
from services.games.blackjack.round import Action, Seat
from services.games.results import GAMES, read_history
from services.games.settlement import settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel.cards import Card, card
from tests.builders import NO_SHARED, SHARED, cards

VECTORS = SHARED / "golden" / "vectors.json"
NOT_OFFERED = {
    "TestFiveCardCharlie/test_five_card_charlie_wins": "five cards that are not bust win at once",
    "TestFiveCardCharlie/test_five_card_charlie_low_total": "five cards that are not bust win at once",
    "TestInsurance/test_insurance_payout_uses_configured_multiplier": "insurance at other odds than 2 to 1",
    "TestEarlySurrender/test_early_surrender_vs_dealer_blackjack": "surrender before the dealer looks",
}
"""Scenarios under house rules that no table may file here, by id."""

STAKE, HALF = 1_000, 500
COMPARED: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda found, wanted: found >= wanted,
    "==": lambda found, wanted: found == wanted,
}

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not SHARED.exists(), reason=NO_SHARED)]


class Insured(Strategist):
    """Takes insurance whenever it is offered."""

    def before(self, hand: HandInPlay, upcard: Card) -> list[Action]:
        """Insurance."""
        return [Action.INSURANCE]


class Scenario(NamedTuple):
    """How a scenario ended: the hands as played, the seat as read, the net of all stakes and of those on hands."""

    hands: list[HandInPlay]
    seat: Seat
    net: int
    net_of_hands: int


def table(rules: dict[str, Any]) -> Terms:
    """A table under the rules of a scenario; without a peek its game takes original and split bets."""
    options = {
        "soft_17": "hit" if rules["dealer_hit_soft_17"] else "stand",
        "dealer_blackjack": "peek" if rules["dealer_peek"] else "original_and_split_bets",
        "double_after_split": "yes" if rules["allow_double_after_split"] else "no",
        "most_hands": "4" if rules["allow_resplitting"] else "2",
        "surrender": "late" if rules["allow_surrender"] else "none",
    }
    paytable = {1.5: "3 to 2", 1.2: "6 to 5"}[rules["blackjack_payout"]]
    base = Offer("blackjack.blackjack", paytable, 1, None, tuple(sorted(options.items())))
    later = {"blackjack.double": "standard", "blackjack.split": "standard", "blackjack.insurance": "2 to 1"}
    offers = {base.code: base, **{code: Offer(code, name, 1) for code, name in later.items()}}
    return Terms("", "blackjack", "live", 6, 7, offers)


def played(given: dict[str, Any], rules: dict[str, Any]) -> Scenario:
    """The scenario, played by the simulator's player and settled; that engine deals both hands of a split at once."""
    terms = table({**rules, **given.get("rules", {})})
    order = [given["player"][0], given["dealer"][0], given["player"][1], given["dealer"][1], *given.get("extra", [])]
    shoe = chain(map(_card, order), cycle(cards("10C 9D")))
    player = Insured() if given.get("accept_insurance") else Strategist()
    deal = Deal(shoe, house_rules(terms), Sitting({1: player}, completes=True, at_once=True))
    history = read_history("blackjack", [deal.played()], terms.decks)
    GAMES["blackjack"].check(history, terms)
    wagers = list(_stakes(deal.hands[1], terms, insured=isinstance(player, Insured)))
    settled = settle_round(history, wagers, terms)
    nets = [found.payout_cents - placed.stake_cents for found, placed in zip(settled, wagers, strict=True)]
    hands = [net for net, placed in zip(nets, wagers, strict=True) if placed.code != "blackjack.insurance"]
    return Scenario(deal.hands[1], history.seat(1), sum(nets), sum(hands))


def _card(text: str) -> Card:
    """A card that is written `Th` there."""
    return card(text[:-1].replace("T", "10") + text[-1].upper())


def _stakes(hands: list[HandInPlay], terms: Terms, *, insured: bool) -> Any:
    placed = [("blackjack.blackjack", STAKE, "")] + ([("blackjack.insurance", HALF, "")] if insured else [])
    for hand in hands:
        placed += [("blackjack.split", STAKE, str(hand.number))] if hand.number else []
        placed += [("blackjack.double", STAKE, str(hand.number))] if Action.DOUBLE in hand.actions else []
    for number, (code, stake, on) in enumerate(placed, 1):
        yield PlacedWager(number, 1, code, terms.offers[code].paytable, stake, on)


def answers(found: Scenario) -> dict[str, Any]:
    """What a scenario may ask."""
    first, seat = found.hands[0], found.seat
    actions = [action for hand in found.hands for action in hand.actions if action is not Action.INSURANCE]
    return {
        "player_blackjack": seat.blackjack,
        "dealer_blackjack": seat.dealer_blackjack,
        "player_won": found.net_of_hands > 0,
        "dealer_won": found.net_of_hands < 0,
        "is_push": found.net_of_hands == 0,
        "player_value": first.total,
        "dealer_value": seat.dealer_total,
        "player_bust": seat.hands[0].bust,
        "dealer_bust": seat.dealer_bust,
        "is_surrender": Action.SURRENDER in actions,
        "money_change": found.net,
        "actions_taken": [action.word for action in actions],
    }


def agrees(name: str, wanted: Any, found: dict[str, Any]) -> bool:
    """Whether one expectation of a scenario holds."""
    actions = found["actions_taken"]
    if name in ("actions_include", "actions_exclude"):
        return all((action in actions) == (name == "actions_include") for action in wanted)
    if name == "action_counts":
        return all(COMPARED[sign](Counter(actions)[action], number) for action, sign, number in wanted)
    if name == "money_change":
        return bool(found[name] > 0 if isinstance(wanted, dict) else found[name] == wanted * STAKE)
    return bool(found[name] == wanted)


def test_scenarios_of_another_engine_agree() -> None:
    """All but those under house rules that are not offered, which are listed."""
    read = json.loads(VECTORS.read_text(encoding="utf-8"))
    scenarios = [vector for vector in read["vectors"] if vector["game"] == "blackjack"]
    differing = set()
    for scenario in scenarios:
        found = answers(played(scenario["input"], read["blackjack_rule_defaults"]))
        if not all(agrees(name, wanted, found) for name, wanted in scenario["expect"].items()):
            differing.add(scenario["id"].removeprefix("cardsharp/"))
    assert differing == set(NOT_OFFERED)
    assert len(scenarios) == 80
