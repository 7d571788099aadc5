"""What holds for every wager of the catalogue."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.baccarat.coup import Coup, Coups
from services.games.catalogue import catalogue
from services.games.settlement import COMMISSION_ROUNDING, COMMISSION_UNITS, settle_round
from services.games.wagers import KINDS, PlacedWager, Placement, Wager
from services.kernel.cards import CARDS
from tests.builders import dealt_coups, terms

WAGERS = list(catalogue().values())
SUITLESS = [rule for rule in WAGERS if "suits" not in rule.sample.title and rule.placements == ("",)]
ONE_DECK = {rule.sample.title: rule.sample for rule in WAGERS}


@st.composite
def rounds(draw: st.DrawFn) -> list[PlacedWager]:
    """The wagers of one round: any codes, paytables, areas, stakes and seats."""
    wagers = []
    for number in range(draw(st.integers(1, 12))):
        rule = draw(st.sampled_from(WAGERS))
        paytable, on = draw(st.sampled_from(list(rule.paytables))), draw(st.sampled_from(rule.placements))
        seat, stake = draw(st.integers(1, 7)), draw(st.integers(1, 10**7))
        wagers.append(PlacedWager(number, seat, rule.code, paytable, stake, on))
    return wagers


@pytest.mark.parametrize("rule", WAGERS, ids=lambda rule: rule.code)
def test_a_declaration_is_whole(rule: Wager) -> None:
    """A wager names its game, its section and title, real needs, known kinds, locks, options and meters."""
    assert rule.code.startswith(f"{rule.game}.")
    assert rule.section
    assert rule.title
    assert rule.paytables
    assert set(rule.needs) <= set(catalogue())
    assert set(rule.table_kinds) <= set(KINDS)
    assert rule.lock in ("no_more_bets", "first_card")
    assert set(rule.options.get(COMMISSION_ROUNDING, ())) <= set(COMMISSION_UNITS)
    shares = {getattr(cell, "level", None) for table in rule.paytables.values() for cell in table.lines.values()}
    assert shares - {None} == {meter.level for meter in rule.meters}


@pytest.mark.parametrize("rule", WAGERS, ids=lambda rule: rule.code)
def test_paytables_of_a_wager_have_the_same_lines(rule: Wager) -> None:
    """Each paytable lists every line, so that a line is paid, or lost, by decision."""
    assert len({tuple(table.lines) for table in rule.paytables.values()}) == 1


@given(found=dealt_coups(), seat=st.integers(1, 7))
def test_every_dealt_coup_classifies(found: Coup, seat: int) -> None:
    """Every wager names, of every coup, a line of its paytables or a loss."""
    for rule in WAGERS:
        for on in rule.placements:
            line = rule.classify(Coups(found), Placement(seat, on), terms())
            assert line is None or all(line in table.lines for table in rule.paytables.values())


@pytest.mark.parametrize("title", sorted(ONE_DECK))
def test_a_view_is_enough_for_its_wagers(title: str) -> None:
    """Of any dealt coup, a wager names the same line as of the case that stands for it."""
    sample = ONE_DECK[title]
    known: dict[Any, Any] = {sample.key(case.history, sample.placement): case.history for case in sample.cases(6)}
    users = [rule for rule in WAGERS if rule.sample is sample]

    @given(dealt_coups())
    def holds(found: Coup) -> None:
        for rule in users:
            for on in rule.placements:
                there = Placement(1, on)
                shown = known[sample.key(Coups(found), there)]
                expected = rule.classify(shown, sample.placement, terms())
                assert rule.classify(Coups(found), there, terms()) == expected

    holds()


@given(found=dealt_coups(), suits=st.permutations("CDHS"))
def test_renaming_suits_changes_nothing_where_suits_are_ignored(found: Coup, suits: list[str]) -> None:
    """A wager on points alone names the same line whatever the suits are."""
    renamed = dict(zip("CDHS", suits, strict=True))
    player, banker = (
        [CARDS[each.rank + renamed[each.suit]] for each in hand.cards] for hand in (found.player, found.banker)
    )
    for rule in SUITLESS:
        place = Placement(1)
        expected = rule.classify(Coups(found), place, terms())
        assert rule.classify(Coups(Coup.dealt(player, banker)), place, terms()) == expected


@given(found=dealt_coups(), wagers=rounds(), data=st.data())
def test_wagers_settle_apart_from_each_other(found: Coup, wagers: list[PlacedWager], data: st.DataObject) -> None:
    """Taking a wager out of a round changes no other, and no payout is ever below nothing."""
    whole = settle_round(Coups(found), wagers, terms())
    left_out = data.draw(st.integers(0, len(wagers) - 1))
    without = settle_round(Coups(found), wagers[:left_out] + wagers[left_out + 1 :], terms())
    assert without == whole[:left_out] + whole[left_out + 1 :]
    assert all(each.payout_cents >= 0 and 0 <= each.breakage_micros < 10_000 for each in whole)


@given(found=dealt_coups(), wagers=rounds(), seats=st.permutations(range(1, 8)))
def test_a_seat_changes_no_payout(found: Coup, wagers: list[PlacedWager], seats: list[int]) -> None:
    """Wagers that change seats settle as they did."""
    moved = [placed._replace(seat=seats[placed.seat - 1]) for placed in wagers]
    assert settle_round(Coups(found), moved, terms()) == settle_round(Coups(found), wagers, terms())
