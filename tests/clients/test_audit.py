"""The auditor finds what no hash shows: a stamp, a contribution or a movement that the rules do not give."""

from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History
from clients.cli.audit.meters import check_meters
from clients.cli.audit.stamps import check_stamps
from clients.sdk.feeds import FEEDS, Entry
from services.kernel.money import MICROS_PER_CENT

DAY, TABLE, LINK = "2026-03-02", "BAC-01", "nine"
CODE, PAYTABLE = "baccarat.heavenly_9_progressive", "standard"
SEED, RATE, STAKE = 1_000_000, 1_000, 500


def history(**bodies: list[Any]) -> History:
    """What a reader of these feeds has read: the bodies as (kind, body) in order, from position 1."""
    made = History("P")
    for feed, told in bodies.items():
        for position, (kind, body) in enumerate(told, 1):
            data = FEEDS[feed].entry(**{kind: body}).SerializeToString()
            made.entries[feed].append(Entry(position, kind, data, feed))
    return made


def submission(name: str, effective_from: str, table: str = TABLE) -> tuple[str, settlement.Submission]:
    """An approved submission that covers one table."""
    tables = [settlement.TableTerms(table_id=table)]
    return "approved", settlement.Submission(submission_id=name, effective_from=effective_from, tables=tables)


def key() -> rounds.RoundKey:
    """The one round's key."""
    return rounds.RoundKey(gaming_day=DAY, table_id=TABLE, shoe=1, round_no=1)


def played(**changed: Any) -> list[Any]:
    """A day that knows two submissions, and a round of it with one wager on the link's meter."""
    wager: Any = {"wager_no": 1, "seat": 3, "code": CODE, "paytable": PAYTABLE, "stake_cents": STAKE}
    read = rounds.Round(**{"key": key(), "shift": 1, "submission_id": "RS-2", "wagers": [wager], **changed})
    return [("day_opened", rounds.DayOpened(gaming_day=DAY, submissions_position=2)), ("whole_round", read)]


SUBMISSIONS = [
    submission("RS-1", "2026-01-01"),
    submission("RS-2", DAY),
    submission("RS-3", DAY),
    submission("RS-4", DAY, "BAC-02"),
]


def test_a_round_is_stamped_with_what_was_in_force_when_its_day_was_opened() -> None:
    """RS-3 came after the opening and RS-4 is of another table."""
    found = check_stamps(history(submissions=SUBMISSIONS, rounds=played()), 2)
    assert (found.checked, found.different) == (2, 0)


@pytest.mark.parametrize("stamp", ["RS-1", "RS-3", "RS-4", ""])
def test_another_stamp_is_named(stamp: str) -> None:
    """Whatever the terms under it, it is not the one that was in force."""
    found = check_stamps(history(submissions=SUBMISSIONS, rounds=played(submission_id=stamp)), 2)
    assert found.different == 1
    assert "RS-2" in found.differences[0]


def test_a_day_that_is_opened_while_the_feeds_are_read_is_left_to_the_next_time() -> None:
    """Its submission was approved after the submissions were read: only rounds up to the position are held to them."""
    later = played(submission_id="RS-9")
    later[0][1].gaming_day, later[1][1].key.gaming_day = "2026-03-03", "2026-03-03"
    read = history(submissions=SUBMISSIONS, rounds=[*played(), *later])
    found = check_stamps(read, 2)
    assert (found.checked, found.different) == (2, 0)
    assert check_stamps(read, 4).different == 1


def journal(**changed: Any) -> list[Any]:
    """A live link with its seed, and the contribution of the round's wager."""
    level = progressives.MeterTerms(level="mega", seed_cents=SEED, increment_rate=RATE)
    filed: dict[str, Any] = {
        "link_id": LINK,
        "version": 1,
        "code": CODE,
        "paytable": PAYTABLE,
        "table_ids": [TABLE],
        "meters": [level],
        "proposed_by": "ann",
        "approved_by": "bob",
    }
    seed, added = SEED * MICROS_PER_CENT, STAKE * RATE
    contribution: dict[str, Any] = {
        "key": key(),
        "shift": 1,
        "wager_no": 1,
        "seat": 3,
        "code": CODE,
        "paytable": PAYTABLE,
        "submission_id": "RS-2",
        "stake_cents": STAKE,
        "link_id": LINK,
        "link_version": 1,
        "amount_micros": [added],
        "reading_micros": [seed + added],
        "rounds_position": 2,
    }
    return [
        ("link", progressives.Link(**filed, state=progressives.LINK_STATE_APPROVED)),
        ("link", progressives.Link(**filed, state=progressives.LINK_STATE_LIVE, rounds_position=1)),
        moved(progressives.METER_CAUSE_SEED_HOUSE, seed, 0),
        ("contribution", progressives.Contribution(**{**contribution, **changed})),
    ]


def moved(cause: Any, amount: int, before: int) -> tuple[str, progressives.MeterMovement]:
    """A movement of the one meter outside a hit."""
    return "movement", progressives.MeterMovement(
        link_id=LINK,
        level="mega",
        cause=cause,
        amount_micros=amount,
        reading_before_micros=before,
        reading_after_micros=before + amount,
        gaming_day=DAY,
    )


def differences(entries: list[Any]) -> list[str]:
    """What the auditor says of a journal beside the round."""
    found: list[Findings] = check_meters(history(rounds=played(), progressives=entries), through=2)[0]
    return [difference for each in found for difference in each.differences]


def test_a_journal_that_follows_from_the_rounds_is_clean() -> None:
    """Seed, contribution and readings are those that the round and the link give."""
    assert differences(journal()) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"amount_micros": [1], "reading_micros": [SEED * MICROS_PER_CENT + 1]},
        {"stake_cents": 400},
        {"seat": 4},
        {"key": rounds.RoundKey(gaming_day="2026-03-03", table_id=TABLE, shoe=1, round_no=1)},
        {"shift": 2},
        {"submission_id": "RS-1"},
        {"wager_no": 2},
        {"link_id": "other"},
    ],
)
def test_a_contribution_that_the_wager_does_not_give_is_named(changed: dict[str, Any]) -> None:
    """Every part of it comes from the recorded round and the live link, none from the contribution itself."""
    assert differences(journal(**changed))


def test_a_meter_moved_by_nothing_is_named() -> None:
    """After the seed only contributions, hits, decisions and corrections move one, however well the readings add up."""
    reading = SEED * MICROS_PER_CENT + STAKE * RATE
    forged = moved(progressives.METER_CAUSE_SEED_HOUSE, 5, reading)
    called_for = "a movement after the seed to belong to a hit, a decision or a corrected round"
    assert differences([*journal(), forged]) == [f"movement 5 of nine mega: expected {called_for}, given none"]
