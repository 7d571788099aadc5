"""Facts held back from the feed, and their way out: `casino quarantine`."""

from collections.abc import Awaitable
from typing import Annotated, Any

import typer

from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.output import as_json, columns, plain, say
from clients.cli.requests import Day, Json, Property, ask_of, noun, print_one
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import DecisionNotProposed, HoldUnknown

quarantine = noun("Facts held back from the feed: one person proposes to release or reject, another approves.")

OPEN = ("HOLD_STATE_OPEN", "HOLD_STATE_PROPOSED")
Reason = Annotated[str, typer.Option(help="Why.")]


def _facts(property_id: str | None, day: str = "") -> list[dict[str, Any]]:
    """What one answer carries; how many others there are is told beside it."""

    def request_of(casino: Casino, known: str) -> Awaitable[rounds.ListHeldFactsResponse]:
        request = rounds.ListHeldFactsRequest(property_id=known, gaming_day=day)
        return casino.call(casino.rounds.ListHeldFacts, request)

    answer: rounds.ListHeldFactsResponse = ask_of(property_id, request_of)
    if answer.left_off:
        kept = "those that wait for a decision come first, then the newest; --day lists one gaming day"
        say(f"{answer.left_off:,} more are left off: {kept}.")
    found: list[dict[str, Any]] = plain(answer)["facts"]
    return found


@quarantine.command("list")
def list_quarantine(
    property_id: Property = None,
    day: Day = "",
    open_: Annotated[bool, typer.Option("--open", help="Only what two people have not decided.")] = False,
    json: Json = False,
) -> None:
    """Held wagers and quarantined or rejected events, of every day or of one."""
    found = [each for each in _facts(property_id, day) if not open_ or each["state"] in OPEN]
    if json:
        return as_json(found)
    rows = [
        (
            each["hold_id"],
            each["kind"].removeprefix("ANSWER_KIND_"),
            each["state"].removeprefix("HOLD_STATE_"),
            _fact_key(each["key"]),
            each["reason"],
            each["message"],
        )
        for each in found
    ]
    return print(columns(("hold", "kind", "state", "round", "reason", "message"), rows))


def _fact_key(key: dict[str, Any] | None) -> str:
    return f"{key['gaming_day']}/{key['table_id']}/{key['shoe']}/{key['round_no']}" if key else "-"


@quarantine.command("show")
def show_held(hold_id: str, property_id: Property = None) -> None:
    """One fact with all that was proposed and decided of it, as JSON."""
    print_one(ask_of(property_id, lambda casino, known: _held(casino, known, hold_id)), False)


async def _held(casino: Casino, property_id: str, hold_id: str) -> rounds.HeldFact:
    """A fact by its name, however many there are. Raises RefusedByServer, HoldUnknown for an empty name."""
    request = rounds.ListHeldFactsRequest(property_id=property_id, hold_id=hold_id)
    for each in (await casino.call(casino.rounds.ListHeldFacts, request)).facts:
        if each.hold_id == hold_id:
            return each
    raise HoldUnknown(f"expected a fact kept outside the feed, given {hold_id!r}; see `casino quarantine list`")


@quarantine.command("release")
def release(hold_id: str, reason: Reason, property_id: Property = None, json: Json = False) -> None:
    """Proposes to let a fact into the feed."""
    _propose(hold_id, reason, property_id, "HOLD_DECISION_RELEASE", json)


@quarantine.command("reject")
def reject(hold_id: str, reason: Reason, property_id: Property = None, json: Json = False) -> None:
    """Proposes to reject a fact for good."""
    _propose(hold_id, reason, property_id, "HOLD_DECISION_REJECT", json)


def _propose(hold_id: str, reason: str, property_id: str | None, decision: str, json: bool) -> None:
    def request_of(casino: Casino, known: str) -> Awaitable[rounds.ProposeHeldFactDecisionResponse]:
        request = rounds.ProposeHeldFactDecisionRequest(
            request_id=new_request_id(),
            property_id=known,
            hold_id=hold_id,
            decision=entries_pb2.HoldDecision.Value(decision),
            reason=reason,
        )
        return casino.call(casino.rounds.ProposeHeldFactDecision, request)

    print_one(ask_of(property_id, request_of), json)


@quarantine.command("approve")
def approve(
    hold_id: str,
    proposal: Annotated[
        int | None, typer.Option(min=1, help="Number of the proposal that you have seen; else the one that is shown.")
    ] = None,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Shows what somebody else proposed of a fact, approves it as shown, and does it."""

    async def request_of(casino: Casino, known: str) -> rounds.ApproveHeldFactDecisionResponse:
        shown = await _held(casino, known, hold_id)
        if not shown.proposal:
            raise DecisionNotProposed(f"expected a proposal of {hold_id} to approve, there is none")
        what = entries_pb2.HoldDecision.Name(shown.decision).removeprefix("HOLD_DECISION_").lower()
        told = f"proposal {shown.proposal} by {shown.proposed_by}: {what}, {shown.decision_reason}"
        typer.echo(f"{told}; {shown.reason}: {shown.message}", err=True)
        request = rounds.ApproveHeldFactDecisionRequest(
            request_id=new_request_id(), property_id=known, hold_id=hold_id, proposal=proposal or shown.proposal
        )
        return await casino.call(casino.rounds.ApproveHeldFactDecision, request)

    print_one(ask_of(property_id, request_of), json)
