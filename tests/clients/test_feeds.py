"""A feed's chain as its reader checks it."""

from hashlib import sha256

import pytest

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2
from clients.sdk.feeds import GENESIS, Chain, ChainBroken

DAYS = [
    entries_pb2.Entry(day_opened=entries_pb2.DayOpened(gaming_day=f"2026-03-0{day}")).SerializeToString()
    for day in (1, 2, 3)
]
DAY_OPENED = entries_pb2.Entry.DESCRIPTOR.fields_by_name["day_opened"].number


def batch(first: int, entries: list[bytes], start: bytes, commit: bytes = b"who") -> feeds_pb2.FeedBatch:
    """A commit as its author frames it."""
    head = sha256(start + commit).digest() if commit else start
    for entry in entries:
        head = sha256(head + entry).digest()
    return feeds_pb2.FeedBatch(
        first_position=first,
        entries=entries,
        kinds=[DAY_OPENED] * len(entries),
        start_hash=start,
        commit=commit,
        head_hash=head,
    )


def test_batches_that_follow_give_their_entries() -> None:
    """Each entry has its position, the name of its kind and its body."""
    chain = Chain("rounds")
    first = batch(1, DAYS[:2], GENESIS)
    found = chain.take(first) + chain.take(batch(3, DAYS[2:], first.head_hash))
    assert [(each.position, each.kind, each.body.gaming_day) for each in found] == [
        (1, "day_opened", "2026-03-01"),
        (2, "day_opened", "2026-03-02"),
        (3, "day_opened", "2026-03-03"),
    ]
    assert (chain.position, chain.commits) == (3, 2)


def test_reader_may_begin_inside_a_commit() -> None:
    """From a cursor the chain is followed from the hash that the batch starts with, without its commit."""
    whole = batch(1, DAYS, GENESIS)
    middle = sha256(sha256(GENESIS + b"who").digest() + DAYS[0]).digest()
    chain = Chain("rounds", 1)
    chain.take(batch(2, DAYS[1:], middle, commit=b""))
    assert chain.hash == whole.head_hash


@pytest.mark.parametrize("field", ["entries", "commit", "start_hash", "head_hash", "first_position", "kinds"])
def test_any_change_to_a_batch_breaks_the_chain(field: str) -> None:
    """A changed entry, commit, hash, position or number of kinds is refused, naming feed and position."""
    changed = batch(1, DAYS, GENESIS)
    if field == "entries":
        changed.entries[1] = DAYS[0]
    elif field == "kinds":
        changed.kinds.append(1)
    elif field == "first_position":
        changed.first_position = 2
    else:
        setattr(changed, field, bytes(31) + b"x")
    with pytest.raises(ChainBroken, match="feed rounds after position 0: expected"):
        Chain("rounds").take(changed)


def test_progress_must_say_what_the_chain_says() -> None:
    """A head that is not what was read is a broken chain."""
    chain, only = Chain("rounds"), batch(1, DAYS, GENESIS)
    chain.take(only)
    told = feeds_pb2.Progress(
        head_position=3,
        head_hash=only.head_hash,
        upstream=[feeds_pb2.UpstreamCursor(feed="submissions", position=1)],
    )
    assert chain.check(told).upstream == {"submissions": 1}
    told.head_hash = GENESIS
    with pytest.raises(ChainBroken, match="head hash"):
        chain.check(told)
    told.head_position = 4
    with pytest.raises(ChainBroken, match="a head at 3, given one at 4"):
        chain.check(told)
