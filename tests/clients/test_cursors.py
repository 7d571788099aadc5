"""Cursors of followers: those that there must be, held against the feeds."""

import pytest

from clients.cli.audit.cursors import Cursor, check_cursors
from clients.cli.properties import FOLLOWED
from clients.sdk.feeds import FEEDS, GENESIS, Chain

HEADS = {"rounds": 3, "submissions": 2, "settlements": 0}
HASH = bytes(31) + b"h"


def chains() -> dict[str, Chain]:
    """The feeds as they were read, of those that have entries the hash at each head."""
    found = {feed: Chain(feed, HEADS.get(feed, 0), HASH) for feed in FEEDS}
    for feed, head in HEADS.items():
        found[feed].marks[head] = HASH
    return found


def cursor(service: str, feed: str) -> Cursor:
    """A follower that has applied all."""
    head = HEADS.get(feed, 0)
    return Cursor(service, feed, head, HASH if head else GENESIS)


def test_a_follower_of_an_empty_feed_may_have_no_cursor_yet() -> None:
    """Nothing has been applied of it."""
    kept = [cursor(service, feed) for service, feed in FOLLOWED if HEADS.get(feed)]
    assert check_cursors(chains(), kept, HEADS).differences == []
    every = [cursor(service, feed) for service, feed in FOLLOWED]
    assert check_cursors(chains(), every, HEADS).differences == []


@pytest.mark.parametrize(("service", "feed"), [each for each in FOLLOWED if HEADS.get(each[1])])
def test_a_cursor_that_is_missing_is_named(service: str, feed: str) -> None:
    """Its follower would begin at the first entry again."""
    kept = [cursor(*each) for each in FOLLOWED if each != (service, feed)]
    (found,) = check_cursors(chains(), kept, HEADS).differences
    assert found == f"cursor row of {service} in {feed}: it is missing, the feed stood at {HEADS[feed]}"
