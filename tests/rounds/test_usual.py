"""A usual whole round's entry repeats the event's own bytes: it is what the long way makes, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, time, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.terms import Offer, Terms
from services.rounds import course, reading, usual
from services.rounds.book import Book
from services.rounds.calendar import PropertySetting, Tables, TableSetting
from services.rounds.intake import Intake
from services.rounds.rows import RoundEventRow
from services.rounds.sheet import NOTHING
from services.rounds.stamps import Stamps, Submission
from services.runtime.feeds import NewEntry
from tests.rounds.conftest import NOW, OPENED, event, wager, whole

SINCE = date(2026, 1, 1)
CODES = ("baccarat.player", "baccarat.banker", "baccarat.tie", "baccarat.fortune_7", "baccarat.perfect_pairs")
PAYTABLES = {code: wager(1, code).paytable for code in (*CODES, "baccarat.heavenly_9_progressive")}
UNKNOWN = b"\xf8\x07\x01"
"""A field of a number that no message of the floor has."""


class Taken(NamedTuple):
    """What an intake made of events."""

    entries: list[NewEntry]
    rows: list[RoundEventRow]
    held: list[tuple[Any, ...]]
    answers: list[bytes]


def made_book() -> Book:
    """A Baccarat table and a Roulette wheel, each with an offer."""
    offers = {code: Offer(code, paytable, 500, 500_000) for code, paytable in PAYTABLES.items()}
    straight = {"roulette.straight": Offer("roulette.straight", wager(1, "roulette.straight").paytable, 100)}
    terms = {
        "BAC-01": Terms("RS-1", "baccarat", "live", 8, 7, offers),
        "ROU-01": Terms("RS-1", "roulette", "live", 0, 7, straight, "double_zero"),
    }
    tables = [TableSetting(SINCE, 2, name, "P1", each.game) for name, each in terms.items()]
    setting = PropertySetting(SINCE, 1, "", "America/New_York", time(6), (time(6), time(14)), 0, 4_500, 30)
    submissions = Stamps([Submission(1, "RS-1", SINCE, terms)], {})
    return Book("HARBOR", [setting], Tables(tables), submissions, {"pit-1": None}, {})


def test_an_offer_that_came_into_force_meanwhile_refuses_nothing() -> None:
    """A hello told it before the submission had come; what holds is what is in force when the round comes."""
    day = date(2026, 3, 2)
    offer = made_book().stamps.on("BAC-01", day).digest
    for digest, answered in ((offer, []), ("00", ["DIGEST_UNKNOWN"])):
        book = made_book()
        intake = Intake(book, 0, NOTHING, NOW)
        answers = intake.take("pit-1", 3, 1, [reading.read(book, event(whole(1)))], {("BAC-01", day): digest}, "ann")
        assert [each.reason for each in answers] == answered


def taken(raws: Sequence[bytes], *, cut: bool, book: Book | None = None) -> Taken:
    """The events as an intake takes them in, as they are or by the long way."""
    book = book or made_book()
    reads = [reading.read(book, raw) for raw in raws]
    if not cut:
        reads = [read._replace(event=read.event and read.event._replace(cut=None)) for read in reads]
    intake = Intake(book, 0, NOTHING, NOW)
    answers = intake.take("pit-1", 3, 1, reads, {}, "ann")
    said = [answer.SerializeToString() for answer in answers]
    return Taken(intake.entries, intake.round_rows, list(map(tuple, intake.held_rows)), said)


def locked(round_: floor.WholeRound) -> floor.WholeRound:
    """A round with a dealer and both its lock times."""
    round_.dealer = "D-1"
    round_.no_more_bets_at.FromDatetime(OPENED + timedelta(seconds=20))
    round_.first_card_at.FromDatetime(OPENED + timedelta(seconds=21, microseconds=5))
    return round_


SEVERAL = [
    wager(1, placement=""),
    wager(2, "baccarat.fortune_7", 500),
    wager(3, "baccarat.banker", 2_500, seat=2, patron_ref="7044"),
    wager(4, "baccarat.heavenly_9_progressive", 500, seat=2),
]


def test_a_usual_round_does_not_take_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is refused or held: it is entered without being told step by step."""

    def unexpected(*given: object) -> None:
        raise AssertionError("the long way")

    expected = taken([event(locked(whole(7, wagers=SEVERAL)))], cut=False)
    monkeypatch.setattr(course, "step", unexpected)
    assert taken([event(locked(whole(7, wagers=SEVERAL)))], cut=True) == expected
    assert [entry.kind for entry in expected.entries] == [3, 11]


@pytest.mark.parametrize(
    "change",
    [
        lambda each: None,
        lambda each: each.ClearField("dealer"),
        lambda each: each.ClearField("no_more_bets_at"),
        lambda each: each.ClearField("first_card_at"),
        lambda each: each.first_card_at.Clear(),
        lambda each: setattr(each.first_card_at, "nanos", -1),
        lambda each: setattr(each, "shoe", 0),
        lambda each: setattr(each, "shoe", 70_000),
        lambda each: setattr(each, "round_no", 300),
        lambda each: setattr(each, "dealer", "D" * 127),
        lambda each: setattr(each, "dealer", "D" * 128),
        lambda each: setattr(each, "dealer", "D\0"),
        lambda each: each.wagers.reverse(),
        lambda each: each.ClearField("wagers"),
        lambda each: each.ClearField("result"),
        lambda each: each.result.baccarat.player.append("2H"),
        lambda each: each.result.stated_payouts.add(wager_no=1, payout_cents=5),
        lambda each: each.earlier_results.add().CopyFrom(each.result),
        lambda each: each.wagers.add(wager_no=4),
        lambda each: each.wagers.add(),
        lambda each: each.wagers[0].placed_at.FromDatetime(OPENED),
        lambda each: each.wagers[0].placed_at.FromDatetime(OPENED + timedelta(hours=1)),
        lambda each: setattr(each.wagers[0], "patron_ref", "9" * 200),
        lambda each: setattr(each.wagers[0], "roll", 1),
        lambda each: setattr(each.wagers[0], "seat", 5),
        lambda each: setattr(each.wagers[0], "seat", 8),
        lambda each: setattr(each.wagers[0], "stake_cents", 0),
        lambda each: setattr(each.wagers[0], "stake_cents", 10**12),
        lambda each: setattr(each.wagers[0], "paytable", "another"),
        lambda each: setattr(each.wagers[3], "wager_no", 127),
        lambda each: setattr(each.wagers[3], "wager_no", 128),
        lambda each: each.MergeFromString(UNKNOWN),
        lambda each: each.wagers[0].MergeFromString(UNKNOWN),
        lambda each: each.opened_at.MergeFromString(UNKNOWN),
        lambda each: each.result.MergeFromString(UNKNOWN),
    ],
)
def test_an_entry_is_the_same_by_both_ways(change: Callable[[floor.WholeRound], object]) -> None:
    """Whatever a round tells: the entries, the rows, what is held and the answers."""
    round_ = locked(whole(7, wagers=SEVERAL))
    change(round_)
    raws = [event(round_), event(locked(whole(8, wagers=SEVERAL)), OPENED + timedelta(minutes=1))]
    assert taken(raws, cut=True) == taken(raws, cut=False)


def test_a_spin_carries_the_one_before_it_by_both_ways() -> None:
    """The wheel's last result is a part of the next entry."""
    spins = [
        floor.WholeRound(
            table_id="ROU-01",
            round_no=number,
            opened_at=whole(number).opened_at,
            wagers=[wager(1, "roulette.straight", 100, placement=pocket)],
            result=floor.Result(roulette=floor.RouletteResult(pocket=pocket)),
        )
        for number, pocket in enumerate(("17", "0", "36", "37"), 1)
    ]
    raws = [event(spin) for spin in spins]
    found = taken(raws, cut=True)
    assert found == taken(raws, cut=False)
    rounds = [entries.Entry.FromString(entry.data).whole_round for entry in found.entries if entry.kind == 11]
    assert [each.previous.roulette.pocket for each in rounds] == ["", "17", "0"]


def test_wagers_that_an_offer_lets_in_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of wagers takes no more memory than that, and is the same after it was forgotten."""
    monkeypatch.setattr(usual, "MOST_FITS", 3)
    book = made_book()
    raws = [event(locked(whole(number, wagers=[wager(1, cents=number * 500)]))) for number in range(1, 20)]
    assert taken(raws, cut=True, book=book) == taken(raws, cut=False)
    assert len(book.stamps.on("BAC-01", date(2026, 3, 2)).fits) <= 4


WAGERS = st.builds(
    lambda number, code, **more: wager(number, code, paytable=PAYTABLES.get(code, ""), **more),
    st.integers(0, 130),
    st.sampled_from([*PAYTABLES, "baccarat.egalite"]),
    cents=st.sampled_from([0, 100, 500, 505, 1_000, 500_000, 500_500]),
    seat=st.integers(0, 8),
    placement=st.sampled_from(["", "player", "banker"]),
    patron_ref=st.sampled_from(["", "7044", "9" * 100]),
    roll=st.sampled_from([0, 0, 0, 1]),
)
CARDS = st.sampled_from(
    ["9H KS/2D 3C", "9H KS/8D KC", "AH 2S 3D/7D KC", "AH 2S/7D KC", "9H KS/2D 3C 4C", "1H KS/2D 3C"]
)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.lists(WAGERS, max_size=8), CARDS, st.booleans()), min_size=1, max_size=4))
def test_any_rounds_are_the_same_by_both_ways(told: list[tuple[list[floor.Wager], str, bool]]) -> None:
    """Known wagers among unknown ones, possible and impossible ones, in any order."""
    raws = []
    for number, (wagers, cards, in_order) in enumerate(told, 1):
        chosen = sorted(wagers, key=lambda each: each.wager_no) if in_order else wagers
        raws.append(event(locked(whole(number, cards, chosen))))
    assert taken(raws, cut=True) == taken(raws, cut=False)
