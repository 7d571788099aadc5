"""What a day would have paid by the terms of another submission: every wager priced again, none of them moved."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.history import name_of
from clients.cli.audit.settlements import history_of, placed_wager
from clients.sdk.payouts import SettledWager, wagers_of
from services.games.admission import admit
from services.games.settlement import Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import Refusal

Share = tuple[str, int]
"""Level of a meter, and hundredths of a percent of it."""
UNDECIDED = ("void", "pending")
"""Outcomes of wagers that count neither for the handle nor for the win."""


class Side(NamedTuple):
    """A wager as one submission settles it. Money in cents; `shares` of meters have no amount here."""

    outcome: str
    line: str
    payout_cents: int
    inventory_cents: int
    shares: tuple[Share, ...] = ()


class Repriced(NamedTuple):
    """A wager as it was settled, and as it would have been; `would` is a refusal where it would not have been taken.

    The latter is priced on the result that settled the wager.
    """

    round: str
    table_id: str
    wager_no: int
    code: str
    seat: int
    stake_cents: int
    settled: Side
    would: Side | Refusal

    @property
    def affected(self) -> bool:
        """Whether the patron would have had anything else."""
        if isinstance(self.would, Refusal):
            return True
        told = [(side.outcome, side.payout_cents, side.shares) for side in (self.settled, self.would)]
        return told[0] != told[1]

    @property
    def overpaid_cents(self) -> int:
        """What was paid above what would have been, below zero where it was less.

        A wager that is not taken, or not decided, leaves its stake with the patron.
        """
        would = Side("void", "", self.stake_cents, self.stake_cents) if isinstance(self.would, Refusal) else self.would
        return self._back(self.settled) - self._back(would)

    def _back(self, side: Side) -> int:
        return self.stake_cents if side.outcome == "pending" else side.payout_cents

    @property
    def wins(self) -> tuple[int, int]:
        """What the wager left at the table, and what it would have: the stake less what the inventory paid."""
        would = 0 if isinstance(self.would, Refusal) else self._win(self.would)
        return self._win(self.settled), would

    def _win(self, side: Side) -> int:
        return 0 if side.outcome in UNDECIDED else self.stake_cents - side.inventory_cents


def reprice(
    settled: settlement.SettledRound, read: rounds.Round, terms: Terms, filed: Terms | None
) -> Iterator[Repriced]:
    """Every wager of a settled round by these terms; `filed` are those that it was taken by."""
    would = _would(read, terms, filed)
    for each in wagers_of(settled):
        if each.outcome == "void" and each.wager_no in read.taken_down:
            continue
        place = name_of(settled.key), settled.key.table_id, each.wager_no, each.code, each.seat, each.stake_cents
        yield Repriced(*place, _settled_side(each), would[each.wager_no])


def _would(read: rounds.Round, terms: Terms, filed: Terms | None) -> Mapping[int, Side | Refusal]:
    """What each wager of a recorded round comes to by these terms; `filed` are those that it was taken by."""
    working = [placed_wager(each) for each in read.wagers if each.wager_no not in read.taken_down]
    placed = [_by(terms, each) for each in working]
    try:
        history = history_of(read, terms)
        accepted, held = _admitted(placed, working, terms, filed, read, history)
        stated = {each.wager_no: each.payout_cents for result in read.history for each in result.stated_payouts}
        priced = settle_round(history, accepted, terms, stated)
    except Refusal as refusal:
        return {each.wager_no: refusal for each in working}
    return {**{each.wager_no: _side(each) for each in priced}, **held}


def _by(terms: Terms, wager: PlacedWager) -> PlacedWager:
    """The wager on the paytable that the terms offer it on."""
    offer = terms.offers.get(wager.code)
    return wager._replace(paytable=offer.paytable) if offer else wager


def _admitted(
    placed: list[PlacedWager],
    working: list[PlacedWager],
    terms: Terms,
    filed: Terms | None,
    read: rounds.Round,
    history: Any,
) -> tuple[list[PlacedWager], dict[int, Refusal]]:
    """Those that would have been taken, and why the others would not.

    What two people let in although the terms of the day held it, they let in here for the same reason.
    """
    day = date.fromisoformat(read.key.gaming_day)
    accepted, held = admit(placed, terms, day, None, None, history)
    refusals = {each.wager_no: refusal for each, refusal in held}
    if refusals and filed is not None:
        _, before = admit(working, filed, day, None, None, history)
        let_in = {
            each.wager_no for each, refusal in before if refusals.get(each.wager_no, refusal).reason == refusal.reason
        }
        released = [each for each, _ in held if each.wager_no in let_in and each.code in terms.offers]
        accepted, refusals = _with(accepted, released, refusals)
    return accepted, refusals


def _with(
    accepted: Iterable[PlacedWager], released: list[PlacedWager], refusals: Mapping[int, Refusal]
) -> tuple[list[PlacedWager], dict[int, Refusal]]:
    numbers = {each.wager_no for each in released}
    return [*accepted, *released], {number: each for number, each in refusals.items() if number not in numbers}


def _settled_side(each: SettledWager) -> Side:
    shares = tuple((award.level, award.percent) for award in each.awards if award.kind == "meter")
    return Side(each.outcome, each.line, each.payout_cents, each.inventory_cents, shares)


def _side(each: Settled) -> Side:
    slips = sum(award.cents for award in each.awards if award.paid_from == "slip")
    shares = tuple((award.level, award.percent) for award in each.awards if award.kind == "meter")
    return Side(each.outcome, each.line, each.payout_cents, each.payout_cents - slips, shares)
