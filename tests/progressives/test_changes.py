"""What two people have decided of meters, carried out: adjustments, transfers, retirements."""

from datetime import timedelta

import pytest

from services.kernel import errors
from services.progressives.decision import (
    Adjustment,
    ChangeReason,
    Decision,
    DecisionState,
    Heir,
    JackpotAction,
    JackpotDecision,
    Retirement,
    Transfer,
)
from services.progressives.journal import Commitment, Movement
from services.progressives.link import MYSTERY, Link, LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.play import Part
from tests.progressives.folded import CENT, DAY, NEXT_DAY, SEED, SEED_CENTS, WHOLE, Floor, linked, movements, of, on
from tests.progressives.test_mystery_fold import FAST, floor_with

LIMITED = MeterTerms("mega", SEED_CENTS, 1_000, 300, SEED_CENTS + 100)
HEIR = linked("HEIR", table_ids=("BAC-03",))


def two(first: Link | None = None, heir: Link = HEIR) -> Floor:
    """A floor with a link and its heir."""
    return Floor(first or linked(), heir)


def two_mysteries() -> Floor:
    """Two links, each with a mystery beside its progressive level; the first trigger lies at $100.50."""
    floor = floor_with(50)
    meters = MeterTerms("mega", SEED_CENTS, 1_000, 0, 0), FAST
    floor.state.pending["HEIR"] = linked("HEIR", *meters, table_ids=("BAC-02",))
    floor.day(DAY)
    return floor


def retirement(*heirs: Heir) -> Retirement:
    """The end of H9, from the next day on."""
    return Retirement("H9", NEXT_DAY, heirs or (Heir("mega", "HEIR", "mega"),))


def test_an_adjustment_moves_the_meter_on_the_day_under_way() -> None:
    """The movement names the decision, has no round, and counts as no hit."""
    floor = Floor()
    last = floor.standing().last_hit
    written = floor.decide(Adjustment("H9", "mega", -250_001))
    decision, moved = written
    assert isinstance(decision, Decision)
    assert isinstance(moved, Movement)
    assert (moved.cause, moved.amount, moved.reading_after) == (Cause.ADJUSTMENT, -250_001, SEED - 250_001)
    assert (moved.decision_id, moved.key, moved.hit_id, moved.gaming_day) == (decision.decision_id, None, "", DAY)
    assert (floor.standing().last_hit, floor.state.decisions) == (last, {})


def test_an_adjustment_of_nothing_decides_and_moves_nothing() -> None:
    """People may find that the meter is right as it is."""
    floor = Floor()
    assert movements(floor.decide(Adjustment("H9", "mega", 0))) == []


def test_an_answer_to_a_corrected_round_is_booked_on_the_day_under_way() -> None:
    """The decision stays with the round's day, the money moves today."""
    floor = Floor()
    floor.round(1, on(1))
    floor.round(2, on(1), cards=WHOLE, table="BAC-02")
    floor.day(NEXT_DAY)
    floor.void(1)
    (asked,) = floor.open
    decision, moved = floor.decide(asked.subject, ChangeReason.CORRECTED_ROUND, asked.decision_id)
    assert isinstance(decision, Decision)
    assert isinstance(moved, Movement)
    assert (decision.gaming_day, moved.gaming_day) == (DAY, NEXT_DAY)


@pytest.mark.parametrize(
    ("amount", "refusal", "said"),
    [
        (
            -SEED - 1,
            errors.MeterBelowZero,
            f"at most the {SEED} micro-dollars on H9 mega to be taken, given {SEED + 1}",
        ),
        (100 * CENT + 1, errors.MeterAboveLimit, r"at or under its limit of \$10,001.00"),
    ],
)
def test_an_adjustment_past_zero_or_limit_is_refused(amount: int, refusal: type[errors.Refusal], said: str) -> None:
    """By one micro-dollar, and nothing is written."""
    floor = Floor(linked("H9", LIMITED))
    with pytest.raises(refusal, match=said):
        floor.propose(Adjustment("H9", "mega", amount))


def test_an_approval_is_held_against_the_meter_as_it_stands_then() -> None:
    """What was possible at the proposal may not be at the approval."""
    floor = Floor(linked("H9", LIMITED))
    made = floor.propose(Adjustment("H9", "mega", 100 * CENT))
    floor.round(1, on(1, 1))
    with pytest.raises(errors.MeterAboveLimit):
        floor.approve(made)


@pytest.mark.parametrize(
    ("link_id", "level", "refusal", "said"),
    [
        ("H8", "mega", errors.LinkUnknown, "a link that has been live, given 'H8'"),
        ("H9", "minor", errors.ChangeImpossible, "a level of link H9, mega, given minor"),
        ("H9", "", errors.ChangeImpossible, "given none"),
    ],
)
def test_a_meter_that_is_none_is_refused(link_id: str, level: str, refusal: type[errors.Refusal], said: str) -> None:
    """The refusal names what there is."""
    with pytest.raises(refusal, match=said):
        Floor().propose(Adjustment(link_id, level, 1))


def test_a_transfer_moves_both_ends_together() -> None:
    """What leaves one meter arrives at the other."""
    floor = two()
    written = floor.decide(Transfer("H9", "mega", "HEIR", "mega", 123_456))
    assert [(each.link_id, each.cause, each.amount) for each in of(Movement, written)] == [
        ("H9", Cause.TRANSFER_OUT, -123_456),
        ("HEIR", Cause.TRANSFER_IN, 123_456),
    ]
    assert (floor.meter().reading, floor.meter("HEIR").reading) == (SEED - 123_456, SEED + 123_456)


@pytest.mark.parametrize(
    ("subject", "refusal", "said"),
    [
        (Transfer("H9", "mega", "HEIR", "mega", 0), errors.ChangeImpossible, "above zero to transfer, given 0"),
        (Transfer("H9", "mega", "HEIR", "mega", -1), errors.ChangeImpossible, "above zero to transfer, given -1"),
        (Transfer("H9", "mega", "H9", "mega", 1), errors.ChangeImpossible, "two meters, given H9 mega twice"),
        (Transfer("H9", "mega", "HEIR", "mega", SEED + 1), errors.MeterBelowZero, "at most the"),
        (Transfer("HEIR", "mega", "H9", "mega", 100 * CENT + 1), errors.MeterAboveLimit, "its limit"),
        (Transfer("HEIR", "mega", "H8", "mega", 1), errors.LinkUnknown, "H8"),
    ],
)
def test_a_transfer_that_cannot_be_is_refused(subject: Transfer, refusal: type[errors.Refusal], said: str) -> None:
    """Amount, both ends, zero and limit are held."""
    with pytest.raises(refusal, match=said):
        two(linked("H9", LIMITED)).propose(subject)


def test_nothing_is_transferred_to_a_hidden_trigger() -> None:
    """The money would decide who wins it; out of a mystery meter it may go."""
    floor = floor_with(50)
    with pytest.raises(errors.ChangeImpossible, match="a meter without a hidden trigger, given H9 mystery"):
        floor.propose(Transfer("H9", "mega", "H9", MYSTERY, 1))
    floor.decide(Transfer("H9", MYSTERY, "H9", "mega", 1))
    assert floor.meter(level=MYSTERY).reading == 10_000 * CENT - 1


def test_a_retirement_waits_for_its_day_and_moves_everything() -> None:
    """Reading, overflow and reserve go to the heir to the micro-dollar; the link is over and the decision done."""
    floor = two(linked("H9", LIMITED))
    floor.round(1, on(1, 1_501))
    subject = retirement()
    assert movements(floor.decide(subject)) == []
    assert [each.state for each in floor.state.decisions.values()] == [DecisionState.APPROVED]
    written = floor.day(NEXT_DAY)
    everything = SEED + 1_501_000 + 450_300
    assert [(each.link_id, each.cause, each.amount) for each in of(Movement, written)] == [
        ("H9", Cause.OVERFLOW, 501_000),
        ("H9", Cause.SEED_RESERVE, 450_300),
        ("H9", Cause.TRANSFER_OUT, -everything),
        ("HEIR", Cause.TRANSFER_IN, everything),
    ]
    assert {each.gaming_day for each in of(Movement, written)} == {NEXT_DAY}
    assert (floor.meter().reading, floor.meter().reserve, floor.meter().overflow) == (0, 0, 0)
    assert floor.state.links["H9"].state is LinkState.RETIRED
    (done,) = of(Decision, written)
    assert (done.state, floor.state.decisions) == (DecisionState.DONE, {})


def test_an_approved_retirement_is_taken_back_while_it_waits() -> None:
    """The link plays on over the day that was meant, and may be retired later by another decision."""
    floor = two()
    floor.decide(retirement())
    (waiting,) = floor.state.decisions.values()
    floor.reject(waiting)
    assert (of(Decision, floor.written)[-1].state, floor.state.decisions) == (DecisionState.REJECTED, {})
    assert floor.day(NEXT_DAY) == []
    assert floor.state.links["H9"].state is LinkState.LIVE
    floor.decide(retirement())
    floor.day(NEXT_DAY + timedelta(1))
    assert (floor.meter().reading, floor.meter("HEIR").reading) == (0, 2 * SEED)


def test_a_retired_link_takes_no_wager_and_no_decision() -> None:
    """Its tables play without it, and its meters are closed to people."""
    floor = two()
    floor.decide(retirement())
    floor.day(NEXT_DAY)
    assert not movements(floor.round(1, on(1)))
    with pytest.raises(errors.LinkOutOfState, match="link H9 to be live or suspended, it is retired"):
        floor.propose(Adjustment("H9", "mega", 1))
    with pytest.raises(errors.LinkOutOfState, match="it is retired"):
        floor.propose(Transfer("HEIR", "mega", "H9", "mega", 1))
    with pytest.raises(errors.LinkOutOfState, match="link H9 to be live or suspended, it is retired"):
        floor.propose(retirement())


def test_an_heir_takes_no_more_on_its_reading_than_its_limit() -> None:
    """The rest is kept off, for the heir's next meter."""
    floor = two(heir=linked("HEIR", LIMITED, table_ids=("BAC-03",)))
    floor.decide(retirement())
    floor.day(NEXT_DAY)
    heir = floor.meter("HEIR")
    assert (heir.reading, heir.overflow, heir.transfer_in) == (SEED + 100 * CENT, 100 * CENT - SEED, SEED)


def test_an_heir_may_be_suspended() -> None:
    """It keeps the money until it is resumed."""
    floor = two()
    floor.decide(retirement())
    floor.suspend("HEIR")
    floor.day(NEXT_DAY)
    assert floor.meter("HEIR").reading == 2 * SEED


def test_a_retirement_waits_while_its_heir_is_retired() -> None:
    """Nothing is lost: the link plays on."""
    floor = two()
    floor.decide(retirement())
    floor.suspend("HEIR", LinkState.RETIRED)
    assert movements(floor.day(NEXT_DAY)) == []
    assert floor.state.links["H9"].state is LinkState.LIVE
    assert len(floor.state.decisions) == 1


def test_a_suspended_link_retires() -> None:
    """Retirement is the way out of a suspension."""
    floor = two()
    floor.suspend()
    floor.decide(retirement())
    floor.day(NEXT_DAY)
    assert floor.meter("HEIR").reading == 2 * SEED


def test_a_retirement_names_an_heir_for_each_level() -> None:
    """Each level once, to another link, and never to a hidden trigger."""
    floor = two_mysteries()
    mega, mystery = Heir("mega", "HEIR", "mega"), Heir(MYSTERY, "HEIR", "mega")
    for heirs, said in (
        ((mega,), "an heir for each of mega, mystery, once, given mega"),
        ((mega, mystery, mega), "once, given mega, mystery, mega"),
        ((mega, mystery._replace(to_link_id="H9")), "another link than H9 as heir of mystery"),
        ((mega, mystery._replace(to_level=MYSTERY)), "a meter without a hidden trigger, given HEIR mystery"),
    ):
        with pytest.raises(errors.ChangeImpossible, match=said):
            floor.propose(retirement(*heirs))


def test_a_retired_mystery_meter_opens_its_trigger_and_draws_none() -> None:
    """Anybody can see what it was; the money goes to a meter without trigger."""
    floor = two_mysteries()
    floor.decide(retirement(Heir("mega", "HEIR", "mega"), Heir(MYSTERY, "HEIR", "mega")))
    (opened,) = of(Commitment, floor.day(NEXT_DAY))
    assert (opened.link_id, opened.number, opened.opened, opened.cents) == ("H9", 1, True, 10_050)
    assert ("H9", MYSTERY) not in floor.state.triggers
    assert floor.meter("HEIR").reading == 2 * SEED + 10_000 * CENT


def test_a_retirement_waits_for_jackpots_and_open_rounds() -> None:
    """It is carried out at the first opening without either."""
    floor = two()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    floor.decide(retirement())
    assert movements(floor.day(NEXT_DAY)) == []
    floor.round(1, on(1), part=Part.RESULT, cards=WHOLE)
    assert movements(floor.day(NEXT_DAY + timedelta(1))) == []
    floor.decide(JackpotDecision(floor.won().jackpot_id, JackpotAction.VOID, 0))
    floor.day(NEXT_DAY + timedelta(2))
    assert floor.state.links["H9"].state is LinkState.RETIRED
    assert floor.meter("HEIR").reading == 2 * SEED + 500_000


def test_a_retirement_drops_an_amendment_that_waits() -> None:
    """A link that is over has no next version."""
    floor = two()
    floor.state.pending["H9"] = linked(version=2, effective_from=NEXT_DAY + timedelta(5))
    floor.decide(retirement())
    floor.day(NEXT_DAY)
    assert floor.state.pending == {}
