"""What a table document may say."""

from dataclasses import replace
from datetime import timedelta

import pytest

from services.kernel.errors import DocumentImpossible
from services.reporting.document import KINDS, Document
from tests.reporting.builders import NOON, box, slip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_may_be_posted(kind: str) -> None:
    """Each kind of document stands with an amount of nothing or more."""
    slip(kind, "BAC-01").check(shifts=3)


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
        (slip("", "BAC-01"), "a kind: opener, fill, credit, counter_check, count, closer; given none"),
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
