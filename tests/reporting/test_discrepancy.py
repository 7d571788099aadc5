"""What is open of a day's documents, and what ends it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from services.reporting.discrepancy import PaidJackpot, discrepancies, uncounted
from services.reporting.document import SIGNATORIES, Amounts, Denomination, Document, IndependentCount, Signature
from tests.reporting.builders import NOON, box, slip


def signed(document: Document) -> Document:
    """The document with everybody's signature, by denomination, a count made twice."""
    names = tuple(Signature(role, f"a {role}") for role in SIGNATORIES[document.kind])
    pieces = (Denomination(1, document.amount_cents),) if document.amount_cents else ()
    found = replace(document, signatures=names, denominations=() if document.kind == "count" else pieces)
    if document.kind != "count":
        return found
    counts = (IndependentCount("Ann", document.amounts), IndependentCount("Ben", document.amounts))
    return replace(found, first_count=counts[0], second_count=counts[1])


def reasons(*documents: Document, jackpots: dict[str, PaidJackpot] | None = None, closed: str = "") -> list[str]:
    """The names of what is open."""
    closers = {"BAC-01": slip("closer", "BAC-01", closed)} if closed else {}
    return [each.reason for each in discrepancies(documents, closers, jackpots or {})]


def explained(*about: str, **given: Any) -> Document:
    """A signed error notification."""
    return signed(slip("error_notification", "BAC-01", about=about, reason="looked into", **given))


def test_signed_papers_are_in_order() -> None:
    """Nothing is open of an opener, a count made twice and a closer that everybody signed."""
    assert (
        reasons(*map(signed, (slip("opener", "BAC-01", "5.00"), box("BAC-01", "9.00"), slip("closer", "BAC-01")))) == []
    )


def test_one_count_is_no_count() -> None:
    """A second one by somebody else is expected, and no error notification does without it."""
    count = signed(box("BAC-01", "9.00"))
    once = replace(count, second_count=None)
    assert reasons(once, explained(once.document_id)) == ["SECOND_COUNT_MISSING"]
    assert reasons(replace(once, first_count=None)) == ["SECOND_COUNT_MISSING"]


def test_counts_agree_in_every_part() -> None:
    """Currency, counter checks, coupons and promotional amounts, and denominations where they are told."""
    count = signed(box("BAC-01", "9.00"))
    for amounts in (Amounts(899, 0, 0, 0), Amounts(900, 1, 0, 0), Amounts(900, 0, 1, 0), Amounts(900, 0, 0, 1)):
        assert reasons(replace(count, second_count=IndependentCount("Ben", amounts))) == ["COUNTS_DIFFER"]
    pieces = IndependentCount("Ben", count.amounts, (Denomination(900, 900),))
    assert reasons(replace(count, second_count=pieces)) == ["COUNTS_DIFFER"]


def test_counter_checks_are_in_the_box_unless_they_were_redeemed() -> None:
    """Issued less redeemed is what is counted; without a count nothing is known yet."""
    issued = signed(slip("counter_check", "BAC-01", "100.00"))
    redeemed = signed(slip("counter_check_redeemed", "BAC-01", "40.00"))
    assert reasons(issued) == []
    assert reasons(issued, signed(box("BAC-01", "9.00"))) == ["COUNTER_CHECKS_DIFFER"]
    assert reasons(issued, redeemed, signed(box("BAC-01", "9.00", "60.00"))) == []
    assert reasons(issued, signed(box("BAC-01", "9.00")), explained("BAC-01/counter_checks")) == []


def test_a_box_is_dropped_and_counted_once() -> None:
    """A count of a box that nobody dropped and two counts of one box are open; a box dropped waits for its count."""
    drop = signed(slip("drop", "BAC-01", box_serial="B-1"))
    count = signed(box("BAC-01", "9.00", box_serial="B-1"))
    assert reasons(drop, count) == []
    assert reasons(count) == ["BOX_NOT_DROPPED"]
    assert reasons(drop, count, replace(count, document_id="other")) == ["BOX_COUNTED_TWICE"]
    assert uncounted([drop]) == [("BAC-01", "B-1")]
    assert uncounted([drop, count]) == []


def test_the_first_opener_is_what_the_last_closer_left() -> None:
    """A second opener of the day, at a change of shift, is not held against the day before."""
    first = signed(slip("opener", "BAC-01", "50.00"))
    later = signed(slip("opener", "BAC-01", "70.00", occurred_at=NOON + timedelta(hours=8)))
    assert reasons(later, first, closed="50.00") == []
    assert reasons(later, first, closed="50.01") == ["OPENER_DIFFERS"]
    assert reasons(first, explained(first.document_id), closed="50.01") == []


def test_a_corrected_inventory_slip_takes_an_error_notification() -> None:
    """It names the slip or its correction; a fill is corrected without one."""
    wrong = signed(slip("closer", "BAC-01", "50.00"))
    right = signed(slip("closer", "BAC-01", "51.00", corrects=wrong.document_id, reason="misread"))
    fill = signed(slip("fill", "BAC-01", "51.00", corrects="F-0", reason="misread"))
    assert reasons(wrong, right, fill) == ["CORRECTION_NOT_NOTIFIED"]
    assert reasons(wrong, right, explained(wrong.document_id)) == []
    assert reasons(wrong, right, explained(right.document_id)) == []


def test_a_jackpot_slip_says_what_progressives_says() -> None:
    """The jackpot is known, paid, and of that amount."""
    paid = signed(slip("jackpot_slip", "BAC-01", "12.34", jackpot_id="J-1"))
    assert reasons(paid, jackpots={"J-1": PaidJackpot(1_234, "paid")}) == []
    assert reasons(paid, jackpots={"J-1": PaidJackpot(1_234, "verified")}) == ["JACKPOT_SLIP_DIFFERS"]
    assert reasons(paid, jackpots={"J-1": PaidJackpot(1_235, "paid")}) == ["JACKPOT_SLIP_DIFFERS"]
    assert reasons(paid) == ["JACKPOT_UNKNOWN"]


def test_a_corrected_document_is_no_longer_open() -> None:
    """What was wrong with it is judged on its correction."""
    bare = slip("fill", "BAC-01", "51.00")
    again = signed(slip("fill", "BAC-01", "51.00", corrects=bare.document_id, reason="signed"))
    assert reasons(bare) == ["SIGNATURE_MISSING", "DENOMINATIONS_MISSING"]
    assert reasons(bare, again) == []
