"""Rounds of several results: a shooter's hand roll by roll, and a wheel that remembers its last spin."""

from typing import Any

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from casino.settlement.v1 import entries_pb2 as settlement_entries
from services.games.catalogue import catalogue
from tests.rounds.conftest import PROPERTY, Rounds, event, file_submission, whole
from tests.rounds.test_ladder import said

CRAPS, WHEEL = "CR-01", "RO-01"


def offers(*codes: str, **options: dict[str, str]) -> list[settlement_entries.Offer]:
    """Offers of these wagers on their first paytables."""
    return [
        settlement_entries.Offer(
            code=code,
            paytable=next(iter(catalogue()[code].paytables)),
            minimum_cents=100,
            options=options.get(code.replace(".", "_"), {}),
        )
        for code in codes
    ]


@pytest.fixture
async def floor_of_two(rounds: Rounds) -> Rounds:
    """The property with a craps table and a wheel beside its baccarat table."""
    return await file_floor_of_two(rounds)


async def file_floor_of_two(rounds: Rounds) -> Rounds:
    """Sets the two tables up."""
    for table_id, game in ((CRAPS, "craps"), (WHEEL, "roulette")):
        settings = entries.TableSettings(
            property_id=PROPERTY, table_id=table_id, pit="P2", game=game, effective_from="2026-01-01"
        )
        await rounds.call("SetTable", pb.SetTableRequest(request_id=table_id, settings=settings))
    craps = settlement_entries.TableTerms(
        table_id=CRAPS,
        game="craps",
        kind="live",
        seats=16,
        offers=offers("craps.pass", "craps.field", "craps.place_6", "craps.hot_roller"),
    )
    wheel = settlement_entries.TableTerms(
        table_id=WHEEL,
        game="roulette",
        kind="live",
        seats=7,
        wheel="single_zero",
        offers=offers("roulette.straight", "roulette.b2b", roulette_b2b={"payouts": "1000,500"}),
    )
    await file_submission(rounds.settlement, "more", [craps, wheel])
    await rounds.offered(CRAPS)
    return rounds


def at(body: Any, table_id: str, number: int) -> Any:
    """The body as an event of that table and round."""
    body.table_id, body.shoe, body.round_no = table_id, 0, number
    body.opened_at.CopyFrom(whole(number).opened_at)
    return body


def wager(number: int, code: str, roll: int = 0, on: str = "", **more: Any) -> floor.Wager:
    """A wager of $12 at seat 1."""
    paytable = next(iter(catalogue()[code].paytables))
    return floor.Wager(
        wager_no=number, seat=1, code=code, paytable=paytable, stake_cents=1_200, placement=on, roll=roll, **more
    )


def opened(number: int, wagers: list[floor.Wager]) -> list[bytes]:
    """A shooter's hand opened and its first wagers placed."""
    return [
        event(at(floor.RoundOpened(), CRAPS, number)),
        event(at(floor.BettingClosed(wagers=wagers), CRAPS, number)),
    ]


def roll(number: int, count: int, first: int, second: int) -> bytes:
    """One roll of a hand."""
    result = floor.Result(craps=floor.CrapsResult(first_die=first, second_die=second))
    return event(at(floor.ResultDealt(roll=count, result=result), CRAPS, number))


def stakes(number: int, item: int, *added: floor.AddedStake) -> bytes:
    """Stakes added between two rolls."""
    return event(at(floor.StakesAdded(item_no=item, stakes=added), CRAPS, number))


def added(new: floor.Wager) -> floor.AddedStake:
    """A wager placed in the middle of a hand."""
    return floor.AddedStake(kind=floor.STAKE_KIND_MID_ROUND, wager=new)


HAND = [
    *opened(1, [wager(1, "craps.pass"), wager(2, "craps.field"), wager(3, "craps.hot_roller")]),
    roll(1, 1, 2, 2),
    stakes(1, 1, added(wager(4, "craps.place_6", roll=1)), added(wager(5, "craps.field", roll=1))),
    roll(1, 2, 3, 3),
    stakes(1, 2, added(wager(6, "craps.field", roll=2))),
    roll(1, 3, 1, 3),
]


async def results(rounds: Rounds) -> list[entries.Round]:
    """The results of the craps table in the feed."""
    return [entry.result for _, entry in await rounds.feed() if entry.WhichOneof("body") == "result"]


async def test_each_roll_carries_the_wagers_that_work_on_it(floor_of_two: Rounds) -> None:
    """A wager is carried until a roll settles it; what was placed after a roll works from the next one on."""
    assert said(await floor_of_two.submit(HAND)) == []
    found = await results(floor_of_two)
    assert [[w.wager_no for w in each.wagers] for each in found] == [[1, 2, 3], [1, 3, 4, 5], [1, 3, 6]]
    assert [(each.key.roll, len(each.history)) for each in found] == [(1, 1), (2, 2), (3, 3)]


async def test_a_hand_survives_restarts_and_resends(floor_of_two: Rounds) -> None:
    """Whatever was sent before is known again, and the hand goes on where it was."""
    for count in range(1, len(HAND) + 1):
        await floor_of_two.stop()
        await floor_of_two.start()
        response = await floor_of_two.submit(HAND[:count])
        assert [answer[1] for answer in said(response)] == ["DUPLICATE"] * (count - 1)
    found = await results(floor_of_two)
    assert [[w.wager_no for w in each.wagers] for each in found] == [[1, 2, 3], [1, 3, 4, 5], [1, 3, 6]]
    assert await floor_of_two.differences() == []


async def test_a_wager_taken_down_is_returned_by_the_next_roll(floor_of_two: Rounds) -> None:
    """It is named in the next result and works no longer."""
    down = floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=4)
    hand = [*HAND[:4], stakes(1, 2, down), roll(1, 2, 6, 4), roll(1, 3, 5, 4)]
    assert said(await floor_of_two.submit(hand)) == []
    found = await results(floor_of_two)
    assert [list(each.taken_down) for each in found] == [[], [4], []]
    assert 4 not in [w.wager_no for w in found[2].wagers]


async def test_a_hand_is_over_with_the_seven_out(floor_of_two: Rounds) -> None:
    """No roll follows it; the rolls before are counted without a hole."""
    await floor_of_two.submit([*HAND[:3], roll(1, 3, 6, 6)])
    kept = (await floor_of_two.call("ListHeldFacts", pb.ListHeldFactsRequest(property_id=PROPERTY))).facts
    assert [fact.reason for fact in kept] == ["OUT_OF_STATE"]
    over = await floor_of_two.submit([roll(1, 2, 3, 4), roll(1, 3, 2, 4)])
    assert said(over) == [(2, "QUARANTINED", "OUT_OF_STATE")]


@pytest.mark.parametrize(
    ("bad", "kind", "reason"),
    [
        (roll(1, 2, 7, 1), "REJECTED", "DICE_UNKNOWN"),
        (stakes(1, 1, added(wager(4, "craps.field", roll=0))), "QUARANTINED", "OUT_OF_STATE"),
        (stakes(1, 1, added(wager(2, "craps.field", roll=1))), "REJECTED", "WAGER_NO_REPEATED"),
        (stakes(1, 1, added(wager(4, "craps.hot_roller", roll=1))), "HELD", "WAGER_LATE"),
        (
            stakes(1, 1, floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=9)),
            "QUARANTINED",
            "OUT_OF_STATE",
        ),
    ],
)
async def test_what_cannot_happen_in_a_hand_is_named(floor_of_two: Rounds, bad: bytes, kind: str, reason: str) -> None:
    """The hand goes on without it."""
    assert said(await floor_of_two.submit([*HAND[:3], bad])) == [(4, kind, reason)]
    assert said(await floor_of_two.submit([roll(1, 2, 3, 3)])) == []
    assert await floor_of_two.differences() == []


async def test_a_whole_hand_may_come_in_one_event(floor_of_two: Rounds) -> None:
    """Its rolls stand in order, its wagers say after which roll they were placed."""
    rolls = [floor.Result(craps=floor.CrapsResult(first_die=a, second_die=b)) for a, b in ((2, 2), (3, 3), (3, 4))]
    body = floor.WholeRound(
        wagers=[wager(1, "craps.pass"), wager(2, "craps.place_6", roll=1)], result=rolls[-1], earlier_results=rolls[:-1]
    )
    hand = event(at(body, CRAPS, 7))
    assert said(await floor_of_two.submit([hand])) == []
    _, entry = (await floor_of_two.feed())[-1]
    assert len(entry.whole_round.history) == 3
    assert said(await floor_of_two.submit([hand])) == [(1, "DUPLICATE", "DUPLICATE")]
    assert await floor_of_two.differences() == []


def spin(number: int, pocket: str, drawn: int = 0) -> bytes:
    """A spin with one wager on B2B."""
    body = floor.WholeRound(
        wagers=[wager(1, "roulette.straight", on="17"), wager(2, "roulette.b2b")],
        result=floor.Result(roulette=floor.RouletteResult(pocket=pocket, drawn_payout=drawn)),
    )
    return event(at(body, WHEEL, number))


async def test_a_spin_carries_the_last_valid_spin_of_its_wheel(floor_of_two: Rounds) -> None:
    """The first has none; a refused one is not remembered; a restart forgets nothing."""
    assert said(await floor_of_two.submit([spin(1, "17"), spin(2, "99"), spin(3, "17", 1000)])) == [
        (2, "REJECTED", "POCKET_UNKNOWN")
    ]
    await floor_of_two.stop()
    await floor_of_two.start()
    await floor_of_two.submit([spin(4, "5")])
    spins = [entry.whole_round for _, entry in await floor_of_two.feed() if entry.WhichOneof("body") == "whole_round"]
    assert [each.previous.roulette.pocket for each in spins] == ["", "17", "17"]


async def test_a_draw_that_was_not_filed_is_refused(floor_of_two: Rounds) -> None:
    """The Rules Submission lists what the approved random number generator may draw."""
    response = await floor_of_two.submit([spin(1, "17"), spin(2, "17", 250)])
    assert said(response) == [(2, "QUARANTINED", "DRAW_NOT_FILED")]
