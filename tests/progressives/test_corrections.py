"""What voids, amendments and releases of recorded rounds do to meters and jackpots."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.progressives.decision import Adjustment, JackpotAction, JackpotDecision
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement
from services.progressives.link import LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.play import Change, Event, Part
from services.progressives.state import State
from tests.builders import wager_file
from tests.progressives.folded import (
    CENT,
    CODE,
    DAY,
    LEVELS,
    NEXT_DAY,
    RESERVED,
    SEED,
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

OTHER = "baccarat.other_meter"
OTHER_METER = """
from dataclasses import replace

from services.games.baccarat.wagers.heavenly_9_progressive import WAGERS as HEAVENLY

WAGERS = (replace(HEAVENLY[0], code="baccarat.other_meter", mysteries=()),)
"""


@pytest.fixture
def other_wagers(tmp_path: Path) -> Iterator[None]:
    """A second wager with a meter, and one with two levels that its seats win."""
    with wager_file(tmp_path, "other_meter", OTHER_METER), wager_file(tmp_path, "two_levels", TWO_LEVELS_FILE):
        yield


def test_a_void_takes_contributions_and_reserve_back() -> None:
    """Ruling J11: without a hit since, reading and reserve come back to the micro-dollar, on the round's own day."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1, 733), on(2))
    before = floor.meter()
    floor.round(2, on(1, 1_000), on(4, 501))
    floor.day(NEXT_DAY)
    written = floor.void(2)
    assert movements(written) == [
        ("mega", Cause.CONTRIBUTION, -1_000_000),
        ("mega", Cause.RESERVE, -300_000),
        ("mega", Cause.CONTRIBUTION, -501_000),
        ("mega", Cause.RESERVE, -150_300),
    ]
    assert floor.meter() == before
    assert {(each.gaming_day, each.rounds_position) for each in of(Movement, written)} == {(DAY, floor.at)}
    assert [each.wager_no for each in of(Movement, written)] == [1, 1, 4, 4]
    assert not floor.open


def test_a_second_void_moves_nothing() -> None:
    """What was taken back is not taken back again."""
    floor = Floor()
    floor.round(1, on(1))
    floor.void(1)
    assert floor.void(1) == []
    assert floor.meter().reading == SEED


def test_an_amend_to_the_same_content_writes_nothing() -> None:
    """Nothing is owed beyond what has been contributed."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1), on(2, 700))
    assert floor.amend(1, on(1), on(2, 700)) == []


@pytest.mark.parametrize(("stake", "more", "kept"), [(900, 400_000, 120_000), (100, -400_000, -120_000)])
def test_an_amended_stake_moves_the_difference(stake: int, more: int, kept: int) -> None:
    """Ruling J11: a wager's contribution is brought to what its stake owes now."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1), on(2))
    assert movements(floor.amend(1, on(1, stake), on(2))) == [
        ("mega", Cause.CONTRIBUTION, more),
        ("mega", Cause.RESERVE, kept),
    ]
    assert movements(floor.amend(1, on(1), on(2))) == [
        ("mega", Cause.CONTRIBUTION, -more),
        ("mega", Cause.RESERVE, -kept),
    ]
    assert floor.meter().reading == SEED + 1_000_000


def test_a_wager_that_is_added_contributes_and_one_that_is_gone_is_taken_back() -> None:
    """Ruling J11: the added wager contributes at the position of the amendment."""
    floor = Floor()
    floor.round(1, on(1))
    written = floor.amend(1, on(3, 600))
    assert movements(written) == [("mega", Cause.CONTRIBUTION, -500_000)]
    (added,) = of(Contribution, written)
    assert (added.wager_no, added.amounts, added.rounds_position) == (3, [600_000], floor.at)
    assert movements(floor.amend(1, on(1), on(3, 600))) == [("mega", Cause.CONTRIBUTION, 500_000)]
    assert floor.meter().reading == SEED + 1_100_000


def test_a_wager_under_another_code_leaves_one_meter_for_the_other(other_wagers: None) -> None:
    """A number under another code takes its contribution from the old link to the new one, and back."""
    floor = Floor(linked(), linked("OTHER", code=OTHER))
    floor.round(1, on(1))
    floor.amend(1, on(1, 600, OTHER))
    assert (floor.meter().reading, floor.meter("OTHER").reading) == (SEED, SEED + 600_000)
    written = floor.amend(1, on(1))
    assert not of(Contribution, written)
    assert (floor.meter().reading, floor.meter("OTHER").reading) == (SEED + 500_000, SEED)


def test_a_correction_after_a_hit_is_for_two_people() -> None:
    """Ruling J11: the contribution is in an award already, so nothing moves and an adjustment is asked for."""
    floor = Floor(linked("H9", RESERVED))
    floor.round(1, on(1, 1_000))
    floor.round(2, on(2), cards=WHOLE, table="BAC-02")
    written = floor.void(1)
    assert movements(written) == []
    (asked,) = floor.open
    assert asked.subject == Adjustment("H9", "mega", -1_300_000)
    assert (asked.key, asked.wager_no, asked.gaming_day) == (of(Contribution, floor.written)[0].key, 1, DAY)


def test_a_correction_asks_only_for_what_is_not_asked_for_yet() -> None:
    """Each adjustment is the difference to the ones before it, decided or not: the same is never asked for twice."""
    floor = Floor()
    floor.round(1, on(1, 500))
    floor.round(2, on(2), cards=WHOLE, table="BAC-02")
    floor.amend(1, on(1, 700))
    assert floor.amend(1, on(1, 700)) == []
    (asked,) = floor.open
    floor.decide(asked.subject, answers=asked.decision_id)
    assert floor.amend(1, on(1, 700)) == []
    floor.amend(1, on(1, 400))
    assert [each.subject for each in floor.open] == [Adjustment("H9", "mega", -300_000)]
    floor.void(1)
    assert [each.subject.amount for each in floor.open if isinstance(each.subject, Adjustment)] == [-300_000, -400_000]


def test_a_contribution_after_the_hit_is_taken_back(other_wagers: None) -> None:
    """Only a hit of the same level since the contribution leaves it to people; other levels come back."""
    floor = Floor(linked("TWO", *LEVELS, code=TWO_LEVELS))
    floor.round(1, on(4, 1_000, TWO_LEVELS))
    floor.round(2, on(3, 1_000, TWO_LEVELS), table="BAC-02")
    floor.round(3, on(4, 2_000, TWO_LEVELS))
    assert movements(floor.void(3)) == [
        ("mega", Cause.CONTRIBUTION, -2_000_000),
        ("mega", Cause.RESERVE, -600_000),
        ("mini", Cause.CONTRIBUTION, -100_000),
    ]
    assert movements(floor.void(1)) == [("mega", Cause.CONTRIBUTION, -1_000_000), ("mega", Cause.RESERVE, -300_000)]
    assert [each.subject for each in floor.open] == [Adjustment("TWO", "mini", -50_000)]


def test_a_percentage_award_counts_as_a_hit_of_its_level(other_wagers: None) -> None:
    """An award without reset was priced on the contribution as well."""
    floor = Floor(linked("TWO", *LEVELS, code=TWO_LEVELS))
    floor.round(1, on(4, 1_000, TWO_LEVELS))
    floor.round(2, on(2, 1_000, TWO_LEVELS), table="BAC-02")
    assert movements(floor.void(1)) == [("mini", Cause.CONTRIBUTION, -50_000)]
    assert [each.subject for each in floor.open] == [Adjustment("TWO", "mega", -1_300_000)]


def test_a_void_of_a_round_that_hit_leaves_its_contribution_and_contests_its_jackpot() -> None:
    """Ruling J12: the award stands until two people void or confirm it."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    written = floor.void(1)
    assert movements(written) == []
    subjects = [each.subject for each in floor.open]
    assert subjects == [
        Adjustment("H9", "mega", -500_000),
        JackpotDecision(floor.won().jackpot_id, JackpotAction.NONE, floor.won().amount_cents),
    ]
    assert floor.won().state is JackpotState.HIT
    assert floor.void(1) == []


def test_an_amend_that_makes_a_hit_freezes_it_on_the_reading_at_the_amend() -> None:
    """Ruling J12: later contributions are in the reading that the amended round wins."""
    floor = Floor()
    floor.round(1, on(1))
    floor.round(2, on(1, 1_000), table="BAC-02")
    floor.amend(1, on(1), cards=WHOLE)
    assert (floor.won().reading, floor.won().amount_cents) == (SEED + 1_500_000, SEED_CENTS + 150)
    assert (floor.won().state, floor.won().rounds_position) == (JackpotState.HIT, floor.at)
    assert floor.meter().reading == SEED
    assert floor.amend(1, on(1), cards=WHOLE) == []


def test_an_amend_that_unmakes_a_hit_contests_it_and_the_next_one_asks_nothing_more() -> None:
    """Ruling J12: the jackpot is asked about once, and a round that wins it again opens no second one."""
    floor = Floor()
    floor.round(1, on(1), on(2), cards=WHOLE)
    floor.amend(1, on(1), on(2))
    assert [each.subject[0] for each in floor.open] == [each.jackpot_id for each in of(Jackpot, floor.written)]
    assert floor.amend(1, on(1), on(2)) == []
    assert not of(Jackpot, floor.amend(1, on(1), on(2), cards=WHOLE))
    assert len(floor.open) == 2


def test_a_winner_that_is_added_takes_the_meter_as_it_stands_then() -> None:
    """Ruling J12: shares that were frozen before stand; the added winner is a hit of its own."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1), on(2), cards=WHOLE)
    first, second = floor.jackpots.values()
    assert (first.amount_cents, second.amount_cents) == (SEED_CENTS + 50, SEED_CENTS + 50)
    assert first.hit_id != second.hit_id
    assert not floor.open


def test_a_winner_that_is_removed_is_contested_with_who_shared_the_whole() -> None:
    """Ruling J12: the other winner of the whole is owed another share, which two people set."""
    floor = Floor()
    floor.round(1, on(1), on(2), cards=WHOLE)
    floor.amend(1, on(2), cards=WHOLE)
    contested = [each.subject[0] for each in floor.open if isinstance(each.subject, JackpotDecision)]
    assert contested == [floor.won(0).jackpot_id, floor.won(1).jackpot_id]


def test_a_voided_jackpot_that_the_round_wins_again_is_for_people() -> None:
    """Ruling J12: it does not come back by itself."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1))
    (asked,) = floor.open
    subject = JackpotDecision(floor.won().jackpot_id, JackpotAction.VOID, 0)
    floor.decide(subject, answers=asked.decision_id)
    assert floor.amend(1, on(1)) == []
    floor.amend(1, on(1), cards=WHOLE)
    assert [each.subject[0] for each in floor.open] == [floor.won().jackpot_id]
    assert floor.won().state is JackpotState.VOIDED


def test_the_void_of_an_open_round_takes_back_and_unpins() -> None:
    """The round is over, so it keeps nothing waiting."""
    floor = Floor()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    assert list(floor.state.pins) == [of(Contribution, floor.written)[0].key]
    floor.void(1)
    assert (floor.state.pins, floor.meter().reading) == ({}, SEED)


def test_an_amend_of_an_open_round_leaves_it_open_until_its_result() -> None:
    """The wagers change before the result; the result then settles the round."""
    floor = Floor()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    floor.amend(1, on(1, 800), part=Part.BETTING_CLOSED)
    assert len(floor.state.pins) == 1
    floor.round(1, on(1, 800), part=Part.RESULT, cards=WHOLE)
    assert (floor.won().reading, floor.state.pins) == (SEED + 800_000, {})


def test_an_amend_completes_a_round_whose_result_could_not_be_read() -> None:
    """The contributions stand, the pin holds, and the readable result is settled once."""
    floor = Floor()
    assert reasons(floor.round(1, on(1), cards=("KC 6D 8D", "2C 3D"))) == ["ILLEGAL_COUP"]
    assert len(floor.state.pins) == 1
    written = floor.amend(1, on(1), cards=WHOLE)
    assert not of(Contribution, written)
    assert (floor.won().reading, floor.state.pins) == (SEED + 500_000, {})


def test_an_amendment_that_cannot_be_read_is_an_exception_and_leaves_the_round_open() -> None:
    """The named refusal says so, and no jackpot is asked about on its account."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    assert reasons(floor.amend(1, on(1), cards=("KC 6D 8D", "2C 3D"))) == ["ILLEGAL_COUP"]
    assert (floor.open, len(floor.state.pins)) == ([], 1)


@pytest.mark.parametrize("part", [Part.BETTING_CLOSED, Part.WHOLE])
def test_a_release_contributes_at_its_own_position(part: Part) -> None:
    """A wager that was held contributes and wins on the reading at its release; earlier shares stand."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.round(2, on(1, 2_000), table="BAC-02")
    cards: dict[str, Any] = {} if part is Part.BETTING_CLOSED else {"cards": WHOLE}
    written = floor.take(floor.correction(1, on(1), on(5, 900), change=Change.RELEASE, part=part, **cards))
    (released,) = of(Contribution, written)
    assert (released.wager_no, released.readings) == (5, [SEED + 2_900_000])
    assert len(floor.jackpots) == (1 if part is Part.BETTING_CLOSED else 2)
    assert len(floor.state.pins) == (1 if part is Part.BETTING_CLOSED else 0)


def test_the_release_of_a_whole_round_contributes_and_hits() -> None:
    """A round that was quarantined enters by its release."""
    floor = Floor()
    floor.take(floor.correction(1, on(1), on(2), change=Change.RELEASE, cards=WHOLE))
    assert [each.amount_cents for each in floor.jackpots.values()] == [500_050, 500_050]
    assert floor.won(0).hit_id == floor.won(1).hit_id


def test_a_wager_added_to_a_pinned_round_goes_to_the_pinned_link() -> None:
    """Betting closed pins the link through every correction, even if it is suspended since."""
    floor = Floor()
    floor.round(1, on(1))
    floor.suspend()
    written = floor.amend(1, on(1), on(2), cards=WHOLE)
    assert [each.wager_no for each in of(Contribution, written)] == [2]
    assert reasons(written) == []
    assert [each.link_id for each in floor.jackpots.values()] == ["H9", "H9"]


def test_what_was_open_without_a_link_stays_without_one_at_a_correction() -> None:
    """A link that goes live later is none of an open round that had none."""
    floor = Floor(opened=False)
    floor.state = State(pending=floor.state.pending, gaming_day=DAY)
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    floor.day(DAY)
    written = floor.amend(1, on(1), cards=WHOLE)
    assert not of(Contribution, written)
    assert [each.state for each in floor.jackpots.values()] == [JackpotState.UNPRICED]
    assert floor.meter().reading == SEED


def test_what_a_retired_link_is_owed_is_for_people() -> None:
    """A meter that is over takes nothing and gives nothing: an adjustment of its heir is theirs to decide."""
    floor = Floor()
    floor.round(1, on(1))
    floor.suspend(state=LinkState.RETIRED)
    assert movements(floor.amend(1, on(1, 600), on(2), cards=WHOLE)) == []
    assert floor.open[0].subject == Adjustment("H9", "mega", 100_000)
    assert [each.state for each in floor.jackpots.values()] == [JackpotState.UNPRICED, JackpotState.UNPRICED]


def test_what_the_meter_does_not_hold_any_more_is_for_people() -> None:
    """A correction never takes a meter below zero."""
    floor = Floor()
    floor.round(1, on(1, 1_000))
    floor.decide(Adjustment("H9", "mega", -SEED))
    assert floor.meter().reading == 1_000_000
    floor.decide(Adjustment("H9", "mega", -999_999))
    assert movements(floor.void(1)) == []
    assert [each.subject for each in floor.open] == [Adjustment("H9", "mega", -1_000_000)]


def test_a_contribution_above_the_limit_comes_back_from_the_overflow_first() -> None:
    """What the limit kept off the reading goes first, the rest leaves the reading."""
    floor = Floor(linked("H9", MeterTerms("mega", SEED_CENTS, 1_000, 0, SEED_CENTS + 70)))
    floor.round(1, on(1, 500))
    floor.round(2, on(1, 500))
    assert (floor.meter().reading, floor.meter().overflow) == (SEED + 70 * CENT, -30 * CENT)
    assert movements(floor.void(1)) == [("mega", Cause.OVERFLOW, 300_000), ("mega", Cause.CONTRIBUTION, -500_000)]
    assert (floor.meter().reading, floor.meter().overflow) == (SEED + 50 * CENT, 0)
    assert movements(floor.amend(2, on(1, 1_000))) == [
        ("mega", Cause.CONTRIBUTION, 500_000),
        ("mega", Cause.OVERFLOW, -300_000),
    ]


def test_a_correction_in_the_batch_of_its_round_does_the_same() -> None:
    """The fold does not depend on how the feed is cut, corrections, hits and all."""
    apart, together = Floor(linked("H9", RESERVED)), Floor(linked("H9", RESERVED))
    for floor, batch in ((apart, 1), (together, 12)):
        events: list[Event] = [
            floor.play(1, on(1, 733), on(2), part=Part.BETTING_CLOSED),
            floor.play(1, on(1, 733), on(2), part=Part.RESULT),
            floor.correction(1, on(1, 833)),
            floor.play(2, on(4), table="BAC-02", cards=WHOLE),
            floor.correction(1, on(1, 900), on(3), cards=WHOLE),
            floor.correction(1, on(1, 700), on(3)),
            floor.correction(2, change=Change.VOID, table="BAC-02"),
            floor.correction(3, on(6), change=Change.RELEASE, cards=WHOLE),
            floor.correction(1, change=Change.VOID),
            floor.correction(1, on(1, 100)),
        ]
        for first in range(0, len(events), batch):
            floor.take(*events[first : first + batch])
    assert together.written == apart.written
    assert together.state == apart.state
    assert {each.code for each in of(Contribution, apart.written)} == {CODE}
