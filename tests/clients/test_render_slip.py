"""The progressive jackpot slip on paper."""

from datetime import UTC, datetime

from casino.progressives.v1 import entries_pb2 as entries
from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.render.slip import slip_pdf
from tests.clients.rendered import pages, spaced


def slip() -> progressives.JackpotSlip:
    """A jackpot paid with tax withheld."""
    jackpot = entries.Jackpot(
        jackpot_id="J-1", link_id="FT-1", level="mega", percent=1_050, shift=2, wager_no=4, seat=3, code="a.wager"
    )
    jackpot.paytable, jackpot.stake_cents, jackpot.reportable = "A", 500, True
    jackpot.key.gaming_day, jackpot.key.table_id, jackpot.key.shoe, jackpot.key.round_no = "2026-03-31", "MB-12", 7, 41
    found = progressives.JackpotSlip(
        slip_no="PJS-000123",
        property_id="HARBOR",
        title="Progressive jackpot slip",
        jackpot=jackpot,
        link_title="Five Treasures",
        amount_cents=123_456_789,
        withheld_cents=29_629_629,
        paid_cents=93_827_160,
    )
    for actor, rank, state in (
        ("ann", "", entries.JACKPOT_STATE_HIT),
        ("bob", "", entries.JACKPOT_STATE_CLAIMED),
        ("carol", "shift_manager", entries.JACKPOT_STATE_VERIFIED),
        ("dan", "", entries.JACKPOT_STATE_PAID),
    ):
        stated = found.states.add()
        stated.CopyFrom(jackpot)
        stated.state, stated.actor, stated.rank = state, actor, rank
        stated.at.FromDatetime(datetime(2026, 3, 31, 22, 1, tzinfo=UTC))
    return found


def test_a_slip_is_one_page_to_be_signed() -> None:
    """Number, place, amounts to the cent, who brought it there, and a line for each who signs."""
    (page,) = pages(slip_pdf(slip()))
    text = spaced(page)
    for stated in (
        "Progressive jackpot slip Slip PJS-000123 Property HARBOR",
        "FT-1 Five Treasures",
        "mega, 10.50% of it",
        "MB-12, seat 3",
        "shoe 7, round 41, wager 4",
        "a.wager A, $5.00",
        "Amount $1,234,567.89 Withheld $296,296.29 (Form W-2G) Paid $938,271.60",
        "Claimed by bob, 2026-03-31T22:01:00Z Verified by carol, shift manager, 2026-03-31T22:01:00Z Paid by dan",
        "Floorperson or above Cage cashier Patron",
        "Page 1 of 1",
    ):
        assert stated in text
    assert "ann" not in text


def test_the_same_slip_has_the_same_bytes() -> None:
    """A slip printed again is the slip."""
    assert slip_pdf(slip()) == slip_pdf(slip())
