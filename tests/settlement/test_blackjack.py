"""Rounds of Blackjack through settlement: later stakes with their hands, payouts that the floor states."""

from pathlib import Path

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2
from services.games.catalogue import catalogue
from services.games.wagers import PlacedWager
from tests.blackjack_hands import SPLIT, dealt, hand
from tests.builders import wager_on
from tests.databases import Database
from tests.settlement.conftest import Settlement, served
from tests.settlement.recorded import Recorded, recorded_round, result_of, wager_of
from tests.settlement.test_rolls_and_spins import LOSE, PENDING, PUSH, VOID, WIN, outcomes

TABLE = "BJ-01"
OFFERED = (
    *("blackjack.blackjack", "blackjack.double", "blackjack.split", "blackjack.insurance"),
    *("external.royal_match", "external.three_card_poker"),
)
TABLES = tuple(
    entries_pb2.TableTerms(
        table_id=table_id,
        game="blackjack",
        kind=kind,
        decks=6,
        seats=7,
        offers=[
            entries_pb2.Offer(code=code, paytable=next(iter(catalogue()[code].paytables)), minimum_cents=100)
            for code in OFFERED
        ],
    )
    for table_id, kind in ((TABLE, "live"), ("BJ-02", "fully_automated"))
)


def on(code: str, no: int, cents: int = 1_000, *, seat: int = 1, place: str = "") -> PlacedWager:
    """A wager on its first paytable."""
    return wager_on(code, cents, no=no, seat=seat, on=place)


BASE, OTHER = on("blackjack.blackjack", 1), on("blackjack.blackjack", 2, seat=2)
ROYAL, THREE = on("external.royal_match", 3, 500), on("external.three_card_poker", 4, 500, seat=2)
INSURANCE = on("blackjack.insurance", 5, 500, seat=2)
DIVIDED, DOUBLED = on("blackjack.split", 6, place="1"), on("blackjack.double", 7, place="0")
MISPLACED = on("blackjack.double", 8, 500, place="1")
WAGERS = (BASE, OTHER, ROYAL, THREE, INSURANCE, DIVIDED, DOUBLED, MISPLACED)


def split(**stated: int) -> floor.Result:
    """The round with two hands of a split; `stated` gives the payouts by wager number."""
    found = dealt(dealer="2C", stated={int(number[1:]): cents for number, cents in stated.items()})
    found.blackjack.CopyFrom(SPLIT.blackjack)
    return found


def in_pieces(number: int, result: floor.Result) -> list[rounds_pb2.Entry]:
    """The entries of a round that came in pieces; settlement reads the last alone."""
    first, later = WAGERS[:4], WAGERS[4:]
    stakes = [floor.AddedStake(kind=floor.STAKE_KIND_MID_ROUND, wager=wager_of(each)) for each in later]
    added = rounds_pb2.StakesAddedToRound(round=recorded_round(TABLE, number, [], *WAGERS), item_no=1, stakes=stakes)
    return [
        rounds_pb2.Entry(betting_closed=recorded_round(TABLE, number, [], *first)),
        rounds_pb2.Entry(stakes_added=added),
        rounds_pb2.Entry(result=recorded_round(TABLE, number, [result], *WAGERS)),
    ]


EXPECTED = [
    (1, WIN, 2_000),
    (2, WIN, 2_000),
    (3, WIN, 3_000),
    (4, PUSH, 500),
    (5, LOSE, 0),
    (6, WIN, 2_000),
    (7, WIN, 2_000),
    (8, VOID, 500),
]
"""The dealer's soft 17 against 21 doubled, 18 and 20: insurance loses; the stake on a hand not doubled goes back."""


async def test_a_round_in_pieces_settles_like_the_whole(database: Database, home: Path, rounds: Recorded) -> None:
    """Every later stake settles with its hand, in one settlement, across a restart."""
    pieces = in_pieces(1, split(_3=3_000, _4=500))
    async with served(database, home, rounds) as settlement:
        await settlement.approved(tables=TABLES)
        assert await settlement.entries(await rounds.record(*pieces[:2])) == []
    whole = rounds_pb2.Entry(whole_round=recorded_round(TABLE, 2, [split(_3=3_000, _4=500)], *WAGERS))
    last = await rounds.record(pieces[2], whole)
    async with served(database, home, rounds) as settlement:
        entries = [each.settled for each in await settlement.entries(last)]
        assert [outcomes(each) for each in entries] == [EXPECTED, EXPECTED]
        assert list(entries[0].line)[2:4] == ["stated", "stated"]
        assert {each.different for each in (await settlement.verified()).values()} == {0}


async def test_what_the_floor_has_not_stated_is_pending(settlement: Settlement, rounds: Recorded) -> None:
    """Such a wager waits unpaid beside the others; a payout of nothing is a loss; all comes from the inventory."""
    await settlement.approved(tables=TABLES)
    last = await rounds.record(
        rounds_pb2.Entry(whole_round=recorded_round(TABLE, 1, [split(_4=0)], *WAGERS[:4])),
        rounds_pb2.Entry(whole_round=recorded_round("BJ-02", 1, [split(_3=3_000)], BASE, OTHER, ROYAL)),
    )
    first, second = [each.settled for each in await settlement.entries(last)]
    assert outcomes(first)[2:] == [(3, PENDING, 0), (4, LOSE, 0)]
    assert list(second.inventory_cents) == list(second.payout_cents) == [2_000, 2_000, 3_000]


async def test_a_round_that_cannot_be_is_an_exception(settlement: Settlement, rounds: Recorded) -> None:
    """Only a recorded round that the rules refuse, and its first illegal step is named."""
    await settlement.approved(tables=TABLES)
    bad = dealt(hand("10S 9D 2C", "stand hit"), dealer="9S 8C")
    last = await rounds.record(
        rounds_pb2.Entry(whole_round=recorded_round(TABLE, 1, [bad], BASE)),
        rounds_pb2.Entry(whole_round=recorded_round(TABLE, 2, [result_of("baccarat", "9H KS", "2D 3C")], BASE)),
    )
    found = [each.exception for each in await settlement.entries(last)]
    assert [each.reason for each in found] == ["ILLEGAL_PLAY", "RESULT_MISSING"]
    assert "seat 1, hand 0, step 2" in found[0].message
    assert isinstance(found[0], entries_pb2.SettlementException)
