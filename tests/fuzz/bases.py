"""Requests and events that the platform accepts: what a property is set up with, and what is mutated."""

import asyncio
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2
from casino.reporting.v1 import documents_pb2 as papers
from casino.reporting.v1 import reporting_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds
from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import entries_pb2 as settlement
from casino.settlement.v1 import settlement_service_pb2
from services.games.catalogue import catalogue
from services.reporting.document import SIGNATORIES
from tests.fuzz.house import PROPERTY, House
from tests.fuzz.oracle import judge
from tests.rounds.conftest import DAY, OFFERED, OPENED, TABLE, wager, whole

CODE = "baccarat.heavenly_9_progressive"


def settings() -> rounds.PropertySettings:
    """The property."""
    return rounds.PropertySettings(
        property_id=PROPERTY,
        title="Harbor",
        time_zone="America/New_York",
        cut_over="06:00",
        shift_starts=["06:00", "14:00", "22:00"],
        effective_from="2026-01-01",
    )


def table() -> rounds.TableSettings:
    """Its table."""
    return rounds.TableSettings(
        property_id=PROPERTY, table_id=TABLE, pit="P1", game="baccarat", effective_from="2026-01-01"
    )


def submission() -> settlement_service_pb2.ProposeSubmissionRequest:
    """What the table offers."""
    offers = [
        settlement.Offer(code=code, paytable=next(iter(rule.paytables)), minimum_cents=500)
        for code, rule in catalogue().items()
        if code in OFFERED
    ]
    terms = settlement.TableTerms(table_id=TABLE, game="baccarat", kind="live", decks=8, seats=7, offers=offers)
    return settlement_service_pb2.ProposeSubmissionRequest(
        request_id="first",
        property_id=PROPERTY,
        title="Rules of play",
        certificate_holder="Harbor",
        effective_from="2026-01-01",
        tables=[terms],
    )


def link(link_id: str = "H9") -> progressives_service_pb2.ProposeLinkRequest:
    """A link of its progressive wager."""
    return progressives_service_pb2.ProposeLinkRequest(
        request_id=f"propose-{link_id}",
        property_id=PROPERTY,
        link_id=link_id,
        title="Heavenly 9",
        code=CODE,
        paytable=next(iter(catalogue()[CODE].paytables)),
        meters=[progressives.MeterTerms(level="mega", seed_cents=1_000_000, increment_rate=1_000)],
        table_ids=[TABLE],
        effective_from=DAY,
    )


def decision(**subject: Any) -> progressives_service_pb2.ProposeDecisionRequest:
    """A decision about a meter."""
    return progressives_service_pb2.ProposeDecisionRequest(
        request_id="decision",
        property_id=PROPERTY,
        reason=progressives.CHANGE_REASON_MALFUNCTION_CORRECTION,
        regulator_reference="PGCB-7",
        note="as reported",
        **subject,
    )


def document() -> reporting_service_pb2.PostDocumentRequest:
    """A fill of the table."""
    signed = [papers.Signature(role=role, name=f"a {role}") for role in SIGNATORIES["fill"]]
    paper = papers.Document(
        document_id="F-1",
        property_id=PROPERTY,
        kind=papers.DOCUMENT_KIND_FILL,
        gaming_day=DAY,
        table_id=TABLE,
        amount_cents=10_000,
        denominations=[papers.Denomination(value_cents=10_000, amount_cents=10_000)],
        signatures=signed,
    )
    paper.occurred_at.FromDatetime(OPENED)
    return reporting_service_pb2.PostDocumentRequest(request_id="fill", document=paper)


def requests() -> dict[str, list[Message]]:
    """Requests that are accepted, by method."""
    amount = progressives.Adjustment(link_id="H9", level="mega", amount_micros=1_000_000)
    return {
        "rounds.SetProperty": [rounds_service_pb2.SetPropertyRequest(request_id="property", settings=settings())],
        "rounds.SetTable": [rounds_service_pb2.SetTableRequest(request_id="table", settings=table())],
        "settlement.ProposeSubmission": [submission()],
        "progressives.ProposeLink": [link("H9"), link("NEW-1")],
        "progressives.ProposeDecision": [decision(adjustment=amount)],
        "reporting.PostDocument": [document()],
    }


def events() -> list[floor.Event]:
    """An event of every kind that a floor sends."""
    said: list[tuple[str, Any]] = []
    for number in (1, 2):
        key: dict[str, Any] = {"table_id": TABLE, "shoe": 2, "round_no": number, "opened_at": _opened(number)}
        doubled = floor.AddedStake(kind=floor.STAKE_KIND_DOUBLE, wager=wager(4))
        wagers, result = [wager(1), wager(2, "baccarat.banker"), wager(3, CODE, 500)], whole(number).result
        said += [
            ("round_opened", floor.RoundOpened(**key, dealer="D-7")),
            ("betting_closed", floor.BettingClosed(**key, wagers=wagers)),
            ("result", floor.ResultDealt(**key, result=result)),
            (
                "stakes_added",
                floor.StakesAdded(**key, item_no=1, stakes=[doubled]),
            ),
            ("void", floor.RoundVoided(**key, reason="misdeal", actor="ann")),
            ("whole_round", whole(number, wagers=wagers)),
            ("amend", floor.RoundAmended(round=whole(number, wagers=wagers[:1]), reason="misread", actor="ann")),
        ]
    said += [
        ("table_opened", floor.TableOpened(table_id=TABLE)),
        ("table_closed", floor.TableClosed(table_id=TABLE)),
        ("shoe_changed", floor.ShoeChanged(table_id=TABLE, shoe=3)),
    ]
    return [floor.Event(occurred_at=_opened(0), **{name: body}) for name, body in said]


def _opened(number: int) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(OPENED + timedelta(seconds=number))
    return stamp


async def set_up(house: House) -> None:
    """A property with a table, what it offers, a link, a day that has begun and every kind of event once."""
    await house.asked("rounds.SetProperty", request_id="p", settings=settings())
    await house.asked("rounds.SetTable", request_id="t", settings=table())
    for source in ("pit-1", "pit-2"):
        await house.asked("rounds.RegisterSource", request_id=source, property_id=PROPERTY, source_id=source)
    proposed = await _sent(house, submission())
    await house.asked(
        "settlement.ApproveSubmission",
        "bob",
        request_id="approve",
        property_id=PROPERTY,
        submission_id=proposed.submission.submission_id,
    )
    await house.asked("rounds.GetOffer", property_id=PROPERTY, table_id=TABLE, gaming_day=DAY)
    await _linked(house)
    hello = {"property_id": PROPERTY, "source_id": "pit-1", "source_epoch": 1, "protocol_version": 1}
    sent = [each.SerializeToString() for each in events()]
    await house.asked("rounds.SubmitEvents", hello=hello, batch={"first_sequence": 1, "events": sent})
    await house.well()


async def _sent(house: House, request: Any) -> Any:
    given = {each.name: value for each, value in request.ListFields()}
    return await house.asked("settlement.ProposeSubmission", **given)


async def _linked(house: House) -> None:
    given = {each.name: value for each, value in link().ListFields()}
    # Until the submission has come to the service its link contradicts the rules.
    while True:
        try:
            made = await house.asked("progressives.ProposeLink", **given)
            break
        except grpc.aio.AioRpcError as problem:
            if judge(problem) != "LINK_CONTRADICTS_RULES":
                raise
        await asyncio.sleep(0.05)
    await house.asked(
        "progressives.ApproveLink",
        "bob",
        request_id="link-approved",
        property_id=PROPERTY,
        link_id=made.link.link_id,
        version=made.link.version,
    )
