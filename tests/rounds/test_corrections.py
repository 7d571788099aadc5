"""Voids and amendments over the wire: what they enter, what they refuse, what follows from them."""

from typing import Any

import asyncpg
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.rounds import wire
from services.rounds.standing import REENTERED
from tests.databases import Database
from tests.rounds.conftest import OPENED, TABLE, Rounds, event, wager, whole
from tests.rounds.test_ladder import said
from tests.rounds.test_several_results import CRAPS, HAND, WHEEL, added, floor_of_two, roll, spin, stakes
from tests.rounds.test_several_results import at as placed_at
from tests.rounds.test_several_results import wager as stake

__all__ = ["floor_of_two"]
ILLEGAL = "9H KS 2C/2D 3C"


def void(number: int, item: int = 1, reason: str = "misdeal", actor: str = "kim", **more: Any) -> bytes:
    """A round made void."""
    where = {"table_id": TABLE, "shoe": 1, "opened_at": whole(number).opened_at, **more}
    return event(floor.RoundVoided(round_no=number, item_no=item, reason=reason, actor=actor, **where))


def amend(body: floor.WholeRound, item: int = 1, count: int = 0, reason: str = "misread", actor: str = "kim") -> bytes:
    """A round told again, of a hand up to one of its rolls."""
    return event(floor.RoundAmended(round=body, roll=count, item_no=item, reason=reason, actor=actor))


def hand_again(*dice: tuple[int, int], wagers: list[floor.Wager], number: int = 1) -> floor.WholeRound:
    """A shooter's hand told again."""
    rolls = [floor.Result(craps=floor.CrapsResult(first_die=a, second_die=b)) for a, b in dice]
    body = floor.WholeRound(wagers=wagers, result=rolls[-1], earlier_results=rolls[:-1])
    return placed_at(body, CRAPS, number)  # type: ignore[no-any-return]  # the body that was given


def spin_again(number: int, pocket: str, item: int = 1) -> bytes:
    """A spin told again."""
    body = floor.Event.FromString(spin(number, pocket)).whole_round
    return amend(body, item)


def void_at(table: str, number: int, item: int = 1) -> bytes:
    """A round of a table without a shoe made void."""
    return void(number, item, table_id=table, shoe=0)


async def bodies(rounds: Rounds, name: str) -> list[Any]:
    """The entries of a kind in the feed."""
    return [getattr(entry, name) for _, entry in await rounds.feed() if entry.WhichOneof("body") == name]


async def test_a_void_is_an_entry_without_a_round(rounds: Rounds) -> None:
    """It has key, number, reason and actor, and names its source and whoever brought it."""
    assert said(await rounds.submit([event(whole(1)), void(1)])) == []
    (found,) = await bodies(rounds, "void")
    assert (found.key.round_no, found.item_no, found.reason, found.actor) == (1, 1, "misdeal", "kim")
    assert (found.origin.source_id, found.origin.sequence, found.origin.principal) == ("pit-1", 2, "ann")
    assert not found.HasField("round")
    assert await rounds.differences() == []


async def test_an_amend_carries_the_whole_round_again(rounds: Rounds) -> None:
    """Its wagers are admitted again, held ones stay outside, the stamp is that of its own opening."""
    again = whole(1, "8H KS/2D 3C", [wager(1), wager(2, "baccarat.fortune_7", seat=2)])
    assert said(await rounds.submit([event(whole(1)), amend(again)])) == [(2, "HELD", "BASE_WAGER_MISSING")]
    (found,) = await bodies(rounds, "amend")
    assert [each.wager_no for each in found.round.wagers] == [1]
    assert list(found.round.history[0].baccarat.player) == ["8H", "KS"]
    (first,) = await bodies(rounds, "whole_round")
    assert (found.round.submission_id, found.round.shift) == (first.submission_id, first.shift)
    assert await rounds.differences() == []


REFUSED = [
    ("of no round", [event(whole(9))], void(1), "ROUND_UNKNOWN"),
    ("amend of no round", [event(whole(9))], amend(whole(1)), "ROUND_UNKNOWN"),
    ("without a reason", [event(whole(1))], void(1, reason=" "), "REASON_MISSING"),
    ("without an actor", [event(whole(1))], void(1, actor=""), "ACTOR_MISSING"),
    ("void again", [event(whole(1)), void(1)], void(1, 2), "ROUND_VOIDED"),
    ("amend of a void one", [event(whole(1)), void(1)], amend(whole(1)), "ROUND_VOIDED"),
    ("number too high", [event(whole(1))], amend(whole(1), 2), "OUT_OF_STATE"),
    ("of one roll", [event(whole(1))], void(1, roll=1), "OUT_OF_STATE"),
    ("amend of a roll", [event(whole(1))], amend(whole(1), 1, 1), "OUT_OF_STATE"),
    ("illegal", [event(whole(1))], amend(whole(1, ILLEGAL)), "ILLEGAL_COUP"),
    ("other content", [event(whole(1)), void(1)], void(1, reason="other"), "CONFLICT"),
]


@pytest.mark.parametrize(("name", "before", "bad", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
async def test_a_correction_that_cannot_be_is_quarantined_by_name(
    rounds: Rounds, name: str, before: list[bytes], bad: bytes, reason: str
) -> None:
    """Nothing of it is applied, and a repeat gets the first answer."""
    assert said(await rounds.submit([*before, bad])) == [(len(before) + 1, "QUARANTINED", reason)]
    feed = await rounds.feed()
    assert feed[-1][1].exception.reason == reason
    assert said(await rounds.submit([bad])) == [(1, "DUPLICATE", reason)]
    assert await rounds.feed() == feed
    assert await rounds.differences() == []


async def test_the_same_corrections_again_are_duplicates(rounds: Rounds) -> None:
    """A new epoch changes nothing, before a restart or after it."""
    told = [event(whole(1)), amend(whole(1, "8H KS/2D 3C")), amend(whole(1), 2), event(whole(2)), void(2), void(1)]
    assert said(await rounds.submit(told)) == []
    feed = await rounds.feed()
    for _ in range(2):
        assert [answer[1] for answer in said(await rounds.submit(told))] == ["DUPLICATE"] * len(told)
        await rounds.stop()
        await rounds.start()
    assert await rounds.feed() == feed
    assert await rounds.differences() == []


@pytest.mark.parametrize("known", [1, 2])
async def test_a_void_ends_an_open_round(rounds: Rounds, known: int) -> None:
    """No piece may follow, nor the round whole, in that commit or after a restart."""
    parts = [event(piece) for piece in wire.pieces(whole(1)).values()]
    await rounds.submit([*parts[:known], void(1)])
    await rounds.stop()
    await rounds.start()
    found = said(await rounds.submit([*parts[known:], event(whole(1))]))
    assert {answer[1:] for answer in found} == {("QUARANTINED", "OUT_OF_STATE")}
    assert await rounds.differences() == []


async def test_an_amend_completes_a_round_whose_result_was_illegal(rounds: Rounds) -> None:
    """Illegal stays illegal: the amendment of the open round gives its result."""
    parts = [event(piece) for piece in wire.pieces(whole(1, ILLEGAL)).values()]
    assert said(await rounds.submit([*parts, amend(whole(1))])) == [(3, "QUARANTINED", "ILLEGAL_COUP")]
    (found,) = await bodies(rounds, "amend")
    assert len(found.round.history) == 1
    assert await rounds.differences() == []


async def test_cards_of_void_and_replaced_rounds_are_not_seen(rounds: Rounds) -> None:
    """Eight decks have eight of a card; corrected rounds count once, before a reload and after it."""
    told = [event(whole(number)) for number in range(1, 9)]
    assert said(await rounds.submit([*told, void(1), amend(whole(2, "8H QS/2C 3S"))])) == []
    await rounds.submit([event(whole(9))])
    await rounds.stop()
    await rounds.start()
    await rounds.submit([event(whole(10))])
    assert await bodies(rounds, "exception") == []
    await rounds.submit([event(whole(11))])
    assert [each.reason for each in await bodies(rounds, "exception")] == ["SHOE_EXCEEDED"]


async def test_a_roll_told_again_tells_the_later_ones_again(floor_of_two: Rounds) -> None:
    """The amendment up to roll 1 has an entry for each roll, later rolls and stakes as they were recorded."""
    wagers = [stake(1, "craps.pass"), stake(2, "craps.field"), stake(3, "craps.hot_roller")]
    again = amend(hand_again((3, 3), wagers=wagers), 1, 1)
    assert said(await floor_of_two.submit([*HAND, again])) == []
    found = await bodies(floor_of_two, "amend")
    assert (found[0].key.roll, found[0].actor) == (1, "kim")
    assert [each.key.roll for each in found] == [1, 2, 3]
    assert {each.actor for each in found[1:]} == {"service:rounds"}
    assert [each.item_no > REENTERED for each in found] == [False, True, True]
    # Roll 2 is the point 6 now: pass and place_6 win, so that neither works on roll 3.
    assert [[w.wager_no for w in each.round.wagers] for each in found] == [[1, 2, 3], [1, 3, 4, 5], [3, 6]]
    assert said(await floor_of_two.submit([roll(1, 4, 3, 4)])) == []
    assert await floor_of_two.differences() == []


async def test_stakes_after_the_last_roll_stay_when_it_is_told_again(floor_of_two: Rounds) -> None:
    """They work on the next roll, and so does the hand after a restart."""
    late = stakes(1, 3, added(stake(7, "craps.field", roll=3)))
    wagers = [stake(1, "craps.pass"), stake(3, "craps.hot_roller"), stake(6, "craps.field", roll=2)]
    again = amend(hand_again((2, 2), (3, 3), (5, 5), wagers=wagers), 1, 3)
    assert said(await floor_of_two.submit([*HAND, late, again])) == []
    await floor_of_two.stop()
    await floor_of_two.start()
    assert said(await floor_of_two.submit([roll(1, 4, 1, 1)])) == []
    last = (await bodies(floor_of_two, "result"))[-1]
    assert [each.wager_no for each in last.wagers] == [1, 3, 7]
    assert await floor_of_two.differences() == []


async def test_a_hand_is_reopened_when_its_seven_out_was_none(floor_of_two: Rounds) -> None:
    """And a hand cannot be over before rolls that are recorded."""
    wagers = [stake(1, "craps.pass")]
    over = [*HAND[:2], roll(1, 1, 2, 2), roll(1, 2, 3, 4)]
    early = amend(hand_again((2, 2), (3, 4), wagers=wagers), 2, 2)
    again = amend(hand_again((2, 2), (3, 3), wagers=wagers), 1, 2)
    found = said(await floor_of_two.submit([*over, again, roll(1, 3, 5, 5), early]))
    assert [answer[1] for answer in found] == ["QUARANTINED"]
    assert [each.key.roll for each in await bodies(floor_of_two, "result")] == [1, 2, 3]
    assert await floor_of_two.differences() == []


async def test_the_void_of_a_hand_voids_every_roll(floor_of_two: Rounds) -> None:
    """One entry for the hand, one for each roll; no roll follows."""
    assert said(await floor_of_two.submit([*HAND, void_at(CRAPS, 1), roll(1, 4, 3, 4)])) == [
        (len(HAND) + 2, "QUARANTINED", "OUT_OF_STATE")
    ]
    found = await bodies(floor_of_two, "void")
    assert [(each.key.roll, each.item_no > REENTERED) for each in found] == [
        (0, False),
        (1, True),
        (2, True),
        (3, True),
    ]
    assert await floor_of_two.differences() == []


def previous(entry: entries.Round) -> str:
    """The pocket of the spin before."""
    return entry.previous.roulette.pocket


async def test_a_spin_told_again_tells_the_next_one_again(floor_of_two: Rounds) -> None:
    """The next spin of the wheel has the corrected one before it; those after it stand."""
    await floor_of_two.submit([spin(1, "17"), spin(2, "5"), spin(3, "6"), spin_again(1, "18")])
    own, following = await bodies(floor_of_two, "amend")
    assert (own.key.round_no, own.actor) == (1, "kim")
    assert (following.key.round_no, following.actor, previous(following.round)) == (2, "service:rounds", "18")
    assert "amendment 1" in following.reason
    await floor_of_two.submit([spin_again(3, "9"), spin(4, "10")])
    assert previous((await bodies(floor_of_two, "whole_round"))[-1]) == "9"
    assert await floor_of_two.differences() == []


async def test_a_void_spin_is_no_spin_before_another(floor_of_two: Rounds) -> None:
    """The next has the one before it; of the last one the wheel forgets it, over a restart too."""
    await floor_of_two.submit([spin(1, "17"), spin(2, "5"), spin(3, "6"), void_at(WHEEL, 2)])
    (following,) = await bodies(floor_of_two, "amend")
    assert (following.key.round_no, previous(following.round)) == (3, "17")
    await floor_of_two.submit([void_at(WHEEL, 3)])
    await floor_of_two.stop()
    await floor_of_two.start()
    await floor_of_two.submit([spin(4, "8"), void_at(WHEEL, 1), void_at(WHEEL, 4)])
    last = (await bodies(floor_of_two, "whole_round"))[-1]
    assert previous(last) == "17"
    await floor_of_two.stop()
    await floor_of_two.start()
    await floor_of_two.submit([spin(5, "8")])
    assert previous((await bodies(floor_of_two, "whole_round"))[-1]) == ""
    assert await floor_of_two.differences() == []


async def test_a_last_spin_set_back_to_what_was_told_before_is_named(floor_of_two: Rounds, database: Database) -> None:
    """The entry that an amendment superseded tells the same spin; the next one would carry its result."""
    await floor_of_two.submit([spin(1, "17"), spin(2, "5"), spin_again(2, "9")])
    assert await floor_of_two.differences() == []
    owner: Any = await asyncpg.connect(database.owner_url)
    await owner.execute("UPDATE rounds.last_spin SET position = position - 1")
    await owner.close()
    (named,) = await floor_of_two.differences()
    assert f"last_spin row {WHEEL}" in named


@pytest.mark.parametrize("restarted", [True, False])
@pytest.mark.parametrize(("correction", "before"), [(spin_again(1, "18"), "18"), (void_at(WHEEL, 1), "5")])
async def test_a_corrected_spin_that_was_told_last_is_the_last_as_it_stands(
    floor_of_two: Rounds, correction: bytes, before: str, restarted: bool
) -> None:
    """Though another comes after it by its number: the next spin has the corrected one before it, or that other."""
    await floor_of_two.submit([spin(2, "5"), spin(1, "17")])
    if restarted:
        await floor_of_two.stop()
        await floor_of_two.start()
    await floor_of_two.submit([correction])
    assert await floor_of_two.differences() == []
    await floor_of_two.submit([spin(3, "8")])
    assert previous((await bodies(floor_of_two, "whole_round"))[-1]) == before
    assert await floor_of_two.differences() == []


async def test_a_late_spin_that_is_told_again_leaves_the_last_one(floor_of_two: Rounds) -> None:
    """The latest was told again meanwhile, and so is the last: a correction of the late one does not move it."""
    await floor_of_two.submit([spin(2, "5"), spin(1, "17"), spin_again(2, "9"), spin_again(1, "3")])
    assert await floor_of_two.differences() == []
    await floor_of_two.submit([spin(3, "8")])
    assert previous((await bodies(floor_of_two, "whole_round"))[-1]) == "9"


async def test_table_closed_leaves_rounds_open(rounds: Rounds) -> None:
    """They go on, or are voided."""
    parts = [event(piece) for piece in wire.pieces(whole(1)).values()]
    closed = event(floor.TableClosed(table_id=TABLE), OPENED)
    assert said(await rounds.submit([*parts[:2], closed, parts[2]])) == []
