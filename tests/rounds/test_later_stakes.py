"""Rounds of Blackjack: later stakes between betting closed and the one result, in pieces and whole, over the wire."""

from datetime import date
from itertools import cycle, islice
from typing import Any

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from casino.settlement.v1 import entries_pb2 as settlement_entries
from clients.floor.blackjack_dealer import BlackjackDealer
from clients.floor.filing import _table_terms
from clients.floor.full_house import full_house
from services.games.blackjack.house import house_rules
from services.games.catalogue import catalogue
from services.rounds.shoes import cards_of
from tests.blackjack_hands import SPLIT, dealt, hand
from tests.rounds.conftest import PROPERTY, Rounds, event, file_submission, whole
from tests.rounds.test_ladder import said
from tests.rounds.test_releases import decide

TABLE = "BJ-01"
BASE, PAIRS, ROYAL = "blackjack.blackjack", "blackjack.perfect_pairs", "external.royal_match"
OFFERED = (BASE, PAIRS, "blackjack.buster", "blackjack.double", "blackjack.split", "blackjack.insurance", ROYAL)


@pytest.fixture
async def blackjack(rounds: Rounds) -> Rounds:
    """The property with a Blackjack table of one deck beside its baccarat table."""
    settings = entries.TableSettings(
        property_id=PROPERTY, table_id=TABLE, pit="P2", game="blackjack", effective_from="2026-01-01"
    )
    await rounds.call("SetTable", pb.SetTableRequest(request_id=TABLE, settings=settings))
    offers = [settlement_entries.Offer(code=code, paytable=paytable(code), minimum_cents=100) for code in OFFERED]
    terms = settlement_entries.TableTerms(
        table_id=TABLE, game="blackjack", kind="live", decks=6, seats=7, offers=offers
    )
    await file_submission(rounds.settlement, "blackjack", [terms])
    await rounds.offered(TABLE)
    return rounds


def paytable(code: str) -> str:
    """The first paytable of a wager that is for six decks."""
    return next(name for name, each in catalogue()[code].paytables.items() if 6 in (each.decks or (6,)))


def wager(number: int, code: str = BASE, cents: int = 1_000, *, seat: int = 1, on: str = "") -> floor.Wager:
    return floor.Wager(wager_no=number, seat=seat, code=code, paytable=paytable(code), stake_cents=cents, placement=on)


def added(kind: str, belongs_to: int, new: floor.Wager) -> floor.AddedStake:
    return floor.AddedStake(kind=floor.StakeKind.Value(f"STAKE_KIND_{kind}"), belongs_to=belongs_to, wager=new)


FIRST = [wager(1), wager(2, PAIRS), wager(3, seat=2)]
INSURED = added("INSURANCE", 3, wager(4, "blackjack.insurance", 500, seat=2))
DIVIDED = added("SPLIT", 1, wager(5, "blackjack.split", on="1"))
DOUBLED = added("DOUBLE", 1, wager(6, "blackjack.double", on="0"))
LATER = [each.wager for each in (INSURED, DIVIDED, DOUBLED)]


def at(body: Any, number: int) -> Any:
    """The body as an event of that round at the table."""
    body.table_id, body.shoe, body.round_no = TABLE, 1, number
    body.opened_at.CopyFrom(whole(number).opened_at)
    return body


def opened(number: int) -> bytes:
    return event(at(floor.RoundOpened(), number))


def closed(number: int, *wagers: floor.Wager) -> bytes:
    return event(at(floor.BettingClosed(wagers=wagers), number))


def stakes(number: int, item: int, *new: floor.AddedStake) -> bytes:
    return event(at(floor.StakesAdded(item_no=item, stakes=new), number))


def result(number: int, shown: floor.Result) -> bytes:
    return event(at(floor.ResultDealt(result=shown), number))


def in_one(number: int, *wagers: floor.Wager, shown: floor.Result = SPLIT) -> bytes:
    return event(at(floor.WholeRound(wagers=wagers, result=shown), number))


def pieces(number: int) -> list[bytes]:
    """The round in five events."""
    return [
        opened(number),
        closed(number, *FIRST),
        stakes(number, 1, INSURED),
        stakes(number, 2, DIVIDED, DOUBLED),
        result(number, SPLIT),
    ]


PIECES = pieces(1)
WHOLE = in_one(1, *FIRST, *LATER)


async def last(rounds: Rounds, kind: str) -> Any:
    """The newest entry of a kind."""
    return [getattr(entry, kind) for _, entry in await rounds.feed() if entry.WhichOneof("body") == kind][-1]


async def test_the_result_carries_the_stakes_that_were_added(blackjack: Rounds) -> None:
    """Doubles, splits and insurance come before the one result, which carries every wager of the round."""
    assert said(await blackjack.submit(PIECES)) == []
    found = await last(blackjack, "result")
    assert ([each.wager_no for each in found.wagers], found.key.roll) == ([1, 2, 3, 4, 5, 6], 0)
    assert [each.kind for each in (await last(blackjack, "stakes_added")).stakes] == [DIVIDED.kind, DOUBLED.kind]
    assert await blackjack.differences() == []


async def test_a_round_goes_on_after_a_restart_between_any_two_pieces(blackjack: Rounds) -> None:
    """What was sent before is known again, and the round ends as an unbroken one does."""
    for count in range(1, len(PIECES) + 1):
        await blackjack.stop()
        await blackjack.start()
        response = await blackjack.submit(PIECES[:count])
        assert [answer[1] for answer in said(response)] == ["DUPLICATE"] * (count - 1)
    assert [each.wager_no for each in (await last(blackjack, "result")).wagers] == [1, 2, 3, 4, 5, 6]
    assert await blackjack.differences() == []


async def test_whole_and_in_pieces_are_one_round(blackjack: Rounds) -> None:
    """Whichever came first, the other form is known; another stake in it is a conflict."""
    await blackjack.submit(PIECES)
    assert said(await blackjack.submit([WHOLE])) == [(1, "DUPLICATE", "DUPLICATE")]
    without = in_one(1, *FIRST, *LATER[:2])
    more = in_one(1, *FIRST, *LATER, wager(7, "blackjack.double", on="1"))
    assert [each[2] for each in said(await blackjack.submit([without, more]))] == ["CONFLICT", "CONFLICT"]
    second = [in_one(2, *FIRST, *LATER)]
    assert said(await blackjack.submit(second)) == []
    spread = [opened(2), closed(2, *FIRST), stakes(2, 1, DIVIDED, DOUBLED), stakes(2, 2, INSURED), result(2, SPLIT)]
    assert [each[1] for each in said(await blackjack.submit(spread))] == ["DUPLICATE"] * 5
    wrong = [closed(2, *FIRST[:2]), stakes(2, 1, added("DOUBLE", 1, wager(6, "blackjack.double", 900, on="0")))]
    assert [each[2] for each in said(await blackjack.submit(wrong))] == ["CONFLICT", "CONFLICT"]


async def test_later_stakes_settle_alike_however_events_group_them(blackjack: Rounds) -> None:
    """The entry of the result, all that settlement reads, has the same wagers and cards for every grouping."""
    found = []
    for number, sizes in enumerate([(3,), (1, 2), (2, 1), (1, 1, 1)], start=1):
        rest = iter((INSURED, DIVIDED, DOUBLED))
        groups = [stakes(number, item, *islice(rest, size)) for item, size in enumerate(sizes, start=1)]
        events = [opened(number), closed(number, *FIRST), *groups, result(number, SPLIT)]
        assert said(await blackjack.submit(events)) == []
        entry = await last(blackjack, "result")
        found.append(([*entry.wagers], [*entry.history]))
    assert found == [found[0]] * 4
    assert [each.wager_no for each in found[0][0]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("restarted", [True, False])
async def test_a_whole_round_completes_its_pieces(blackjack: Rounds, restarted: bool) -> None:
    """Stakes that no piece brought are one more piece; sent again, the whole round is known."""
    for known in (1, 2, 3, 4):
        await blackjack.submit(pieces(known)[:known])
    if restarted:
        await blackjack.stop()
        await blackjack.start()
    for known in (1, 2, 3, 4):
        body = in_one(known, *FIRST, *LATER)
        assert said(await blackjack.submit([body])) == []
        assert [each.wager_no for each in (await last(blackjack, "result")).wagers] == [1, 2, 3, 4, 5, 6]
        assert said(await blackjack.submit([body])) == [(1, "DUPLICATE", "DUPLICATE")]
    assert await blackjack.differences() == []


async def test_a_side_wager_after_betting_closed_is_late(blackjack: Rounds) -> None:
    """It is held while the later stakes beside it stand, and is part of what a whole round is compared with."""
    late = wager(4, PAIRS, seat=2)
    insured = added("INSURANCE", 3, wager(5, "blackjack.insurance", 500, seat=2))
    begun = [opened(1), closed(1, *FIRST), stakes(1, 1, added("MID_ROUND", 3, late), insured)]
    assert said(await blackjack.submit(begun)) == [(3, "HELD", "WAGER_LATE")]
    shown = dealt(hand("8H 3D", "double"), hand("KD QC", "insurance stand", seat=2), dealer="AS 6C")
    shown.blackjack.hands[0].cards.append("KC")
    await blackjack.stop()
    await blackjack.start()
    again = [*begun, result(1, shown), in_one(1, *FIRST, late, insured.wager, shown=shown)]
    assert {each[1] for each in said(await blackjack.submit(again))} == {"DUPLICATE", "HELD"}
    assert [each.wager_no for each in (await last(blackjack, "result")).wagers] == [1, 2, 3, 5]
    assert await blackjack.differences() == []


DOWN = floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=2)
HALF = dealt(hand("8H 3D KC", "double"), hand("KD QC", "stand", seat=2), dealer="AS 5C")
ROYALS = [wager(1), wager(2, ROYAL)]
STOOD = "10S 9D", "stand"
BUST = dealt(hand("10S 3D KC", "hit"), dealer="9S 5C")


def stood(stated: dict[int, int]) -> floor.Result:
    return dealt(hand(*STOOD), dealer="9S 8C", stated=stated)


BAD = [
    (stakes(1, 7, DOWN), "OUT_OF_STATE", "no wager is taken down"),
    (stakes(1, 7, added("DOUBLE", 1, wager(3, "blackjack.double", on="0"))), "WAGER_NO_REPEATED", "above 3"),
    (result(1, HALF), "ILLEGAL_PLAY", "dealer, card 3: expected a card on 16, given none"),
    (result(1, dealt(hand("8H 8D", "hit stand"), dealer="9S 8C")), "ILLEGAL_PLAY", "seat 1, hand 0, step 1"),
    (result(1, dealt(hand(*STOOD), dealer="9S 8C")), "RESULT_MISSING", "seat 2"),
    (in_one(3, wager(1), wager(2, "blackjack.buster"), shown=BUST), "RESULT_MISSING", "wager 2"),
    (in_one(3, *ROYALS, shown=stood({3: 0})), "STATED_PAYOUT_IMPOSSIBLE", "a wager of it once, got 3"),
    (in_one(3, *ROYALS, shown=stood({1: 0})), "STATED_PAYOUT_IMPOSSIBLE", "got 1, blackjack.blackjack"),
    (in_one(3, *ROYALS, shown=stood({2: -1})), "STATED_PAYOUT_IMPOSSIBLE", "got -1 on wager 2"),
    (in_one(4, *ROYALS, shown=stood({2: 3_500})), "", ""),
    (in_one(5, *ROYALS, shown=stood({})), "", ""),
    (in_one(6, wager(1), shown=BUST), "", ""),
    (in_one(7, wager(1), wager(2, "blackjack.double", 1_100, on="0"), shown=stood({})), "STAKE_OVER_MAXIMUM", "11/10"),
]


async def test_what_cannot_be_is_named(blackjack: Rounds) -> None:
    """The first illegal step, a wager that the result leaves open, a payout that is not the floor's to state."""
    await blackjack.submit(PIECES[:2])
    for bad, reason, named in BAD:
        answered = (await blackjack.submit([bad])).answers
        assert [each.reason for each in answered] == [reason][: len(reason)]
        assert all(named in each.message for each in answered), [each.message for each in answered]
    assert said(await blackjack.submit(PIECES[2:])) == []
    assert await blackjack.differences() == []


async def test_a_dealers_days_are_taken_in_as_they_were_played(rounds: Rounds) -> None:
    """Tables of each way of dealing, every wager that they offer, in pieces and whole: nothing is refused or held."""
    house = full_house()
    tables = {(each.terms.kind, house_rules(each.terms)): each for each in house.tables if each.terms.decks}
    chosen = [each for each in tables.values() if each.terms.game == "blackjack"]
    for each in chosen:
        settings = entries.TableSettings(
            property_id=PROPERTY, table_id=each.table_id, pit="P2", game="blackjack", effective_from="2026-01-01"
        )
        await rounds.call("SetTable", pb.SetTableRequest(request_id=each.table_id, settings=settings))
    await file_submission(rounds.settlement, "house", [_table_terms(each) for each in chosen])
    for staged, each in zip(cycle((True, False)), chosen):
        await rounds.offered(each.table_id)
        day = BlackjackDealer(house, each, date(2026, 3, 2), 7, staged=staged).play(25)
        events = [told.SerializeToString() for told in day.events]
        assert said(await rounds.submit(events)) == [], each
    assert len({house_rules(each.terms).dealing for each in chosen}) == 3
    assert await noticed(rounds) == []
    assert await rounds.differences() == []


async def noticed(rounds: Rounds) -> list[tuple[int, str]]:
    """Round and sentence of each stake that was noticed to be missing."""
    bodies = [entry.exception for _, entry in await rounds.feed() if entry.WhichOneof("body") == "exception"]
    return [(each.key.round_no, each.message) for each in bodies if each.reason == "STAKE_MISSING"]


async def test_a_play_whose_stake_nobody_sent_is_noticed(blackjack: Rounds) -> None:
    """Double, split and insurance, each by seat and hand; the round settles with what there is."""
    assert said(await blackjack.submit([in_one(1, *FIRST), *pieces(2)[:3], result(2, SPLIT)])) == []
    double, split = "blackjack.double on hand 0 of seat 1", "blackjack.split on hand 1 of seat 1"
    missing = [(1, double), (1, split), (1, "blackjack.insurance on seat 2"), (2, double), (2, split)]
    rest = f"in round 2026-03-02/{TABLE}/1"
    assert await noticed(blackjack) == [
        (number, f"Expected the stake {what} {rest}/{number}, where it was played; none was sent.")
        for number, what in missing
    ]
    assert await blackjack.differences() == []


async def test_a_stake_that_was_sent_is_not_missed(blackjack: Rounds) -> None:
    """However it was sent, over a restart too; one that is held is not missing, nor is any where the base is."""
    over = added("DOUBLE", 1, wager(6, "blackjack.double", 9_000, on="0"))
    held = [closed(3, *FIRST), stakes(3, 1, INSURED, DIVIDED), stakes(3, 2, over)]
    answered = await blackjack.submit([*pieces(1), in_one(2, *FIRST, *LATER), opened(3), *held])
    assert [each[1:] for each in said(answered)] == [("HELD", "STAKE_OVER_MAXIMUM")]
    await blackjack.stop()
    await blackjack.start()
    assert said(await blackjack.submit([result(3, SPLIT), in_one(4, wager(1, seat=2), INSURED.wager)])) == []
    assert await noticed(blackjack) == []
    assert await blackjack.differences() == []


async def test_a_round_told_again_is_asked_for_its_stakes(blackjack: Rounds) -> None:
    """An amendment with the stake misses nothing; the notice of the first telling stays on record."""
    again = [amended(1, 1, *FIRST, *LATER), amended(1, 2, *FIRST, *LATER[:2])]
    assert said(await blackjack.submit([in_one(1, *FIRST, *LATER[1:]), again[0]])) == []
    assert [text.split()[3] for _, text in await noticed(blackjack)] == ["blackjack.insurance"]
    assert said(await blackjack.submit(again[1:])) == []
    assert [text.split()[3] for _, text in await noticed(blackjack)] == ["blackjack.insurance", "blackjack.double"]
    assert await blackjack.differences() == []


STOOD_STILL = dealt(
    hand("8H 3D", "split stand"), hand("8D 10S", "stand", no=1), SPLIT.blackjack.hands[2], dealer="AS 6C"
)
"""The same round in which nothing was doubled."""
OVER = added("DOUBLE", 1, wager(6, "blackjack.double", 9_000, on="0"))


@pytest.mark.parametrize(("later", "missed"), [([], ["blackjack.double"]), ([OVER], [])])
async def test_a_released_result_is_asked_for_its_stakes(
    blackjack: Rounds, later: list[floor.AddedStake], missed: list[str]
) -> None:
    """It takes the place of one without a double: a double that nobody sent is missed, one that is held is not."""
    told = [opened(1), closed(1, *FIRST), stakes(1, 1, INSURED, DIVIDED, *later)]
    await blackjack.submit([*told, result(1, STOOD_STILL), result(1, SPLIT)])
    await decide(blackjack, "CONFLICT")
    assert [text.split()[3] for _, text in await noticed(blackjack)] == missed
    assert await blackjack.differences() == []


def amended(number: int, item: int, *wagers: floor.Wager) -> bytes:
    """The round told again with these wagers."""
    body = at(floor.WholeRound(wagers=wagers, result=SPLIT), number)
    return event(floor.RoundAmended(round=body, item_no=item, reason="a stake", actor="kim"))


async def test_a_baccarat_round_takes_no_later_stake(blackjack: Rounds) -> None:
    """A game without later stakes refuses them."""
    body = whole(1)
    begun: list[Any] = [floor.RoundOpened(), floor.BettingClosed(wagers=body.wagers), floor.StakesAdded(item_no=1)]
    for each in begun:
        each.table_id, each.shoe, each.round_no = body.table_id, 1, 1
        each.opened_at.CopyFrom(body.opened_at)
    assert said(await blackjack.submit([event(each) for each in begun])) == [(3, "QUARANTINED", "OUT_OF_STATE")]


def test_a_shoe_gives_each_card_once() -> None:
    """A split moves a card; a switch, an extra card and community cards are of the shoe too."""
    assert sorted(cards_of(SPLIT)) == sorted(["8H", "3D", "KC", "8D", "10S", "KD", "QC", "AS", "6C"])
    first = floor.BlackjackHand(seat=1, cards=["7H", "7D"], discarded=["2C", "3C"], extra_card="7S")
    switched = floor.Result(blackjack=floor.BlackjackResult(hands=[first], dealer=["AS", "KC"]))
    assert sorted(cards_of(switched)) == sorted(["7H", "7D", "2C", "3C", "7S", "AS", "KC"])
    one = floor.BlackjackHand(seat=1, position=1, cards=["8H", "4S"])
    two = floor.BlackjackHand(seat=1, hand_no=1, cards=["8D", "5S"])
    other = floor.BlackjackHand(seat=2, position=1, cards=["8H", "8D", "4S"])
    third = floor.BlackjackHand(seat=3, position=2, cards=["KH", "QD"])
    hybrid = floor.BlackjackResult(hands=[one, two, other, third], dealer=["9C", "9S"], community=["4S", "5S"])
    assert sorted(cards_of(floor.Result(blackjack=hybrid))) == sorted(["8H", "8D", "KH", "QD", "9C", "9S", "4S", "5S"])
