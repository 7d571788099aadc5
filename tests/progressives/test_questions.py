"""What is undecided about jackpots and links, and what waits for it; the largest meter."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.money import LARGEST_METER_CENTS
from services.progressives import link as links
from services.progressives.decision import (
    Adjustment,
    Heir,
    JackpotAction,
    JackpotDecision,
    Retirement,
    Transfer,
    check_seen,
)
from services.progressives.jackpot import JackpotState
from services.progressives.journal import Contribution, Trouble
from services.progressives.link import LinkState, MeterTerms
from services.progressives.store.standing import to_be, withdrawn
from services.progressives.winnings import Assessment, Won, assess_wager
from tests.builders import wager_file, wager_on
from tests.progressives.folded import (
    CENT,
    LEVELS,
    NEXT_DAY,
    NOW,
    SEED_CENTS,
    TWO_LEVELS,
    TWO_LEVELS_FILE,
    WHOLE,
    Floor,
    linked,
    movements,
    of,
    on,
    reasons,
)

LARGEST = LARGEST_METER_CENTS * CENT
VOID, SET_AMOUNT, CONFIRM = JackpotAction.VOID, JackpotAction.SET_AMOUNT, JackpotAction.CONFIRM


def asked(floor: Floor) -> list[str]:
    """The jackpots that people are asked about, in order."""
    return [each.subject.jackpot_id for each in floor.open if isinstance(each.subject, JackpotDecision)]


def answer(floor: Floor, action: JackpotAction, cents: int = 0) -> list[object]:
    """Answers the first question about a jackpot."""
    question = next(each for each in floor.open if isinstance(each.subject, JackpotDecision))
    assert isinstance(question.subject, JackpotDecision)
    subject = question.subject._replace(action=action, amount_cents=cents)
    return list(floor.decide(subject, answers=question.decision_id))


def with_heir() -> Floor:
    """Heavenly 9, and a link that its money can go to."""
    return Floor(linked(), linked("B", table_ids=("BAC-03",)))


def put_paid(floor: Floor) -> None:
    """The one jackpot has been paid."""
    book = floor.book()
    book.put_jackpot(floor.won()._replace(state=JackpotState.PAID))
    floor.keep(book)


def test_a_meter_at_the_largest_keeps_the_rest_apart() -> None:
    """Ruling J8: what a meter without a limit cannot show is overflow, and opens the next one as far as it goes."""
    floor = Floor(linked("H9", MeterTerms("mega", LARGEST_METER_CENTS, 1_000, 0, 0)))
    floor.round(1, on(1, 100_000))
    assert (floor.meter().reading, floor.meter().overflow) == (LARGEST, -100_000_000)
    floor.round(2, on(1, 500), cards=WHOLE)
    assert (floor.won().amount_cents, floor.meter().reading) == (LARGEST_METER_CENTS, LARGEST)


@pytest.fixture
def two_levels(tmp_path: Path) -> Iterator[None]:
    """A wager with two levels of a free seed."""
    with wager_file(tmp_path, "two_levels", TWO_LEVELS_FILE):
        yield


MORE = LARGEST_METER_CENTS + 1


@pytest.mark.parametrize(
    ("field", "terms"), [("seed", LEVELS[0]._replace(seed_cents=MORE)), ("limit", LEVELS[0]._replace(limit_cents=MORE))]
)
def test_a_larger_seed_or_limit_is_refused(two_levels: None, field: str, terms: MeterTerms) -> None:
    """The refusal names the level, the most and what was given."""
    expected = rf"{field} of mega: expected at most .1,000,000,000.00, the largest meter, given .1,000,000,000.01"
    with pytest.raises(errors.LinkContradictsRules, match=expected):
        links.check_link(linked("T2", terms, LEVELS[1], code=TWO_LEVELS))


def test_people_lift_no_meter_above_the_largest() -> None:
    """By adjustment and by transfer the reading afterwards counts."""
    floor = with_heir()
    room = LARGEST - SEED_CENTS * CENT
    with pytest.raises(errors.MeterAboveLimit, match=r"at or under the largest meter of .1,000,000,000.00"):
        floor.propose(Adjustment("H9", "mega", room + 1))
    floor.decide(Adjustment("H9", "mega", room))
    with pytest.raises(errors.MeterAboveLimit, match="at or under the largest meter"):
        floor.propose(Transfer("B", "mega", "H9", "mega", 1))


def test_people_set_no_larger_amount() -> None:
    """An amount is no larger than the largest meter."""
    floor = Floor(opened=False)
    floor.round(1, on(1), cards=WHOLE)
    with pytest.raises(errors.ChangeImpossible, match=r"at most .1,000,000,000.00, given .1,000,000,000.01"):
        answer(floor, SET_AMOUNT, LARGEST_METER_CENTS + 1)


def test_a_withdrawn_version_stays_withdrawn() -> None:
    """Neither it nor the version that it replaced comes back; the next one has a number of its own."""
    first = linked(state=LinkState.PROPOSED, approved_by=None, approved_at=None)
    second = links.withdraw(replace(first, version=2), 2, "ann", "wrong table", NOW, 3)
    assert (second.state, second.changed_by, second.reason) == (LinkState.WITHDRAWN, "ann", "wrong table")
    assert to_be([first, second], {}) == {}
    assert withdrawn([first, second]) == {"H9": 2}


@pytest.mark.parametrize("state", [LinkState.LIVE, LinkState.SUSPENDED, LinkState.RETIRED])
def test_a_version_in_force_is_not_withdrawn(state: LinkState) -> None:
    """It is suspended or retired."""
    with pytest.raises(errors.LinkOutOfState, match=f"to be proposed or approved, given one that is {state}"):
        links.withdraw(linked(state=state), 1, "ann", "why", NOW, 3)


def test_a_voided_jackpot_is_left_voided_by_the_answer() -> None:
    """Ruling J12: where the round wins it again, people may leave it as it is; that moves nothing."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1))
    answer(floor, VOID)
    floor.amend(1, on(1), cards=WHOLE)
    assert movements(answer(floor, VOID)) == []
    assert (floor.won().state, floor.open) == (JackpotState.VOIDED, [])


def test_nothing_else_is_proposed_about_a_jackpot_in_question() -> None:
    """The refusal names the decision to answer."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.void(1)
    question = next(each for each in floor.open if isinstance(each.subject, JackpotDecision))
    with pytest.raises(errors.JackpotOutOfState, match=f"decision {question.decision_id} is to be decided"):
        floor.propose(JackpotDecision(floor.won().jackpot_id, VOID, 0))


def test_a_question_that_comes_after_a_proposal_of_its_own_goes_first() -> None:
    """Whoever proposed it did not know of the correction: the platform asks, and the former is not approved."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    proposed = floor.propose(JackpotDecision(floor.won().jackpot_id, CONFIRM, 0))
    floor.void(1)
    assert asked(floor) == [floor.won().jackpot_id]
    with pytest.raises(errors.JackpotOutOfState, match="is to be decided"):
        floor.approve(proposed)
    answer(floor, VOID)
    assert floor.won().state is JackpotState.VOIDED


@pytest.mark.parametrize(("action", "cents"), [(VOID, 0), (SET_AMOUNT, 500)])
def test_a_voided_jackpot_of_a_retired_link_moves_no_meter(action: JackpotAction, cents: int) -> None:
    """Ruling J10: it is left voided, or the house pays it."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1))
    answer(floor, VOID)
    floor.amend(1, on(1), cards=WHOLE)
    floor.suspend(state=LinkState.RETIRED)
    assert movements(answer(floor, action, cents)) == []
    assert floor.won().state is (JackpotState.HIT if cents else JackpotState.VOIDED)
    if cents:
        # As nothing came from a meter, nothing goes back to one.
        assert movements(floor.decide(JackpotDecision(floor.won().jackpot_id, VOID, 0))) == []


@pytest.mark.parametrize(
    "wager",
    [on(3, 500, no=1), on(1, 100)],
    ids=["seat", "stake"],
)
def test_a_jackpot_won_by_another_wager_now_is_contested(wager: PlacedWager) -> None:
    """Ruling J12: the same number at another seat or with another stake is another winner."""
    floor = Floor()
    floor.round(1, on(1, 500), cards=WHOLE)
    floor.amend(1, wager, cards=WHOLE)
    assert asked(floor) == [floor.won().jackpot_id]


def test_another_order_of_the_wagers_contests_nothing() -> None:
    """Each is the wager that it was."""
    floor = Floor()
    floor.round(1, on(1), on(2), cards=WHOLE)
    floor.amend(1, on(2), on(1), cards=WHOLE)
    assert asked(floor) == []


def test_a_removed_winner_contests_who_shared_with_it_once() -> None:
    """Ruling J12: once the removed one is voided, a later correction leaves the other in peace."""
    floor = Floor()
    floor.round(1, on(1), on(2), cards=WHOLE)
    floor.amend(1, on(2), cards=WHOLE)
    assert len(asked(floor)) == 2
    answer(floor, VOID)
    answer(floor, CONFIRM)
    floor.amend(1, on(2), on(3, 100, code="baccarat.player"), cards=WHOLE)
    assert asked(floor) == []


def test_an_undecided_question_keeps_a_link_from_retiring() -> None:
    """Ruling J13: a paid jackpot in question may yet move its meter."""
    floor = with_heir()
    floor.round(1, on(1), cards=WHOLE)
    put_paid(floor)
    floor.void(1)
    floor.decide(Retirement("H9", NEXT_DAY, (Heir("mega", "B", "mega"),)))
    floor.day(NEXT_DAY)
    assert floor.state.links["H9"].state == "live"
    assert floor.state.busy("H9").endswith("is open")
    while floor.open:
        question = floor.open[0]
        if isinstance(question.subject, Adjustment):
            floor.decide(question.subject._replace(amount=0), answers=question.decision_id)
        else:
            answer(floor, CONFIRM)
    floor.day(date(2026, 3, 4))
    assert floor.state.links["H9"].state == "retired"


@pytest.mark.parametrize("subject", [Adjustment("H9", "mega", 1), Transfer("B", "mega", "H9", "mega", 1)])
def test_a_proposed_change_keeps_a_link_busy(subject: Adjustment | Transfer) -> None:
    """Until it is approved or rejected."""
    floor = with_heir()
    made = floor.propose(subject)
    assert floor.state.busy("H9") == f"decision {made.decision_id} is proposed"
    floor.reject(made)
    assert floor.state.busy("H9") == ""


def test_a_link_is_retired_once_at_a_time() -> None:
    """While one retirement is undecided or waits there is no second."""
    floor = with_heir()
    end = Retirement("H9", NEXT_DAY, (Heir("mega", "B", "mega"),))
    made = floor.propose(end)
    with pytest.raises(errors.ChangeImpossible, match=f"decision {made.decision_id} is proposed"):
        floor.propose(end)
    floor.approve(made)
    with pytest.raises(errors.ChangeImpossible, match=f"decision {made.decision_id} is approved"):
        floor.propose(end)


def test_an_approval_is_of_the_proposal_that_was_seen() -> None:
    """A rejected proposal keeps its number, the next one has another."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.void(1)
    question = next(each for each in floor.open if isinstance(each.subject, JackpotDecision))
    about = JackpotDecision(floor.won().jackpot_id, VOID, 0)
    first = floor.propose(about, answers=question.decision_id)
    floor.reject(first)
    second = floor.propose(about._replace(action=SET_AMOUNT, amount_cents=5), answers=question.decision_id)
    assert (question.proposal, first.proposal, second.proposal) == (0, 1, 2)
    with pytest.raises(errors.AlreadyDecided, match=f"expected proposal 2 of decision {question.decision_id}"):
        check_seen(second, 1)
    with pytest.raises(errors.InvalidRequest, match="the number of the proposal that was seen, proposal 2"):
        check_seen(second, 0)
    check_seen(second, 2)


def test_a_pinned_round_of_a_retired_link_tells_that_it_contributes_nothing() -> None:
    """Ruling J12: an added wager would go to the link that is over."""
    floor = Floor()
    floor.round(1, on(1))
    floor.suspend(state=LinkState.RETIRED)
    written = floor.amend(1, on(1), on(2))
    assert reasons(written) == ["NO_LIVE_LINK"]
    (trouble,) = of(Trouble, written)
    assert "link H9, to which the round is pinned, is retired" in trouble.message


@pytest.mark.parametrize("gone", [False, True])
def test_only_the_code_that_found_no_link_stays_without(two_levels: None, gone: bool) -> None:
    """Ruling J12: another code of the round contributes; where the wager is gone, what contributed before does."""
    floor = Floor()
    lost = wager_on(TWO_LEVELS, 500, seat=2, no=2)
    assert reasons(floor.round(1, on(1), lost)) == ["NO_LIVE_LINK"]
    kept = () if gone else (lost,)
    written = floor.amend(1, on(1), on(3), *kept)
    assert [(each.wager_no, each.link_id) for each in of(Contribution, written)] == [(3, "H9")]
    assert reasons(written) == []


def test_all_jackpots_of_a_wager_are_one_winning() -> None:
    """Ruling J9: what is due on the sum, less what was withheld before, and never more than is paid."""
    paid_on = date(2026, 3, 2)
    together = assess_wager(150_000, 500, [Won(150_000, 0)], paid_on, tax_number=True)
    assert together == Assessment(True, 0, "")
    first = assess_wager(300_000, 500, [Won(300_000, 0)], paid_on, tax_number=True)
    assert first == Assessment(True, 143_880, "regular")
    assert assess_wager(300_000, 500, [Won(300_000, 143_880)], paid_on, tax_number=True) == Assessment(True, 0, "")
    assert assess_wager(5_000, 500, [Won(700_000, 0)], paid_on, tax_number=True) == Assessment(True, 5_000, "regular")
