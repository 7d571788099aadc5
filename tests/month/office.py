"""The back office of the month: papers are posted, jackpots paid, days counted, audited and filed, all over the API."""

import asyncio
import time
from collections.abc import Iterable
from datetime import UTC, date

from casino.progressives.v1 import entries_pb2 as meters
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.properties import wait_for
from clients.sdk.client import Casino
from clients.sdk.refusals import RefusedByServer
from tests.month.drawer import Drawer
from tests.month.house import PROPERTY

STEPS = (("counted", "count-supervisor"), ("audited", "auditor"), ("filed", "controller"))
FILED = ("daily-win", "master-game-report", "gross-revenue")
CLERK, CAGE, FLOORPERSON, PATRON_DESK = "pit-clerk", "cage", "floor-person", "dealer-1"
POSTING_AT_ONCE = 6
WAIT_SECONDS, LOOK_SECONDS = 120.0, 0.1
UNDER_WAY = ("NOT_COMPLETE", "JACKPOT_UNKNOWN", "JACKPOT_SLIP_DIFFERS")
"""What stands in a day's way only until reporting has followed the others."""
PAYEE = progressives.Payee(name="Ada Patron", address="1 Main Street", tax_number="123-45-6789", identification="A 1")


async def post(casino: Casino, documents: Iterable[paper.Document], by: str = CLERK, attempt: str = "post") -> None:
    """Post papers that have their serial numbers, several at once; an `attempt` is one request. Raises
    RefusedByServer.
    """
    clerk, turn = casino.acting_as(by), asyncio.Semaphore(POSTING_AT_ONCE)

    async def one(document: paper.Document) -> None:
        async with turn:
            request = reporting.PostDocumentRequest(request_id=f"{attempt} {document.document_id}", document=document)
            await clerk.call(clerk.reporting.PostDocument, request)

    await asyncio.gather(*map(one, documents))


async def pay_jackpots(casino: Casino, day: date, rounds_head: int) -> list[meters.Jackpot]:
    """Claim, verify and pay every hit of a day once progressives has its rounds; gives the jackpots as paid."""
    await wait_for(casino, "progressives", PROPERTY, "rounds", rounds_head)
    request = progressives.ListJackpotsRequest(property_id=PROPERTY, gaming_day=day.isoformat())
    listed = (await casino.call(casino.progressives.ListJackpots, request)).jackpots
    latest = {each.jackpot_id: each for each in listed}
    hits = [each for each in latest.values() if each.state == meters.JACKPOT_STATE_HIT]
    for each in hits:
        await _claim(casino, each)
    return [await _pay(casino, each) for each in hits]


async def _claim(casino: Casino, hit: meters.Jackpot) -> None:
    """Each hit of a seat is claimed once; the hits of one round together."""
    desk = casino.acting_as(PATRON_DESK)
    request = progressives.ClaimJackpotRequest(
        request_id=f"claim {hit.key.table_id} {hit.seat} {hit.rounds_position}",
        property_id=PROPERTY,
        table_id=hit.key.table_id,
        seat=hit.seat,
    )
    await desk.call(desk.progressives.ClaimJackpot, request)


async def _pay(casino: Casino, hit: meters.Jackpot) -> meters.Jackpot:
    floorperson, cage, name = casino.acting_as(FLOORPERSON), casino.acting_as(CAGE), hit.jackpot_id
    verified = progressives.VerifyJackpotRequest(
        request_id=f"verify {name}", property_id=PROPERTY, jackpot_id=name, rank="floorperson"
    )
    await floorperson.call(floorperson.progressives.VerifyJackpot, verified)
    paid = progressives.PayJackpotRequest(request_id=f"pay {name}", property_id=PROPERTY, jackpot_id=name, payee=PAYEE)
    return (await cage.call(cage.progressives.PayJackpot, paid)).jackpot


def slip_of(jackpot: meters.Jackpot, drawer: Drawer) -> paper.Document:
    """The progressive jackpot slip of a paid jackpot as a paper of its table's day."""
    at = jackpot.occurred_at.ToDatetime(tzinfo=UTC)
    parts = {"jackpot_id": jackpot.jackpot_id, "document_id": jackpot.slip_no}
    return drawer.paper("jackpot_slip", at, jackpot.shift, jackpot.amount_cents, **parts)


async def advance(casino: Casino, day: date, to: str, by: str) -> list[paper.FiledReport]:
    """A day to its next state, tried again only while reporting still follows the others. Raises RefusedByServer."""
    person, until = casino.acting_as(by), time.monotonic() + WAIT_SECONDS
    request = reporting.AdvanceDayRequest(
        request_id=f"{to} {day}", property_id=PROPERTY, gaming_day=day.isoformat(), to=state(to)
    )
    while True:
        try:
            return list((await person.call(person.reporting.AdvanceDay, request)).reports)
        except RefusedByServer as refusal:
            passing = any(reason in refusal.message for reason in UNDER_WAY)
            if not passing or time.monotonic() > until:
                raise
        await asyncio.sleep(LOOK_SECONDS)


async def file(casino: Casino, day: date) -> list[paper.FiledReport]:
    """A day all the way to filed, by three people."""
    reports: list[paper.FiledReport] = []
    for to, by in STEPS:
        reports = await advance(casino, day, to, by)
    return reports


def state(name: str) -> "paper.DayState.ValueType":
    """A day's state by its plain name."""
    return paper.DayState.Value(f"DAY_STATE_{name.upper()}")


async def status(casino: Casino, day: date, *, compare: bool = False) -> reporting.DayStatus:
    """How a day stands."""
    text = day.isoformat()
    request = reporting.ListDaysRequest(property_id=PROPERTY, from_day=text, to_day=text, compare=compare)
    (found,) = (await casino.call(casino.reporting.ListDays, request)).days
    return found


async def content(casino: Casino, name: str, gaming_day: str, version: int = 0, first: str = "") -> bytes:
    """The bytes of a report of a day, as it is now or as filed, or of a period that begins with another day."""
    asked = reporting.GetReportRequest(name=name, property_id=PROPERTY, version=version)
    if first:
        asked.from_day, asked.to_day = first, gaming_day
    else:
        asked.gaming_day = gaming_day
    request = reporting.StreamReportRequest(report=asked)
    return b"".join([each.chunk async for each in casino.stream(casino.reporting.StreamReport, request)])


async def report(casino: Casino, name: str, day: date, first: date | None = None) -> reporting.Report:
    """A report of a day, or of the period from another one, as it is now."""
    text = first.isoformat() if first else ""
    return reporting.Report.FromString(await content(casino, name, day.isoformat(), first=text))
