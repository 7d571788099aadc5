"""The servicer: protobuf in, operation, protobuf out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel import errors
from services.progressives import operations, store, wire
from services.progressives.alert import AlertState
from services.progressives.decision import UNDECIDED, Retirement
from services.progressives.entries import alert_message, decision_message, jackpot_message, link_message, read_day
from services.progressives.operations import FEED, Ledger, Watch
from services.progressives.pins.verification import verify_pins
from services.progressives.reading import columns
from services.progressives.signs import Shown, Sign, Told
from services.progressives.verification import RECORDED, verify_hidden, verify_journal
from services.runtime.principals import current_principal
from services.runtime.records import verify_records
from services.runtime.requests import Write
from services.runtime.server import Service
from services.runtime.verification import Verifications, guarded, verify_feed

Context = Any
"""The call's context; the gate in front of every call names the principal and turns refusals to statuses."""
PAYMENT = ("request_id", "property_id", "jackpot_id")
FRAMES_A_SECOND = 4
"""A sign gets at most so many; what moves between two is told in one."""


class Servicer:
    """casino.progressives.v1.ProgressivesService; what each method refuses stands in the proto."""

    def __init__(self, service: Service, ledgers: dict[str, Ledger], watches: dict[str, Watch]) -> None:
        self._service, self._ledgers, self._watches = service, ledgers, watches

    async def ProposeLink(self, request: pb.ProposeLinkRequest, context: Context) -> pb.ProposeLinkResponse:
        """Enters a proposed link."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.propose_link(ledger, write, wire.read_draft(request), current_principal())

    async def ApproveLink(self, request: pb.ApproveLinkRequest, context: Context) -> pb.ApproveLinkResponse:
        """Enters another person's approval."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.approve_link(ledger, write, request.link_id, request.version, current_principal())

    async def WithdrawLink(self, request: pb.WithdrawLinkRequest, context: Context) -> pb.WithdrawLinkResponse:
        """Takes back a version that is not in force."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        given, by = (request.link_id, request.version, request.reason), current_principal()
        return await operations.withdraw_link(ledger, write, *given, by)

    async def SuspendLink(self, request: pb.SuspendLinkRequest, context: Context) -> pb.SuspendLinkResponse:
        """Takes a link out of play at once."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.suspend_link(ledger, write, request.link_id, request.reason, current_principal())

    async def ResumeLink(self, request: pb.ResumeLinkRequest, context: Context) -> pb.ResumeLinkResponse:
        """Puts a suspended link back into play."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.resume_link(ledger, write, request.link_id, request.reason, current_principal())

    async def ListLinks(self, request: pb.ListLinksRequest, context: Context) -> pb.ListLinksResponse:
        """Every link by its id, with its meters as they stand and its next version."""
        ledger = self._ledger(request.property_id)
        names = sorted(ledger.state.links.keys() | ledger.state.pending.keys())
        return pb.ListLinksResponse(links=[self._listed(ledger, name) for name in names])

    def _listed(self, ledger: Ledger, link_id: str) -> pb.LinkWithMeters:
        state = ledger.state
        running, pending = state.links.get(link_id), state.pending.get(link_id)
        shown = running or pending
        assert shown is not None, f"link {link_id} in no version"
        listed = pb.LinkWithMeters(
            link=link_message(shown, ledger.property_id),
            meters=[
                wire.meter_reading(name, state.meters[name], state.triggers.get(name))
                for name in ((link_id, terms.level) for terms in shown.meters)
                if name in state.meters
            ],
            waiting_for=operations.waiting_for(ledger, link_id),
        )
        if running is not None and pending is not None:
            listed.pending.CopyFrom(link_message(pending, ledger.property_id))
        for decision in state.decisions.values():
            subject = decision.subject
            if decision.waits and isinstance(subject, Retirement) and subject.link_id == link_id:
                listed.retirement.CopyFrom(decision_message(decision))
        return listed

    async def ProposeDecision(self, request: pb.ProposeDecisionRequest, context: Context) -> pb.ProposeDecisionResponse:
        """Proposes what two people decide."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        proposal = wire.read_proposal(request)
        return await operations.propose_decision(ledger, write, request.decision_id, proposal, current_principal())

    async def ApproveDecision(self, request: pb.ApproveDecisionRequest, context: Context) -> pb.ApproveDecisionResponse:
        """Carries a proposal out."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        given, by = (request.decision_id, request.proposal), current_principal()
        return await operations.approve_decision(ledger, write, *given, by)

    async def RejectDecision(self, request: pb.RejectDecisionRequest, context: Context) -> pb.RejectDecisionResponse:
        """Turns a proposal down."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        by = current_principal()
        return await operations.reject_decision(ledger, write, request.decision_id, request.note, by)

    async def ListDecisions(self, request: pb.ListDecisionsRequest, context: Context) -> pb.ListDecisionsResponse:
        """The latest state of every decision, or of those that are undecided."""
        found = await operations.decisions_of(self._ledger(request.property_id))
        shown = [each for each in found if not request.undecided or each.state in UNDECIDED]
        return pb.ListDecisionsResponse(decisions=[decision_message(each) for each in shown])

    async def ListJackpots(self, request: pb.ListJackpotsRequest, context: Context) -> pb.ListJackpotsResponse:
        """The latest state of every jackpot, of one gaming day or of all."""
        day = read_day(request.gaming_day) if request.gaming_day else None
        found = await operations.jackpots_of(self._ledger(request.property_id), day)
        return pb.ListJackpotsResponse(jackpots=[jackpot_message(jackpot) for jackpot in found])

    async def ClaimJackpot(self, request: pb.ClaimJackpotRequest, context: Context) -> pb.ClaimJackpotResponse:
        """The hits at a table and seat become claimed."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.claim_jackpot(ledger, write, request.table_id, request.seat, current_principal())

    async def VerifyJackpot(self, request: pb.VerifyJackpotRequest, context: Context) -> pb.VerifyJackpotResponse:
        """A claimed jackpot becomes verified on its recorded round."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.verify_jackpot(ledger, write, request.jackpot_id, request.rank, current_principal())

    async def PayJackpot(self, request: pb.PayJackpotRequest, context: Context) -> pb.PayJackpotResponse:
        """A verified jackpot is paid."""
        # The payee is no part of what a repeat is recognised by, as it is kept nowhere in the open.
        identity = pb.PayJackpotRequest(**{name: getattr(request, name) for name in PAYMENT})
        write, ledger = Write(request.property_id, identity), self._ledger(request.property_id)
        payee = request.payee if request.HasField("payee") else None
        return await operations.pay_jackpot(ledger, write, request.jackpot_id, payee, current_principal())

    async def GetJackpotSlip(self, request: pb.GetJackpotSlipRequest, context: Context) -> pb.GetJackpotSlipResponse:
        """The progressive jackpot slip of a payment."""
        ledger = self._ledger(request.property_id)
        slip = await operations.jackpot_slip(ledger, request.jackpot_id, request.slip_no)
        return pb.GetJackpotSlipResponse(slip=slip)

    async def ListWinningsForms(
        self, request: pb.ListWinningsFormsRequest, context: Context
    ) -> pb.ListWinningsFormsResponse:
        """The register of Forms W-2G; who reads it is logged."""
        first, last = read_day(request.from_day), read_day(request.to_day)
        self._service.log.info(
            "register of forms read", principal=current_principal(), first=str(first), last=str(last)
        )
        forms = await operations.winnings_forms(self._ledger(request.property_id), first, last)
        return pb.ListWinningsFormsResponse(forms=forms)

    async def ExplainMeter(
        self, request: pb.ExplainMeterRequest, context: Context
    ) -> AsyncIterator[pb.ExplainMeterResponse]:
        """The fold of a meter's journal, then the journal."""
        ledger, moment = self._ledger(request.property_id), wire.read_moment(request)
        given = ledger, request.link_id, request.level, moment
        async for part in operations.explain_meter(*given, with_wagers=request.with_wagers):
            yield wire.explained(part)

    async def ProveJackpot(self, request: pb.ProveJackpotRequest, context: Context) -> pb.ProveJackpotResponse:
        """What came onto a jackpot's meter since the hit before."""
        return wire.proof_message(await operations.prove_jackpot(self._ledger(request.property_id), request.jackpot_id))

    async def EchoMeters(self, request: pb.EchoMetersRequest, context: Context) -> pb.EchoMetersResponse:
        """A sign says what it shows."""
        watch, shown = (
            self._watch(request.property_id),
            [Shown(each.level, each.display_cents, each.revision) for each in request.shown],
        )
        return await operations.echo_meters(watch, Sign(request.sign_id, request.link_id), shown)

    async def ListAlerts(self, request: pb.ListAlertsRequest, context: Context) -> pb.ListAlertsResponse:
        """The latest state of every alert, or of those that are raised."""
        found = await operations.alerts_of(self._ledger(request.property_id))
        shown = [each for each in found if not request.open or each.state is AlertState.RAISED]
        return pb.ListAlertsResponse(alerts=[alert_message(each) for each in shown])

    async def AcknowledgeAlert(
        self, request: pb.AcknowledgeAlertRequest, context: Context
    ) -> pb.AcknowledgeAlertResponse:
        """A person has seen an alert."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.acknowledge_alert(ledger, write, request.alert_id, current_principal())

    async def WatchEntries(self, request: pb.WatchEntriesRequest, context: Context) -> AsyncIterator[bytes]:
        """The feed from a cursor on, as framed when it was committed."""
        async for frame in self._service.watch(FEED, request.property_id, request.after_position):
            yield frame

    async def WatchMeters(
        self, request: pb.WatchMetersRequest, context: Context
    ) -> AsyncIterator[pb.WatchMetersResponse]:
        """All meters at once, then those that stand otherwise than this watcher was told, a few times a second."""
        watch, first = self._watch(request.property_id), True
        ledger, told = watch.ledger, Told(request.link_id)
        if request.link_id and request.link_id not in ledger.state.links:
            raise errors.LinkUnknown(f"expected a link of {request.property_id}, given {request.link_id!r}")
        while True:
            position, state = ledger.feed.position, ledger.state
            news = told.news(state)
            watch.show({name: state.meters[name] for name in news})
            if news or first:
                meters = [wire.meter_reading(name, state.meters[name], state.triggers.get(name)) for name in news]
                yield pb.WatchMetersResponse(meters=meters)
            first = False
            await asyncio.sleep(1 / FRAMES_A_SECOND)
            await ledger.feed.wait_beyond(position)

    async def GetStatus(self, request: pb.GetStatusRequest, context: Context) -> pb.GetStatusResponse:
        """Heads and cursors, and how many decisions wait for people."""
        async with self._service.pool.acquire() as connection:
            waiting = await store.undecided(connection)
        undecided = [pb.UndecidedStatus(property_id=name, decisions=count) for name, count in sorted(waiting.items())]
        return pb.GetStatusResponse(status=await self._service.status(), undecided=undecided)

    async def Verify(self, request: pb.VerifyRequest, context: Context) -> AsyncIterator[pb.VerifyResponse]:
        """Reads every row again. A meter is the fold of its whole journal, so one day is verified with all."""
        for feed in self._service.feeds():
            if request.property_id not in ("", feed.property_id):
                continue
            service, name = self._service, feed.property_id
            checks: dict[str, Callable[[], Awaitable[Verifications]]] = {
                "progressives_entry": partial(verify_feed, service.pool, service.name, feed, columns),
                "journal": partial(verify_journal, service.pool, feed),
                "trigger": partial(verify_hidden, service.pool, feed, self._ledger(name).unseal),
                "pin": partial(verify_pins, service, feed),
                "record": partial(verify_records, service, name, RECORDED),
            }
            for table, check in checks.items():
                for message in await guarded(f"progressives: {table}", check):
                    yield pb.VerifyResponse(verification=message)

    def _ledger(self, property_id: str) -> Ledger:
        ledger = self._ledgers.get(property_id)
        if ledger is None:
            raise errors.Busy(f"progressives knows no property {property_id!r} yet; ask again shortly.")
        return ledger

    def _watch(self, property_id: str) -> Watch:
        self._ledger(property_id)
        return self._watches[property_id]
