"""The dealer: plays a table's gaming day from its opening to its closing, as events and documents."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from clients.floor.house import House, Table
from clients.floor.patrons import Choice, Company, Patron
from clients.floor.shoe import Shoe
from clients.floor.tray import Tray
from services.games.baccarat.coup import Coup, Coups
from services.games.settlement import settle_round
from services.games.terms import digest
from services.games.wagers import PlacedWager

OPENS = timedelta(minutes=15)
OPEN_FOR = timedelta(hours=22)
LONGEST_STEP = timedelta(seconds=10)
STEPS_IN_A_ROUND = 6


@dataclass
class TableDay:
    """What one table sent and wrote in a gaming day, and what its dealer counted; money in whole cents."""

    table: Table
    tray: Tray
    events: list[floor.Event] = field(default_factory=list)
    rounds: int = 0
    wagers: int = 0
    handle: int = 0
    payout: int = 0

    @property
    def documents(self) -> list[paper.Document]:
        """The table's documents in the order in which they were written."""
        return self.tray.documents


@dataclass(frozen=True)
class Round:
    """When one round took place: `at(step)` for the moments from its opening to its result."""

    shoe: int
    round_no: int
    opened_at: datetime
    step: timedelta
    dealer: str

    def at(self, steps: int) -> datetime:
        """So many steps after the opening: 1 no more bets, 2 first card, 3 betting closed, 4 result."""
        return self.opened_at + steps * self.step


class Dealer:
    """Plays one table; `staged` sends each round in its pieces, else as one whole round."""

    def __init__(self, house: House, table: Table, day: date, seed: int, *, staged: bool) -> None:
        self.random = Random(f"{seed}/{house.property_id}/{table.table_id}")
        self.table, self.staged, self._calendar = table, staged, house.calendar
        self._opens = house.calendar.start_of(day) + OPENS
        self._company = Company(table.table_id, table.terms, self.random)
        self.done = TableDay(table, Tray(house.property_id, table.table_id, day, house.calendar))

    def play(self, rounds: int) -> TableDay:
        """The whole day of so many rounds, spread over the hours that the table is open."""
        interval = OPEN_FOR // max(rounds, 1)
        step = min(interval // STEPS_IN_A_ROUND, LONGEST_STEP)
        self._open()
        shoe, round_no = self._shoe(1, self._opens), 0
        for number in range(rounds):
            opened_at = self._opens + interval * number + step
            if shoe.finished:
                shoe, round_no = self._shoe(shoe.number + 1, opened_at - step), 0
            round_no += 1
            dealer = f"{self.table.table_id}-{self._calendar.shift_of(opened_at)}"
            self._round(Round(shoe.number, round_no, opened_at, step, dealer), shoe)
        self._close(self._opens + OPEN_FOR + step)
        return self.done

    def _open(self) -> None:
        self.done.tray.open(self._opens)
        opened = floor.TableOpened(table_id=self.table.table_id, offer_digest=digest(self.table.terms))
        self._send(self._opens, floor.Event(table_opened=opened))

    def _shoe(self, number: int, at: datetime) -> Shoe:
        changed = floor.ShoeChanged(table_id=self.table.table_id, shoe=number)
        self._send(at, floor.Event(shoe_changed=changed))
        return Shoe(number, self.table.terms.decks, self.random)

    def _close(self, at: datetime) -> None:
        self.done.tray.close(at)
        self._send(at, floor.Event(table_closed=floor.TableClosed(table_id=self.table.table_id)))

    def _round(self, moment: Round, shoe: Shoe) -> None:
        self._company.change()
        made = [(patron, choice) for patron in self._company.patrons for choice in self._choices(patron, moment)]
        wagers = [self._wager(number, *each) for number, each in enumerate(made, start=1)]
        coup = shoe.deal()
        self._pay([patron for patron, _ in made], wagers, coup)
        self.done.tray.level(moment.at(4))
        (self._send_pieces if self.staged else self._send_whole)(moment, wagers, coup)

    def _choices(self, patron: Patron, moment: Round) -> list[Choice]:
        """What the patron wagers, after buying the chips for it, which he then puts on the felt."""
        choices = patron.choose(self.table.terms, self.random)
        if bought := patron.shortage(choices):
            by_check = patron.has_credit and not self.random.randrange(2)
            self.done.tray.buy_in(bought, moment.opened_at, by_check=by_check)
            patron.chips += bought
        patron.chips -= sum(choice.stake_cents for choice in choices)
        return choices

    def _wager(self, number: int, patron: Patron, choice: Choice) -> floor.Wager:
        return floor.Wager(
            wager_no=number,
            seat=patron.seat,
            code=choice.code,
            paytable=self.table.terms.offers[choice.code].paytable,
            stake_cents=choice.stake_cents,
            placement=choice.on,
            patron_ref=patron.reference,
        )

    def _pay(self, patrons: list[Patron], wagers: list[floor.Wager], coup: Coup) -> None:
        """Take and pay by the filed paytables; a share of a meter is paid by slip and not from the tray."""
        placed = [
            PlacedWager(each.wager_no, each.seat, each.code, each.paytable, each.stake_cents, each.placement)
            for each in wagers
        ]
        settled = settle_round(Coups(coup), placed, self.table.terms)
        for patron, wager in zip(patrons, settled, strict=True):
            patron.chips += wager.payout_cents
        stakes, payout = sum(each.stake_cents for each in wagers), sum(each.payout_cents for each in settled)
        self.done.tray.settle(stakes, payout)
        self.done.rounds += 1
        self.done.wagers += len(wagers)
        self.done.handle += stakes
        self.done.payout += payout

    def _send_whole(self, moment: Round, wagers: list[floor.Wager], coup: Coup) -> None:
        whole = floor.WholeRound(
            table_id=self.table.table_id,
            shoe=moment.shoe,
            round_no=moment.round_no,
            dealer=moment.dealer,
            wagers=wagers,
            result=_result(coup),
        )
        whole.opened_at.FromDatetime(moment.opened_at)
        whole.no_more_bets_at.FromDatetime(moment.at(1))
        whole.first_card_at.FromDatetime(moment.at(2))
        self._send(moment.at(4), floor.Event(whole_round=whole))

    def _send_pieces(self, moment: Round, wagers: list[floor.Wager], coup: Coup) -> None:
        table_id, shoe, round_no = self.table.table_id, moment.shoe, moment.round_no
        opened = floor.RoundOpened(table_id=table_id, shoe=shoe, round_no=round_no, dealer=moment.dealer)
        closed = floor.BettingClosed(table_id=table_id, shoe=shoe, round_no=round_no, wagers=wagers)
        closed.no_more_bets_at.FromDatetime(moment.at(1))
        closed.first_card_at.FromDatetime(moment.at(2))
        result = floor.ResultDealt(table_id=table_id, shoe=shoe, round_no=round_no, result=_result(coup))
        for piece in (opened, closed, result):
            piece.opened_at.FromDatetime(moment.opened_at)
        self._send(moment.opened_at, floor.Event(round_opened=opened))
        self._send(moment.at(3), floor.Event(betting_closed=closed))
        self._send(moment.at(4), floor.Event(result=result))

    def _send(self, at: datetime, event: floor.Event) -> None:
        event.occurred_at.FromDatetime(at)
        self.done.events.append(event)


def _result(coup: Coup) -> floor.Result:
    return floor.Result(
        baccarat=floor.BaccaratResult(
            player=[str(card) for card in coup.player.cards],
            banker=[str(card) for card in coup.banker.cards],
        )
    )
