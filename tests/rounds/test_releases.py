"""The way out of quarantine and hold, over the wire: one proposes, another approves."""

from datetime import timedelta
from typing import Any

import asyncpg
import grpc
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from services.kernel import errors
from services.rounds import wire
from tests.databases import Database
from tests.rounds.conftest import ANN, BOB, OPENED, PROPERTY, TABLE, Rounds, event, wager, whole
from tests.rounds.test_corrections import ILLEGAL, amend, bodies, void
from tests.rounds.test_ladder import at, said
from tests.rounds.test_several_results import CRAPS, HAND, added, floor_of_two, roll, stakes
from tests.rounds.test_several_results import wager as stake

__all__ = ["floor_of_two"]
RELEASE, REJECT = entries.HOLD_DECISION_RELEASE, entries.HOLD_DECISION_REJECT
NUMBERS = iter(range(1, 10_000))


async def held(rounds: Rounds) -> list[pb.HeldFact]:
    """Everything kept outside the feed."""
    request = pb.ListHeldFactsRequest(property_id=PROPERTY)
    return list((await rounds.call("ListHeldFacts", request)).facts)


async def hold_id(rounds: Rounds, reason: str) -> str:
    """The name of the one fact kept for a reason."""
    (found,) = [fact.hold_id for fact in await held(rounds) if fact.reason == reason]
    return found


async def propose(rounds: Rounds, name: str, decision: Any = RELEASE, who: Any = ANN, reason: str = "seen") -> None:
    """One person's proposal."""
    request = pb.ProposeHeldFactDecisionRequest(
        request_id=f"p{next(NUMBERS)}", property_id=PROPERTY, hold_id=name, decision=decision, reason=reason
    )
    await rounds.call("ProposeHeldFactDecision", request, who)


async def agree(
    rounds: Rounds, name: str, who: Any = BOB, request_id: str = "", proposal: int = 0
) -> pb.ApproveHeldFactDecisionResponse:
    """Another person's approval, of what stands proposed unless another number is said."""
    if not proposal:
        listed = await rounds.call("ListHeldFacts", pb.ListHeldFactsRequest(property_id=PROPERTY))
        proposal = next((each.proposal for each in listed.facts if each.hold_id == name), 0) or 1
    request = pb.ApproveHeldFactDecisionRequest(
        request_id=request_id or f"a{next(NUMBERS)}", property_id=PROPERTY, hold_id=name, proposal=proposal
    )
    found: pb.ApproveHeldFactDecisionResponse = await rounds.call("ApproveHeldFactDecision", request, who)
    return found


async def decide(rounds: Rounds, reason: str, decision: Any = RELEASE) -> None:
    """Both, of the one fact kept for a reason."""
    name = await hold_id(rounds, reason)
    await propose(rounds, name, decision)
    await agree(rounds, name)


async def refusal(rounds: Rounds, reason: str, decision: Any = RELEASE) -> bytes:
    """The name of what refuses a decision; nothing is entered then."""
    before = await rounds.feed()
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await decide(rounds, reason, decision)
    assert await rounds.feed() == before
    return named(problem.value)


def named(problem: grpc.aio.AioRpcError) -> bytes:
    """The status's details, which name the refusal."""
    return bytes(dict(problem.trailing_metadata() or ())["grpc-status-details-bin"])


def late(number: int) -> floor.WholeRound:
    """A round with a wager placed late, and a side wager that needs it."""
    body = whole(
        number,
        wagers=[wager(1, seat=2), wager(2, **at(30)), wager(3, "baccarat.fortune_7", 500)],
    )
    body.no_more_bets_at.FromDatetime(OPENED + timedelta(seconds=20))
    return body


async def test_a_held_wager_enters_with_its_round_and_the_side_wagers_that_need_it(rounds: Rounds) -> None:
    """The release carries the round as it then stands; both exceptions are resolved; two people are named."""
    assert [each[2] for each in said(await rounds.submit([event(late(1))]))] == ["WAGER_LATE", "BASE_WAGER_HELD"]
    name = await hold_id(rounds, "WAGER_LATE")
    await decide(rounds, "WAGER_LATE")
    (found,) = await bodies(rounds, "release")
    assert (found.hold_id, found.proposed_by, found.approved_by, found.event) == (name, "ann", "bob", "")
    assert [each.wager_no for each in found.round.wagers] == [1, 2, 3]
    assert len(found.round.history) == 1
    resolved = await bodies(rounds, "exception_resolved")
    assert [(each.wager_no, each.reason, each.decision) for each in resolved] == [
        (2, "WAGER_LATE", RELEASE),
        (3, "BASE_WAGER_HELD", RELEASE),
    ]
    assert {fact.state for fact in await held(rounds)} == {pb.HOLD_STATE_RELEASED}
    assert [answer[1] for answer in said(await rounds.submit([event(late(1))]))] == ["DUPLICATE"] * 3
    assert await rounds.differences() == []


async def test_a_side_wager_is_released_with_its_base_wager(rounds: Rounds) -> None:
    """Not before it."""
    await rounds.submit([event(late(1))])
    assert b"RELEASE_IMPOSSIBLE" in (await refusal(rounds, "BASE_WAGER_HELD"))
    await decide(rounds, "WAGER_LATE")


async def test_a_wager_released_before_the_result_comes_with_the_result(rounds: Rounds) -> None:
    """The open round has it, after a restart too."""
    opened, closed, result = [event(piece) for piece in wire.pieces(late(1)).values()]
    await rounds.submit([opened, closed])
    await decide(rounds, "WAGER_LATE")
    assert not (await bodies(rounds, "release"))[0].round.history
    await rounds.stop()
    await rounds.start()
    await rounds.submit([result])
    assert [each.wager_no for each in (await bodies(rounds, "result"))[0].wagers] == [1, 2, 3]
    assert await rounds.differences() == []


async def test_two_people_decide_and_once(rounds: Rounds) -> None:
    """Who proposed does not approve; a repeat gets the first answer; another approval is too late."""
    await rounds.submit([event(late(1))])
    name = await hold_id(rounds, "WAGER_LATE")
    for who, work, reason in ((BOB, agree, b"DECISION_NOT_PROPOSED"), (ANN, agree, b"SAME_PRINCIPAL")):
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await work(rounds, name, who)
        assert reason in named(problem.value)
        await propose(rounds, name)
    assert {fact.state for fact in await held(rounds)} == {pb.HOLD_STATE_OPEN, pb.HOLD_STATE_PROPOSED}
    first = await agree(rounds, name, request_id="once")
    assert await agree(rounds, name, request_id="once") == first
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await propose(rounds, name, REJECT)
    assert b"ALREADY_DECIDED" in named(problem.value)
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await propose(rounds, "pit-9/1/1/0/00")
    assert b"HOLD_UNKNOWN" in named(problem.value)
    with pytest.raises(grpc.aio.AioRpcError) as problem:
        await propose(rounds, name, reason=" ")
    assert problem.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_proposal_is_approved_as_it_was_seen(rounds: Rounds) -> None:
    """What was proposed anew since has another number, and the refusal names it."""
    await rounds.submit([event(late(1))])
    name = await hold_id(rounds, "WAGER_LATE")
    await propose(rounds, name, RELEASE)
    await propose(rounds, name, REJECT)
    assert [each.proposal for each in await held(rounds) if each.hold_id == name] == [2]
    for seen, reason in ((1, b"ALREADY_DECIDED"), (-1, b"INVALID_REQUEST")):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await agree(rounds, name, proposal=seen)
        assert reason in named(refused.value)
        assert "proposal 2 of" in str(refused.value.details())
    await agree(rounds, name, proposal=2)


async def test_a_rejected_wager_is_decided_and_no_more(rounds: Rounds) -> None:
    """The round stands as it is; the exception is resolved; the event again is told so."""
    await rounds.submit([event(late(1))])
    await decide(rounds, "WAGER_LATE", REJECT)
    assert (await rounds.kinds())[-1] == "exception_resolved"
    (answered,) = [each for each in (await rounds.submit([event(late(1))])).answers if each.wager_no == 2]
    assert answered.message.startswith("Rejected for good since.")
    assert answered.kind == pb.ANSWER_KIND_DUPLICATE
    assert await rounds.differences() == []


IMPOSSIBLE = [
    ("illegal", [event(whole(1, ILLEGAL))], "ILLEGAL_COUP", b"ILLEGAL_COUP"),
    ("no card", [event(whole(1, "1H KS/2D 3C"))], "CARD_UNKNOWN", b"RELEASE_IMPOSSIBLE"),
    ("no event", [b"\xff\xff"], "UNREADABLE", b"RELEASE_IMPOSSIBLE"),
    ("no wager", [event(whole(1, wagers=[wager(1), wager(2, "x.y")]))], "WAGER_UNKNOWN", b"RELEASE_IMPOSSIBLE"),
    ("void", [event(late(1)), void(1)], "WAGER_LATE", b"RELEASE_IMPOSSIBLE"),
    ("of no round", [void(1)], "ROUND_UNKNOWN", b"ROUND_UNKNOWN"),
    ("result of no round", [event(list(wire.pieces(whole(1)).values())[2])], "OUT_OF_STATE", b"OUT_OF_STATE"),
]


@pytest.mark.parametrize(("name", "sent", "reason", "refused"), IMPOSSIBLE, ids=[row[0] for row in IMPOSSIBLE])
async def test_what_still_cannot_be_is_not_released(
    rounds: Rounds, name: str, sent: list[bytes], reason: str, refused: bytes
) -> None:
    """It is refused with its reason, and nothing is entered."""
    await rounds.submit(sent)
    assert refused in (await refusal(rounds, reason))
    assert await rounds.differences() == []


async def test_a_conflict_released_takes_the_place_of_what_was_recorded(rounds: Rounds) -> None:
    """As an amendment does; either content again is a duplicate."""
    other = event(whole(1, "8H KS/2D 3C"))
    await rounds.submit([event(whole(1)), other])
    await decide(rounds, errors.Conflict().reason)
    (found,) = await bodies(rounds, "release")
    assert list(found.round.history[0].baccarat.player) == ["8H", "KS"]
    assert [answer[1] for answer in said(await rounds.submit([event(whole(1)), other]))] == ["DUPLICATE"] * 2
    assert await rounds.differences() == []


async def test_another_result_released_takes_the_place_of_the_recorded_one(rounds: Rounds) -> None:
    """Of a round in pieces its result alone."""
    parts = [event(piece) for piece in wire.pieces(whole(1)).values()]
    other = event(list(wire.pieces(whole(1, "8H KS/2D 3C")).values())[2])
    await rounds.submit([*parts, other])
    await decide(rounds, errors.Conflict().reason)
    (found,) = await bodies(rounds, "release")
    assert list(found.round.history[0].baccarat.player) == ["8H", "KS"]
    assert [each.wager_no for each in found.round.wagers] == [1]
    assert await rounds.differences() == []


async def test_what_came_out_of_order_enters_when_it_can(rounds: Rounds) -> None:
    """A result before betting closed completes the round once betting has closed; pieces again are duplicates."""
    opened, closed, result = [event(piece) for piece in wire.pieces(whole(1)).values()]
    await rounds.submit([opened, result, closed])
    await decide(rounds, "OUT_OF_STATE")
    (found,) = await bodies(rounds, "release")
    assert (found.event, len(found.round.history), len(found.round.wagers)) == ("result", 1, 1)
    again = said(await rounds.submit([opened, closed, result, event(whole(1))]))
    assert [answer[1] for answer in again] == ["DUPLICATE"] * 4
    assert await rounds.differences() == []


async def test_a_round_without_a_submission_stays_outside(rounds: Rounds) -> None:
    """Its day was opened without one for its table, and a day's submissions are fixed: the present reason refuses."""
    settings = entries.TableSettings(
        property_id=PROPERTY, table_id="BAC-02", pit="P1", game="baccarat", effective_from="2026-01-01"
    )
    await rounds.call("SetTable", pb.SetTableRequest(request_id="t2", settings=settings))
    sent = event(whole(1, table_id="BAC-02"))
    assert [each[2] for each in said(await rounds.submit([sent]))] == ["NO_SUBMISSION"]
    assert b"NO_SUBMISSION" in (await refusal(rounds, "NO_SUBMISSION"))


async def test_a_whole_round_of_another_offer_is_released_whole(rounds: Rounds) -> None:
    """Once the table and the platform agree; its own wagers are admitted or held as ever."""
    wrong, right = floor.TableOpened(table_id=TABLE, offer_digest="00"), floor.TableOpened(table_id=TABLE)
    sent = event(late(1))
    moments = [OPENED, OPENED + timedelta(seconds=1)]
    await rounds.submit([event(wrong, moments[0]), sent])
    await rounds.submit([event(right, moments[1])])
    kept = [fact for fact in await held(rounds) if fact.key.round_no == 1]
    await propose(rounds, kept[0].hold_id)
    await agree(rounds, kept[0].hold_id)
    (found,) = await bodies(rounds, "release")
    assert (found.event, [each.wager_no for each in found.round.wagers]) == ("whole_round", [1])
    assert (await rounds.kinds())[-3:] == ["exception", "exception", "exception_resolved"]
    await decide(rounds, "WAGER_LATE")
    assert said(await rounds.submit([sent]))[0][1] == "DUPLICATE"
    again = [event(piece) for piece in wire.pieces(late(1)).values()]
    assert {answer[1] for answer in said(await rounds.submit(again))} == {"DUPLICATE"}
    assert await rounds.differences() == []


async def test_a_result_rejected_for_good_voids_its_open_round(rounds: Rounds) -> None:
    """Its wagers stood: they are given back. The void names the two people."""
    parts = [event(piece) for piece in wire.pieces(whole(1, ILLEGAL)).values()]
    await rounds.submit(parts)
    await decide(rounds, "ILLEGAL_COUP", REJECT)
    (found,) = await bodies(rounds, "void")
    assert found.actor == "ann, bob"
    assert said(await rounds.submit([amend(whole(1))])) == [(1, "QUARANTINED", "ROUND_VOIDED")]
    assert await rounds.differences() == []


async def test_a_wager_of_a_hand_enters_at_the_roll_that_decides_it(floor_of_two: Rounds) -> None:
    """A field wager on roll 2 is decided there; a place wager works on."""
    some = stake(8, "craps.field", roll=1)
    some.stake_cents = 1
    other = stake(9, "craps.hot_roller", roll=1)
    bad = stakes(1, 1, added(stake(4, "craps.place_6", roll=1)), added(some), added(other))
    await floor_of_two.submit([*HAND[:3], bad, roll(1, 2, 3, 3), roll(1, 3, 1, 3)])
    await decide(floor_of_two, "STAKE_UNDER_MINIMUM")
    (found,) = await bodies(floor_of_two, "release")
    assert (found.round.key.table_id, found.round.key.roll, len(found.round.history)) == (CRAPS, 2, 2)
    assert 8 in [each.wager_no for each in found.round.wagers]
    await decide(floor_of_two, "WAGER_LATE")
    assert (await bodies(floor_of_two, "release"))[-1].round.key.roll == 3
    await floor_of_two.submit([roll(1, 4, 5, 5)])
    last = (await bodies(floor_of_two, "result"))[-1]
    assert 9 in [each.wager_no for each in last.wagers]
    assert await floor_of_two.differences() == []


TAMPERED = [
    ("hold_decision", "update rounds.hold_decision set approved_by = 'eve'", "it is not what the entry says"),
    ("hold_decision", "update rounds.hold_decision set decision = 2", "it is not what the entry says"),
    ("hold_decision", "delete from rounds.hold_decision", "it is not what the entry says"),
    ("round_event", "update rounds.round_event set item_no = 7 where kind = 12", "expected RoundEventRow"),
    ("round_event", "update rounds.round_event set digest = sha256('x') where kind = 13", "expected RoundEventRow"),
    ("round_event", "update rounds.round_event set item_no = 7 where kind = 14", "expected RoundEventRow"),
]


@pytest.mark.parametrize(("table", "statement", "named_so"), TAMPERED)
async def test_what_was_corrected_and_decided_is_proved(
    rounds: Rounds, database: Database, table: str, statement: str, named_so: str
) -> None:
    """A change by the owner with the triggers off is named."""
    told = [event(late(1)), event(whole(2)), amend(whole(2, "8H KS/2D 3C")), void(2)]
    await rounds.submit(told)
    await decide(rounds, "WAGER_LATE")
    assert await rounds.differences() == []
    owner: Any = await asyncpg.connect(database.owner_url)
    await owner.execute(f"alter table rounds.{table} disable trigger all; {statement}")
    await owner.close()
    assert any(named_so in text for text in await rounds.differences())


@pytest.mark.parametrize("rejected", [True, False])
async def test_what_is_kept_outside_has_its_first_answer_again(rounds: Rounds, rejected: bool) -> None:
    """Also where the source is not doubted and the event could be accepted by now: a decision is people's alone."""
    hello = rounds.hello()
    kept, wrong = event(whole(1)), event(floor.TableOpened(table_id=TABLE, offer_digest="00"))
    assert [each[2] for each in said(await rounds.submit([wrong, kept], 1, hello))] == ["DIGEST_UNKNOWN"] * 2
    if rejected:
        for fact in await held(rounds):
            await propose(rounds, fact.hold_id, REJECT)
            await agree(rounds, fact.hold_id)
    right = floor.TableOpened(table_id=TABLE, offer_digest=rounds.offer.digest)
    assert said(await rounds.submit([event(right, OPENED + timedelta(minutes=1))], 3, hello)) == []
    assert said(await rounds.submit([event(whole(2))], 4, hello)) == []
    assert said(await rounds.submit([kept], 5, hello)) == [(5, "DUPLICATE", "DIGEST_UNKNOWN")]
    assert [entry.whole_round.key.round_no for _, entry in await rounds.feed() if entry.HasField("whole_round")] == [2]
    assert await rounds.differences() == []


async def test_a_property_says_how_long_a_jackpot_may_wait(rounds: Rounds) -> None:
    """Half an hour if it does not, a day at most."""
    listed = (await rounds.call("ListProperties", pb.ListPropertiesRequest())).properties
    assert [each.claim_within_minutes for each in listed] == [30]
    settings = entries.PropertySettings(
        property_id=PROPERTY, time_zone="America/New_York", cut_over="06:00", effective_from="2026-04-01"
    )
    for minutes, code in ((1441, grpc.StatusCode.INVALID_ARGUMENT), (-1, grpc.StatusCode.INVALID_ARGUMENT)):
        settings.claim_within_minutes = minutes
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await rounds.call("SetProperty", pb.SetPropertyRequest(request_id=f"c{minutes}", settings=settings))
        assert problem.value.code() is code
    settings.claim_within_minutes = 45
    await rounds.call("SetProperty", pb.SetPropertyRequest(request_id="c", settings=settings))
    listed = (await rounds.call("ListProperties", pb.ListPropertiesRequest())).properties
    assert [each.claim_within_minutes for each in listed] == [30, 45]
    assert await rounds.differences() == []
