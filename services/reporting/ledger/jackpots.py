"""Entries of jackpots: paid and withheld from, payments undone, and those for which no meter gave anything."""

from collections.abc import Iterable, Iterator

from services.kernel.money import MICROS_PER_CENT
from services.reporting.ledger.accounts import Account, account
from services.reporting.ledger.facts import LedgerFacts
from services.reporting.ledger.posting import Entry, entry, moved
from services.reporting.registers.record import JackpotRecord, MeterEvent
from services.reporting.registers.steps import Step, paid_cents

INVENTORY, DEVICE = "inventory", "device"


def jackpot_entries(facts: LedgerFacts, found: Iterable[Step]) -> Iterator[Entry]:
    """Payments, payments undone, and amounts that no meter gave."""
    given = _given(facts.meters.events)
    borne: dict[str, int] = {}
    for step in found:
        name, due = step.jackpot.jackpot_id, step.jackpot.owed + paid_cents(step.jackpot)
        by_house = due - sum(cents for position, cents in given.get(name, ()) if position < step.jackpot.position)
        made = [_of_the_house(step, by_house - borne.get(name, 0)), _payment(step)]
        borne[name] = by_house
        if facts.asked.first <= step.gaming_day <= facts.asked.last:
            yield from filter(None, made)


def _given(events: Iterable[MeterEvent]) -> dict[str, list[tuple[int, int]]]:
    """What meters gave for each jackpot, or got back: position of the progressives feed, and cents."""
    found: dict[str, list[tuple[int, int]]] = {}
    for each in events:
        if each.cause == "award" and each.jackpot_id:
            found.setdefault(each.jackpot_id, []).append((each.position, -each.amount_micros // MICROS_PER_CENT))
    return found


def _payment(step: Step) -> Entry | None:
    if not step.paid:
        return None
    jackpot = step.jackpot if step.paid > 0 else step.former or step.jackpot
    sign = 1 if step.paid > 0 else -1
    held = jackpot.withheld_cents
    lines = [
        (account("jackpots"), step.paid),
        (account("withholding"), -sign * held),
        (_from(jackpot), -(step.paid - sign * held)),
    ]
    said = "paid" if sign > 0 else "payment undone"
    slip = f" by slip {jackpot.slip_no}" if jackpot.slip_no else ""
    narration = f"jackpot {jackpot.jackpot_id} {said}{slip} at {jackpot.table_id} seat {jackpot.seat}"
    return entry(step.gaming_day, narration, lines, _named(jackpot), f"progressives {step.jackpot.position}")


def _from(jackpot: JackpotRecord) -> Account:
    """Chips of the tray are in the table's win already, as its closer shows."""
    if jackpot.paid_from == INVENTORY:
        return account("from_inventory")
    return account("terminals" if jackpot.paid_through == DEVICE else "cage_cash")


def _of_the_house(step: Step, change: int) -> Entry | None:
    """Where no link was live, or the meter is gone: the house bears what is set, and gets back what is voided."""
    jackpot = step.jackpot
    said = f"jackpot {jackpot.jackpot_id} without a meter, borne by the house"
    lines = moved(account("house"), account("jackpots"), change)
    return entry(step.gaming_day, said, lines, _named(jackpot), f"progressives {jackpot.position}")


def _named(jackpot: JackpotRecord) -> list[str]:
    return [jackpot.jackpot_id, *([jackpot.slip_no] if jackpot.slip_no else [])]
