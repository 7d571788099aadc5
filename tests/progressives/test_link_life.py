"""The whole life of a link over the wire, on one and on two processes, and through a restart in every state of it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import (
    MEGA,
    Progressives,
    approval,
    claim,
    decided,
    decision,
    opened,
    payment,
    proposal,
    served,
    verification,
)
from tests.progressives.recorded import (
    CODE,
    DAY,
    OTHER,
    PROPERTY,
    TABLE,
    WHOLE,
    Upstream,
    day_opened,
    part,
    submission,
)

LIVE, SUSPENDED = entries_pb2.LINK_STATE_LIVE, entries_pb2.LINK_STATE_SUSPENDED
PROPOSED, APPROVED = entries_pb2.LINK_STATE_PROPOSED, entries_pb2.LINK_STATE_APPROVED
RETIRED = entries_pb2.LINK_STATE_RETIRED
SEED = 10_000_000_000
LIMIT = 2_000_000
LIMITED = entries_pb2.MeterTerms(level="mega", seed_cents=1_000_000, increment_rate=1_000, limit_cents=LIMIT)
ON_H9 = wager_on(CODE, 500)
HERE: dict[str, Any] = {"table_ids": [TABLE]}
THERE: dict[str, Any] = {"link_id": "HEIR", "table_ids": [OTHER]}
HEIRS = [entries_pb2.MeterHeir(level="mega", to_link_id="HEIR", to_level="mega")]


def suspension(request_id: str = "s1", link_id: str = "H9", reason: str = "sign dark") -> pb.SuspendLinkRequest:
    return pb.SuspendLinkRequest(request_id=request_id, property_id=PROPERTY, link_id=link_id, reason=reason)


def resumption(request_id: str = "r1", link_id: str = "H9", reason: str = "sign lit") -> pb.ResumeLinkRequest:
    return pb.ResumeLinkRequest(request_id=request_id, property_id=PROPERTY, link_id=link_id, reason=reason)


def retirement(request_id: str = "d1", day: date = DAY, **changes: Any) -> pb.ProposeDecisionRequest:
    given = {"link_id": "H9", "effective_from": day.isoformat(), "heirs": HEIRS, **changes}
    return decision(request_id, retirement=entries_pb2.Retirement(**given))


async def listed(progressives: Progressives, link_id: str = "H9") -> pb.LinkWithMeters:
    links = (await progressives.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))).links
    found: pb.LinkWithMeters = next(each for each in links if each.link.link_id == link_id)
    return found


async def test_a_suspended_link_takes_no_wager_and_is_resumed_by_another(
    progressives: Progressives, upstream: Upstream
) -> None:
    """No wager contributes from the suspension on; who suspended it may not put it back; both say why."""
    await progressives.approved()
    await opened(progressives, upstream)
    link = (await progressives.call("SuspendLink", suspension(), "cat")).link
    assert (link.state, link.changed_by, link.reason, link.rounds_position) == (SUSPENDED, "cat", "sign dark", 1)
    last = await upstream.rounds.record(part("whole_round", 1, ON_H9))
    assert (await progressives.entries(last))[-1].exception.reason == "NO_LIVE_LINK"
    reason, message = await progressives.refusal("ResumeLink", resumption(), "cat")
    assert (reason, "cat, who suspended link H9" in message) == ("SAME_PRINCIPAL", True)
    assert (await progressives.call("ResumeLink", resumption(), "dan")).link.state == LIVE
    last = await upstream.rounds.record(part("whole_round", 2, ON_H9))
    assert (await progressives.entries(last))[-1].contribution.key.round_no == 2
    assert await progressives.wrong() == []


async def test_a_round_pinned_before_a_suspension_still_wins_the_meter(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Betting closed pins the link through the result."""
    await progressives.approved()
    await opened(progressives, upstream)
    await progressives.entries(await upstream.rounds.record(part("betting_closed", 1, ON_H9)))
    await progressives.call("SuspendLink", suspension())
    await progressives.entries(await upstream.rounds.record(part("result", 1, ON_H9, cards=WHOLE)))
    (won,) = await progressives.jackpots()
    assert (won.link_id, won.amount_cents) == ("H9", 1_000_050)
    assert await progressives.wrong() == []


async def test_a_proposed_amendment_is_shown_beside_the_running_version(
    progressives: Progressives, upstream: Upstream
) -> None:
    """It waits for nothing but its approval, and a boundary leaves it where it is."""
    await progressives.approved()
    await opened(progressives, upstream)
    await progressives.call("ProposeLink", proposal("p2", meters=[LIMITED]))
    await opened(progressives, upstream, 1)
    both = await listed(progressives)
    assert (both.link.version, both.link.state) == (1, LIVE)
    assert (both.pending.version, both.pending.state, both.waiting_for) == (2, PROPOSED, "")


@pytest.fixture
async def amended(progressives: Progressives, upstream: Upstream) -> entries_pb2.Jackpot:
    """An approved amendment beside a link with an open jackpot."""
    await progressives.approved()
    await opened(progressives, upstream)
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE)))
    await progressives.call("ProposeLink", proposal("p2", meters=[LIMITED]))
    await progressives.call("ApproveLink", approval("a2", version=2), "bob")
    (won,) = await progressives.jackpots()
    return won


async def test_an_amendment_goes_live_at_the_first_opening_without_an_open_jackpot(
    progressives: Progressives, upstream: Upstream, amended: entries_pb2.Jackpot
) -> None:
    """Until then the running version stands, and the pending one beside it says what it waits for."""
    await opened(progressives, upstream, 1)
    both = await listed(progressives)
    assert (both.link.version, both.pending.version, both.pending.state) == (1, 2, APPROVED)
    assert both.waiting_for == f"jackpot {amended.jackpot_id} is hit"
    subject = entries_pb2.JackpotDecision(jackpot_id=amended.jackpot_id, action=entries_pb2.JACKPOT_ACTION_VOID)
    await progressives.decide("d1", jackpot=subject)
    assert (await listed(progressives)).waiting_for == ""
    before = (await progressives.meter()).reading_micros
    await opened(progressives, upstream, 2)
    alone = await listed(progressives)
    assert (alone.link.version, alone.link.state, alone.HasField("pending")) == (2, LIVE, False)
    assert (alone.meters[0].reading_micros, alone.link.meters[0].limit_cents) == (before, LIMIT)
    assert await progressives.wrong() == []


async def test_an_amendment_waits_for_a_round_that_is_pinned(progressives: Progressives, upstream: Upstream) -> None:
    """A round open over the boundary is settled by the version under which its betting closed."""
    await progressives.approved()
    await opened(progressives, upstream)
    await progressives.call("ProposeLink", proposal("p2", meters=[LIMITED]))
    await progressives.call("ApproveLink", approval("a2", version=2), "bob")
    last = await upstream.rounds.record(part("betting_closed", 1, ON_H9), day_opened(DAY + timedelta(1)))
    await progressives.entries(last)
    both = await listed(progressives)
    assert (both.link.version, both.waiting_for) == (1, f"round {DAY}/{TABLE}/1/1 is open")
    last = await upstream.rounds.record(part("result", 1, ON_H9), day_opened(DAY + timedelta(2)))
    await progressives.entries(last)
    assert (await listed(progressives)).link.version == 2


async def test_a_link_retires_at_an_opening_and_its_money_goes_to_its_heir(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Decided by two people, due at a day, not before: what leaves the one meter comes onto the other."""
    await progressives.approved(**HERE)
    await progressives.approved(request_id="p2", **THERE)
    await opened(progressives, upstream)
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9)))
    proposed = (await progressives.call("ProposeDecision", retirement())).decision
    made = (await progressives.call("ApproveDecision", decided("d2", proposed.decision_id), "bob")).decision
    assert made.state == entries_pb2.DECISION_STATE_APPROVED
    assert (await listed(progressives)).retirement == made
    assert (await listed(progressives)).link.state == LIVE
    await opened(progressives, upstream, 1)
    over, heir = await listed(progressives), await listed(progressives, "HEIR")
    assert (over.link.state, over.link.changed_by, over.meters[0].reading_micros) == (RETIRED, "bob", 0)
    assert heir.meters[0].reading_micros == 2 * SEED + 500_000
    (done,) = await progressives.decisions(undecided=False)
    assert done.state == entries_pb2.DECISION_STATE_DONE
    assert await progressives.wrong() == []


REFUSALS: tuple[tuple[str, Any, str, str, str], ...] = (
    ("SuspendLink", suspension(link_id="X"), "ann", "LINK_UNKNOWN", "given 'X'"),
    ("SuspendLink", suspension(reason=" "), "ann", "INVALID_REQUEST", "expected why link H9 is changed, given none"),
    ("SuspendLink", suspension(link_id="HEIR"), "ann", "LINK_OUT_OF_STATE", "to be in force, it is proposed"),
    ("ResumeLink", resumption(), "ann", "LINK_OUT_OF_STATE", "to be suspended, given one that is live"),
    ("ResumeLink", resumption(link_id="X"), "ann", "LINK_UNKNOWN", "given 'X'"),
    ("ApproveLink", approval("a2", link_id="H9"), "bob", "ALREADY_DECIDED", "there is none"),
    ("ApproveLink", approval("a2", link_id="HEIR"), "ann", "SAME_PRINCIPAL", "ann, who proposed link HEIR"),
    ("ProposeLink", proposal("p9", code="baccarat.royal_9"), "ann", "LINK_CONTRADICTS_RULES", "code: expected"),
    ("ProposeLink", proposal("p9", paytable="x"), "ann", "LINK_CONTRADICTS_RULES", "631c.2: paytable: expected"),
    ("ProposeDecision", retirement(heirs=[]), "ann", "CHANGE_IMPOSSIBLE", "an heir for each of mega, once, given none"),
    ("ProposeDecision", retirement(link_id="X"), "ann", "LINK_OUT_OF_STATE", "link X to be live or suspended"),
    ("ProposeDecision", retirement(), "ann", "LINK_UNKNOWN", "expected a link that has been live, given 'HEIR'"),
)


async def test_every_refusal_says_what_was_expected_and_leaves_nothing(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Name and words of each refusal; the feed has nothing of it."""
    await progressives.approved(**HERE)
    await progressives.call("ProposeLink", proposal("p2", **THERE))
    last = await opened(progressives, upstream)
    before = await progressives.standing(last)
    for method, request, who, name, words in REFUSALS:
        reason, message = await progressives.refusal(method, request, who)
        assert (reason, words in message) == (name, True), message
    assert await progressives.standing(last) == before


async def test_an_approved_amendment_is_not_replaced(progressives: Progressives, amended: entries_pb2.Jackpot) -> None:
    """Two people have decided it: another waits until it is in force."""
    reason, message = await progressives.refusal("ProposeLink", proposal("p3"))
    assert (reason, message) == (
        "LINK_OUT_OF_STATE",
        "expected no approved amendment of link H9 to be waiting, version 2 is approved",
    )


class Once(NamedTuple):
    """A service on which every write is sent three times."""

    progressives: Progressives

    async def call(self, method: str, request: Any, who: str = "ann") -> Any:
        """The answer, which a repeat gets again and leaves nothing; other content under the id is refused."""
        first = await self.progressives.call(method, request, who)
        before = await self.progressives.standing(0)
        assert await self.progressives.call(method, request, who) == first
        other = type(request).FromString(request.SerializeToString())
        named = next(name for name in ("jackpot_id", "table_id", "decision_id", "link_id") if hasattr(other, name))
        setattr(other, named, getattr(other, named) + "x")
        assert (await self.progressives.refusal(method, other, who))[0] == "REQUEST_ID_TAKEN"
        assert await self.progressives.standing(0) == before
        return first


async def test_a_repeat_of_any_write_gets_its_stored_answer(progressives: Progressives, upstream: Upstream) -> None:
    """Once a request is done, the same again changes nothing, and its id is taken for every other content."""
    once = Once(progressives)
    await once.call("ProposeLink", proposal(**HERE))
    await once.call("ApproveLink", approval(), "bob")
    await progressives.approved(request_id="p2", **THERE)
    await opened(progressives, upstream)
    await once.call("SuspendLink", suspension())
    await once.call("ResumeLink", resumption(), "bob")
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE)))
    (won,) = (await once.call("ClaimJackpot", claim())).jackpots
    await once.call("VerifyJackpot", verification("v1", won.jackpot_id), "bob")
    paid = await once.call("PayJackpot", payment("y1", won.jackpot_id), "cat")
    assert paid.slip.slip_no == "PJS-000001"
    proposed = (await once.call("ProposeDecision", retirement())).decision
    note = pb.RejectDecisionRequest(
        request_id="n1", property_id=PROPERTY, decision_id=proposed.decision_id, note="not yet"
    )
    await once.call("RejectDecision", note, "bob")
    again = (await once.call("ProposeDecision", retirement("d3"))).decision
    await once.call("ApproveDecision", decided("d4", again.decision_id), "bob")


Step = Callable[[Progressives, Upstream], Awaitable[Any]]


def asks(method: str, request: Any, who: str = "ann") -> Step:
    """A step that is one call."""

    async def step(progressives: Progressives, upstream: Upstream) -> None:
        await progressives.call(method, request, who)

    return step


def plays(*entries: Any) -> Step:
    """A step that the rounds feed brings."""

    async def step(progressives: Progressives, upstream: Upstream) -> None:
        await upstream.rounds.record(*entries)

    return step


def on_jackpot(method: str, request: Callable[[str, str], Any], request_id: str, who: str) -> Step:
    """A step of the one jackpot."""

    async def step(progressives: Progressives, upstream: Upstream) -> None:
        (won,) = await progressives.jackpots()
        await progressives.call(method, request(request_id, won.jackpot_id), who)

    return step


async def _approve_retirement(progressives: Progressives, upstream: Upstream) -> None:
    (proposed,) = await progressives.decisions()
    await progressives.call("ApproveDecision", decided("d2", proposed.decision_id), "bob")


LIFE: tuple[Step, ...] = (
    asks("ProposeLink", proposal(**HERE)),
    asks("ApproveLink", approval(), "bob"),
    asks("ProposeLink", proposal("p2", **THERE)),
    asks("ApproveLink", approval("a2", link_id="HEIR"), "bob"),
    plays(day_opened()),
    plays(part("whole_round", 1, ON_H9)),
    plays(part("betting_closed", 2, ON_H9)),
    asks("SuspendLink", suspension()),
    plays(part("result", 2, ON_H9, cards=WHOLE)),
    asks("ResumeLink", resumption(), "bob"),
    asks("ClaimJackpot", claim()),
    asks("ProposeLink", proposal("p3", table_ids=[TABLE], meters=[LIMITED])),
    asks("ApproveLink", approval("a3", version=2), "bob"),
    plays(day_opened(DAY + timedelta(1))),
    on_jackpot("VerifyJackpot", verification, "v1", "bob"),
    on_jackpot("PayJackpot", payment, "y1", "cat"),
    plays(day_opened(DAY + timedelta(2))),
    asks("ProposeDecision", retirement()),
    _approve_retirement,
    plays(day_opened(DAY + timedelta(3))),
)


async def test_a_restart_in_any_state_finds_what_stood_before(
    database: Database, home: Path, upstream: Upstream
) -> None:
    """After each step of a link's life another process reads from the database what the one before told."""
    before = None
    for number, step in enumerate(LIFE):
        async with served(database, home, upstream.port) as progressives:
            if before is not None:
                assert await progressives.standing(upstream.rounds.position) == before, f"before step {number}"
            await step(progressives, upstream)
            before = await progressives.standing(upstream.rounds.position)
            assert before.wrong == []
    assert before is not None
    states = {each.link.link_id: each.link.state for each in before.links.links}
    assert states == {"H9": RETIRED, "HEIR": LIVE}


async def test_two_processes_on_one_database_double_nothing(
    progressives: Progressives, upstream: Upstream, database: Database, home: Path
) -> None:
    """Both follow the same rounds and take the same calls; whoever comes second reads again what stands."""
    async with served(database, home, upstream.port) as other:
        await progressives.approved()
        await other.entries(await opened(progressives, upstream))
        for number in range(1, 6):
            last = await upstream.rounds.record(part("whole_round", number, ON_H9))
        entries = await progressives.entries(last)
        assert await other.entries(last) == entries
        rounds = [each.contribution.key.round_no for each in entries if each.WhichOneof("body") == "contribution"]
        assert rounds == [1, 2, 3, 4, 5]
        await progressives.call("SuspendLink", suspension())
        assert (await other.call("ResumeLink", resumption(), "bob")).link.state == LIVE
        await asyncio.gather(*(each.call("SuspendLink", suspension("s2")) for each in (progressives, other)))
        # Whoever answers a request that the other has entered learns of the entry when it looks again, in some seconds.
        for _ in range(400):
            told, by_other = await progressives.standing(last), await other.standing(last)
            if told == by_other:
                break
            await asyncio.sleep(0.05)
        assert told == by_other
        assert await progressives.wrong() == []


async def test_a_second_process_refuses_by_what_stands_now(
    progressives: Progressives, upstream: Upstream, database: Database, home: Path
) -> None:
    """A refusal is never for what another process has changed since."""
    await progressives.approved()
    await opened(progressives, upstream)
    async with served(database, home, upstream.port) as other:
        await other.entries(1)
        await progressives.call("SuspendLink", suspension())
        assert (await other.call("ResumeLink", resumption(), "bob")).link.state == LIVE


async def test_a_link_may_be_filed_under_a_submission_of_a_later_day(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Its offers are looked up on its own first gaming day."""
    await progressives.filed(
        await upstream.submissions.record(submission("RS-2", since=DAY + timedelta(1), mystery="A-$5"))
    )
    mystery = entries_pb2.MeterTerms(
        level="mystery", seed_cents=10_000, increment_rate=100, limit_cents=25_000, mystery="A-$5"
    )
    reason, _ = await progressives.refusal("ProposeLink", proposal("p1", meters=[MEGA, mystery]))
    assert reason == "LINK_CONTRADICTS_RULES"
    later = (DAY + timedelta(1)).isoformat()
    await progressives.call("ProposeLink", proposal("p2", meters=[MEGA, mystery], effective_from=later))
