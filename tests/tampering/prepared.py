"""One property of two tables with everything that leaves a row: a filed day, and one with corrections and decisions."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import entries_pb2 as journal
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import documents_pb2 as papers
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.properties import wait_until_level
from clients.floor.day import Day, play, post, send
from clients.floor.filing import set_up
from clients.floor.full_house import full_house
from clients.floor.house import PROGRESSIVE, House
from clients.sdk.client import Casino, new_request_id
from clients.sdk.stream import RoundsStream
from tests.reporting.papers import whole_day

PROPERTY = "HARBOR"
FIRST, SECOND = date(2026, 3, 2), date(2026, 3, 3)
ROUNDS, SEED = 8, 5
PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")
SHOE = 77
SIGN = "SIGN-1"


def harbor() -> House:
    """A Baccarat table with a mystery meter beside its progressive, and a wheel."""
    whole = full_house(PROPERTY, "Harbor")
    tables = tuple(table for table in whole.tables if table.table_id in ("BAC-01", "ROU-03"))
    links = tuple(replace(link, table_ids=("BAC-01",)) for link in whole.links if "BAC-01" in link.table_ids)
    return replace(whole, tables=tables, links=links)


async def prepare(casino: Casino) -> None:
    """Plays both days, and waits until every follower has them."""
    house = harbor()
    await set_up(casino, house, FIRST)
    await _empty_day(casino, house)
    first = play(house, SECOND, ROUNDS, SEED)
    await send(casino, first)
    await post(casino, first)
    await wait_until_level(casino, PROPERTY)
    for state, person in (("COUNTED", "ann"), ("AUDITED", "bob"), ("FILED", "cy")):
        step = reporting.AdvanceDayRequest(
            request_id=new_request_id(),
            property_id=PROPERTY,
            gaming_day=FIRST.isoformat(),
            to=papers.DayState.Value(f"DAY_STATE_{state}"),
        )
        await casino.acting_as(person).call(casino.reporting.AdvanceDay, step)
    await _unusual(casino, house, first)
    await _submission_left_open(casino, house)
    await wait_until_level(casino, PROPERTY)


async def _empty_day(casino: Casino, house: House) -> None:
    """A table is opened, nothing is played, and its papers are those of a day that can be filed."""
    request = rounds.RegisterSourceRequest(request_id="pit", property_id=PROPERTY, source_id="pit", description="a pit")
    await casino.call(casino.rounds.RegisterSource, request)
    at = house.calendar.start_of(FIRST) + timedelta(hours=1)
    async with RoundsStream(casino, PROPERTY, "pit") as stream:
        await stream.send(_event(at, table_opened=floor.TableOpened(table_id="BAC-01")))
        await stream.send(_event(at + timedelta(hours=9), table_closed=floor.TableClosed(table_id="BAC-01")))
        await stream.drain()
    for document in whole_day():
        document.property_id, document.gaming_day = PROPERTY, FIRST.isoformat()
        posted = reporting.PostDocumentRequest(request_id=document.document_id, document=document)
        await casino.call(casino.reporting.PostDocument, posted)


async def _unusual(casino: Casino, house: House, played: Day) -> None:
    """What the second day has beside plain rounds."""
    at = house.calendar.start_of(SECOND) + timedelta(hours=20)
    async with RoundsStream(casino, PROPERTY, "pit") as stream:
        await stream.send(_event(at, table_opened=floor.TableOpened(table_id="BAC-01")))
        for number, (cards, stake) in enumerate(((PLAIN, 500), (WHOLE, 500), (PLAIN, 600), (PLAIN, 700)), start=1):
            await stream.send(_whole(number, at, cards, stake))
        await stream.send(_whole(5, at, PLAIN, 999_999_999))
        await stream.send(_whole(6, at, PLAIN, 999_999_999))
        await stream.send(_whole(7, at, PLAIN, 500, table_id="BAC-99"))
        await stream.drain()
        void = floor.RoundVoided(
            table_id="BAC-01", shoe=SHOE, round_no=3, item_no=1, reason="a card was burnt", actor="flo"
        )
        void.opened_at.FromDatetime(at + timedelta(seconds=3))
        amend = floor.RoundAmended(
            round=_whole(4, at, PLAIN, 800).whole_round, item_no=1, reason="stake misread", actor="flo"
        )
        for body in ({"void": void}, {"amend": amend}):
            await stream.send(_event(at + timedelta(minutes=1), **body))
        await stream.send(_event(at + timedelta(minutes=1), amend=_other_pocket(played)))
        opened = floor.RoundOpened(table_id="BAC-01", shoe=SHOE, round_no=8)
        opened.opened_at.FromDatetime(at + timedelta(minutes=2))
        await stream.send(_event(at + timedelta(minutes=2), round_opened=opened))
        closed = floor.BettingClosed(table_id="BAC-01", shoe=SHOE, round_no=8)
        closed.opened_at.FromDatetime(at + timedelta(minutes=2))
        closed.wagers.extend(_whole(8, at, PLAIN, 500).whole_round.wagers)
        await stream.send(_event(at + timedelta(minutes=2, seconds=20), betting_closed=closed))
        await stream.drain()
    await wait_until_level(casino, PROPERTY)
    await _holds(casino)
    await _jackpot(casino)
    await _decisions(casino)


def _other_pocket(day: Day) -> floor.RoundAmended:
    """The last spin of the wheel fell into another pocket than was told."""
    told = list(day.tables[1].events)
    closed = next(each.betting_closed for each in reversed(told) if each.HasField("betting_closed"))
    dealt = next(each.result for each in reversed(told) if each.HasField("result"))
    whole = floor.WholeRound(table_id=dealt.table_id, round_no=dealt.round_no, wagers=closed.wagers)
    for name in ("opened_at", "no_more_bets_at"):
        getattr(whole, name).CopyFrom(getattr(closed, name))
    whole.result.roulette.pocket = "17" if dealt.result.roulette.pocket != "17" else "18"
    return floor.RoundAmended(round=whole, item_no=1, reason="pocket misread", actor="flo")


def _event(at: datetime, **body: Any) -> floor.Event:
    event = floor.Event(**body)
    event.occurred_at.FromDatetime(at)
    return event


def _whole(
    number: int, at: datetime, cards: tuple[str, str], stake_cents: int, table_id: str = "BAC-01"
) -> floor.Event:
    whole = floor.WholeRound(table_id=table_id, shoe=SHOE, round_no=number)
    whole.opened_at.FromDatetime(at + timedelta(seconds=number))
    whole.wagers.add(wager_no=1, seat=1, code="baccarat.player", paytable="standard", stake_cents=10_000)
    whole.wagers.add(wager_no=2, seat=1, code=PROGRESSIVE, paytable="standard", stake_cents=stake_cents)
    whole.result.baccarat.player.extend(cards[0].split())
    whole.result.baccarat.banker.extend(cards[1].split())
    return _event(at + timedelta(seconds=number), whole_round=whole)


async def _holds(casino: Casino) -> None:
    """One held wager is let in, one has a proposal, the rest waits."""
    listed = await casino.call(casino.rounds.ListHeldFacts, rounds.ListHeldFactsRequest(property_id=PROPERTY))
    held = [fact for fact in listed.facts if fact.kind == rounds.ANSWER_KIND_HELD]
    for fact in held[:2]:
        proposal = rounds.ProposeHeldFactDecisionRequest(
            request_id=new_request_id(),
            property_id=PROPERTY,
            hold_id=fact.hold_id,
            decision=entries.HOLD_DECISION_REJECT,
            reason="misread",
        )
        await casino.acting_as("ann").call(casino.rounds.ProposeHeldFactDecision, proposal)
    approval = rounds.ApproveHeldFactDecisionRequest(
        request_id=new_request_id(), property_id=PROPERTY, hold_id=held[0].hold_id, proposal=1
    )
    await casino.acting_as("bob").call(casino.rounds.ApproveHeldFactDecision, approval)


async def _jackpot(casino: Casino) -> None:
    """The whole meter is claimed, verified and paid to somebody."""
    listed = await casino.call(casino.progressives.ListJackpots, progressives.ListJackpotsRequest(property_id=PROPERTY))
    hit = next(each for each in listed.jackpots if each.level == "mega" and each.key.shoe == SHOE)
    told: dict[str, Any] = {"property_id": PROPERTY}
    claim = progressives.ClaimJackpotRequest(request_id="claim", table_id="BAC-01", seat=1, **told)
    proof = progressives.VerifyJackpotRequest(request_id="v", jackpot_id=hit.jackpot_id, rank="floorperson", **told)
    payee = progressives.Payee(name="Ada Patron", address="1 Pier", tax_number="123", identification="a passport")
    payment = progressives.PayJackpotRequest(request_id="pay", jackpot_id=hit.jackpot_id, payee=payee, **told)
    flo = casino.acting_as("flo")
    await casino.acting_as("dee").call(casino.progressives.ClaimJackpot, claim)
    await flo.call(casino.progressives.VerifyJackpot, proof)
    await casino.acting_as("cage").call(casino.progressives.PayJackpot, payment)


async def _decisions(casino: Casino) -> None:
    """A meter is adjusted by two people; a sign shows what it should not."""
    link_id = harbor().links[0].link_id
    adjustment = journal.Adjustment(link_id=link_id, level="mega", amount_micros=70_000)
    proposal = progressives.ProposeDecisionRequest(
        request_id="adjust",
        property_id=PROPERTY,
        reason=journal.CHANGE_REASON_MALFUNCTION_CORRECTION,
        regulator_reference="DGE-1",
        note="a test of the meter",
        adjustment=adjustment,
    )
    made = await casino.acting_as("ann").call(casino.progressives.ProposeDecision, proposal)
    approval = progressives.ApproveDecisionRequest(
        request_id="approve", property_id=PROPERTY, decision_id=made.decision.decision_id, proposal=1
    )
    await casino.acting_as("bob").call(casino.progressives.ApproveDecision, approval)
    shown = progressives.ShownValue(level="mega", display_cents=3, revision=1)
    echo = progressives.EchoMetersRequest(property_id=PROPERTY, sign_id=SIGN, link_id=link_id, shown=[shown])
    await casino.acting_as("sign").call(casino.progressives.EchoMeters, echo)


async def _submission_left_open(casino: Casino, house: House) -> None:
    """A second Rules Submission is proposed and not approved."""
    told = settlement.ListSubmissionsRequest(property_id=PROPERTY)
    (known,) = (await casino.call(casino.settlement.ListSubmissions, told)).submissions
    proposal = settlement.ProposeSubmissionRequest(
        request_id="second",
        property_id=PROPERTY,
        title="not approved yet",
        certificate_holder=house.title,
        effective_from="2026-06-01",
        tables=known.tables,
    )
    await casino.acting_as("ann").call(casino.settlement.ProposeSubmission, proposal)
