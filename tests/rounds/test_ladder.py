"""The ladder of answers, over the wire."""

from datetime import timedelta
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as pb
from tests.rounds.conftest import DAY, OPENED, PROPERTY, TABLE, Rounds, approve, event, wager, whole

KIND = pb.AnswerKind.Name


def said(response: pb.StreamRoundsResponse) -> list[tuple[int, str, str]]:
    """Sequence, kind and reason of each answer."""
    return [
        (answer.sequence, KIND(answer.kind).removeprefix("ANSWER_KIND_"), answer.reason) for answer in response.answers
    ]


def at(seconds: int) -> dict[str, Any]:
    """A wager's placing time, so many seconds after the round was opened."""
    stamp = floor.Event().occurred_at
    stamp.FromDatetime(OPENED + timedelta(seconds=seconds))
    return {"placed_at": stamp}


def moment(seconds: int) -> Timestamp:
    """An instant, possible or not."""
    return Timestamp(seconds=seconds)


async def test_a_round_is_accepted_without_an_answer_and_its_day_opened_before_it(rounds: Rounds) -> None:
    """Plain acceptance says nothing; the day's first event opens the day."""
    response = await rounds.submit([event(whole(1)), event(whole(2))])
    assert (response.durable_through_sequence, said(response)) == (2, [])
    assert await rounds.kinds() == ["day_opened", "whole_round", "whole_round"]
    _, entry = (await rounds.feed())[-1]
    assert entry.whole_round.submission_id == rounds.offer.submission_id
    assert (entry.whole_round.key.gaming_day, entry.whole_round.pit) == (DAY, "P1")


UNACCEPTABLE = [
    ("illegal coup", whole(1, "9H KS 2C/2D 3C"), "QUARANTINED", "ILLEGAL_COUP"),
    ("card that does not exist", whole(1, "1H KS/2D 3C"), "REJECTED", "CARD_UNKNOWN"),
    ("unknown table", whole(1, table_id="BAC-99"), "REJECTED", "TABLE_UNKNOWN"),
    ("negative stake", whole(1, wagers=[wager(1, cents=-500)]), "REJECTED", "STAKE_IMPOSSIBLE"),
    ("stake of nothing", whole(1, wagers=[wager(1, cents=0)]), "REJECTED", "STAKE_IMPOSSIBLE"),
    ("wager number twice", whole(1, wagers=[wager(1), wager(1)]), "REJECTED", "WAGER_NO_REPEATED"),
    ("round number 0", whole(0), "REJECTED", "KEY_IMPOSSIBLE"),
    ("no opening time", whole(1, opened_at=None), "REJECTED", "KEY_IMPOSSIBLE"),
    ("no result", whole(1, result=None), "QUARANTINED", "RESULT_MISSING"),
    (
        "result before betting closed",
        floor.ResultDealt(table_id=TABLE, shoe=1, round_no=1, opened_at=whole(1).opened_at, result=whole(1).result),
        "QUARANTINED",
        "OUT_OF_STATE",
    ),
    (
        "void of no round",
        floor.RoundVoided(table_id=TABLE, shoe=1, round_no=1, opened_at=whole(1).opened_at, item_no=1),
        "QUARANTINED",
        "ROUND_UNKNOWN",
    ),
    ("stake that no sum can hold", whole(1, wagers=[wager(1, cents=2**63 - 1)]), "REJECTED", "STAKE_IMPOSSIBLE"),
    ("opened in the year 1", whole(1, opened_at=moment(-62_135_596_800)), "REJECTED", "KEY_IMPOSSIBLE"),
    ("opened in the year 9999", whole(1, opened_at=moment(253_402_300_799)), "REJECTED", "KEY_IMPOSSIBLE"),
    ("placed at no time", whole(1, wagers=[wager(1, placed_at=moment(10**15))]), "REJECTED", "KEY_IMPOSSIBLE"),
    ("dealer with a zero character", whole(1, dealer="\0"), "REJECTED", "UNREADABLE"),
    ("table with a zero character", floor.TableClosed(table_id="\0"), "REJECTED", "UNREADABLE"),
    ("offer that is no text", floor.TableOpened(table_id=TABLE, offer_digest="\0"), "QUARANTINED", "DIGEST_UNKNOWN"),
    ("another offer", floor.TableOpened(table_id=TABLE, offer_digest="00"), "QUARANTINED", "DIGEST_UNKNOWN"),
]


@pytest.mark.parametrize(("name", "body", "kind", "reason"), UNACCEPTABLE, ids=[row[0] for row in UNACCEPTABLE])
async def test_an_unacceptable_event_is_kept_outside_the_feed(
    rounds: Rounds, name: str, body: Any, kind: str, reason: str
) -> None:
    """It gets its own named answer, its bytes are kept, the next event is accepted, and a repeat changes nothing."""
    bad, good = event(body), event(whole(7))
    assert said(await rounds.submit([bad, good][: 1 if reason == "DIGEST_UNKNOWN" else 2])) == [(1, kind, reason)]
    kept = (await rounds.call("ListHeldFacts", pb.ListHeldFactsRequest(property_id=PROPERTY))).facts
    assert [(fact.event, fact.reason) for fact in kept] == [(bad, reason)]
    before = await rounds.feed()
    assert said(await rounds.submit([bad]))[0][1:] == ("DUPLICATE", reason)
    assert await rounds.feed() == before
    assert not sum(found.different for found in (await rounds.verified()).values())


async def test_bytes_that_are_no_event_are_refused_alone(rounds: Rounds) -> None:
    """One bad event never ends a stream."""
    response = await rounds.submit([event(whole(1)), b"\xff\xff", b"", event(whole(2))])
    assert response.durable_through_sequence == 4
    assert said(response) == [(2, "REJECTED", "UNREADABLE"), (3, "REJECTED", "EMPTY_EVENT")]
    assert (await rounds.kinds()).count("whole_round") == 2


HELD = [
    ("unknown wager", wager(2, "baccarat.no_such"), "WAGER_UNKNOWN"),
    ("not offered", wager(2, "baccarat.cover_all"), "WAGER_NOT_OFFERED"),
    ("wrong paytable", wager(2, "baccarat.tie", paytable="9"), "PAYTABLE_UNKNOWN"),
    ("under the minimum", wager(2, "baccarat.heavenly_9_progressive", 499), "STAKE_UNDER_MINIMUM"),
    ("without its base wager", wager(2, "baccarat.fortune_7", seat=2), "BASE_WAGER_MISSING"),
    ("no such seat", wager(2, "baccarat.tie", seat=9), "SEAT_UNKNOWN"),
    ("late", wager(2, "baccarat.tie", **at(30)), "WAGER_LATE"),
]


@pytest.mark.parametrize(("name", "bad", "reason"), HELD, ids=[row[0] for row in HELD])
async def test_a_wager_that_cannot_be_accepted_is_held_and_the_others_settle(
    rounds: Rounds, name: str, bad: floor.Wager, reason: str
) -> None:
    """The held wager is named, kept and noticed; the round enters the feed with the others."""
    body = whole(1, wagers=[wager(1), bad])
    body.no_more_bets_at.FromDatetime(OPENED + timedelta(seconds=20))
    assert said(await rounds.submit([event(body)])) == [(1, "HELD", reason)]
    feed = await rounds.feed()
    assert [w.wager_no for w in feed[-2][1].whole_round.wagers] == [1]
    notice = feed[-1][1].exception
    assert (notice.reason, notice.wager_no, notice.key.round_no) == (reason, 2, 1)
    again = await rounds.submit([event(body)])
    assert said(again) == [(1, "DUPLICATE", "DUPLICATE"), (1, "HELD", reason)]
    assert await rounds.feed() == feed
    assert not sum(found.different for found in (await rounds.verified()).values())


async def test_other_content_under_a_known_key_is_a_conflict(rounds: Rounds) -> None:
    """The first content stands; the other is kept beside it."""
    await rounds.submit([event(whole(1))])
    other = event(whole(1, "8H KS/2D 3C"))
    assert said(await rounds.submit([other])) == [(1, "QUARANTINED", "CONFLICT")]
    assert said(await rounds.submit([other])) == [(1, "DUPLICATE", "CONFLICT")]
    assert (await rounds.kinds()).count("whole_round") == 1


async def test_a_sequence_already_passed_is_compared_by_content(rounds: Rounds) -> None:
    """The same content is a duplicate, other content a conflict; neither moves the source."""
    hello = rounds.hello()
    await rounds.submit([event(whole(1)), event(whole(2))], hello=hello)
    same = await rounds.submit([event(whole(2))], first=2, hello=hello)
    assert (said(same), same.durable_through_sequence) == ([(2, "DUPLICATE", "DUPLICATE")], 2)
    other = await rounds.submit([event(whole(3))], first=2, hello=hello)
    assert said(other) == [(2, "QUARANTINED", "CONFLICT")]


async def test_nothing_is_stored_after_a_gap_until_it_is_filled(rounds: Rounds) -> None:
    """The missing range is named; the missing events close it."""
    hello = rounds.hello()
    response = await rounds.submit([event(whole(3)), event(whole(4))], first=3, hello=hello)
    assert (said(response), response.durable_through_sequence) == ([(3, "GAP", "GAP")], 0)
    assert (response.answers[0].missing_from, response.answers[0].missing_to) == (1, 2)
    assert await rounds.kinds() == []
    rest = await rounds.submit([event(whole(n)) for n in (1, 2, 3, 4)], hello=hello)
    assert (said(rest), rest.durable_through_sequence) == ([], 4)


async def test_a_stale_epoch_is_fenced(rounds: Rounds) -> None:
    """The later epoch has taken over; the message names it."""
    await rounds.submit([event(whole(1))], hello=rounds.hello(5))
    with pytest.raises(grpc.aio.AioRpcError, match="Expected epoch 5") as refusal:
        await rounds.submit([event(whole(2))], hello=rounds.hello(4))
    assert refusal.value.code() is grpc.StatusCode.FAILED_PRECONDITION


async def test_a_call_without_a_principal_is_refused(rounds: Rounds) -> None:
    """Every call names who makes it."""
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await rounds.call("ListTables", pb.ListTablesRequest(property_id=PROPERTY), who=())
    assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_a_shoe_with_a_card_too_many_is_named_once_and_its_rounds_settle(rounds: Rounds) -> None:
    """Within a round too many copies cannot be; over a shoe they are an exception on the table's record."""
    many = [event(whole(n, "9H KS/2D 3C")) for n in range(1, 12)]
    assert said(await rounds.submit(many)) == []
    notices = [entry.exception for _, entry in await rounds.feed() if entry.WhichOneof("body") == "exception"]
    assert [(notice.reason, notice.card, notice.key.shoe) for notice in notices] == [("SHOE_EXCEEDED", "9H", 1)]


async def test_the_shoe_watch_survives_a_restart(rounds: Rounds) -> None:
    """The cards of a shoe are counted again from the record."""
    await rounds.submit([event(whole(n)) for n in range(1, 7)])
    await rounds.stop()
    await rounds.start()
    await rounds.submit([event(whole(n)) for n in range(7, 12)])
    notices = [entry for _, entry in await rounds.feed() if entry.WhichOneof("body") == "exception"]
    assert [entry.exception.key.round_no for entry in notices] == [9]


async def test_a_submission_approved_during_the_day_waits_for_the_next(rounds: Rounds) -> None:
    """A day's rounds are stamped from the submissions that were there when it was opened."""
    await rounds.submit([event(whole(1))])
    await approve(rounds.settlement, "later", "2026-03-02", 600)
    tomorrow = whole(3)
    tomorrow.opened_at.FromDatetime(OPENED + timedelta(days=1))
    next_day = pb.GetOfferRequest(property_id=PROPERTY, table_id=TABLE, gaming_day="2026-03-03")
    while (await rounds.call("GetOffer", next_day)).submission_id == rounds.offer.submission_id:
        pass
    await rounds.submit([event(whole(2)), event(tomorrow)])
    rounds_of = [entry.whole_round for _, entry in await rounds.feed() if entry.WhichOneof("body") == "whole_round"]
    assert [round_.submission_id == rounds.offer.submission_id for round_ in rounds_of] == [True, True, False]


async def test_metrics_count_answers_by_name(rounds: Rounds) -> None:
    """What was refused can be read off /metrics."""
    await rounds.submit([event(whole(1)), b"\xff\xff"])
    with urlopen(f"http://127.0.0.1:{rounds.settings.service('rounds').metrics_port}/metrics") as page:  # noqa: ASYNC210 - one short read
        text = page.read().decode()
    assert 'casino_answers_total{kind="ANSWER_KIND_REJECTED",reason="UNREADABLE"} 1.0' in text
    assert 'casino_accepted_events_total{property_id="HARBOR"} 1.0' in text


async def test_a_table_event_without_a_possible_day_is_refused_alone(rounds: Rounds) -> None:
    """Its time names no day of the property: it is no fact, and the events beside it are accepted."""
    early = event(floor.TableClosed(table_id=TABLE), OPENED.replace(year=2020))
    response = await rounds.submit([early, event(whole(1))])
    assert (said(response), response.durable_through_sequence) == ([(1, "REJECTED", "KEY_IMPOSSIBLE")], 2)


async def test_settings_are_listed_with_the_day_from_which_they_hold(rounds: Rounds) -> None:
    """A later setting does not hide the one in force."""
    later = pb.ListTablesRequest(property_id=PROPERTY)
    table = (await rounds.call("ListTables", later)).tables[0]
    table.effective_from, table.pit = "2027-01-01", "P9"
    await rounds.call("SetTable", pb.SetTableRequest(request_id="move", settings=table))
    listed = (await rounds.call("ListTables", later)).tables
    assert [(row.pit, row.effective_from) for row in listed] == [("P1", "2026-01-01"), ("P9", "2027-01-01")]
    await rounds.submit([event(whole(1))])
    assert (await rounds.feed())[-1][1].whole_round.pit == "P1"


async def test_a_property_sets_its_house_edge_band(rounds: Rounds) -> None:
    """Listed and in the feed as in force: the default where none is set; one that cannot be is refused."""
    (settings,) = (await rounds.call("ListProperties", pb.ListPropertiesRequest())).properties
    assert (settings.house_edge_from, settings.house_edge_to) == ("0", "45")
    settings.effective_from, settings.house_edge_from, settings.house_edge_to = "2027-01-01", "-1.50", "12.5"
    answer = await rounds.call("SetProperty", pb.SetPropertyRequest(request_id="band", settings=settings))
    listed = (await rounds.call("ListProperties", pb.ListPropertiesRequest())).properties
    assert [(each.house_edge_from, each.house_edge_to) for each in listed] == [("0", "45"), ("-1.5", "12.5")]
    entered = dict(await rounds.feed())[answer.position].property_set
    assert entered == listed[1]
    assert await rounds.differences() == []
    settings.house_edge_from = "13"
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await rounds.call("SetProperty", pb.SetPropertyRequest(request_id="swapped", settings=settings))
    assert refusal.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "the first not above the second; given '13' and '12.5'" in str(refusal.value.details())
