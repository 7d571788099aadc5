"""What a table document may say."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from services.kernel.errors import DocumentImpossible, SamePrincipal
from services.reporting.document import (
    KINDS,
    Amounts,
    Denomination,
    Document,
    IndependentCount,
    Signature,
    standing,
)
from tests.reporting.builders import NOON, box, slip

NEEDED: dict[str, dict[str, Any]] = {
    "drop": {"box_serial": "B-7"},
    "jackpot_slip": {"jackpot_id": "J-1"},
    "error_notification": {"about": ("F-1",), "reason": "never written"},
}
"""What three kinds of document cannot do without."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_may_be_posted(kind: str) -> None:
    """Each kind of document stands with an amount of nothing or more, and with what its kind needs."""
    slip(kind, "BAC-01", **NEEDED.get(kind, {})).check(shifts=3)


def test_a_count_is_its_currency_and_its_counter_checks() -> None:
    """Both parts are given and add up; no other kind has parts."""
    box("BAC-01", "10.00", "5.00").check(shifts=3)
    with pytest.raises(DocumentImpossible, match=r"together 15\.00; given 16\.00"):
        replace(box("BAC-01", "10.00", "5.00"), amount_cents=1_600).check(shifts=3)
    with pytest.raises(DocumentImpossible, match="on a count alone"):
        slip("fill", "BAC-01", "5.00", currency_cents=500).check(shifts=3)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (slip("opener", "BAC-01", document_id=""), "serial number"),
        (slip("opener", "BAC-01", document_id=" 7"), "serial number"),
        (slip("", "BAC-01"), "a kind: opener, fill, credit, counter_check, count, closer, drop, .*; given none"),
        (slip("opener", "BAC-01", shift=4), "a shift from 1 to 3, or 0 for the whole day; given 4"),
        (slip("opener", "BAC-01", shift=-1), "a shift from 1 to 3"),
        (slip("opener", "BAC-01", amount_cents=-1), r"amounts from 0\.00 to .*; given -0\.01"),
        (slip("count", "BAC-01", amount_cents=0, currency_cents=5, counter_checks_cents=-5), "amounts"),
    ],
)
def test_what_a_document_cannot_say_is_named(document: Document, expected: str) -> None:
    """A refusal says what was expected and what was given."""
    with pytest.raises(DocumentImpossible, match=expected):
        document.check(shifts=3)


def test_a_document_is_the_same_whoever_posts_it() -> None:
    """Poster and time of posting are no part of its content; everything else is."""
    posted = slip("fill", "BAC-01", "100.00")
    assert posted.says_the_same(replace(posted, posted_by="another", posted_at=NOON + timedelta(hours=1)))
    assert not posted.says_the_same(replace(posted, amount_cents=10_001))
    assert not posted.says_the_same(replace(posted, occurred_at=None))


ANN, BEN = (IndependentCount(name, Amounts(1_000, 500, 0, 0)) for name in ("Ann", "Ben"))


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (slip("drop", "BAC-01"), "serial number of the drop box; given none"),
        (slip("drop", "BAC-01", "1.00", box_serial="B"), r"no amount on a drop; given 1\.00"),
        (slip("fill", "BAC-01", box_serial="B"), "box serial on a drop or a count alone; given B on a fill"),
        (slip("jackpot_slip", "BAC-01"), "jackpot_id on a jackpot_slip and there alone; given none"),
        (slip("fill", "BAC-01", jackpot_id="J"), "jackpot_id on a jackpot_slip and there alone; given J"),
        (slip("error_notification", "BAC-01", reason="x"), "to name what it is about; given none"),
        (slip("fill", "BAC-01", about=("F-1",)), "to name what it is about; given F-1"),
        (slip("error_notification", "BAC-01", about=("F-1",)), "a reason on a correction or an error_notification"),
        (slip("fill", "BAC-01", corrects="F-1"), "a reason on a correction or an error_notification"),
        (slip("fill", "BAC-01", reason="x"), "a reason on a correction .*there alone; given 'x'"),
        (slip("fill", "BAC-01", document_id="F", corrects="F", reason="x"), "to name another document; given F"),
        (slip("fill", "BAC-01", coupons_cents=5), r"apart; given 0\.05 on a fill"),
        (slip("fill", "BAC-01", wagers_cents=5), r"on a meter_reading alone; given 0\.05 on a fill"),
        (slip("fill", "BAC-01", first_count=ANN), "independent counts on a count alone; given one on a fill"),
        (box("BAC-01", "10.00", "5.00", second_count=ANN), "a first count before a second; given the second alone"),
        (box("BAC-01", "10.00", "5.00", first_count=ANN, second_count=ANN), "two different people; given Ann"),
        (box("BAC-01", "10.00", "6.00", first_count=ANN, second_count=BEN), "one of its independent counts"),
        (box("BAC-01", "10.00", "5.00", first_count=ANN._replace(counted_by=" ")), "to name its counter; given none"),
        (box("BAC-01", "10.00", first_count=ANN._replace(amounts=Amounts(0, -1, 0, 0))), "amounts from"),
        (slip("fill", "BAC-01", "5.00", denominations=(Denomination(100, 400),)), r"sum to 5\.00; given 4\.00"),
        (slip("fill", "BAC-01", "5.00", denominations=(Denomination(300, 500),)), r"given 5\.00 in pieces of 3\.00"),
        (slip("fill", "BAC-01", "5.00", denominations=(Denomination(0, 500),)), r"whole pieces of a denomination"),
        (slip("fill", "BAC-01", "2.00", denominations=(Denomination(100, 100),) * 2), "each denomination once"),
        (slip("fill", "BAC-01", signatures=(Signature("cook", "Al"),)), "of floorperson, .*; given cook"),
        (slip("fill", "BAC-01", signatures=(Signature("dealer", " "),)), "the dealer to sign by name; given ' '"),
        (slip("fill", "BAC-01", signatures=(Signature("dealer", "Al"),) * 2), "one signature for each role"),
        (
            slip("fill", "BAC-01", signatures=(Signature("dealer", "Al"), Signature("security", "Al"))),
            "a different person in every role; given Al, Al",
        ),
        (slip("estimate", "BAC-01", signatures=(Signature("dealer", "Al"),)), "no signature on an estimate"),
    ],
)
def test_parts_belong_to_their_kinds(document: Document, expected: str) -> None:
    """What a kind needs it has, what is no part of it it has not, and two people are two."""
    with pytest.raises(DocumentImpossible, match=expected):
        document.check(shifts=3)


def test_coupons_are_never_in_the_amount() -> None:
    """A count tells them apart; its amount is currency and counter checks alone."""
    counts = [IndependentCount(name, Amounts(1_000, 500, 300, 200)) for name in ("Ann", "Ben")]
    found = box("BAC-01", "10.00", "5.00", first_count=counts[0], second_count=counts[1])
    replace(found, coupons_cents=300, promotional_cents=200).check(shifts=3)
    assert found.amount_cents == 1_500


def test_a_correction_stands_in_the_place_of_what_it_names() -> None:
    """Chains end in their last correction; another kind, another day, the same person or a second one is refused."""
    wrong = slip("fill", "BAC-01", "5.00", document_id="F-1")
    right = slip("fill", "BAC-02", "6.00", document_id="F-2", corrects="F-1", reason="misread", posted_by="another")
    last = replace(right, document_id="F-3", corrects="F-2", posted_by="pit clerk")
    right.check_correction(wrong, corrected_by="")
    assert standing([wrong, right, last]) == [last]
    with pytest.raises(
        DocumentImpossible, match="correction of F-1 to be a fill on 2026-03-02 as it is; given a credit"
    ):
        replace(right, kind="credit").check_correction(wrong, corrected_by="")
    with pytest.raises(DocumentImpossible, match="expected to correct F-2, which stands in the place of F-1"):
        last.check_correction(wrong, corrected_by="F-2")
    with pytest.raises(SamePrincipal, match="corrected by another person than who posted it; given pit clerk"):
        replace(right, posted_by="pit clerk").check_correction(wrong, corrected_by="")
