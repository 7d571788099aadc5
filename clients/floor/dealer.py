"""The dealer: plays a table's gaming day from its opening to its closing, as events and documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from clients.floor.house import House, Table
from clients.floor.patrons import Choice, Company, Patron
from clients.floor.tray import Terminals, Tray
from services.games.results import GAMES, read_history
from services.games.settlement import Settled, settle_round
from services.games.terms import digest
from services.games.wagers import PlacedWager

OPENS = timedelta(minutes=15)
OPEN_FOR = timedelta(hours=22)
LONGEST_STEP = timedelta(seconds=10)
STEPS_IN_A_ROUND = 6


@dataclass
class TableDay:
    """What one table sent and wrote in a gaming day, and what its dealer counted; money in whole cents.

    Wagers that were returned unsettled are in none of the counts.
    """

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
    """When one round took place: `at(step)` for the moments from its opening to its result.

    Nothing else happens at the table before the `interval` after its opening is over.
    """

    shoe: int
    round_no: int
    opened_at: datetime
    step: timedelta
    interval: timedelta
    dealer: str

    def at(self, steps: int) -> datetime:
        """So many steps after the opening: 1 no more bets, 2 first card, 3 betting closed, 4 result."""
        return self.opened_at + steps * self.step


@dataclass(frozen=True)
class Made:
    """A wager on the felt and the patron whose it is."""

    patron: Patron
    wager: floor.Wager


class Dealer:
    """Plays one table of a game with one result a round; `staged` sends each round in its pieces, else as one whole
    round.
    """

    def __init__(self, house: House, table: Table, day: date, seed: int, *, staged: bool) -> None:
        self.random = Random(f"{seed}/{house.property_id}/{table.table_id}")
        self.table, self.staged, self._calendar = table, staged, house.calendar
        self._opens = house.calendar.start_of(day) + OPENS
        self._company = Company(table.table_id, table.terms, self.random, curious=house.thorough)
        self._round_no = 0
        kept = Terminals if table.terms.kind == "fully_automated" else Tray
        self.done = TableDay(table, kept(house.property_id, table.table_id, day, house.calendar))

    def play(self, rounds: int) -> TableDay:
        """The whole day of so many rounds, spread over the hours that the table is open."""
        interval = OPEN_FOR // max(rounds, 1)
        step = min(interval // STEPS_IN_A_ROUND, LONGEST_STEP)
        self._open()
        self._begin(self._opens)
        for number in range(rounds):
            opened_at = self._opens + interval * number + step
            shoe, round_no = self._next(opened_at - step)
            dealer = f"{self.table.table_id}-{self._calendar.shift_of(opened_at)}"
            self._round(Round(shoe, round_no, opened_at, step, interval, dealer))
        self._close(self._opens + OPEN_FOR + step)
        return self.done

    def _open(self) -> None:
        self.done.tray.open(self._opens)
        opened = floor.TableOpened(table_id=self.table.table_id, offer_digest=digest(self.table.terms))
        self._send(self._opens, floor.Event(table_opened=opened))

    def _begin(self, at: datetime) -> None:
        """Make ready what the first round needs."""

    def _next(self, at: datetime) -> tuple[int, int]:
        """The shoe, 0 where there is none, and the number of the round that comes next."""
        self._round_no += 1
        return 0, self._round_no

    def _close(self, at: datetime) -> None:
        self.done.tray.close(at)
        if self.done.table.terms.kind == "hybrid":
            self.done.tray.read_terminals(at)
        self._send(at, floor.Event(table_closed=floor.TableClosed(table_id=self.table.table_id)))

    def _round(self, moment: Round) -> None:
        self._company.change()
        made = self._opening(moment)
        result = self._result([each.wager for each in made])
        self._pay(made, self._settled([result], made))
        self._finish(result)
        self.done.rounds += 1
        self.done.tray.level(moment.at(4))
        (self._send_pieces if self.staged else self._send_whole)(moment, [each.wager for each in made], result)

    def _opening(self, moment: Round) -> list[Made]:
        """What the patrons wager before the round."""
        made = [(patron, choice) for patron in self._company.patrons for choice in self._choices(patron, moment)]
        return [Made(patron, self.wager(number, patron, choice)) for number, (patron, choice) in enumerate(made, 1)]

    def _choices(self, patron: Patron, moment: Round) -> list[Choice]:
        choices = patron.choose(self.table.terms, self.random)
        self._collect(patron, choices, moment.opened_at)
        return choices

    def _collect(self, patron: Patron, choices: Sequence[Choice], at: datetime) -> None:
        """The patron puts his chips on the felt, after buying those that he lacks."""
        if bought := patron.shortage(choices):
            by_check = patron.has_credit and not self.random.randrange(2)
            self.done.tray.buy_in(bought, at, by_check=by_check)
            patron.chips += bought
        patron.chips -= sum(choice.stake_cents for choice in choices)

    def wager(self, number: int, patron: Patron, choice: Choice, roll: int = 0) -> floor.Wager:
        """The choice as the floor records it."""
        return floor.Wager(
            wager_no=number,
            seat=patron.seat,
            code=choice.code,
            paytable=self.table.terms.offers[choice.code].paytable,
            stake_cents=choice.stake_cents,
            placement=choice.on,
            patron_ref=patron.reference,
            roll=roll,
        )

    def _result(self, wagers: Sequence[floor.Wager]) -> floor.Result:
        """What is dealt or spun with these wagers on the felt."""
        raise NotImplementedError

    def _finish(self, result: floor.Result) -> None:
        """Remember of a result what the next round needs."""

    def _previous(self) -> object:
        """The last result before this round, where the game looks at it."""
        return None

    def _settled(self, results: Iterable[floor.Result], made: Sequence[Made]) -> list[Settled]:
        """The outcome of the wagers by the filed paytables."""
        terms = self.table.terms
        *_, last = found = list(results)
        messages = [getattr(result, terms.game) for result in found]
        history = read_history(terms.game, messages, terms.decks, self._previous())
        GAMES[terms.game].check(history, terms)
        stated = {each.wager_no: each.payout_cents for each in last.stated_payouts}
        return settle_round(history, [placed(each.wager) for each in made], terms, stated)

    def _pay(self, made: Sequence[Made], settled: Sequence[Settled]) -> None:
        """Take and pay what is settled; a share of a meter is paid by slip and not from the tray."""
        for each, found in zip(made, settled, strict=True):
            each.patron.chips += found.payout_cents
        resolved = [(each.wager, found) for each, found in zip(made, settled, strict=True) if found.outcome != "void"]
        stakes = sum(wager.stake_cents for wager, _ in resolved)
        payout = sum(found.payout_cents for _, found in resolved)
        self.done.tray.settle(stakes, payout)
        self.done.wagers += len(resolved)
        self.done.handle += stakes
        self.done.payout += payout

    def _send_whole(self, moment: Round, wagers: list[floor.Wager], *results: floor.Result) -> None:
        whole = floor.WholeRound(
            table_id=self.table.table_id,
            shoe=moment.shoe,
            round_no=moment.round_no,
            dealer=moment.dealer,
            wagers=wagers,
            result=results[-1],
            earlier_results=results[:-1],
        )
        whole.opened_at.FromDatetime(moment.opened_at)
        self._lock(whole, moment)
        self._send(moment.at(2 + 2 * len(results)), floor.Event(whole_round=whole))

    def _send_pieces(self, moment: Round, wagers: list[floor.Wager], result: floor.Result) -> None:
        self._send_opening(moment, wagers)
        dealt = floor.ResultDealt(table_id=self.table.table_id, result=result)
        self._send_piece(moment, 4, floor.Event(result=dealt))

    def _send_opening(self, moment: Round, wagers: list[floor.Wager]) -> None:
        opened = floor.RoundOpened(table_id=self.table.table_id, dealer=moment.dealer)
        closed = floor.BettingClosed(table_id=self.table.table_id, wagers=wagers)
        self._lock(closed, moment)
        self._send_piece(moment, 0, floor.Event(round_opened=opened))
        self._send_piece(moment, 3, floor.Event(betting_closed=closed))

    def _lock(self, body: floor.BettingClosed | floor.WholeRound, moment: Round) -> None:
        body.no_more_bets_at.FromDatetime(moment.at(1))
        if moment.shoe:
            body.first_card_at.FromDatetime(moment.at(2))

    def _send_piece(self, moment: Round, steps: int, event: floor.Event) -> None:
        """Send one piece of a round, under the round's own key."""
        piece = getattr(event, str(event.WhichOneof("body")))
        piece.shoe, piece.round_no = moment.shoe, moment.round_no
        piece.opened_at.FromDatetime(moment.opened_at)
        self._send(moment.at(steps), event)

    def _send(self, at: datetime, event: floor.Event) -> None:
        event.occurred_at.FromDatetime(at)
        self.done.events.append(event)


def placed(wager: floor.Wager) -> PlacedWager:
    """The wager as the rules of play read it."""
    return PlacedWager(
        wager.wager_no,
        wager.seat,
        wager.code,
        wager.paytable,
        wager.stake_cents,
        wager.placement,
        roll=wager.roll,
    )
