"""The property that the pipeline's benchmark plays at, and its rounds as requests that are serialised before the clock.

Every table deals whole shoes, so that each coup is legal and no shoe holds a card too many. A round has seven wagers of
nine kinds: one on the progressive, one other side wager and every third round two, the rest on Player, Banker or Tie.
A third of all wagers are side wagers.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as rpc
from clients.floor import house as floor_house
from clients.floor.card_dealer import recorded
from clients.floor.dealer import OPEN_FOR, OPENS
from clients.floor.house import PROGRESSIVE, House, Link, Table
from clients.floor.shoe import Shoe
from clients.sdk.stream import PROTOCOL_VERSION
from services.games.catalogue import wager
from services.games.terms import Offer, Terms, digest

PROPERTY, TITLE, FIRST_DAY, SEED = "BENCH", "Benchmark Casino", date(2026, 3, 2), 20260302
DECKS, WAGERS, BATCH = 8, 7, 100
BASES = {"baccarat.player": "standard", "baccarat.banker": "5%", "baccarat.tie": "8"}
SIDES = {
    "baccarat.fortune_7": "A",
    "baccarat.golden_8": "A",
    "baccarat.heavenly_9": "A",
    "baccarat.blazing_7s": "A",
    "baccarat.perfect_pairs": "A",
}
UNITS = (500, 1_000, 2_500, 5_000, 10_000)
SHOES, COMPANIES = 64, 240
LOCK, FIRST_CARD, RESULT = timedelta(seconds=1), timedelta(seconds=2), timedelta(seconds=4)


class Requests(NamedTuple):
    """What one stream sends: its hello, and batches with the number of the last event of each."""

    source_id: str
    hello: bytes
    batches: list[bytes]
    through: list[int]


def bench_house(tables: int) -> House:
    """So many Baccarat tables, all with the nine wagers and all on one Heavenly 9 link."""
    offers = [Offer(code, paytable, *floor_house.BASE_LIMITS) for code, paytable in BASES.items()]
    offers += [Offer(code, paytable, *floor_house.SIDE_LIMITS) for code, paytable in SIDES.items()]
    offers.append(Offer(PROGRESSIVE, "standard", *floor_house.PROGRESSIVE_LIMITS))
    terms = Terms("", "baccarat", "live", DECKS, floor_house.SEATS, floor_house.by_code(offers))
    made = tuple(Table(f"BAC-{number:03d}", floor_house.pit_of(number), terms) for number in range(1, tables + 1))
    names = tuple(table.table_id for table in made)
    link = Link(f"{PROPERTY}-HEAVENLY-9", "Heavenly 9", PROGRESSIVE, "standard", wager(PROGRESSIVE).meters, names)
    return House(PROPERTY, TITLE, *floor_house.people(PROPERTY), made, (link,))


class Play:
    """Deals gaming days; each has so many rounds, spread evenly over the tables and the hours that they are open."""

    def __init__(self, house: House, sources: Sequence[str]) -> None:
        self._house, self._sources = house, sources
        random = Random(SEED)
        self._shoes = [_coups(Shoe(1, DECKS, random)) for _ in range(SHOES)]
        self._companies = [_company(random, number) for number in range(COMPANIES)]
        self._days = 0

    def day(self, rounds: int, batch: int = BATCH) -> list[Requests]:
        """The next gaming day as one list of requests a stream; the streams share the tables."""
        self._days += 1
        day = FIRST_DAY + timedelta(days=self._days - 1)
        return [self._requests(place, source, day, rounds, batch) for place, source in enumerate(self._sources)]

    def _requests(self, place: int, source: str, day: date, rounds: int, batch: int) -> Requests:
        tables = self._house.tables[place :: len(self._sources)]
        fewest, more = divmod(rounds, len(self._sources))
        events = list(self._events(tables, day, fewest + (place < more)))
        offers = [
            rpc.OfferDigest(table_id=table.table_id, gaming_day=day.isoformat(), digest=digest(table.terms))
            for table in tables
        ]
        hello = rpc.Hello(
            property_id=PROPERTY,
            source_id=source,
            source_epoch=self._days,
            protocol_version=PROTOCOL_VERSION,
            offers=offers,
        )
        starts = range(0, len(events), batch)
        return Requests(
            source,
            rpc.StreamRoundsRequest(hello=hello).SerializeToString(),
            [_batch(at + 1, events[at : at + batch]) for at in starts],
            [min(at + batch, len(events)) for at in starts],
        )

    def _events(self, tables: Sequence[Table], day: date, rounds: int) -> Iterator[bytes]:
        """The rounds of the tables in turn, as they would come from one gateway."""
        opens = self._house.calendar.start_of(day) + OPENS
        interval = OPEN_FOR / (rounds // len(tables) + 1)
        dealt = [self._dealt(place) for place in range(len(tables))]
        for number in range(rounds):
            turn, place = divmod(number, len(tables))
            shoe, round_no, result = next(dealt[place])
            company = self._companies[(number * 7 + place) % COMPANIES]
            at = opens + turn * interval
            yield _event(tables[place].table_id, shoe, round_no, at, company, result)

    def _dealt(self, place: int) -> Iterator[tuple[int, int, floor.Result]]:
        """Shoe, round and result at one table, for ever."""
        shoe = 0
        while True:
            shoe += 1
            coups = self._shoes[(place * 11 + shoe * 5 + self._days) % SHOES]
            for round_no, result in enumerate(coups, 1):
                yield shoe, round_no, result


def _coups(shoe: Shoe) -> list[floor.Result]:
    dealt = []
    while not shoe.finished:
        dealt.append(floor.Result(baccarat=recorded(shoe.deal())))
    return dealt


def _company(random: Random, number: int) -> list[floor.Wager]:
    """The seven wagers of a round: four or five seats, each on Player, Banker or Tie; side wagers at some of them."""
    sides = random.sample(sorted(SIDES), 2 if number % 3 == 0 else 1)
    seats = sorted(random.sample(range(1, floor_house.SEATS + 1), WAGERS - 1 - len(sides)))
    units = {seat: random.choice(UNITS) for seat in seats}
    made = [(seat, random.choice(list(BASES)), units[seat] * random.randint(1, 3)) for seat in seats]
    chosen = random.sample(seats, len(sides))
    made += [(seat, code, units[seat] // 5) for seat, code in zip(chosen, sides, strict=True)]
    made.append((random.choice(seats), PROGRESSIVE, floor_house.PROGRESSIVE_LIMITS[0]))
    paytables = {**BASES, **SIDES, PROGRESSIVE: "standard"}
    return [
        floor.Wager(
            wager_no=wager_no,
            seat=seat,
            code=code,
            paytable=paytables[code],
            stake_cents=stake,
            placement=wager(code).areas("")[0],
        )
        for wager_no, (seat, code, stake) in enumerate(made, 1)
    ]


def _event(
    table_id: str, shoe: int, round_no: int, at: datetime, wagers: list[floor.Wager], result: floor.Result
) -> bytes:
    whole = floor.WholeRound(
        table_id=table_id, shoe=shoe, round_no=round_no, dealer=f"{table_id}-D", wagers=wagers, result=result
    )
    whole.opened_at.FromDatetime(at)
    whole.no_more_bets_at.FromDatetime(at + LOCK)
    whole.first_card_at.FromDatetime(at + FIRST_CARD)
    event = floor.Event(whole_round=whole)
    event.occurred_at.FromDatetime(at + RESULT)
    return event.SerializeToString()


def _batch(first: int, events: list[bytes]) -> bytes:
    batch = rpc.EventBatch(first_sequence=first, events=events)
    return rpc.StreamRoundsRequest(batch=batch).SerializeToString()
