"""Form W-2G: the worked examples to the cent, the edges of each rule, and what holds for any payment."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.kernel.errors import InvalidRequest
from services.progressives import winnings
from services.progressives.winnings import Assessment, assess

IN_2025, IN_2026 = date(2025, 12, 31), date(2026, 1, 1)
NO_FORM, FORM_ALONE = Assessment(False, 0, ""), Assessment(True, 0, "")

amounts = st.integers(0, 10**9)
stakes = st.integers(1, 10**5)
days = st.dates(date(2018, 1, 1), date(2030, 12, 31))


@pytest.mark.parametrize(
    ("amount", "stake", "paid_on", "expected"),
    [
        pytest.param(5_231_045, 500, IN_2026, Assessment(True, 1_255_331, "regular"), id="meter-of-52310.45-for-5"),
        pytest.param(500_000, 500, IN_2026, FORM_ALONE, id="envy-of-5000-for-5"),
        pytest.param(100_000, 100, IN_2026, NO_FORM, id="envy-of-1000-for-1-in-2026"),
        pytest.param(100_000, 100, IN_2025, FORM_ALONE, id="envy-of-1000-for-1-in-2025"),
        pytest.param(149_500, 500, IN_2026, NO_FORM, id="299-for-1-of-5"),
        pytest.param(149_500, 500, IN_2025, NO_FORM, id="299-for-1-of-5-in-2025"),
        pytest.param(598_000, 2_000, IN_2026, NO_FORM, id="299-for-1-of-20"),
    ],
)
def test_the_worked_examples_come_out_to_the_cent(amount: int, stake: int, paid_on: date, expected: Assessment) -> None:
    """Payments of table wagers, to payees who gave their tax number."""
    assert assess(amount, stake, paid_on, tax_number=True) == expected


@pytest.mark.parametrize(("paid_on", "minimum"), [(date(2018, 1, 1), 60_000), (IN_2025, 60_000), (IN_2026, 200_000)])
def test_the_minimum_is_reached_by_the_amount_less_the_stake(paid_on: date, minimum: int) -> None:
    """$600 until the end of 2025, $2,000 from then on: one cent less and no form is due."""
    assert assess(minimum + 100, 100, paid_on, tax_number=True) == FORM_ALONE
    assert assess(minimum + 99, 100, paid_on, tax_number=True) == NO_FORM


def test_the_ratio_is_reached_by_the_amount_with_the_stake() -> None:
    """Exactly 300 times the stake is reported, one cent less is not, however large."""
    assert assess(300 * 1_000, 1_000, IN_2026, tax_number=True) == FORM_ALONE
    assert assess(300 * 1_000 - 1, 1_000, IN_2026, tax_number=True) == NO_FORM
    assert assess(300 * 10_000 - 1, 10_000, IN_2026, tax_number=False) == NO_FORM


def test_regular_withholding_begins_above_five_thousand_less_the_stake() -> None:
    """Exactly $5,000.00 above the stake is not withheld from; one cent more is, and from the whole of it."""
    assert assess(500_500, 500, IN_2026, tax_number=True) == FORM_ALONE
    assert assess(500_501, 500, IN_2026, tax_number=True) == Assessment(True, 120_000, "regular")


def test_backup_withholding_falls_on_those_who_gave_no_tax_number() -> None:
    """24 % of amount less stake where a form is due; without one nothing is withheld."""
    assert assess(500_000, 500, IN_2026, tax_number=False) == Assessment(True, 119_880, "backup")
    assert assess(100_000, 100, IN_2025, tax_number=False) == Assessment(True, 23_976, "backup")
    assert assess(100_000, 100, IN_2026, tax_number=False) == NO_FORM


def test_nobody_is_withheld_from_twice() -> None:
    """Where regular withholding applies a missing tax number adds nothing."""
    assert assess(5_231_045, 500, IN_2026, tax_number=False) == Assessment(True, 1_255_331, "regular")


@pytest.mark.parametrize(("gain", "withheld"), [(500_002, 120_000), (500_003, 120_001), (500_025, 120_006)])
def test_withholding_is_rounded_to_the_nearest_cent(gain: int, withheld: int) -> None:
    """24 % of 5,000.02 is 1,200.0048, of 5,000.03 it is 1,200.0072; 5,000.25 comes out even."""
    assert assess(gain + 100, 100, IN_2026, tax_number=True).withheld_cents == withheld


def test_half_a_cent_is_withheld_as_a_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a rate of 25 % 5,000.02 gives 1,250.005, which is 1,250.01."""
    monkeypatch.setattr(winnings, "RULES", (winnings.RULES[-1]._replace(regular_rate=2_500),))
    assert assess(500_102, 100, IN_2026, tax_number=True).withheld_cents == 125_001


def test_pennsylvania_withholds_when_its_rate_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing by default; a row with 3.07 % adds that much of amount less stake."""
    assert {rules.pennsylvania_rate for rules in winnings.RULES} == {0}
    monkeypatch.setattr(winnings, "RULES", (winnings.RULES[-1]._replace(pennsylvania_rate=307),))
    assert assess(500_000, 500, IN_2026, tax_number=True) == Assessment(True, 15_335, "")


def test_rules_stand_in_the_order_of_their_days() -> None:
    """The last row that has begun holds, so that the rows are in order and each day has one."""
    begun = [rules.since for rules in winnings.RULES]
    assert begun == sorted(set(begun))


def test_a_payment_before_the_first_rules_is_refused() -> None:
    """Other rates held before 2018: none is guessed."""
    with pytest.raises(InvalidRequest, match="expected a day of payment from 2018-01-01 on, given 2017-12-31"):
        assess(100_000, 100, date(2017, 12, 31), tax_number=True)


@given(amounts, stakes, days, st.booleans())
def test_what_is_withheld_is_part_of_the_amount_less_the_stake(
    amount: int, stake: int, paid_on: date, tax_number: bool
) -> None:
    """Nothing is withheld without a form, nor without a rule that is named, nor more than there is above the stake."""
    result = assess(amount, stake, paid_on, tax_number=tax_number)
    assert 0 <= result.withheld_cents <= max(amount - stake, 0)
    assert result.reportable or result == NO_FORM
    assert (result.withheld_cents > 0) == (result.withholding != "")
    assert tax_number <= (result.withholding != "backup")


@given(amounts, amounts, stakes, days, st.booleans())
def test_a_larger_payment_is_never_reported_or_withheld_from_less(
    one: int, other: int, stake: int, paid_on: date, tax_number: bool
) -> None:
    """Of two payments on one stake, form and withholding of the smaller are not above those of the larger."""
    smaller, larger = (assess(each, stake, paid_on, tax_number=tax_number) for each in sorted((one, other)))
    assert smaller.reportable <= larger.reportable
    assert smaller.withheld_cents <= larger.withheld_cents


@given(amounts, stakes, days)
def test_a_tax_number_never_costs(amount: int, stake: int, paid_on: date) -> None:
    """Who gives one is withheld from the same or less, and is reported all the same."""
    given_, withheld = (assess(amount, stake, paid_on, tax_number=each) for each in (True, False))
    assert given_.reportable == withheld.reportable
    assert given_.withheld_cents <= withheld.withheld_cents
