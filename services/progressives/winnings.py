"""Form W-2G: which payments are reported, and what is withheld of them (ruling J9).

The rules hold from their day by the date of payment. Facts, from the Instructions for Forms W-2G and 5754 on "other
wagers", to which table progressives belong, and from Public Law 119-21, section 70433:

* the minimum is $600, and $2,000 for payments from 2026 on; it is indexed for inflation later, by a row a year here;
* a payment is reported that reaches the minimum *and* 300 times the stake;
* the payer may take the stake off the amount before comparing it with the minimum;
* regular withholding is 24 % where amount less stake is above $5,000 and the payment reaches 300 times the stake;
* backup withholding is 24 % of a reported payment without tax number, where regular withholding does not apply.

Readings of this platform, where the instructions leave a choice or a gap:

* all jackpots of one wager are one winning; each payment is withheld from what is due on the sum and was not yet;
* the stake is always taken off for the minimum, never for the ratio, which reports the more;
* the stake is the one of the wager that is paid, for an envy prize the stake of the position that receives it;
* both kinds of withholding are of the amount less the stake, half a cent going up;
* Pennsylvania withholds nothing: no duty was found, so its rate is a figure of the row.
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from services.kernel.errors import InvalidRequest
from services.kernel.money import RATE_UNIT, half_up

REGULAR, BACKUP, NONE = "regular", "backup", ""


class Rules(NamedTuple):
    """What holds for payments from a day on: cents; ratio as a multiple of the stake; hundredths of a percent."""

    since: date
    minimum_cents: int
    ratio: int
    regular_above_cents: int
    regular_rate: int
    backup_rate: int
    pennsylvania_rate: int


# The rates of 24 % hold since 2018; payments before were withheld from at others, and are none of this platform's.
RULES = (
    Rules(date(2018, 1, 1), 60_000, 300, 500_000, 2_400, 2_400, 0),
    Rules(date(2026, 1, 1), 200_000, 300, 500_000, 2_400, 2_400, 0),
)


class Assessment(NamedTuple):
    """Whether a Form W-2G is due, the cents withheld of the amount, and by which rule: regular, backup or none ("")."""

    reportable: bool
    withheld_cents: int
    withholding: str


def assess(amount_cents: int, stake_cents: int, paid_on: date, *, tax_number: bool) -> Assessment:
    """What a payment of that day calls for; `amount_cents` is all that is paid, `stake_cents` above zero.

    `tax_number` says whether the payee gave one. `withheld_cents` is for the United States and Pennsylvania
    together. Raises InvalidRequest for a day before the first rules.
    """
    rules = rules_on(paid_on)
    gain = amount_cents - stake_cents
    if gain < rules.minimum_cents or amount_cents < rules.ratio * stake_cents:
        return Assessment(False, 0, NONE)
    withholding, rate = NONE, 0
    if gain > rules.regular_above_cents:
        withholding, rate = REGULAR, rules.regular_rate
    elif not tax_number:
        withholding, rate = BACKUP, rules.backup_rate
    withheld = half_up(gain * rate, RATE_UNIT) + half_up(gain * rules.pennsylvania_rate, RATE_UNIT)
    return Assessment(True, withheld, withholding)


class Won(NamedTuple):
    """Another jackpot of the wager that is not voided: its cents, and what was withheld of it."""

    amount_cents: int
    withheld_cents: int


def assess_wager(
    amount_cents: int, stake_cents: int, others: Iterable[Won], paid_on: date, *, tax_number: bool
) -> Assessment:
    """What the payment of one of a wager's jackpots calls for: what is due on all of them, less what was withheld.

    No more is withheld than is paid; the rest is of the next payment. Raises InvalidRequest as `assess`.
    """
    known = list(others)
    together = amount_cents + sum(each.amount_cents for each in known)
    due = assess(together, stake_cents, paid_on, tax_number=tax_number)
    rest = due.withheld_cents - sum(each.withheld_cents for each in known)
    withheld = min(amount_cents, max(0, rest))
    return Assessment(due.reportable, withheld, due.withholding if withheld else NONE)


def rules_on(day: date) -> Rules:
    """The rules for payments of that day. Raises InvalidRequest."""
    found = [rules for rules in RULES if rules.since <= day]
    if not found:
        raise InvalidRequest(f"expected a day of payment from {RULES[0].since} on, given {day}")
    return found[-1]
