"""A jackpot: who may bring it from its hit to its payment, and what two people decide of it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.games.terms import Terms
from services.kernel import errors
from services.progressives.decision import ChangeReason, Decision, DecisionState, JackpotAction, JackpotDecision
from services.progressives.evaluation import Evidence, check_won
from services.progressives.jackpot import RANKS, Jackpot, JackpotState, PaidThrough, claim, pay, verify
from services.progressives.winnings import Assessment
from tests.builders import terms
from tests.progressives.folded import (
    CODE,
    SEED,
    SEED_CENTS,
    WHOLE,
    Floor,
    movements,
    of,
    on,
)
from tests.progressives.test_awards import set_amount, void

NOW = datetime(2026, 3, 2, 21, tzinfo=UTC)
NOTHING_DUE = Assessment(False, 0, "")


def hit() -> Jackpot:
    """A jackpot that was just hit."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    return floor.won()


def paid(jackpot: Jackpot, by: str = "dan", slip_no: str = "S-1") -> Jackpot:
    return pay(jackpot, by, NOW, PaidThrough.ATTENDANT, slip_no, NOTHING_DUE, b"")


def verified(by: str = "cid") -> Jackpot:
    return verify(claim(hit(), "bob", NOW), by, "floorperson", NOW, 12, b"digest")


def test_a_jackpot_goes_from_hit_to_paid() -> None:
    """Claimed, verified on the recorded round, paid: each state says who brought it about."""
    claimed = claim(hit(), "bob", NOW)
    assert (claimed.state, claimed.actor, claimed.at) == (JackpotState.CLAIMED, "bob", NOW)
    checked = verified()
    assert (checked.state, checked.actor, checked.rank) == (JackpotState.VERIFIED, "cid", "floorperson")
    assert (checked.evaluated, checked.evaluated_sha256) == (12, b"digest")
    done = paid(checked)
    assert (done.state, done.actor, done.slip_no, done.paid_through) == (JackpotState.PAID, "dan", "S-1", "attendant")
    assert [each.pending for each in (claimed, checked, done)] == [True, True, False]


def test_a_step_out_of_turn_is_refused() -> None:
    """The refusal says what the jackpot was expected to be and what it is."""
    with pytest.raises(errors.JackpotOutOfState, match="to be claimed, it is hit"):
        verify(hit(), "cid", "floorperson", NOW, 1, b"")
    with pytest.raises(errors.JackpotOutOfState, match="to be verified, it is hit"):
        paid(hit())
    with pytest.raises(errors.JackpotOutOfState, match="to be hit, it is claimed"):
        claim(claim(hit(), "bob", NOW), "bob", NOW)
    with pytest.raises(errors.JackpotOutOfState, match="to be verified, it is paid"):
        paid(paid(verified()))


@pytest.mark.parametrize("rank", ["", "dealer", "Floorperson"])
def test_who_is_below_a_floorperson_may_not_verify(rank: str) -> None:
    """633c.9, 631c.2: a floorperson or above."""
    with pytest.raises(errors.RankTooLow, match="expected floorperson or pit_manager or"):
        verify(claim(hit(), "bob", NOW), "cid", rank, NOW, 1, b"")
    assert all(verify(claim(hit(), "bob", NOW), "cid", each, NOW, 1, b"").rank == each for each in RANKS)


@pytest.mark.parametrize(("by", "said"), [("table", "whose source brought the round"), ("bob", "who made the claim")])
def test_neither_source_nor_claimant_verifies(by: str, said: str) -> None:
    """Another principal than either."""
    with pytest.raises(errors.SamePrincipal, match=f"another principal than {by}, {said}"):
        verified(by)


def test_who_verified_does_not_pay() -> None:
    """Another principal pays."""
    with pytest.raises(errors.SamePrincipal, match="another principal than cid, who verified"):
        paid(verified(), "cid")


def brought_to(floor: Floor, jackpot: Jackpot) -> Jackpot:
    """The jackpot once its state is written down."""
    book = floor.book()
    book.put_jackpot(jackpot)
    floor.keep(book)
    return jackpot


def test_a_set_amount_does_not_let_the_same_person_take_two_steps() -> None:
    """Who claimed or verified before the amount was set is still refused the next step."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    brought_to(floor, claim(floor.won(), "bob", NOW))
    set_amount(floor, 5)
    assert (floor.won().state, floor.won().amount_cents) == (JackpotState.CLAIMED, 5)
    with pytest.raises(errors.SamePrincipal, match="bob, who made the claim"):
        verify(floor.won(), "bob", "floorperson", NOW, 1, b"")
    brought_to(floor, verify(floor.won(), "cid", "floorperson", NOW, 1, b""))
    set_amount(floor, 6)
    assert (floor.won().state, floor.won().amount_cents) == (JackpotState.VERIFIED, 6)
    with pytest.raises(errors.SamePrincipal, match="cid, who verified"):
        paid(floor.won(), "cid")


def test_the_recorded_round_is_evaluated_again() -> None:
    """It wins its jackpot, or the refusal says why not."""
    floor = Floor()
    play = floor.play(1, on(1), cards=WHOLE)
    floor.take(play)
    evidence = Evidence(2, b"digest", play)
    assert check_won(floor.book(), floor.won(), evidence, confirmed=False) is evidence
    for given, said in (
        (None, "there is no result of it"),
        (evidence._replace(play=None), "it is void"),
        (evidence._replace(play=play._replace(wagers=[])), f"wager 1 of round .* to be {CODE} at seat 1"),
        (evidence._replace(play=play._replace(wagers=[on(2, no=1)])), "at seat 1"),
        (evidence._replace(play=floor.play(1, on(1))), "it does not"),
    ):
        with pytest.raises(errors.JackpotNotWon, match=said):
            check_won(floor.book(), floor.won(), given, confirmed=False)


def test_a_paid_jackpot_may_be_voided_but_not_priced_anew() -> None:
    """The meter gets its award back; what was paid stays counted as paid."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    book = floor.book()
    book.put_jackpot(paid(verify(claim(floor.won(), "bob", NOW), "cid", "floorperson", NOW, 1, b"")))
    floor.keep(book)
    assert (floor.standing().paid_by_attendant_cents, floor.standing().pending) == (SEED_CENTS + 50, 0)
    with pytest.raises(errors.JackpotOutOfState, match="to be unpaid, it is paid"):
        set_amount(floor, 1)
    void(floor)
    assert (floor.won().state, floor.standing().paid_by_attendant_cents) == (JackpotState.VOIDED, SEED_CENTS + 50)
    assert floor.meter().reading == SEED + 500_000


def test_what_a_device_paid_is_counted_apart() -> None:
    """605a.7: awards paid by the device and by an attendant."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    book = floor.book()
    checked = verify(claim(floor.won(), "bob", NOW), "cid", "floorperson", NOW, 1, b"")
    book.put_jackpot(pay(checked, "dan", NOW, PaidThrough.DEVICE, "", NOTHING_DUE, b""))
    floor.keep(book)
    standing = floor.standing()
    assert (standing.paid_by_device_cents, standing.paid_by_attendant_cents) == (SEED_CENTS + 50, 0)


def test_a_confirmed_jackpot_is_not_held_against_its_round() -> None:
    """Ruling J12: two people have said that it stands; what the round says now is kept as evidence all the same."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    void_round = Evidence(2, b"digest", None)
    assert check_won(floor.book(), floor.won(), void_round, confirmed=True) is void_round
    assert check_won(floor.book(), floor.won(), None, confirmed=True) == Evidence(0, b"", None)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_confirmation_is_a_state_of_the_jackpot(steps: int) -> None:
    """Wherever an open jackpot stands, the state names the decision and leaves who took the last step."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    if steps:
        brought_to(floor, claim(floor.won(), "bob", NOW))
    if steps > 1:
        brought_to(floor, verify(floor.won(), "cid", "floorperson", NOW, 1, b"digest"))
    before = floor.won()
    written = floor.decide(JackpotDecision(before.jackpot_id, JackpotAction.CONFIRM, 0))
    (decided,) = of(Decision, written)
    assert of(Jackpot, written) == [before._replace(decision_id=decided.decision_id)]
    assert floor.standing().pending == 1


def test_a_confirmed_jackpot_moves_nothing() -> None:
    """Ruling J12: its award stands."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1))
    (asked,) = floor.open
    subject = JackpotDecision(floor.won().jackpot_id, JackpotAction.CONFIRM, 0)
    assert movements(floor.decide(subject, ChangeReason.CORRECTED_ROUND, asked.decision_id)) == []
    assert (floor.won().state, floor.open) == (JackpotState.HIT, [])


def posted(most: int) -> dict[str, Terms]:
    """Two tables with a posted maximum payout of the progressive wager, in cents."""
    found = terms()
    offers = {**found.offers, CODE: replace(found.offers[CODE], maximum_payout_cents=most)}
    held = Terms("RS-1", found.game, found.kind, found.decks, found.seats, offers)
    return {"BAC-01": held, "BAC-02": held}


@pytest.mark.parametrize("most", [SEED_CENTS + 49, SEED_CENTS + 50])
def test_an_award_above_the_posted_maximum_is_held(most: int) -> None:
    """The meter pays and resets, and two people decide whether the patron gets it; at the maximum it is not held."""
    floor = Floor(tables=posted(most))
    floor.round(1, on(1), cards=WHOLE)
    held = most < SEED_CENTS + 50
    assert floor.won().state is (JackpotState.HELD if held else JackpotState.HIT)
    assert len(floor.open) == held
    assert (floor.meter().reading, floor.standing().pending) == (SEED, 1)


@pytest.mark.parametrize(
    ("action", "state", "cents"),
    [
        (JackpotAction.CONFIRM, JackpotState.HIT, SEED_CENTS + 50),
        (JackpotAction.SET_AMOUNT, JackpotState.HIT, SEED_CENTS),
        (JackpotAction.VOID, JackpotState.VOIDED, SEED_CENTS + 50),
    ],
)
def test_a_held_jackpot_is_decided(action: JackpotAction, state: JackpotState, cents: int) -> None:
    """Confirmed, set to the maximum, or voided; then it may be claimed as any other."""
    floor = Floor(tables=posted(SEED_CENTS))
    floor.round(1, on(1), cards=WHOLE)
    with pytest.raises(errors.JackpotOutOfState, match="to be hit, it is held"):
        claim(floor.won(), "bob", NOW)
    (asked,) = floor.open
    floor.decide(JackpotDecision(floor.won().jackpot_id, action, SEED_CENTS), answers=asked.decision_id)
    assert (floor.won().state, floor.won().amount_cents, floor.state.decisions) == (state, cents, {})


def test_an_unpriced_jackpot_is_priced_or_voided_and_moves_no_meter() -> None:
    """No live link was there when betting closed: it has no meter to pay from."""
    floor = Floor(opened=False)
    floor.round(1, on(1), on(2), cards=WHOLE)
    assert [each.state for each in floor.jackpots.values()] == [JackpotState.UNPRICED, JackpotState.UNPRICED]
    assert [each.state for each in floor.open] == [DecisionState.OPEN, DecisionState.OPEN]
    with pytest.raises(errors.JackpotOutOfState, match="to have an amount, it is unpriced"):
        floor.propose(
            JackpotDecision(floor.won().jackpot_id, JackpotAction.CONFIRM, 0), answers=floor.open[0].decision_id
        )
    first, second = floor.open
    price = JackpotDecision(floor.won(0).jackpot_id, JackpotAction.SET_AMOUNT, 5_000)
    assert movements(floor.decide(price, answers=first.decision_id)) == []
    drop = JackpotDecision(floor.won(1).jackpot_id, JackpotAction.VOID, 0)
    assert movements(floor.decide(drop, answers=second.decision_id)) == []
    assert [(each.state, each.amount_cents) for each in floor.jackpots.values()] == [
        (JackpotState.HIT, 5_000),
        (JackpotState.VOIDED, 0),
    ]
