"""Hidden triggers in play: who wins a mystery meter, and what opens the next one (ruling J6)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.progressives.decision import Adjustment, JackpotAction, JackpotDecision
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Commitment, Contribution
from services.progressives.link import MYSTERY, MeterTerms
from services.progressives.meter import Cause
from services.progressives.mystery import Trigger
from services.progressives.play import Part
from tests.builders import terms, wager_on
from tests.progressives.folded import CENT, CODE, PROPERTY, SEED_CENTS, WHOLE, Floor, Numbers, linked, movements, of, on

MEGA = MeterTerms("mega", SEED_CENTS, 1_000, 0, 0)
A_5 = MeterTerms(MYSTERY, 10_000, 100, 0, 25_000, "A-$5")
"""Configuration A for $5 of 631c.6: from $100 up to $250, at 1 %."""
FAST = MeterTerms(MYSTERY, 10_000, 1_000, 0, 10_100, "A-$5")
"""A dollar wide, so that a round meets it."""


def offering(code: str, game: str, **options: str) -> Terms:
    """A table that offers a wager with these options."""
    found = terms(game=game)
    offer = found.offers.get(code) or Offer(code, "stated", 100)
    assumed = dict(offer.options)
    changed = Offer(
        code, offer.paytable, offer.minimum_cents, None, tuple(sorted({**assumed, **options}.items())), None
    )
    return Terms("RS-1", game, "live", found.decks, found.seats, {**found.offers, code: changed})


def floor_with(*numbers: int, meters: tuple[MeterTerms, ...] = (MEGA, FAST), **given: Any) -> Floor:
    """A floor whose hidden triggers lie these cents above the minimum, in order."""
    held = offering(CODE, "baccarat", mystery="A-$5")
    return Floor(linked("H9", *meters), random=Numbers(*numbers), tables={"BAC-01": held, "BAC-02": held}, **given)


def test_going_live_commits_to_the_first_trigger() -> None:
    """The commitment is written when the link goes live; amount and salt stay hidden."""
    floor = floor_with(50)
    (committed,) = of(Commitment, floor.written)
    assert (committed.number, committed.opened, committed.cents, committed.salt) == (1, False, 0, b"")
    assert floor.state.triggers["H9", MYSTERY].cents == 10_050
    assert committed.commitment == floor.state.triggers["H9", MYSTERY].commitment


def test_a_meter_on_its_trigger_is_not_won_yet() -> None:
    """The trigger is met by the contribution that lifts the meter in excess of it."""
    floor = floor_with(50)
    floor.round(1, on(1, 500))
    assert floor.meter(level=MYSTERY).reading == 10_050 * CENT
    assert not floor.jackpots
    floor.round(2, on(1, 1))
    assert floor.won().amount_cents == 10_050
    assert floor.meter(level=MYSTERY).reading == 10_000 * CENT + 1_000


def test_within_a_round_seat_order_decides() -> None:
    """Wagers contribute by seat, whatever order they were sent in; a later seat plays for the next meter."""
    floor = floor_with(50, 90)
    floor.round(1, on(5, 300), on(2, 300), on(7, 200))
    (jackpot,) = floor.jackpots.values()
    assert (jackpot.seat, jackpot.level, jackpot.percent) == (5, MYSTERY, 10_000)
    assert (jackpot.amount_cents, jackpot.reading) == (10_060, 10_060 * CENT)
    assert floor.meter(level=MYSTERY).reading == 10_020 * CENT


def test_two_triggers_are_met_in_one_round() -> None:
    """Each is a hit of its own; commitments are opened and made in the order of the hits."""
    floor = floor_with(10, 20, 30)
    written = floor.round(1, on(1, 200), on(2, 300), on(3, 100))
    first, second = of(Jackpot, written)
    assert [(each.seat, each.amount_cents) for each in (first, second)] == [(1, 10_020), (2, 10_030)]
    assert first.hit_id != second.hit_id
    told = [(each.number, each.opened, each.cents, each.jackpot_id) for each in of(Commitment, written)]
    assert told == [
        (1, True, 10_010, first.jackpot_id),
        (2, False, 0, ""),
        (2, True, 10_020, second.jackpot_id),
        (3, False, 0, ""),
    ]
    assert floor.standing(level=MYSTERY).hits == 2


def test_an_opened_trigger_is_the_one_committed_to() -> None:
    """Anybody can hash the opened trigger and find the commitment that was published before."""
    floor = floor_with(10)
    floor.round(1, on(1, 500))
    committed, opened = of(Commitment, floor.written)[:2]
    trigger = Trigger(PROPERTY, "H9", MYSTERY, 1, opened.cents, opened.salt)
    assert committed.commitment == opened.commitment == trigger.commitment


def test_the_winner_takes_at_most_the_maximum_and_the_excess_opens_the_next_meter() -> None:
    """A contribution that would lift the meter above its maximum gives the rest to the meter after it."""
    floor = floor_with(99, 99)
    written = floor.round(1, on(1, 1_700))
    (made,) = of(Contribution, written)
    assert (made.readings[1], made.overflows[1]) == (10_100 * CENT, 70 * CENT)
    assert floor.won().amount_cents == 10_100
    assert movements(written) == [
        (MYSTERY, Cause.AWARD, -10_100 * CENT),
        (MYSTERY, Cause.SEED_HOUSE, 10_000 * CENT),
        (MYSTERY, Cause.OVERFLOW, 70 * CENT),
    ]
    assert floor.meter(level=MYSTERY).reading == 10_070 * CENT


def test_an_excess_beyond_the_next_trigger_is_won_by_the_next_contribution() -> None:
    """An excess wins nothing by itself: a wager has to lift the meter."""
    floor = floor_with(99, 5)
    floor.round(1, on(1, 1_700))
    assert len(floor.jackpots) == 1
    floor.round(2, on(3, 100))
    assert (floor.won(1).seat, floor.won(1).amount_cents) == (3, 10_080)


def test_the_mystery_beside_a_progressive_level_leaves_it_alone() -> None:
    """The progressive level goes on through a mystery hit, and the other way round."""
    floor = floor_with(10)
    floor.round(1, on(1, 500), cards=WHOLE)
    assert [(each.level, each.amount_cents) for each in floor.jackpots.values()] == [
        (MYSTERY, 10_050),
        ("mega", SEED_CENTS + 50),
    ]
    assert floor.meter().reading == SEED_CENTS * CENT


def test_a_mystery_hit_stands_when_betting_closes() -> None:
    """No result is needed; the round stays pinned for its other awards."""
    floor = floor_with(10)
    floor.round(1, on(1, 500), part=Part.BETTING_CLOSED)
    assert floor.won().state is JackpotState.HIT
    floor.round(1, on(1, 500), part=Part.RESULT)
    assert len(floor.jackpots) == 1


CASES = [
    (CODE, "baccarat", "standard", (MEGA,), A_5),
    ("minibaccarat.royal_9", "minibaccarat", "$5", (), MeterTerms(MYSTERY, 10_000, 200, 0, 20_000, "3")),
    ("blackjack.super_4", "blackjack", "1-1", (), MeterTerms(MYSTERY, 25_000, 500, 0, 100_000, "1")),
    ("external.hit_and_run", "blackjack", "stated", (), MeterTerms(MYSTERY, 10_000, 500, 0, 50_000, "B-$1")),
    ("external.straight_jack", "blackjack", "stated", (), MeterTerms(MYSTERY, 10_000, 500, 0, 50_000, "B-$1")),
]


@pytest.mark.parametrize(("code", "game", "paytable", "beside", "mystery"), CASES, ids=[each[0] for each in CASES])
def test_every_kind_of_mystery_works_alike(
    code: str, game: str, paytable: str, beside: tuple[MeterTerms, ...], mystery: MeterTerms
) -> None:
    """Royal 9, Super 4, Heavenly 9 and the wagers that have a mystery alone are won by the same rule."""
    link = linked("M", *beside, mystery, code=code, paytable=paytable, table_ids=("T-1",))
    tables = {"T-1": offering(code, game, mystery=mystery.mystery, mystery_paid_from="inventory")}
    floor = Floor(link, random=Numbers(100), tables=tables)
    stake = 100 * CENT // mystery.increment_rate
    floor.round(1, PlacedWager(1, 1, code, paytable, stake), part=Part.BETTING_CLOSED, table="T-1", game=game)
    assert not floor.jackpots
    floor.round(2, PlacedWager(1, 4, code, paytable, stake), part=Part.BETTING_CLOSED, table="T-1", game=game)
    won = floor.won()
    assert (won.seat, won.level, won.amount_cents) == (4, MYSTERY, mystery.seed_cents + 200)
    assert won.paid_from == "inventory"


def test_a_mystery_award_is_paid_by_slip_where_the_submission_says_nothing() -> None:
    """Ruling J7: by slip unless the Rules Submission says inventory."""
    floor = floor_with(1)
    floor.round(1, wager_on(CODE, 500))
    assert floor.won().paid_from == "slip"


def test_a_void_contests_a_mystery_win_and_an_amend_does_not() -> None:
    """Ruling J12: a mystery win is never computed again."""
    floor = floor_with(10)
    floor.round(1, on(1, 500), on(2, 100))
    floor.amend(1, on(1, 500), cards=("KC 9C", "2D 4C"))
    assert not [each for each in floor.open if isinstance(each.subject, JackpotDecision)]
    floor.void(1)
    asked = [each.subject for each in floor.open if isinstance(each.subject, JackpotDecision)]
    assert asked == [JackpotDecision(floor.won().jackpot_id, JackpotAction.NONE, 10_050)]


@pytest.mark.parametrize("wagers", [(), (on(3, 500, no=1),), (on(1, 400),)], ids=["gone", "seat", "stake"])
def test_a_mystery_win_whose_wager_is_another_now_is_contested(wagers: tuple[PlacedWager, ...]) -> None:
    """Ruling J12: who won it is not there any more; two people decide."""
    floor = floor_with(10)
    floor.round(1, on(1, 500), on(2, 100))
    floor.amend(1, *wagers, on(2, 100))
    asked = [each.subject for each in floor.open if isinstance(each.subject, JackpotDecision)]
    assert asked == [JackpotDecision(floor.won().jackpot_id, JackpotAction.NONE, 10_050)]


def test_a_wager_added_by_an_amendment_may_meet_the_trigger() -> None:
    """It contributes at the amendment, as any wager does."""
    floor = floor_with(10)
    floor.round(1, on(2, 50))
    floor.amend(1, on(1, 100), on(2, 50))
    assert (floor.won().seat, floor.won().amount_cents) == (1, 10_015)


def test_a_voided_mystery_award_moves_nobody_towards_the_trigger() -> None:
    """Ruling J10: all of it is kept for the next meter."""
    floor = floor_with(10, 50)
    floor.round(1, on(1, 500))
    floor.round(2, on(1, 30))
    before = floor.meter(level=MYSTERY)
    floor.decide(JackpotDecision(floor.won().jackpot_id, JackpotAction.VOID, 0))
    after = floor.meter(level=MYSTERY)
    assert after.reading == before.reading == 10_003 * CENT
    assert after.overflow == -50 * CENT
    assert after.seed_house == 10_000 * CENT


def test_a_lower_amount_moves_nobody_towards_the_trigger() -> None:
    """What a set amount gives back to a mystery meter is kept for the next one."""
    floor = floor_with(10, 50)
    floor.round(1, on(1, 500))
    before = floor.meter(level=MYSTERY)
    floor.decide(JackpotDecision(floor.won().jackpot_id, JackpotAction.SET_AMOUNT, 10_000))
    assert floor.meter(level=MYSTERY).reading == before.reading
    assert floor.meter(level=MYSTERY).overflow == -50 * CENT


def test_people_put_no_money_on_a_hidden_trigger() -> None:
    """It would decide who wins; taking some off is theirs as on any meter."""
    floor = floor_with(50)
    with pytest.raises(errors.ChangeImpossible, match="a meter without a hidden trigger, given H9 mystery"):
        floor.propose(Adjustment("H9", MYSTERY, 1))
    floor.decide(Adjustment("H9", MYSTERY, -1))
    assert floor.meter(level=MYSTERY).reading == 10_000 * CENT - 1


def test_a_stake_raised_at_a_correction_moves_nobody_towards_the_trigger() -> None:
    """What it owes more is kept for the next meter, and leaves from there where it is lowered again."""
    floor = floor_with(50, meters=(FAST,))
    floor.round(1, on(1, 300))
    assert movements(floor.amend(1, on(1, 900))) == [
        (MYSTERY, Cause.CONTRIBUTION, 60 * CENT),
        (MYSTERY, Cause.OVERFLOW, -60 * CENT),
    ]
    assert (floor.meter(level=MYSTERY).reading, floor.jackpots) == (10_030 * CENT, {})
    assert movements(floor.amend(1, on(1, 200))) == [
        (MYSTERY, Cause.OVERFLOW, 60 * CENT),
        (MYSTERY, Cause.CONTRIBUTION, -70 * CENT),
    ]
    assert (floor.meter(level=MYSTERY).reading, floor.meter(level=MYSTERY).overflow) == (10_020 * CENT, 0)


def test_a_voided_mystery_award_set_again_is_paid_from_what_was_kept_off_first() -> None:
    """The meter stands as it did before the void."""
    floor = floor_with(10, 50)
    floor.round(1, on(1, 500))
    before = floor.meter(level=MYSTERY)
    name = floor.won().jackpot_id
    floor.decide(JackpotDecision(name, JackpotAction.VOID, 0))
    assert movements(floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, 10_050))) == [
        (MYSTERY, Cause.OVERFLOW, 50 * CENT),
        (MYSTERY, Cause.AWARD, -10_050 * CENT),
        (MYSTERY, Cause.SEED_HOUSE, 10_000 * CENT),
    ]
    assert floor.meter(level=MYSTERY) == before


def test_a_raised_mystery_award_is_paid_from_what_was_kept_off_first() -> None:
    """What the overflow does not hold leaves the reading."""
    floor = floor_with(10, 50)
    floor.round(1, on(1, 500))
    name = floor.won().jackpot_id
    floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, 10_020))
    assert movements(floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, 10_060))) == [
        (MYSTERY, Cause.OVERFLOW, 30 * CENT),
        (MYSTERY, Cause.AWARD, -40 * CENT),
    ]
    assert (floor.meter(level=MYSTERY).reading, floor.meter(level=MYSTERY).overflow) == (9_990 * CENT, 0)


def test_a_voided_mystery_award_set_lower_moves_nobody_towards_the_trigger() -> None:
    """The seed that is put on again is kept off as far as the award leaves it."""
    floor = floor_with(10, 50)
    floor.round(1, on(1, 500))
    before = floor.meter(level=MYSTERY).reading
    name = floor.won().jackpot_id
    floor.decide(JackpotDecision(name, JackpotAction.VOID, 0))
    floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, 4_000))
    assert (floor.meter(level=MYSTERY).reading, floor.meter(level=MYSTERY).overflow) == (before, -6_050 * CENT)
    floor.round(2, on(1, 100))
    assert len(floor.jackpots) == 1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 99), max_size=20),
    st.lists(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 40)), min_size=1, max_size=5), max_size=8),
)
def test_no_mystery_award_passes_the_maximum_or_falls_short_of_its_trigger(
    numbers: list[int], rounds: list[list[tuple[int, int]]]
) -> None:
    """For any stakes and any triggers: trigger < award's reading <= maximum, commitments in order, one open."""
    floor = floor_with(*numbers, meters=(FAST,))
    for number, wagers in enumerate(rounds, 1):
        floor.round(number, *(on(seat, 50 * n, no=no) for no, (seat, n) in enumerate(wagers, 1)))
        assert floor.meter(level=MYSTERY).reading <= 10_100 * CENT
    opened = [each for each in of(Commitment, floor.written) if each.opened]
    for jackpot, trigger in zip(of(Jackpot, floor.written), opened, strict=True):
        assert trigger.cents * CENT < jackpot.reading <= 10_100 * CENT
        assert jackpot.amount_cents == jackpot.reading // CENT
        assert trigger.jackpot_id == jackpot.jackpot_id
    told = [(each.number, each.opened) for each in of(Commitment, floor.written)]
    assert told == [(n // 2 + 1, n % 2 == 1) for n in range(len(told))]
