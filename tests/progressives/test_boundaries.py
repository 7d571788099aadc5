"""The opening of a gaming day: links go live, change and retire."""

from dataclasses import replace
from datetime import timedelta

import pytest

from services.progressives.decision import Heir, JackpotAction, JackpotDecision, Retirement
from services.progressives.fold import waits_for
from services.progressives.jackpot import JackpotState
from services.progressives.journal import Contribution
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.offers import Submission
from services.progressives.play import DayOpened, Part
from tests.builders import terms
from tests.progressives.folded import (
    CENT,
    DAY,
    NEXT_DAY,
    SEED,
    SEED_CENTS,
    WHOLE,
    Floor,
    linked,
    movements,
    of,
    on,
    reasons,
)

DOUBLE = linked("H9", MeterTerms("mega", SEED_CENTS, 2_000, 0, 0), version=2, effective_from=NEXT_DAY)


def amending(*events: Link, amendment: Link = DOUBLE) -> Floor:
    """A floor with an approved amendment of its link."""
    floor = Floor(*events)
    floor.state.pending["H9"] = amendment
    return floor


def waiting(floor: Floor) -> str:
    """What keeps the amendment from going live at the next opening."""
    return waits_for(floor.book(), floor.state.pending["H9"], DayOpened(floor.at + 1, NEXT_DAY))


def test_an_amendment_takes_effect_on_the_running_meter() -> None:
    """Nothing is seeded and nothing moves; the next wager contributes at the new rate."""
    floor = amending()
    floor.round(1, on(1))
    (written,) = floor.day(NEXT_DAY)
    assert written == replace(DOUBLE, state=LinkState.LIVE, rounds_position=floor.at)
    (made,) = of(Contribution, floor.round(2, on(1), day=NEXT_DAY))
    assert (made.link_version, made.amounts, made.readings) == (2, [1_000_000], [SEED + 1_500_000])
    assert floor.state.pending == {}


def test_a_round_of_the_former_version_is_corrected_at_its_own_rate() -> None:
    """Ruling J11: what a wager owes is its stake at the rate at which it contributed."""
    floor = amending()
    floor.round(1, on(1))
    floor.day(NEXT_DAY)
    floor.amend(1, on(1, 700))
    assert floor.meter().reading == SEED + 700_000


def test_an_amendment_of_a_suspended_link_leaves_it_suspended() -> None:
    """The version changes, the suspension stands with who made it and why."""
    floor = amending()
    floor.suspend()
    floor.day(NEXT_DAY)
    link = floor.state.links["H9"]
    assert (link.version, link.state, link.changed_by, link.reason) == (2, LinkState.SUSPENDED, "eve", "checked")
    assert reasons(floor.round(1, on(1), day=NEXT_DAY)) == ["NO_LIVE_LINK"]


def test_an_amendment_waits_for_an_open_jackpot() -> None:
    """It goes live at the first opening at which no jackpot of the link is open."""
    floor = amending()
    floor.round(1, on(1), cards=WHOLE)
    assert waiting(floor) == f"jackpot {floor.won().jackpot_id} is hit"
    assert floor.day(NEXT_DAY) == []
    floor.decide(JackpotDecision(floor.won().jackpot_id, JackpotAction.VOID, 0))
    floor.day(NEXT_DAY + timedelta(1))
    assert floor.state.links["H9"].version == 2


def test_an_amendment_waits_for_an_open_round() -> None:
    """A round that is pinned to the link settles under the version that it contributed to."""
    floor = amending()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    assert waiting(floor).endswith("is open")
    assert floor.day(NEXT_DAY) == []
    floor.round(1, on(1), part=Part.RESULT, cards=WHOLE)
    assert floor.won().link_version == 1


def test_an_amendment_whose_limit_the_meter_passed_waits() -> None:
    """The sign never falls on account of an amendment."""
    low = linked("H9", MeterTerms("mega", SEED_CENTS, 1_000, 0, SEED_CENTS + 50), version=2, effective_from=NEXT_DAY)
    floor = amending(amendment=low)
    floor.round(1, on(1, 501))
    assert waiting(floor) == "meter mega stands above the limit"
    assert floor.day(NEXT_DAY) == []
    floor.amend(1, on(1, 500))
    floor.day(NEXT_DAY + timedelta(1))
    assert floor.state.links["H9"].version == 2
    floor.round(2, on(1, 500), day=NEXT_DAY)
    assert (floor.meter().reading, floor.meter().overflow) == (SEED + 50 * CENT, -50 * CENT)


def test_a_link_waits_while_its_tables_do_not_offer_it() -> None:
    """What the Rules Submissions offer on the day decides, of those that were known at the opening."""
    floor = Floor(opened=False)
    other = Submission(5, "RS-2", DAY, {"BAC-02": terms(game="minibaccarat")})
    floor.filed["RS-2"] = other
    assert floor.take(DayOpened(1, DAY, 5)) == []
    assert "game at BAC-02: expected baccarat, given minibaccarat" in waits_for(
        floor.book(), floor.state.pending["H9"], DayOpened(2, DAY, 5)
    )
    floor.take(DayOpened(2, DAY, 4))
    assert floor.state.links["H9"].state is LinkState.LIVE


def test_links_go_live_before_others_retire() -> None:
    """An heir that goes live on the same day is there to take the money."""
    floor = Floor()
    floor.state.pending["HEIR"] = linked("HEIR", table_ids=("BAC-03",), effective_from=NEXT_DAY)
    floor.state.links["HEIR"] = replace(floor.state.pending["HEIR"], state=LinkState.LIVE)
    made = floor.propose(Retirement("H9", NEXT_DAY, (Heir("mega", "HEIR", "mega"),)))
    floor.approve(made)
    del floor.state.links["HEIR"]
    floor.day(NEXT_DAY)
    assert floor.state.links["H9"].state is LinkState.RETIRED
    assert floor.meter("HEIR").reading == 2 * SEED


def test_an_opening_of_the_same_day_again_changes_nothing() -> None:
    """A second opening finds nothing left to do."""
    floor = Floor()
    assert floor.day(DAY) == []


def test_a_day_after_a_gap_brings_what_was_due() -> None:
    """A link whose day nobody opened goes live at the next opening."""
    floor = Floor(opened=False)
    floor.day(DAY + timedelta(9))
    assert floor.meter().reading == SEED


def test_totals_are_counted_once() -> None:
    """605a.7: hits, wagers and handle of a meter; a round with two winners is one hit."""
    floor = Floor()
    floor.round(1, on(1, 700), on(2), cards=WHOLE)
    floor.round(2, on(3), table="BAC-02")
    standing = floor.standing()
    assert (standing.hits, standing.wagers, standing.handle_cents, standing.pending) == (1, 3, 1_700, 2)
    assert (standing.paid_cents, standing.revision) == (0, len(floor.written))


@pytest.mark.parametrize("action", [JackpotAction.VOID, JackpotAction.CONFIRM, JackpotAction.SET_AMOUNT])
def test_pending_counts_what_is_still_to_be_paid(action: JackpotAction) -> None:
    """A voided jackpot is no longer pending; one that is confirmed or has another amount is."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.decide(JackpotDecision(floor.won().jackpot_id, action, 1))
    voided = floor.won().state is JackpotState.VOIDED
    assert floor.standing().pending == (0 if voided else 1)
    assert movements(floor.written)
