"""What holds for every wager of the catalogue."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.analysis import analyses
from services.games.analysis.law import settings_of, terms_for
from services.games.catalogue import catalogue
from services.games.paytables import NOT_PAID, Fixed, MeterShare, Odds, PartReturned
from services.games.settlement import COMMISSION_ROUNDING, COMMISSION_UNITS, settle_round
from services.games.wagers import KINDS, LOCKS, PENDING, PlacedWager, Placement, Wager
from tests.builders import terms
from tests.games.histories import every_case, histories

WAGERS = list(catalogue().values())
SAMPLED = [rule for rule in WAGERS if rule.sample is not None]


def code_of(rule: Wager) -> str:
    """How a test is named after its wager."""
    return rule.code


@pytest.mark.parametrize("rule", WAGERS, ids=code_of)
def test_a_declaration_is_whole(rule: Wager) -> None:
    """A wager names its section and title, real needs, known kinds, locks, options and all its meters."""
    assert rule.section
    assert rule.title
    assert rule.paytables
    assert set(rule.needs) <= set(catalogue())
    assert set(rule.table_kinds) <= set(KINDS)
    assert rule.lock in LOCKS
    rounding = rule.options.get(COMMISSION_ROUNDING, ())
    assert isinstance(rounding, tuple)
    assert set(rounding) <= set(COMMISSION_UNITS)
    assert set(rule.required_options) <= set(rule.options)
    for name, table in rule.paytables.items():
        shares = {cell.level for cell in table.lines.values() if isinstance(cell, MeterShare)}
        assert shares == {meter.level for meter in rule.meters_of(name)}


@pytest.mark.parametrize("rule", WAGERS, ids=code_of)
def test_paytables_of_a_wager_have_the_same_lines(rule: Wager) -> None:
    """Each paytable lists every line, so that a line is paid, or lost, by decision."""
    assert len({tuple(table.lines) for table in rule.paytables.values()}) == 1
    lines = set(next(iter(rule.paytables.values())).lines)
    assert set(rule.unreached) <= lines
    assert {line for drawn in rule.drawn.values() for line in drawn} <= lines


@pytest.mark.parametrize("rule", WAGERS, ids=code_of)
def test_every_line_is_paid_by_some_result_or_the_wager_says_why_not(rule: Wager) -> None:
    """Walking the whole result space, each line is hit and settled, but those the wager calls unreached."""
    for name, table in rule.paytables.items():
        setting = settings_of(rule, table)[0]
        offered, hit = terms_for(rule, name, setting, 1_000), set()
        for history, placement in every_case(rule, setting):
            placed = PlacedWager(1, placement.seat, rule.code, name, 1_000, placement.on, None, placement.roll)
            (found,) = settle_round(history, [placed], offered, {1: 1_000})
            if found.line:
                hit.add(found.line)
                _check_pays(found.payout_cents, table.lines[found.line])
        # What only a written strategy leaves unreached may come about in a round that is played otherwise.
        played = set(rule.unreached) if rule.game == "blackjack" and rule.sample is None else set[str]()
        paid = {line for line, cell in table.lines.items() if cell is not NOT_PAID}
        assert hit - played == paid - set(rule.unreached)


def _check_pays(payout: int, cell: object) -> None:
    """Odds pay at most what they say, a fixed amount exactly, a meter nothing before it is priced."""
    if isinstance(cell, Odds):
        assert 0 < payout <= 1_000 * (cell.numerator + cell.denominator * cell.stake_returned) // cell.denominator
    elif isinstance(cell, Fixed):
        assert payout == cell.cents
    elif isinstance(cell, PartReturned):
        assert payout == 1_000 * cell.numerator // cell.denominator
    else:
        assert payout == (0 if isinstance(cell, MeterShare) else 1_000)


def test_a_line_without_probability_is_unreached() -> None:
    """Every line of every stored analysis can be hit, but those the wager calls unreached."""
    for found in analyses():
        rule = catalogue()[found["wager"]]
        never = {each["line"] for each in found["lines"] if each["probability"].startswith("0/")}
        assert never <= set(rule.unreached), (found["wager"], found["paytable"], never)


@pytest.mark.parametrize("rule", SAMPLED, ids=code_of)
@settings(max_examples=30, deadline=None)  # the first example walks the whole view
@given(data=st.data())
def test_a_view_is_enough_for_its_wager(rule: Wager, data: st.DataObject) -> None:
    """Of any result, a wager names the same line as of the case that stands for it."""
    assert rule.sample is not None
    name = next(iter(rule.paytables))
    setting = settings_of(rule, rule.paytables[name])[0]
    offered = terms_for(rule, name, setting, 1_000)
    history = data.draw(histories(offered))
    on = data.draw(st.sampled_from(rule.areas(offered.wheel)))
    there, sample = Placement(rule.sample.placement.seat, on), rule.sample
    line = rule.classify(history, there, offered)
    shown = _representative(rule, setting, sample.key(history, there))
    if shown is None:
        assert line is PENDING or line in rule.unreached
    else:
        assert line == rule.classify(shown, sample.placement, offered)


_KNOWN: dict[tuple[str, Any], dict[Any, Any]] = {}


def _representative(rule: Wager, setting: Any, key: Any) -> Any:
    sample = rule.sample
    assert sample is not None
    if (rule.code, setting) not in _KNOWN:
        cases = sample.cases(setting)
        _KNOWN[rule.code, setting] = {sample.key(case.history, sample.placement): case.history for case in cases}
    return _KNOWN[rule.code, setting].get(key)


@pytest.mark.parametrize("rule", WAGERS, ids=code_of)
def test_default_options_are_ones_that_may_be_chosen(rule: Wager) -> None:
    """What the figures assume and what the builders file is read by the option's own parser."""
    offered = terms(game=rule.game, every=True)
    for name in offered.offers[rule.code].options:
        assert offered.parsed(rule.code, name[0])
