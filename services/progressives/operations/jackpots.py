"""A jackpot from its claim to its slip."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from services.games.wagers import AUTOMATED
from services.kernel import errors
from services.progressives import answers, store, wire
from services.progressives import jackpot as jackpots
from services.progressives.book import Book
from services.progressives.entries import jackpot_message
from services.progressives.evaluation import check_won
from services.progressives.jackpot import Jackpot, JackpotState, PaidThrough
from services.progressives.offers import terms_on
from services.progressives.operations.ledger import Ledger, act
from services.progressives.winnings import Assessment, Won, assess_wager
from services.runtime.requests import Write
from services.runtime.store import Connection

SLIP = "slip"
"""What a jackpot is paid from that is not paid from the table inventory (ruling J7)."""


async def claim_jackpot(
    ledger: Ledger, request: Write, table_id: str, seat: int, by: str
) -> answers.ClaimJackpotResponse:
    """The hits of the oldest winning round at a table and seat become claimed. Raises JackpotUnknown."""

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        waiting = [
            each
            for each in book.state.jackpots.values()
            if each.state is JackpotState.HIT and (each.key.table_id, each.seat) == (table_id, seat)
        ]
        if not waiting:
            raise errors.JackpotUnknown(
                f"expected a hit at {table_id}, seat {seat}, that nobody claimed; there is none"
            )
        oldest = min(each.rounds_position for each in waiting)
        claimed = [jackpots.claim(each, by, at) for each in waiting if each.rounds_position == oldest]
        for each in claimed:
            book.put_jackpot(each)
        return answers.ClaimJackpotResponse(jackpots=[jackpot_message(each) for each in claimed])

    found: answers.ClaimJackpotResponse = await act(ledger, request, answers.ClaimJackpotResponse, by, work)
    return found


async def verify_jackpot(
    ledger: Ledger, request: Write, jackpot_id: str, rank: str, by: str
) -> answers.VerifyJackpotResponse:
    """A claimed jackpot whose recorded round wins it, evaluated again, becomes verified.

    Raises JackpotUnknown, JackpotOutOfState, RankTooLow, SamePrincipal, JackpotNotWon. What people confirmed or priced
    stands on their word, of the round as they saw it.
    """
    # Asked for before the transaction begins: no call to another service is made inside one.
    async with ledger.pool.acquire() as connection:
        known = await request.stored(connection, answers.VerifyJackpotResponse)
        if known is not None:
            return known
        states = await store.jackpots(connection, ledger.property_id, None, jackpot_id)
    evidence = await ledger.find_round(states[-1]) if states else None

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        jackpot = await _latest(book, connection, jackpot_id)
        _check_decided(book, jackpot_id)
        verified = jackpots.verify(jackpot, by, rank, at, 0, b"")
        since = evidence.position if evidence else 0
        confirmed = await store.confirmed(connection, ledger.property_id, jackpot_id, since)
        held = check_won(book, jackpot, evidence, confirmed)
        verified = verified._replace(evaluated=held.position, evaluated_sha256=held.sha256)
        book.put_jackpot(verified)
        return answers.VerifyJackpotResponse(jackpot=jackpot_message(verified))

    found: answers.VerifyJackpotResponse = await act(ledger, request, answers.VerifyJackpotResponse, by, work)
    return found


async def pay_jackpot(
    ledger: Ledger, request: Write, jackpot_id: str, given: answers.Payee | None, by: str
) -> answers.PayJackpotResponse:
    """A verified jackpot is paid: slip number, what is withheld, and the payee where a Form W-2G is due.

    Raises JackpotUnknown, JackpotOutOfState, SamePrincipal, PayeeMissing, InvalidRequest for what is no tax number.
    """
    payee = wire.read_payee(given)

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        jackpot = await _latest(book, connection, jackpot_id)
        paid_on = at.astimezone(ZoneInfo(book.state.time_zone)).date()
        _check_decided(book, jackpot_id)
        states = await store.wager_jackpots(connection, ledger.property_id, jackpot.key, jackpot.wager_no)
        due = _due(jackpot, states, paid_on, payee)
        paid = jackpots.pay(jackpot, by, at, _through(ledger, jackpot), "", due, b"")
        if due.reportable and not (payee and payee.name and payee.address and payee.identification):
            raise errors.PayeeMissing(
                f"expected name, address and identification of the payee of jackpot {jackpot_id}, for which a Form W-2G"
                " is due; given not all of them"
            )
        slip_no = await store.next_slip(connection, ledger.property_id) if jackpot.paid_from == SLIP else ""
        digest = await _keep_payee(ledger, connection, jackpot_id, payee, paid_on) if payee and payee.name else b""
        paid = paid._replace(slip_no=slip_no, payee_sha256=digest)
        book.put_jackpot(paid)
        own = [*(each for each in states if each.jackpot_id == jackpot_id), paid]
        return answers.PayJackpotResponse(jackpot=jackpot_message(paid), slip=_slip(ledger, own, paid))

    found: answers.PayJackpotResponse = await act(ledger, request, answers.PayJackpotResponse, by, work)
    return found


def _due(jackpot: Jackpot, states: Sequence[Jackpot], paid_on: date, payee: answers.Payee | None) -> Assessment:
    """What a payment calls for beside the other jackpots of the wager, of which these are the states so far."""
    latest = {each.jackpot_id: each for each in states}
    others = [
        Won(each.amount_cents, each.withheld_cents)
        for name, each in latest.items()
        if name != jackpot.jackpot_id and each.state is not JackpotState.VOIDED
    ]
    tax_number = bool(payee and payee.tax_number)
    return assess_wager(jackpot.amount_cents, jackpot.stake_cents, others, paid_on, tax_number=tax_number)


def _check_decided(book: Book, jackpot_id: str) -> None:
    """Nothing goes on with a jackpot that people have still to decide about."""
    if question := book.state.undecided(jackpot_id):
        raise errors.JackpotOutOfState(
            f"expected nothing to be undecided about jackpot {jackpot_id}, decision {question} is to be decided"
        )


async def _latest(book: Book, connection: Connection, jackpot_id: str) -> Jackpot:
    if jackpot_id in book.state.jackpots:
        return book.state.jackpots[jackpot_id]
    states = await store.jackpots(connection, book.property_id, None, jackpot_id)
    if not states:
        raise errors.JackpotUnknown(f"expected a jackpot of {book.property_id}, given {jackpot_id!r}")
    return states[-1]


def _through(ledger: Ledger, jackpot: Jackpot) -> PaidThrough:
    """A fully automated table pays its patrons itself."""
    terms = terms_on(ledger.submissions.values(), jackpot.key.gaming_day).get(jackpot.key.table_id)
    return PaidThrough.DEVICE if terms is not None and terms.kind == AUTOMATED else PaidThrough.ATTENDANT


async def _keep_payee(
    ledger: Ledger, connection: Connection, jackpot_id: str, payee: answers.Payee, paid_on: date
) -> bytes:
    """Keeps a payee encrypted; the digest of what is kept."""
    content = {field.name: value for field, value in payee.ListFields()}
    sealed = ledger.vault.seal(json.dumps(content).encode(), _context(ledger, jackpot_id))
    digest = sha256(sealed).digest()
    await store.add_payee(connection, ledger.property_id, (jackpot_id, sealed, digest, paid_on))
    return digest


def _context(ledger: Ledger, jackpot_id: str) -> str:
    return f"payee|{ledger.property_id}|{jackpot_id}"


async def jackpots_of(ledger: Ledger, gaming_day: date | None) -> list[Jackpot]:
    """The latest state of every jackpot, of one gaming day or of all, in the order of these states."""
    async with ledger.pool.acquire() as connection:
        states = await store.jackpots(connection, ledger.property_id, gaming_day)
    latest: dict[str, Jackpot] = {}
    for each in states:
        latest.pop(each.jackpot_id, None)
        latest[each.jackpot_id] = each
    return list(latest.values())


async def jackpot_slip(ledger: Ledger, jackpot_id: str, slip_no: str) -> answers.JackpotSlip:
    """The slip of this number, or of a jackpot's latest payment by slip. Raises JackpotUnknown, JackpotOutOfState."""
    async with ledger.pool.acquire() as connection:
        name = jackpot_id or await store.jackpot_of_slip(connection, ledger.property_id, slip_no)
        states = await store.jackpots(connection, ledger.property_id, None, name)
    if not states:
        given = repr(jackpot_id) if jackpot_id else f"slip {slip_no!r}"
        raise errors.JackpotUnknown(f"expected a jackpot of {ledger.property_id}, given {given}")
    paid = [each for each in states if each.state is JackpotState.PAID and each.slip_no]
    found = [each for each in paid if slip_no in ("", each.slip_no)]
    if not found:
        stands = f"it is {states[-1].state}, from {states[-1].paid_from}"
        expected = f"by slip {slip_no}" if slip_no else "by slip"
        raise errors.JackpotOutOfState(f"expected jackpot {name} to be paid {expected}, {stands}")
    return _slip(ledger, states, found[-1])


def _slip(ledger: Ledger, states: Sequence[Jackpot], paid: Jackpot) -> answers.JackpotSlip:
    """The slip of one payment: how the jackpot came to it, and its void if there was one."""
    link, place = ledger.state.links.get(paid.link_id), states.index(paid)
    voids = [at for at, each in enumerate(states) if each.state is JackpotState.VOIDED]
    begins = max((at + 1 for at in voids if at < place), default=0)
    after = min((at for at in voids if at > place), default=None)
    shown = [*states[begins : place + 1], *([] if after is None else [states[after]])]
    return answers.JackpotSlip(
        slip_no=paid.slip_no,
        property_id=ledger.property_id,
        title="Progressive jackpot slip",
        jackpot=jackpot_message(paid),
        link_title=link.title if link else "",
        states=[jackpot_message(each) for each in shown],
        amount_cents=paid.amount_cents,
        withheld_cents=paid.withheld_cents,
        paid_cents=paid.amount_cents - paid.withheld_cents,
        voided=after is not None,
    )


async def winnings_forms(ledger: Ledger, first: date, last: date) -> list[answers.WinningsForm]:
    """The register of Forms W-2G of the days of payment, in their order: the only reader of payees."""
    forms = []
    async with ledger.pool.acquire() as connection:
        for jackpot_id, sealed, digest, paid_on in await store.payees(connection, ledger.property_id, first, last):
            own = await store.jackpots(connection, ledger.property_id, None, jackpot_id)
            states = await store.wager_jackpots(connection, ledger.property_id, own[0].key, own[0].wager_no)
            paid = next(each for each in own if each.state is JackpotState.PAID and each.payee_sha256 == digest)
            if paid.reportable:
                content = json.loads(ledger.vault.open(sealed, _context(ledger, jackpot_id)))
                forms.append(_form(paid, states, answers.Payee(**content), paid_on))
    return forms


def _form(paid: Jackpot, states: Sequence[Jackpot], payee: answers.Payee, paid_on: date) -> answers.WinningsForm:
    """A form, by the states of all jackpots of the wager: those up to the payment, and whether it was voided since."""
    place = states.index(paid)
    due = _due(paid, states[:place], paid_on, payee)
    since = [each.state for each in states[place:] if each.jackpot_id == paid.jackpot_id]
    return answers.WinningsForm(
        jackpot=jackpot_message(paid),
        payee=payee,
        paid_on=paid_on.isoformat(),
        winnings_cents=paid.amount_cents,
        stake_cents=paid.stake_cents,
        withheld_cents=paid.withheld_cents,
        withholding=due.withholding,
        voided=JackpotState.VOIDED in since,
    )
