"""The chains that wagers over several rolls are analysed on."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.catalogue import catalogue
from services.games.craps.chains import Chain, Law, Mixture, states
from services.games.craps.hand import ROLLS, Hand, Roll
from services.games.craps.numbers import point_key
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

CRAPS = [rule for rule in catalogue().values() if rule.game == "craps"]


def law_of(rule: Wager, paytable: str = "") -> Law:
    """The law of a wager."""
    assert rule.distribution is not None
    return rule.distribution(paytable, None)


def chains_of(rule: Wager) -> list[Chain]:
    """The chains of a wager: one, or the parts of its mixture."""
    if isinstance(rule.distribution, Mixture):
        return [chain for _, chain in rule.distribution.parts]
    assert isinstance(rule.distribution, Chain)
    return [rule.distribution]


@pytest.mark.parametrize("rule", CRAPS, ids=lambda rule: rule.code)
def test_the_law_of_a_wager_is_whole(rule: Wager) -> None:
    """The probabilities sum to exactly 1, and every line is reached or the wager says why not."""
    law = law_of(rule)
    assert sum(law.values()) == 1
    assert all(probability > 0 for probability in law.values())
    for paytable in rule.paytables.values():
        assert set(law) - {None} == set(paytable.lines) - set(rule.unreached)


@pytest.mark.parametrize("rule", CRAPS, ids=lambda rule: rule.code)
def test_hands_of_one_state_go_on_alike(rule: Wager) -> None:
    """After any rolls, the hand and the one that stands for its state lead in as many ways to each line and state."""

    @given(chain=st.sampled_from(chains_of(rule)), rolls=st.lists(st.sampled_from(ROLLS), max_size=60))
    @settings(max_examples=30, deadline=None)
    def holds(chain: Chain, rolls: list[Roll]) -> None:
        found = chain.start
        for roll in [*rolls, None]:
            name = chain.next(found)
            if not isinstance(name, tuple):
                return
            assert leads(chain, found) == leads(chain, states(chain)[name])
            found = found.then(roll) if roll else found

    holds()


def leads(chain: Chain, hand: Hand) -> Counter[Hashable]:
    """Where the next roll leads from a hand, each line and state with its ways of 36."""
    return Counter(chain.next(hand.then(roll)) for roll in ROLLS)


def test_the_mean_hand_has_1671_in_196_rolls() -> None:
    """Come-out rolls and rolls to a decision on each point, until one is not made: the known mean."""

    def by_end(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        return PENDING if not history.over else "over"

    chain = Chain(by_end, point_key)
    ways = {name: [chain.next(shown.then(roll)) for roll in ROLLS] for name, shown in states(chain).items()}
    waits = {name: Fraction(36, 36 - ends.count(name)) for name, ends in ways.items()}
    come_out, *points = ways
    reached = {point: Fraction(ways[come_out].count(point), 36) * waits[come_out] for point in points}
    made = {point: Fraction(ways[point].count(come_out), 36) * waits[point] for point in points}
    to_a_decision = waits[come_out] + sum(reached[point] * waits[point] for point in points)
    assert to_a_decision / (1 - sum(reached[point] * made[point] for point in points)) == Fraction(1671, 196)


def test_a_wager_left_pending_by_the_seven_out_has_no_law() -> None:
    """A rule that a whole hand does not settle is a fault, and said."""

    def never(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        return PENDING

    with pytest.raises(ValueError, match=r"settled by the seven-out, given one pending after \(4, 7\)"):
        Chain(never, point_key)()


def test_states_met_again_later_are_put_in_turn() -> None:
    """A chain that comes back to earlier states in a circle is solved exactly."""

    def three_sevens(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        return "over" if history.over else PENDING

    def circle(history: Hand, placement: Placement) -> tuple[int, int]:
        return history.points[-1], sum(total == 11 for total in history.totals) % 3

    assert Chain(three_sevens, circle)() == {"over": 1}


def test_a_mixture_weighs_its_parts() -> None:
    """Two ways to start, one three times as likely, give three quarters and a quarter of their laws."""

    def next_is(line: Line) -> Chain:
        def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
            if not history.rolls:
                return PENDING
            return line if history.rolls[-1] == Roll(1, 1) else None

        return Chain(classify, lambda history, placement: 0)

    law = Mixture(((3, next_is("first")), (1, next_is("second"))))()
    assert law == {"first": Fraction(3, 144), "second": Fraction(1, 144), None: Fraction(35, 36)}
