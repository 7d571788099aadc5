"""Rounds that were played where no link was live: what their corrections do, and do not do, once one is."""

from dataclasses import replace
from pathlib import Path

import pytest

from casino.progressives.v1 import entries_pb2
from services.games.settlement import Settled
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey
from services.progressives import fold, plays
from services.progressives.book import Book
from services.progressives.jackpot import JackpotState
from services.progressives.journal import Contribution
from services.progressives.mystery import Seeded
from services.progressives.offers import Submission
from services.progressives.play import Change, Correction, Part, Play
from services.progressives.state import State
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import opened, served
from tests.progressives.folded import DAY, SEED, WHOLE, Floor, movements, of, on, reasons
from tests.progressives.recorded import CODE, Upstream, amend, part, release, void


def floor_without() -> Floor:
    """A floor whose link is not live yet."""
    floor = Floor(opened=False)
    floor.state = State(pending=floor.state.pending, gaming_day=DAY)
    return floor


@pytest.mark.parametrize("change", [Change.AMEND, Change.RELEASE])
def test_a_round_without_a_link_moves_no_meter_at_its_correction(change: Change) -> None:
    """Ruling J12: neither its stake of then nor what is added now; what it wins now is for two people to price."""
    floor = floor_without()
    assert reasons(floor.round(1, on(1))) == ["NO_LIVE_LINK"]
    floor.day(DAY)
    written = floor.take(floor.correction(1, on(1, 900), on(2), change=change, cards=WHOLE))
    assert (of(Contribution, written), movements(written), reasons(written)) == ([], [], [])
    assert [each.state for each in floor.jackpots.values()] == [JackpotState.UNPRICED, JackpotState.UNPRICED]
    assert len(floor.open) == 2
    assert floor.meter().reading == SEED


def test_a_second_correction_moves_no_meter_either() -> None:
    """A round that was void for a while is still one without a link."""
    floor = floor_without()
    floor.round(1, on(1))
    floor.day(DAY)
    assert floor.void(1) == []
    assert floor.amend(1, on(1, 900)) == []
    assert floor.amend(1, on(1, 900), on(3)) == []
    assert floor.meter().reading == SEED


def test_a_round_that_is_first_recorded_at_its_release_goes_to_the_link_of_then() -> None:
    """It was never played without one as far as is recorded."""
    floor = floor_without()
    floor.round(1, on(1))
    floor.day(DAY)
    assert of(Contribution, floor.take(floor.correction(2, on(1), change=Change.RELEASE)))
    assert floor.meter().reading == SEED + 500_000


def test_a_correction_in_the_batch_of_its_round_moves_no_meter() -> None:
    """The exception counts from where it is written, committed or not."""
    floor = floor_without()
    floor.day(DAY)
    floor.suspend()
    events: list[Play | Correction] = [floor.play(1, on(1)), floor.correction(1, on(1), on(2), cards=WHOLE)]
    written = floor.take(*events)
    assert (of(Contribution, written), reasons(written)) == ([], ["NO_LIVE_LINK"])
    assert {each.state for each in floor.jackpots.values()} == {JackpotState.UNPRICED}


def test_an_open_round_without_a_link_is_settled_without_one() -> None:
    """Corrected between betting closed and its result, and settled by the result."""
    floor = floor_without()
    floor.round(1, on(1), part=Part.BETTING_CLOSED)
    floor.day(DAY)
    floor.amend(1, on(1, 900), part=Part.BETTING_CLOSED)
    floor.round(1, on(1, 900), part=Part.RESULT, cards=WHOLE)
    assert (floor.won().state, floor.state.pins, floor.meter().reading) == (JackpotState.UNPRICED, {}, SEED)


async def test_what_was_played_without_a_link_is_found_again_by_another_process(
    database: Database, home: Path, upstream: Upstream
) -> None:
    """Over real gRPC and Postgres: the exception alone says so, and its neighbour goes to the link of now."""
    bare, more = wager_on(CODE, 500), wager_on(CODE, 900)
    async with served(database, home, upstream.port) as first:
        await opened(first, upstream)
        await first.entries(await upstream.rounds.record(part("whole_round", 1, bare)))
    async with served(database, home, upstream.port) as second:
        await second.approved()
        await opened(second, upstream, 1)
        before = len(await second.entries(upstream.rounds.position))
        corrections = (amend(1, more, cards=WHOLE), release(2, more), void(1), amend(1, more))
        entries = (await second.entries(await upstream.rounds.record(*corrections)))[before:]
        bodies = [each.WhichOneof("body") for each in entries]
        assert bodies == ["jackpot", "decision", "contribution"]
        assert entries[0].jackpot.state == entries_pb2.JACKPOT_STATE_UNPRICED
        assert entries[2].contribution.key.round_no == 2
        assert (await second.meter()).reading_micros == SEED + 900_000
        assert await second.wrong() == []


def test_a_wager_with_a_mystery_alone_owes_a_link_only_where_its_table_chose_one() -> None:
    """A wager without meters of its own, at a table without a mystery, is no exception and keeps no round open."""
    wager = PlacedWager(1, 1, "external.hit_and_run", "stated", 500)
    closed = Play(11, Part.BETTING_CLOSED, RoundKey(DAY, "BJ-01", 1, 1), 1, "RS-1", [wager], [])
    plain = Offer(wager.code, "stated", 500)
    chosen = replace(plain, options=(("mystery", "D-$5"),))
    for offered, said in ((plain, []), (chosen, ["NO_LIVE_LINK"])):
        table = Terms("RS-1", "blackjack", "live", 6, 7, {wager.code: offered})
        made = Book("HAR", State(), 0, {"RS-1": Submission(0, "RS-1", DAY, {"BJ-01": table})}, Seeded(1))
        fold.apply(made, [closed])
        assert reasons(made.written) == said
    assert plays.done(closed, [Settled(1, "pending", "", 0, 0, ())])
