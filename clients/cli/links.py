"""Progressive links from proposal to retirement: `casino links`."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli import decisions, explanations, signs
from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import standing, wait_for
from clients.cli.requests import Described, Json, Property, ask_of, noun, print_one, read_request
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import Unknown
from services.kernel.money import dollars

links = noun("Links: progressive meters shared by tables; proposed by one person, approved by another.")
COMMANDS: dict[str, Callable[..., None]] = {
    "explain": explanations.explain,
    "triggers": explanations.triggers,
    "decisions": decisions.list_decisions,
    "decide": decisions.decide,
    "approve-decision": decisions.approve_decision,
    "reject-decision": decisions.reject_decision,
    "transfer": decisions.transfer,
    "retire": decisions.retire,
    "alerts": signs.list_alerts,
    "acknowledge": signs.acknowledge,
    "watch": signs.watch,
}
for name, command in COMMANDS.items():
    links.command(name)(command)
# An amount below zero is none of the options.
links.command("adjust", context_settings={"ignore_unknown_options": True})(decisions.adjust)

STATE = "LINK_STATE_"
Reason = Annotated[str, typer.Option(help="Why.")]


@links.command("list")
def list_links(property_id: Property = None, json: Json = False) -> None:
    """Every link with its meters: what is in force, since when and by whom, what is proposed, what it waits for."""
    found = plain(ask_of(property_id, _links))["links"]
    if json:
        return as_json(found)
    titles = ("link_id", "version", "state", "since", "proposed by", "approved by", "code", "meters", "waiting for")
    return print(columns(titles, (row for each in found for row in _rows(each))))


def _rows(listed: dict[str, Any]) -> list[tuple[object, ...]]:
    """The version in force, then the one that is to be, then the retirement."""
    link, pending, waits = listed["link"], listed["pending"], listed["waiting_for"]
    rows = [_row(link, _meters(listed), waits if pending is None and listed["retirement"] is None else "")]
    if pending is not None:
        rows.append(_row(pending, "", waits))
    if listed["retirement"] is not None:
        end = listed["retirement"]
        day = end["retirement"]["effective_from"]
        rows.append((link["link_id"], "", "retires", day, end["proposed_by"], end["decided_by"], "", "", waits))
    return rows


def _row(link: dict[str, Any], meters: str, waits: str) -> tuple[object, ...]:
    state = link["state"].removeprefix(STATE).lower()
    people = link["proposed_by"], link["approved_by"] or "-"
    return (link["link_id"], link["version"], state, _since(link, state), *people, link["code"], meters, waits)


def _since(link: dict[str, Any], state: str) -> str:
    if link["changed_at"]:
        return f"{link['changed_at']} by {link['changed_by']}"
    if state == "live":
        return str(link["effective_from"])
    return f"{link['approved_at'] or link['proposed_at']} for {link['effective_from']}"


def _meters(listed: dict[str, Any]) -> str:
    return ", ".join(f"{meter['level']} ${dollars(meter['display_cents'])}" for meter in listed["meters"])


@links.command("show")
def show_link(link_id: str, property_id: Property = None) -> None:
    """One link with its meters and its next version, as JSON."""
    found = [each for each in plain(ask_of(property_id, _links))["links"] if each["link"]["link_id"] == link_id]
    if not found:
        raise Unknown(f"expected a link of the property, given {link_id}")
    as_json(found[0], indent=1)


def _links(casino: Casino, known: str) -> Awaitable[progressives.ListLinksResponse]:
    return casino.call(casino.progressives.ListLinks, progressives.ListLinksRequest(property_id=known))


@links.command("propose")
def propose_link(file: Described, json: Json = False) -> None:
    """Proposes a link, or the next version of one that is in force (ProposeLinkRequest)."""
    print_one(asyncio.run(_propose(file)), json)


async def _propose(file: Path) -> progressives.ProposeLinkResponse:
    """The submissions approved so far reach `progressives` first: the link is held against them."""
    request = read_request(file, progressives.ProposeLinkRequest)
    async with connected() as casino:
        await _filed(casino, request.property_id)
        return await casino.call(casino.progressives.ProposeLink, request)


async def _filed(casino: Casino, property_id: str) -> None:
    filed = (await standing(casino, "settlement", property_id)).heads.get("submissions", 0)
    await wait_for(casino, "progressives", property_id, "submissions", filed)


@links.command("approve")
def approve_link(
    link_id: str,
    version: Annotated[int | None, typer.Option(min=1, help="The version; else the one that is proposed.")] = None,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Approves a version of a link that somebody else proposed."""

    async def request_of(casino: Casino, known: str) -> progressives.ApproveLinkResponse:
        await _filed(casino, known)
        request = progressives.ApproveLinkRequest(
            request_id=new_request_id(),
            property_id=known,
            link_id=link_id,
            version=version or await _proposed(casino, known, link_id),
        )
        return await casino.call(casino.progressives.ApproveLink, request)

    print_one(ask_of(property_id, request_of), json)


async def _proposed(casino: Casino, property_id: str, link_id: str) -> int:
    """The version of a link that came last. Raises Unknown."""
    for each in (await _links(casino, property_id)).links:
        if each.link.link_id == link_id:
            return each.pending.version or each.link.version
    raise Unknown(f"expected a link of {property_id}, given {link_id}")


@links.command("withdraw")
def withdraw_link(
    link_id: str,
    reason: Reason,
    version: Annotated[int | None, typer.Option(min=1, help="The version; else the one that is to be.")] = None,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Takes back a version of a link, proposed or approved, that is not in force."""

    async def request_of(casino: Casino, known: str) -> progressives.WithdrawLinkResponse:
        request = progressives.WithdrawLinkRequest(
            request_id=new_request_id(),
            property_id=known,
            link_id=link_id,
            version=version or await _proposed(casino, known, link_id),
            reason=reason,
        )
        return await casino.call(casino.progressives.WithdrawLink, request)

    print_one(ask_of(property_id, request_of), json)


@links.command("suspend")
def suspend_link(link_id: str, reason: Reason, property_id: Property = None, json: Json = False) -> None:
    """Takes a link out of play at once: no wager contributes from here on."""
    print_one(ask_of(property_id, _changing(link_id, reason, suspend=True)), json)


@links.command("resume")
def resume_link(link_id: str, reason: Reason, property_id: Property = None, json: Json = False) -> None:
    """Puts a link back into play that somebody else suspended."""
    print_one(ask_of(property_id, _changing(link_id, reason, suspend=False)), json)


def _changing(link_id: str, reason: str, *, suspend: bool) -> Callable[[Casino, str], Awaitable[Any]]:
    def request_of(casino: Casino, known: str) -> Awaitable[Any]:
        what = {"request_id": new_request_id(), "property_id": known, "link_id": link_id, "reason": reason}
        if suspend:
            return casino.call(casino.progressives.SuspendLink, progressives.SuspendLinkRequest(**what))
        return casino.call(casino.progressives.ResumeLink, progressives.ResumeLinkRequest(**what))

    return request_of
