"""A jackpot from its hit to its slip: `casino jackpots`."""

import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Annotated, Any

import typer

from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli import decisions
from clients.cli.amounts import micro_dollars
from clients.cli.explanations import tables, totals
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import read_day
from clients.cli.requests import Day, Json, Property, ask_of, noun, print_one
from clients.cli.slips import slip_text
from clients.sdk.client import Casino, new_request_id
from clients.sdk.refusals import RefusedByServer
from services.kernel.errors import JackpotUnknown
from services.kernel.money import dollars

jackpots = noun("Jackpots: what hits of meters opened, claimed, verified, paid by slip.")
jackpots.command("decide")(decisions.decide_jackpot)

STATE = "JACKPOT_STATE_"
PAYEE_MISSING = "PAYEE_MISSING"
QUESTIONS = {
    "name": "Name of the payee",
    "address": "Address",
    "tax_number": "Tax number, empty if the payee gives none",
    "identification": "Identification that was shown",
}


def _found(property_id: str | None, day: str = "") -> list[dict[str, Any]]:
    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ListJackpotsResponse]:
        request = progressives.ListJackpotsRequest(property_id=known, gaming_day=day)
        return casino.call(casino.progressives.ListJackpots, request)

    found: list[dict[str, Any]] = plain(ask_of(property_id, request_of))["jackpots"]
    return found


@jackpots.command("list")
def list_jackpots(property_id: Property = None, day: Day = "", json: Json = False) -> None:
    """Every jackpot in its latest state, or those of a gaming day."""
    found = _found(property_id, day)
    if json:
        return as_json(found)
    rows = [
        (
            *(each["jackpot_id"], each["link_id"] or "-", each["level"], _round(each), each["seat"]),
            *(dollars(each["amount_cents"]), each["state"].removeprefix(STATE).lower()),
        )
        for each in found
    ]
    return print(columns(("jackpot_id", "link_id", "level", "round", "seat", "amount", "state"), rows, right=(4, 5)))


def _round(jackpot: dict[str, Any]) -> str:
    key = jackpot["key"]
    return f"{key['gaming_day']}/{key['table_id']}/{key['shoe']}/{key['round_no']}"


@jackpots.command("show")
def show_jackpot(jackpot_id: str, property_id: Property = None) -> None:
    """One jackpot in its latest state, as JSON."""
    for each in _found(property_id):
        if each["jackpot_id"] == jackpot_id:
            return as_json(each, indent=1)
    raise JackpotUnknown(f"expected a jackpot of the property, given {jackpot_id}; see `casino jackpots list`")


@jackpots.command("claim")
def claim_jackpot(table: str, seat: int, property_id: Property = None, json: Json = False) -> None:
    """The hits at a table and seat are claimed by the patron there."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ClaimJackpotResponse]:
        request = progressives.ClaimJackpotRequest(
            request_id=new_request_id(), property_id=known, table_id=table, seat=seat
        )
        return casino.call(casino.progressives.ClaimJackpot, request)

    print_one(ask_of(property_id, request_of), json)


@jackpots.command("verify")
def verify_jackpot(
    jackpot_id: str,
    rank: Annotated[str, typer.Option(help="Yours: floorperson, pit_manager, shift_manager or casino_manager.")],
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Has a claimed jackpot evaluated again on the recorded round, card for card."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.VerifyJackpotResponse]:
        request = progressives.VerifyJackpotRequest(
            request_id=new_request_id(), property_id=known, jackpot_id=jackpot_id, rank=rank
        )
        return casino.call(casino.progressives.VerifyJackpot, request)

    print_one(ask_of(property_id, request_of), json)


@jackpots.command("pay")
def pay_jackpot(
    jackpot_id: str,
    name: Annotated[str, typer.Option(help="Name of the payee.")] = "",
    address: Annotated[str, typer.Option(help="Address of the payee.")] = "",
    tax_number: Annotated[str, typer.Option(help="The payee's tax number.")] = "",
    identification: Annotated[str, typer.Option(help="Identification that was shown.")] = "",
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Pays a verified jackpot; asks on the terminal for the payee of a Form W-2G where one is due and not given."""
    told = {"name": name, "address": address, "tax_number": tax_number, "identification": identification}

    async def request_of(casino: Casino, known: str) -> progressives.PayJackpotResponse:
        request = progressives.PayJackpotRequest(
            request_id=new_request_id(),
            property_id=known,
            jackpot_id=jackpot_id,
            payee=progressives.Payee(**told) if any(told.values()) else None,
        )
        try:
            return await casino.call(casino.progressives.PayJackpot, request)
        except RefusedByServer as refusal:
            if refusal.reason != PAYEE_MISSING or not sys.stdin.isatty():
                raise
        request.payee.CopyFrom(progressives.Payee(**_ask(told)))
        return await casino.call(casino.progressives.PayJackpot, request)

    paid = ask_of(property_id, request_of)
    print_one(paid, json)


def _ask(told: dict[str, str]) -> dict[str, str]:
    """What is known of the payee, and the rest from the terminal; only the tax number may stay empty."""
    return {
        field: told[field] or typer.prompt(text, default="" if field == "tax_number" else None, show_default=False)
        for field, text in QUESTIONS.items()
    }


@jackpots.command("slip")
def print_slip(
    jackpot_id: str,
    slip_no: Annotated[str, typer.Option("--slip", help="Number of the slip; else that of the latest payment.")] = "",
    pdf: Annotated[Path | None, typer.Option(help="The file to write the slip to, as one page of PDF.")] = None,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """The progressive jackpot slip of a paid jackpot, to be signed."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.GetJackpotSlipResponse]:
        request = progressives.GetJackpotSlipRequest(property_id=known, jackpot_id=jackpot_id, slip_no=slip_no)
        return casino.call(casino.progressives.GetJackpotSlip, request)

    found = ask_of(property_id, request_of)
    if pdf is not None:
        # Drawn on paper only when asked for: the library takes its time to load.
        from clients.cli.render.slip import slip_pdf

        pdf.write_bytes(slip_pdf(found.slip))
        return None
    return as_json(plain(found.slip)) if json else print(slip_text(found.slip))


@jackpots.command("prove")
def prove_jackpot(jackpot_id: str, property_id: Property = None, json: Json = False) -> None:
    """Proves the amount of a jackpot: what came onto the meter since the hit before, by cause and by table."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ProveJackpotResponse]:
        request = progressives.ProveJackpotRequest(property_id=known, jackpot_id=jackpot_id)
        return casino.call(casino.progressives.ProveJackpot, request)

    found = ask_of(property_id, request_of)
    return as_json(plain(found)) if json else print(_proved(found))


def _proved(proof: progressives.ProveJackpotResponse) -> str:
    jackpot = proof.jackpot
    shared = ", ".join(f"{each.jackpot_id} at seat {each.seat} ${dollars(each.amount_cents)}" for each in proof.sharing)
    return "\n".join(
        [
            f"{jackpot.jackpot_id}: ${dollars(jackpot.amount_cents)} of {jackpot.link_id} {jackpot.level}",
            f"reading at position {proof.from_position}: ${micro_dollars(proof.opening_micros)}",
            "",
            totals(proof.totals),
            "",
            tables(proof.tables),
            "",
            f"reading at position {proof.to_position}: ${micro_dollars(proof.reading_micros)}",
            f"the same hit: {shared or 'no other jackpot'}",
        ]
    )


@jackpots.command("forms")
def list_forms(
    from_day: Annotated[str, typer.Option("--from", help="First day of payment, YYYY-MM-DD.")],
    to_day: Annotated[str, typer.Option("--to", help="Last day of payment, YYYY-MM-DD.")],
    property_id: Property = None,
    json: Json = False,
) -> None:
    """The register of Forms W-2G, the one place that shows payees; that you read it is logged."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ListWinningsFormsResponse]:
        first, last = read_day(from_day).isoformat(), read_day(to_day).isoformat()
        request = progressives.ListWinningsFormsRequest(property_id=known, from_day=first, to_day=last)
        return casino.call(casino.progressives.ListWinningsForms, request)

    found = plain(ask_of(property_id, request_of))["forms"]
    if json:
        return as_json(found)
    titles = (
        "paid on",
        "slip",
        "name",
        "address",
        "tax number",
        "identification",
        "winnings",
        "stake",
        "withheld",
        "",
        "",
    )
    return print(columns(titles, map(_form, found), right=(6, 7, 8)))


def _form(form: dict[str, Any]) -> tuple[object, ...]:
    payee, amounts = form["payee"], ("winnings_cents", "stake_cents", "withheld_cents")
    told = payee["name"], payee["address"], payee["tax_number"] or "-", payee["identification"]
    money = [dollars(form[name]) for name in amounts]
    return (
        form["paid_on"],
        form["jackpot"]["slip_no"] or "-",
        *told,
        *money,
        form["withholding"],
        "void" if form["voided"] else "",
    )
