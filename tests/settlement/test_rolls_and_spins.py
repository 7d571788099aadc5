"""Rounds of several rolls and spins that look back at the one before, through settlement."""

from pathlib import Path
from typing import Any

from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.games.wagers import PlacedWager
from tests.builders import wager_on
from tests.databases import Database
from tests.settlement.conftest import Settlement, game_terms, served
from tests.settlement.recorded import Recorded, recorded_round, result_of

WIN, LOSE, PUSH, VOID, PENDING = range(1, 6)
TABLES = (
    game_terms("CRP-01", game="craps", seats=14),
    game_terms("ROU-01", game="roulette", wheel="double_zero"),
    game_terms("ROU-02", {"roulette.lightning_straight": "roulette.straight"}, game="roulette", wheel="single_zero"),
    game_terms("MIN-01", game="minibaccarat"),
    game_terms("MID-01", game="midibaccarat", kind="fully_automated"),
)
HAND = ((4, 2), (3, 3), (1, 2), (2, 4), (5, 2))
"""A point of 6 made by a hard 6, craps on the come-out, a point of 6 again and the seven-out."""


def on(
    code: str, no: int, cents: int = 1_000, *, roll: int = 0, seat: int = 1, place: str | None = None
) -> PlacedWager:
    return wager_on(code, cents, no=no, seat=seat, roll=roll, **({} if place is None else {"on": place}))


PASS, HARD, SMALL = on("craps.pass", 1), on("craps.hard_6", 2, 500), on("craps.all_small", 3, 500)
ODDS, FIELD, SECOND = on("craps.pass_odds", 4, 2_000, roll=1), on("craps.field", 5, 700, roll=1), on("craps.place_8", 6)


def roll(number: int, last: int, *wagers: PlacedWager, down: tuple[int, ...] = ()) -> rounds_pb2.Entry:
    """The entry of one roll of the hand with the wagers that work on it."""
    results = [result_of("craps", *dice) for dice in HAND[:last]]
    return rounds_pb2.Entry(result=recorded_round("CRP-01", number, results, *wagers, roll=last, taken_down=list(down)))


def hand(number: int) -> list[rounds_pb2.Entry]:
    """The hand roll by roll; a place wager that is added after the second roll is taken down before the fourth."""
    place = SECOND._replace(roll=2)
    again = on("craps.pass", 7, roll=2)
    return [
        roll(number, 1, PASS, HARD, SMALL),
        roll(number, 2, PASS, HARD, SMALL, ODDS, FIELD),
        roll(number, 3, SMALL, place, again),
        roll(number, 4, SMALL, place, down=(6,)),
        roll(number, 5, SMALL),
    ]


async def filed(settlement: Settlement) -> None:
    await settlement.approved(tables=TABLES)


def outcomes(settled: entries_pb2.SettledRound) -> list[tuple[int, int, int]]:
    return list(zip(settled.wager_no, settled.outcome, settled.payout_cents, strict=True))


def spin(number: int, shown: dict[str, Any], *wagers: PlacedWager, table: str = "ROU-01", **more: Any) -> Any:
    results = [result_of("roulette", shown)]
    return rounds_pb2.Entry(whole_round=recorded_round(table, number, results, *wagers, **more))


async def test_each_roll_settles_what_it_decides(settlement: Settlement, rounds: Recorded) -> None:
    """A roll's settlement has the wagers it decides and what was taken down before it; the others come again."""
    await filed(settlement)
    entries = [each.settled for each in await settlement.entries(await rounds.record(*hand(1)))]
    assert [each.key.roll for each in entries] == [1, 2, 3, 4, 5]
    assert [each.rounds_position for each in entries] == [1, 2, 3, 4, 5]
    assert [outcomes(each) for each in entries] == [
        [],
        [(1, WIN, 2_000), (2, WIN, 5_000), (4, WIN, 4_400), (5, LOSE, 0)],
        [(7, LOSE, 0)],
        [(6, VOID, 1_000)],
        [(3, LOSE, 0)],
    ]
    assert {(each.game, each.decks, each.wheel) for each in entries} == {("craps", 0, "")}


async def test_a_hand_goes_on_after_a_restart_and_a_roll_sent_again_settles_no_wager_twice(
    database: Database, home: Path, rounds: Recorded
) -> None:
    """The entries after a restart are those of an unbroken run; each wager of the hand is settled exactly once."""
    async with served(database, home, rounds) as settlement:
        await filed(settlement)
        before = await settlement.entries(await rounds.record(*hand(1)[:2]))
    last = await rounds.record(*hand(1)[2:])
    async with served(database, home, rounds) as settlement:
        found = await settlement.entries(last)
        assert found[:2] == before
        numbers = [number for each in found for number in each.settled.wager_no]
        assert sorted(numbers) == [1, 2, 3, 4, 5, 6, 7]
        assert {each.different for each in (await settlement.verified()).values()} == {0}


async def test_a_whole_hand_settles_like_its_rolls(settlement: Settlement, rounds: Recorded) -> None:
    """The hand in one entry gives one settlement with every wager; what no roll decided is pending and unpaid."""
    await filed(settlement)
    wagers = (PASS, HARD, SMALL, ODDS, FIELD, on("craps.pass", 7, roll=2))
    results = [result_of("craps", *dice) for dice in HAND]
    open_ended = recorded_round("CRP-01", 2, results[:4], SMALL, on("craps.lay_4", 2))
    last = await rounds.record(
        *hand(1),
        rounds_pb2.Entry(whole_round=recorded_round("CRP-01", 3, results, *wagers)),
        rounds_pb2.Entry(whole_round=open_ended),
    )
    *rolls, whole, unfinished = [each.settled for each in await settlement.entries(last)]
    decided = {number: rest for each in rolls for number, *rest in outcomes(each)}
    assert {number: rest for number, *rest in outcomes(whole)} == {wager[0]: decided[wager[0]] for wager in wagers}
    assert (whole.key.roll, outcomes(unfinished)) == (0, [(3, PENDING, 0), (2, PENDING, 0)])


async def test_a_spin_is_settled_beside_the_one_before_it(settlement: Settlement, rounds: Recorded) -> None:
    """B2B pays what was drawn where the number comes again, loses where another comes, and is void with none before."""
    await filed(settlement)
    b2b, straight = on("roulette.b2b", 1, 500), on("roulette.straight", 2, 500, place="17")
    last = await rounds.record(
        spin(1, {"pocket": "17"}, b2b, straight),
        spin(2, {"pocket": "17", "drawn_payout": 250}, b2b, straight, previous=result_of("roulette", {"pocket": "17"})),
        spin(3, {"pocket": "00"}, b2b, straight, previous=result_of("roulette", {"pocket": "17"})),
        spin(4, {"pocket": "17", "drawn_payout": 7}, b2b, previous=result_of("roulette", {"pocket": "17"})),
    )
    *settled, refused = await settlement.entries(last)
    assert [outcomes(each.settled) for each in settled] == [
        [(1, VOID, 500), (2, WIN, 18_000)],
        [(1, WIN, 125_500), (2, WIN, 18_000)],
        [(1, LOSE, 0), (2, LOSE, 0)],
    ]
    assert settled[0].settled.line[0] == "no_previous_spin"
    assert {(each.settled.decks, each.settled.wheel) for each in settled} == {(0, "double_zero")}
    assert refused.exception.reason == "DRAW_NOT_FILED"


async def test_lightning_pays_what_a_lucky_number_was_lit_at(settlement: Settlement, rounds: Recorded) -> None:
    """A lit number pays its drawn payout, an unlit one 29 to 1."""
    await filed(settlement)
    lucky = [{"pocket": "8", "pays_to_one": 499}, {"pocket": "0", "pays_to_one": 49}]
    lit, unlit = (on("roulette.lightning_straight", 1, 100, place=place) for place in ("8", "9"))
    last = await rounds.record(
        *(
            spin(number, {"pocket": wager.on, "lucky_numbers": lucky}, wager, table="ROU-02")
            for number, wager in enumerate((lit, unlit), 1)
        )
    )
    found = [outcomes(each.settled) for each in await settlement.entries(last)]
    assert found == [[(1, WIN, 50_000)], [(1, WIN, 3_000)]]


async def test_royal_9_names_levels_and_envy_and_who_pays(settlement: Settlement, rounds: Recorded) -> None:
    """A seat's own king-9 on both hands takes the mega by slip, the other seats take envy from the table."""
    await filed(settlement)
    both = [result_of("minibaccarat", "KC 9C", "KC 9C")]
    wagers = [on("minibaccarat.royal_9", seat, 500, seat=seat) for seat in (1, 2)]
    automated = [on("midibaccarat.royal_9", seat, 500, seat=seat) for seat in (1, 2)]
    over = [result_of("midibaccarat", "KC 9C", "2D 4C")]
    last = await rounds.record(
        rounds_pb2.Entry(whole_round=recorded_round("MIN-01", 1, both, *wagers)),
        rounds_pb2.Entry(whole_round=recorded_round("MID-01", 1, over, *automated)),
    )
    live, terminal = [each.settled for each in await settlement.entries(last)]
    assert [(each.wager_no, each.kind, each.level, each.paid_from, each.cents) for each in live.awards] == [
        (1, "meter", "mega", "slip", 0),
        (2, "envy", "", "inventory", 500_000),
    ]
    assert (list(live.payout_cents), list(live.inventory_cents)) == ([0, 500_000], [0, 500_000])
    assert [(each.kind, each.level, each.paid_from) for each in terminal.awards] == [
        ("meter", "minor", "slip"),
        ("fixed", "", "terminal"),
    ]
    assert list(terminal.inventory_cents) == list(terminal.payout_cents) == [0, 5_000]
    assert {each.different for each in (await settlement.verified()).values()} == {0}


async def test_a_proposal_is_told_of_an_unusual_house_edge(settlement: Settlement) -> None:
    """Offers that the regulation allows but whose edge is out of the band are told with the answer, and once more."""
    options = {"payouts": "10", "weights": "10:1"}
    table = game_terms("ROU-01", game="roulette", wheel="double_zero")
    for offer in table.offers:
        if offer.code == "roulette.b2b":
            offer.options.clear()
            offer.options.update(options)
    request = pb.ProposeSubmissionRequest(
        request_id="p1",
        property_id=settlement.property_id,
        title="Roulette",
        certificate_holder="Harbor Casino",
        effective_from="2026-03-02",
        tables=[table],
    )
    first, again = [await settlement.call("ProposeSubmission", request) for _ in range(2)]
    (said,) = first.warnings
    assert said.startswith("617c.1: roulette.b2b: expected a house edge of 0.00")
    assert said.endswith("(ROU-01)")
    assert first == again
    assert first.submission.tables[0].wheel == "double_zero"
