"""Jackpots step by step: each state on the gaming day on which it is booked, and what stands at the end of one."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from services.reporting.payments.payment import Calendars, day_of
from services.reporting.registers.record import PAID, JackpotRecord, MeterEvent


class Step(NamedTuple):
    """A state of a jackpot after another (None: its first), on the gaming day on which it is booked."""

    gaming_day: date
    former: JackpotRecord | None
    jackpot: JackpotRecord

    @property
    def paid(self) -> int:
        """What it pays, in cents; below zero where a payment is undone."""
        return paid_cents(self.jackpot) - (paid_cents(self.former) if self.former else 0)


def paid_cents(jackpot: JackpotRecord) -> int:
    """What it has paid as it stands, in cents."""
    return jackpot.amount_cents if jackpot.state == PAID else 0


def steps(jackpots: Sequence[JackpotRecord], events: Iterable[MeterEvent], calendars: Calendars) -> list[Step]:
    """The states of jackpots in the order in which they came, each on its day.

    That of a decision is the day on which it moved the meter, any other goes by the clock; never before the day of the
    state before.
    """
    decided = {each.decision_id: each.gaming_day for each in events if each.decision_id}
    latest: dict[str, tuple[JackpotRecord, date]] = {}
    found = []
    for each in jackpots:
        former, since = latest.get(each.jackpot_id, (None, each.gaming_day))
        day = max(since, _day(each, former, decided, calendars))
        latest[each.jackpot_id] = each, day
        found.append(Step(day, former, each))
    return found


def _day(jackpot: JackpotRecord, former: JackpotRecord | None, decided: dict[str, date], calendars: Calendars) -> date:
    if jackpot.decision_id in decided and (former is None or former.decision_id != jackpot.decision_id):
        return decided[jackpot.decision_id]
    return day_of(calendars, jackpot.at) if jackpot.at else jackpot.gaming_day


def owed(found: Iterable[Step], through: date) -> int:
    """What is owed on jackpots and not paid at the end of a gaming day, in cents, by their last states."""
    return sum({each.jackpot.jackpot_id: each.jackpot.owed for each in found if each.gaming_day <= through}.values())


def withheld(found: Iterable[Step], through: date) -> int:
    """What was withheld of the jackpots that stand as paid at the end of a gaming day, in cents."""
    last = {each.jackpot.jackpot_id: each.jackpot for each in found if each.gaming_day <= through}
    return sum(each.withheld_cents for each in last.values() if each.state == PAID)
