"""Entries of the journal: whole cents, debits above zero and credits below, each entry balanced."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from services.kernel.money import dollars
from services.reporting.ledger.accounts import Account


class EntryUnbalanced(Exception):
    """An entry whose debits are not its credits: what it was made of contradicts itself."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is booked together on a gaming day; `postings` in cents by account, debits above zero.

    `documents`: numbers of documents, slips and jackpots; `positions`: feeds with the positions it stands on.
    """

    gaming_day: date
    narration: str
    postings: Mapping[Account, int]
    documents: tuple[str, ...] = ()
    positions: str = ""


def entry(
    day: date,
    narration: str,
    postings: Iterable[tuple[Account, int]],
    documents: Iterable[str] = (),
    positions: str = "",
) -> Entry | None:
    """An entry of these postings, those to one account added up; None where nothing is booked. Raises
    EntryUnbalanced.
    """
    sums: dict[Account, int] = {}
    for to, amount in postings:
        sums[to] = sums.get(to, 0) + amount
    if together := sum(sums.values()):
        told = "; ".join(f"{to.name} {dollars(amount)}" for to, amount in sums.items())
        raise EntryUnbalanced(
            f"{day} {narration}: expected postings that sum to 0.00, given {dollars(together)}: {told}"
        )
    kept = {to: amount for to, amount in sums.items() if amount}
    return Entry(day, narration, kept, tuple(dict.fromkeys(documents)), positions) if kept else None


def moved(debit: Account, credit: Account, cents: int) -> list[tuple[Account, int]]:
    """Postings that move an amount from one account to another; below zero, the other way round."""
    return [(debit, cents), (credit, -cents)]
