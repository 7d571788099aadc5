"""Filing a house with the platform: property, tables, Rules Submission and links, each approved by a second person."""

import asyncio
import time as clock
from datetime import date

import grpc

from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2 as links
from casino.rounds.v1 import entries_pb2 as settings
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as submissions
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.floor.house import CUT_OVER, EFFECTIVE, SHIFTS, ZONE, House, Link, Table
from clients.sdk.client import Casino
from clients.sdk.refusals import RefusedByServer
from services.games.terms import MYSTERY, Offer

SET_UP_SECONDS = 60.0
SUBMISSIONS = "submissions"


class NotOffered(Exception):
    """The tables do not offer what was approved within the time that followers may take."""


async def set_up(casino: Casino, house: House, day: date) -> None:
    """Make the property, its tables, its Rules Submission and its links, and wait until they are offered on
    `day`.

    Every request has a fixed id, so that a second run changes nothing. Raises RefusedByServer, NotOffered.
    """
    operator, approver = casino.acting_as(house.operator), casino.acting_as(house.approver)
    await _set_property(operator, house)
    await _file_submission(operator, approver, house)
    if house.links:
        await wait_for_submissions(operator, house.property_id)
    for number, link in enumerate(house.links, start=1):
        await _file_link(operator, approver, house, link, "link" if number == 1 else f"link-{number}")
    await wait_for_offers(operator, house, day)


async def wait_for_offers(casino: Casino, house: House, day: date) -> None:
    """Return when every table offers its terms on that gaming day; NotOffered after SET_UP_SECONDS."""
    deadline = clock.monotonic() + SET_UP_SECONDS
    for table in house.tables:
        while not await _offered(casino, house.property_id, table.table_id, day):
            if clock.monotonic() > deadline:
                raise NotOffered(f"expected {table.table_id} of {house.property_id} to have an offer on {day}")
            await asyncio.sleep(0.05)


async def wait_for_submissions(casino: Casino, property_id: str) -> None:
    """Return when `progressives`, which holds links against them, has every approved submission.

    Raises NotOffered after SET_UP_SECONDS.
    """
    deadline, filed = clock.monotonic() + SET_UP_SECONDS, await _submissions_head(casino, property_id)
    while (received := await _submissions_received(casino, property_id)) < filed:
        if clock.monotonic() > deadline:
            raise NotOffered(f"expected progressives to have {filed} submissions of {property_id}, it has {received}")
        await asyncio.sleep(0.05)


async def _submissions_head(casino: Casino, property_id: str) -> int:
    answer = await casino.call(casino.settlement.GetStatus, settlement.GetStatusRequest())
    properties = [each for each in answer.status.properties if each.property_id == property_id]
    return max((head.position for each in properties for head in each.heads if head.feed == SUBMISSIONS), default=0)


async def _submissions_received(casino: Casino, property_id: str) -> int:
    answer = await casino.call(casino.progressives.GetStatus, links.GetStatusRequest())
    properties = [each for each in answer.status.properties if each.property_id == property_id]
    return max((at.position for each in properties for at in each.cursors if at.feed == SUBMISSIONS), default=0)


async def _offered(casino: Casino, property_id: str, table_id: str, day: date) -> bool:
    request = rounds.GetOfferRequest(property_id=property_id, table_id=table_id, gaming_day=day.isoformat())
    try:
        return bool((await casino.call(casino.rounds.GetOffer, request)).digest)
    except RefusedByServer as refusal:
        if refusal.code is not grpc.StatusCode.NOT_FOUND:
            raise
        return False


async def _set_property(operator: Casino, house: House) -> None:
    described = settings.PropertySettings(
        property_id=house.property_id,
        title=house.title,
        time_zone=ZONE,
        cut_over=CUT_OVER,
        shift_starts=SHIFTS,
        effective_from=EFFECTIVE.isoformat(),
    )
    request = rounds.SetPropertyRequest(request_id=_request_id(house, "property"), settings=described)
    await operator.call(operator.rounds.SetProperty, request)
    for table in house.tables:
        placed = settings.TableSettings(
            property_id=house.property_id,
            table_id=table.table_id,
            pit=table.pit,
            game=table.terms.game,
            effective_from=EFFECTIVE.isoformat(),
        )
        wanted = rounds.SetTableRequest(request_id=_request_id(house, table.table_id), settings=placed)
        await operator.call(operator.rounds.SetTable, wanted)


async def _file_submission(operator: Casino, approver: Casino, house: House) -> None:
    proposal = settlement.ProposeSubmissionRequest(
        request_id=_request_id(house, "submission"),
        property_id=house.property_id,
        title=f"Rules Submission of {house.title}",
        certificate_holder=house.title,
        effective_from=EFFECTIVE.isoformat(),
        tables=[_table_terms(table) for table in house.tables],
    )
    proposed = await operator.call(operator.settlement.ProposeSubmission, proposal)
    approval = settlement.ApproveSubmissionRequest(
        request_id=_request_id(house, "submission-approval"),
        property_id=house.property_id,
        submission_id=proposed.submission.submission_id,
    )
    await approver.call(approver.settlement.ApproveSubmission, approval)


async def _file_link(operator: Casino, approver: Casino, house: House, link: Link, name: str) -> None:
    proposal = links.ProposeLinkRequest(
        request_id=_request_id(house, name),
        property_id=house.property_id,
        link_id=link.link_id,
        title=link.title,
        code=link.code,
        paytable=link.paytable,
        meters=_meter_terms(link),
        table_ids=link.table_ids,
        effective_from=EFFECTIVE.isoformat(),
    )
    proposed = await operator.call(operator.progressives.ProposeLink, proposal)
    approval = links.ApproveLinkRequest(
        request_id=_request_id(house, f"{name}-approval"),
        property_id=house.property_id,
        link_id=link.link_id,
        version=proposed.link.version,
    )
    await approver.call(approver.progressives.ApproveLink, approval)


def _meter_terms(link: Link) -> list[progressives.MeterTerms]:
    limit, name = (link.mystery.maximum_cents, link.mystery.name) if link.mystery else (0, "")
    return [
        progressives.MeterTerms(
            level=meter.level,
            seed_cents=meter.seed_cents,
            increment_rate=meter.increment_rate or 0,
            reserve_rate=meter.reserve_rate,
            limit_cents=limit if meter.level == MYSTERY else 0,
            mystery=name if meter.level == MYSTERY else "",
        )
        for meter in link.levels
    ]


def _table_terms(table: Table) -> submissions.TableTerms:
    terms = table.terms
    return submissions.TableTerms(
        table_id=table.table_id,
        game=terms.game,
        kind=terms.kind,
        decks=terms.decks,
        seats=terms.seats,
        offers=[_offer(offer) for offer in terms.offers.values()],
        wheel=terms.wheel,
    )


def _offer(offer: Offer) -> submissions.Offer:
    return submissions.Offer(
        code=offer.code,
        paytable=offer.paytable,
        minimum_cents=offer.minimum_cents,
        maximum_cents=offer.maximum_cents or 0,
        options=dict(offer.options),
        maximum_payout_cents=offer.maximum_payout_cents or 0,
    )


def _request_id(house: House, what: str) -> str:
    return f"{house.property_id.lower()}-{what.lower()}"
