"""What two people decide of meters and jackpots: adjusted, transferred, retired; the asked for answered, approved."""

from collections.abc import Awaitable
from typing import Annotated, Any

import typer

from casino.progressives.v1 import entries_pb2 as entries
from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.amounts import micro_dollars, read_micros
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import read_day
from clients.cli.requests import Json, Property, ask_of, print_one
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import InvalidRequest, Unknown
from services.kernel.money import cents, dollars

Reference = Annotated[str, typer.Option(help="The regulator's reference.")]
Note = Annotated[str, typer.Option(help="What happened, for whoever reads it later.")]
Why = Annotated[str, typer.Option(help="A reason of the closed list: malfunction_correction, limit, corrected_round.")]
Void = Annotated[bool, typer.Option("--void", help="The jackpot is void, the meter is restored.")]
Confirm = Annotated[bool, typer.Option("--confirm", help="The jackpot stands.")]
Amount = Annotated[str, typer.Option(help="Dollars that the jackpot is for.")]

STATE, REASON, ACTION = "DECISION_STATE_", "CHANGE_REASON_", "JACKPOT_ACTION_"
SUBJECTS = ("adjustment", "transfer", "retirement", "jackpot")


def list_decisions(
    property_id: Property = None,
    open_: Annotated[bool, typer.Option("--open", help="Only what is open or proposed.")] = False,
    json: Json = False,
) -> None:
    """What two people decide or have decided: adjustments, transfers, retirements, jackpots."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ListDecisionsResponse]:
        request = progressives.ListDecisionsRequest(property_id=known, undecided=open_)
        return casino.call(casino.progressives.ListDecisions, request)

    found = plain(ask_of(property_id, request_of))["decisions"]
    if json:
        return as_json(found)
    titles = ("decision_id", "state", "proposal", "subject", "reason", "proposed by", "decided by", "note")
    return print(columns(titles, map(_row, found)))


def _row(decision: dict[str, Any]) -> tuple[object, ...]:
    state, reason = decision["state"].removeprefix(STATE), decision["reason"].removeprefix(REASON)
    people = decision["proposed_by"] or "-", decision["decided_by"] or "-"
    told = decision["decision_id"], state.lower(), decision["proposal"] or "-", _subject(decision), reason.lower()
    return (*told, *people, decision["note"])


def _subject(decision: dict[str, Any]) -> str:
    """What is decided, for a reader."""
    name = next((each for each in SUBJECTS if each in decision), "")
    told: dict[str, Any] = decision.get(name, {})
    if name == "adjustment":
        return f"adjust {told['link_id']} {told['level']} by ${micro_dollars(told['amount_micros'])}"
    if name == "transfer":
        to = f"{told['to_link_id']} {told['to_level']}"
        return (
            f"transfer ${micro_dollars(told['amount_micros'])} from {told['from_link_id']} {told['from_level']} to {to}"
        )
    if name == "retirement":
        heirs = ", ".join(f"{each['level']} into {each['to_link_id']} {each['to_level']}" for each in told["heirs"])
        return f"retire {told['link_id']} from {told['effective_from']}: {heirs}"
    if name == "jackpot":
        action = told["action"].removeprefix(ACTION).lower().replace("unspecified", "void, confirm or set_amount")
        return f"jackpot {told['jackpot_id']} of ${dollars(told['amount_cents'])}: {action}"
    return "-"


def adjust(
    link_id: str,
    level: str,
    amount: Annotated[str, typer.Argument(help="Dollars, up to six digits after the point; below zero takes away.")],
    reason: Why,
    reference: Reference,
    note: Note,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes to adjust a meter; another person approves."""
    moved = entries.Adjustment(link_id=link_id, level=level, amount_micros=read_micros(amount))
    _propose(property_id, json, reason, reference, note, adjustment=moved)


def transfer(
    link_id: Annotated[str, typer.Argument(metavar="FROM", help="The link that gives.")],
    level: str,
    to_link: Annotated[str, typer.Argument(metavar="TO", help="The link that receives.")],
    to_level: str,
    amount: Annotated[str, typer.Argument(help="Dollars, up to six digits after the point.")],
    reference: Reference,
    note: Note,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes to transfer money from one meter to another; another person approves."""
    moved = entries.Transfer(
        from_link_id=link_id,
        from_level=level,
        to_link_id=to_link,
        to_level=to_level,
        amount_micros=read_micros(amount),
    )
    _propose(property_id, json, "approved_transfer", reference, note, transfer=moved)


def retire(
    link_id: str,
    into: Annotated[list[str], typer.Option(help="LEVEL=LINK:LEVEL for each of its levels: where the money goes.")],
    from_day: Annotated[str, typer.Option("--from", help="Gaming day from which it is over, YYYY-MM-DD.")],
    reference: Reference,
    note: Note,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes the end of a link: everything on its meters goes to others; another person approves."""
    day, heirs = read_day(from_day).isoformat(), [_heir(text) for text in into]
    end = entries.Retirement(link_id=link_id, effective_from=day, heirs=heirs)
    _propose(property_id, json, "approved_transfer", reference, note, retirement=end)


def _heir(text: str) -> entries.MeterHeir:
    level, _, rest = text.partition("=")
    link_id, _, to_level = rest.rpartition(":")
    if not (level and link_id and to_level):
        raise InvalidRequest(f"expected --into LEVEL=LINK:LEVEL, given {text!r}")
    return entries.MeterHeir(level=level, to_link_id=link_id, to_level=to_level)


def _propose(property_id: str | None, json: bool, reason: str, reference: str, note: str, **subject: Any) -> None:
    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ProposeDecisionResponse]:
        return casino.call(casino.progressives.ProposeDecision, _request(known, reason, reference, note, **subject))

    print_one(ask_of(property_id, request_of), json)


def _request(known: str, reason: str, reference: str, note: str, **what: Any) -> progressives.ProposeDecisionRequest:
    return progressives.ProposeDecisionRequest(
        request_id=new_request_id(),
        property_id=known,
        reason=_reason(reason),
        regulator_reference=reference,
        note=note,
        **what,
    )


def _reason(text: str) -> entries.ChangeReason.ValueType:
    """A reason by its name. Raises InvalidRequest."""
    names = [each.name for each in entries.ChangeReason.DESCRIPTOR.values if each.number]
    if REASON + text.upper() not in names:
        known = " or ".join(name.removeprefix(REASON).lower() for name in names)
        raise InvalidRequest(f"expected --reason {known}, given {text!r}")
    return entries.ChangeReason.Value(REASON + text.upper())


def decide(
    decision_id: str,
    note: Note,
    void: Void = False,
    confirm: Confirm = False,
    amount: Amount = "",
    adjust_by: Annotated[str, typer.Option("--adjust", help="Dollars to adjust the meter by; 0 leaves it.")] = "",
    reference: Reference = "",
    reason: Annotated[str, typer.Option(help="Another reason than the one it is asked for.")] = "",
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes what becomes of something that the platform asks for; another person approves."""

    async def request_of(casino: Casino, known: str) -> progressives.ProposeDecisionResponse:
        asked = await _asked(casino, known, decision_id)
        why = reason or entries.ChangeReason.Name(asked.reason).removeprefix(REASON).lower()
        subject = _answer(asked, void=void, confirm=confirm, amount=amount, adjust_by=adjust_by)
        request = _request(known, why, reference, note, decision_id=decision_id, **subject)
        return await casino.call(casino.progressives.ProposeDecision, request)

    print_one(ask_of(property_id, request_of), json)


async def _asked(casino: Casino, property_id: str, decision_id: str) -> entries.Decision:
    request = progressives.ListDecisionsRequest(property_id=property_id, undecided=True)
    for each in (await casino.call(casino.progressives.ListDecisions, request)).decisions:
        if each.decision_id == decision_id:
            return each
    raise Unknown(f"expected a decision that is open, given {decision_id}; see `casino links decisions --open`")


def _answer(asked: entries.Decision, *, void: bool, confirm: bool, amount: str, adjust_by: str) -> dict[str, Any]:
    """The subject of the answer. Raises InvalidRequest where the options are not those of what is asked."""
    if asked.HasField("adjustment"):
        if not adjust_by or void or confirm or amount:
            raise InvalidRequest("expected --adjust alone, for a meter, given " + ("more" if adjust_by else "none"))
        told = asked.adjustment
        amount_micros = read_micros(adjust_by)
        return {"adjustment": entries.Adjustment(link_id=told.link_id, level=told.level, amount_micros=amount_micros)}
    if adjust_by:
        raise InvalidRequest(f"expected --void, --confirm or --amount, for a jackpot, given --adjust {adjust_by}")
    return {"jackpot": jackpot_decision(asked.jackpot.jackpot_id, void=void, confirm=confirm, amount=amount)}


def jackpot_decision(jackpot_id: str, *, void: bool, confirm: bool, amount: str) -> entries.JackpotDecision:
    """What is to become of a jackpot. Raises InvalidRequest, AmountUnreadable."""
    given = [bool(each) for each in (void, confirm, amount)]
    if sum(given) != 1:
        raise InvalidRequest(f"expected one of --void, --confirm and --amount, given {sum(given) or 'none'}")
    action = entries.JACKPOT_ACTION_VOID if void else entries.JACKPOT_ACTION_CONFIRM
    if amount:
        action = entries.JACKPOT_ACTION_SET_AMOUNT
    return entries.JackpotDecision(jackpot_id=jackpot_id, action=action, amount_cents=cents(amount) if amount else 0)


def decide_jackpot(
    jackpot_id: str,
    note: Note,
    void: Void = False,
    confirm: Confirm = False,
    amount: Amount = "",
    reason: Annotated[
        str, typer.Option(help="jackpot, malfunction_correction or corrected_round.")
    ] = "malfunction_correction",
    reference: Reference = "",
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes what becomes of a jackpot of which the platform asks nothing; another person approves."""
    subject = jackpot_decision(jackpot_id, void=void, confirm=confirm, amount=amount)
    _propose(property_id, json, reason, reference, note, jackpot=subject)


def approve_decision(
    decision_id: str,
    proposal: Annotated[
        int | None, typer.Option(min=1, help="Number of the proposal that you have seen; else the one that is shown.")
    ] = None,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Shows what somebody else proposed, approves it as shown, and does it."""

    async def request_of(casino: Casino, known: str) -> progressives.ApproveDecisionResponse:
        shown = await _asked(casino, known, decision_id)
        typer.echo(f"proposal {shown.proposal} by {shown.proposed_by or 'nobody'}: {_subject(plain(shown))}", err=True)
        request = progressives.ApproveDecisionRequest(
            request_id=new_request_id(),
            property_id=known,
            decision_id=decision_id,
            proposal=proposal or shown.proposal,
        )
        return await casino.call(casino.progressives.ApproveDecision, request)

    print_one(ask_of(property_id, request_of), json)


def reject_decision(decision_id: str, note: Note, property_id: Property = None, json: Json = False) -> None:
    """Turns a proposal down; what the platform asks for is open again."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.RejectDecisionResponse]:
        request = progressives.RejectDecisionRequest(
            request_id=new_request_id(), property_id=known, decision_id=decision_id, note=note
        )
        return casino.call(casino.progressives.RejectDecision, request)

    print_one(ask_of(property_id, request_of), json)
