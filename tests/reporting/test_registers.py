"""The registers over Postgres, behind the contract: one line for each jackpot, slip, adjustment and parameter."""

from typing import Any

import pytest

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.render import as_csv, as_json, as_text
from clients.cli.render.pdf import as_pdf
from clients.cli.render.xlsx import as_xlsx
from services.kernel.money import cents
from tests.reporting.builders import NOON
from tests.reporting.conftest import AS_CLERK, House, eventually
from tests.reporting.full_days import END, MONDAY, TUESDAY, at, jackpot, play_both_days
from tests.reporting.papers import complete, file_day, notice, post, post_all, whole_day, written
from tests.reporting.test_journal import ledger
from tests.reporting.test_projections import table
from tests.reporting.upstream import PROPERTY

NAMES = (
    "general-ledger",
    "jackpot-register",
    "fills-and-credits",
    "counter-checks",
    "adjustments",
    "parameter-changes",
)


@pytest.fixture
async def played(house: House) -> House:
    """Both days with everything in them."""
    await play_both_days(house)
    return house


async def rows(house: House, name: str, of: str, first: str = MONDAY, last: str = TUESDAY) -> list[dict[str, Any]]:
    """The rows of one table of a register, by the names of the columns."""
    return table(await ledger(house, first, last, name), of)[0]


async def test_the_jackpot_register_has_every_jackpot_with_its_slip_and_its_tax(played: House) -> None:
    """Who verified and paid it through what, the ratio, what was withheld; by whom it was voided, and why."""
    paid, voided, unlinked = await rows(played, "jackpot-register", "jackpots")
    assert (paid["slip"], paid["table"], paid["seat"], paid["round"], paid["level"]) == ("PJ-7", "BAC-01", 1, 1, "mega")
    assert (paid["reading"], paid["share"], paid["amount"]) == (12_000_000_000, "100.00", cents("12,000"))
    assert (paid["claimed_by"], paid["verified_by"], paid["paid_by"]) == ("bea", "carl, floorperson", "dora")
    assert (paid["paid_through"], paid["paid_at"]) == ("attendant", "2026-03-02T18:00:00+00:00")
    assert (paid["ratio"], paid["w2g"], paid["withheld"], paid["flag"]) == ("2400.00", "due", cents("2,878.80"), "")
    assert (voided["state"], voided["voided_by"], voided["void_reason"]) == (
        "voided",
        "bob",
        "the controller lost a cent",
    )
    assert (unlinked["state"], unlinked["link"], unlinked["amount"]) == ("hit", "", cents("700"))


async def test_a_jackpot_stands_as_it_did_at_the_periods_end(played: House) -> None:
    """On Monday J-2 was hit; it was voided on Tuesday, whose register has it again, and no other."""
    monday = await rows(played, "jackpot-register", "jackpots", MONDAY, MONDAY)
    assert [(row["jackpot"], row["state"]) for row in monday] == [("J-1", "paid"), ("J-2", "hit"), ("J-4", "hit")]
    tuesday = await rows(played, "jackpot-register", "jackpots", TUESDAY, TUESDAY)
    assert [(row["jackpot"], row["state"]) for row in tuesday] == [("J-2", "voided")]
    states = await rows(played, "jackpot-register", "states")
    assert [(row["state"], row["jackpots"], row["amount"]) for row in states] == [
        ("hit", 1, cents("700")),
        ("paid", 1, cents("12,000")),
        ("voided", 1, cents("1,034.56")),
    ]


async def test_missing_slip_numbers_and_slips_that_say_otherwise_are_told(played: House) -> None:
    """PJ-10 after PJ-7 leaves two numbers of which nothing is known; it has no slip document either."""
    payment = {"actor": "dora", "at": at(3, 18), "slip_no": "PJ-10", "rounds_position": 7}
    await played.upstream.progressives.commit([jackpot(4, "PAID", "700.00", **payment)], rounds=END)

    async def known() -> bool:
        return bool(await rows(played, "jackpot-register", "gaps"))

    await eventually(known)
    (gap,) = await rows(played, "jackpot-register", "gaps")
    assert (gap["first"], gap["last"], gap["before"], gap["gaming_day"]) == ("PJ-8", "PJ-9", "PJ-10", TUESDAY)
    flags = {row["jackpot"]: row["flag"] for row in await rows(played, "jackpot-register", "jackpots")}
    assert flags == {"J-1": "", "J-2": "", "J-4": "no slip document"}


async def test_the_register_of_fills_and_credits_names_signatures_corrections_and_gaps(played: House) -> None:
    """A corrected slip stays in the register and counts nothing; what is missing is named, and who explains it."""
    first, correction, credit = await rows(played, "fills-and-credits", "slips")
    assert (first["serial"], first["total"], first["counts"], first["corrected_by"]) == ("F-1", 2_000_000, 0, "F-9")
    assert (correction["corrects"], correction["reason"], correction["counts"]) == ("F-1", "keyed short", 2_210_000)
    assert correction["denominations"] == "100.00 x 221"
    assert (credit["signatures"].count(";"), credit["unsigned"]) == (3, "")
    (gap,) = await rows(played, "fills-and-credits", "gaps")
    assert (gap["first"], gap["last"], gap["before"], gap["explained_by"]) == ("F-2", "F-8", "F-9", "")
    await post(played, notice("E-7", "F-2..F-8"))
    assert (await rows(played, "fills-and-credits", "gaps"))[0]["explained_by"] == "E-7"
    await post(played, written("fill", "F-10", "100.00", signatures=[]))
    unsigned = {row["serial"]: row["unsigned"] for row in await rows(played, "fills-and-credits", "slips")}
    assert (unsigned["F-9"], unsigned["F-10"]) == ("", "floorperson, cashier, security, dealer")


async def test_counter_checks_are_held_against_the_box(played: House) -> None:
    """Issued less redeemed is what the box has to hold."""
    (row,) = await rows(played, "counter-checks", "dropped")
    assert [row[name] for name in ("issued", "redeemed", "expected", "dropped", "difference")] == [
        *(cents("10,600"), cents("600"), cents("10,000"), cents("10,000"), 0)
    ]
    assert [row["serial"] for row in await rows(played, "counter-checks", "checks")] == ["M-1", "M-2", "R-1"]


async def test_adjustments_name_what_was_and_what_is_and_two_people(played: House) -> None:
    """Corrected documents, meters and jackpots; more than 2,000.00 is flagged."""
    amount, _ = await rows(played, "adjustments", "documents")
    assert (amount["field"], amount["old"], amount["new"], amount["change"]) == (
        "amount",
        2_000_000,
        2_210_000,
        210_000,
    )
    assert (amount["flag"], amount["reason"]) == ("over 2,000.00", "keyed short")
    assert (amount["preparer"], amount["reviewer"]) == ("pit clerk", "an auditor")
    adjusted, out, into, void = await rows(played, "adjustments", "meters")
    assert (adjusted["change"], adjusted["flag"], adjusted["preparer"]) == (-250_000, "over 2,000.00", "ann")
    assert (adjusted["reviewer"], adjusted["reference"]) == ("bob", "PGCB 26-7")
    assert (out["change"], into["change"], into["flag"]) == (-10_000, 10_000, "")
    assert (void["field"], void["old"], void["new"], void["table"]) == ("void", 103_456, 0, "BAC-01")
    assert await rows(played, "adjustments", "meters", TUESDAY, TUESDAY) == [void]


async def test_a_restated_day_shows_revenue_before_and_after(house: House) -> None:
    """By class, with who proposed the restatement and who approved it."""
    await complete(house)
    await post_all(house, whole_day())
    await file_day(house)
    await post(house, written("fill", "F-2", "2,500.00"))
    asked = {"property_id": PROPERTY, "gaming_day": MONDAY}
    request = messages.RestateDayRequest(request_id="r", reason="a late fill", **asked)
    await house.stub.RestateDay(request, metadata=(("principal", "ann"),))
    approval = messages.ApproveRestatementRequest(request_id="a", **asked)
    await house.stub.ApproveRestatement(approval, metadata=(("principal", "bob"),))
    (row,) = await rows(house, "adjustments", "restatements")
    assert (row["field"], row["old"], row["new"], row["change"]) == (
        *("revenue, banking", cents("15,650"), cents("13,150")),
        -250_000,
    )
    assert (row["flag"], row["reason"], row["preparer"], row["reviewer"]) == (
        *("over 2,000.00", "a late fill", "ann", "bob"),
    )
    assert (await rows(house, "adjustments", "summary"))[-1]["flagged"] == 1


async def test_parameters_tell_what_a_link_was_and_is(played: House) -> None:
    """Every state of a link and every figure of a new version, with who asked and who approved."""
    found = {row["element"]: row for row in await rows(played, "parameter-changes", "links", TUESDAY, TUESDAY)}
    suspended, seed = found["link GLD version 1: state"], found["link GLD version 2: mega seed"]
    assert (suspended["old"], suspended["new"], suspended["requester"]) == ("live", "suspended", "carl")
    assert suspended["reason"] == "sign dark"
    assert (seed["old"], seed["new"], seed["requester"], seed["approver"]) == ("10,000.00", "20,000.00", "ann", "")
    assert len(found) == 3


async def test_parameters_tell_what_a_submission_changes(house: House) -> None:
    """What a later submission of a table offers otherwise than the one before it, from its day on."""
    for number, (day, paytable) in enumerate((("2026-01-01", "A"), (TUESDAY, "B")), 1):
        offers = [settlement.Offer(code="baccarat.fortune_7", paytable=paytable)]
        terms = settlement.TableTerms(table_id="BAC-01", kind="live", offers=offers)
        told = settlement.Submission(
            submission_id=f"RS-{number}",
            title="Opening",
            effective_from=day,
            tables=[terms],
            proposed_by="ann",
            approved_by="bob",
            approved_at=at(1),
        )
        await house.upstream.submissions.commit([settlement.SubmissionsEntry(approved=told)])

    async def known() -> bool:
        return bool(await rows(house, "parameter-changes", "submissions"))

    await eventually(known)
    (row,) = await rows(house, "parameter-changes", "submissions")
    assert (row["element"], row["old"], row["new"]) == ("table BAC-01: baccarat.fortune_7", "A", "B")
    assert (row["requester"], row["approver"], row["effective"]) == ("ann", "bob", TUESDAY)
    settings = await rows(house, "parameter-changes", "settings", "2026-01-01", TUESDAY)
    assert {row["element"] for row in settings} >= {"property SAMPLE: cut over", "table BAC-01: pit"}
    (pit,) = [row for row in settings if row["element"] == "table BAC-01: pit"]
    assert (pit["requester"], pit["at"], pit["position"]) == ("author", NOON.isoformat(), "rounds 2")


@pytest.mark.parametrize("name", NAMES)
async def test_every_register_is_rendered_by_every_renderer(played: House, name: str) -> None:
    """Text, CSV, JSON, spreadsheet and paper, with who signs it; streamed as it is asked for at once."""
    report = await ledger(played, MONDAY, TUESDAY, name)
    assert report.signatures
    assert all(len(text) > 500 for text in (as_text(report), as_csv(report), as_json(report)))
    assert as_xlsx(report)[:2] == b"PK"
    assert as_pdf(report)[:5] == b"%PDF-"
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, from_day=MONDAY, to_day=TUESDAY)
    pieces = house_stream(played, messages.StreamReportRequest(report=request))
    streamed = messages.Report.FromString(b"".join([each.chunk async for each in pieces]))
    assert streamed.tables == report.tables


def house_stream(house: House, request: messages.StreamReportRequest) -> Any:
    """The pieces of a report."""
    return house.stub.StreamReport(request, metadata=AS_CLERK)
