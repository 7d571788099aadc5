"""Meters of several levels, and rounds of several rolls."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from casino.floor.v1 import events_pb2
from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as progressives_pb
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.progressives import fold
from services.progressives.book import Book
from services.progressives.jackpot import Jackpot
from services.progressives.journal import Contribution, Movement, Trouble
from services.progressives.link import Draft, Link, MeterTerms, propose
from services.progressives.meter import Cause
from services.progressives.mystery import Seeded
from services.progressives.offers import Submission
from services.progressives.play import DayOpened, Part, Play
from services.progressives.state import State
from tests.builders import recorded, terms, wager_file, wager_on
from tests.databases import Database
from tests.progressives.conftest import Progressives, served
from tests.progressives.recorded import DAY, PROPERTY, Upstream, day_opened
from tests.progressives.test_book import APPROVED, of

ROYAL = "minibaccarat.royal_9"
SEEDS = {"mega": 5_000_000, "major": 45_000, "minor": 45_000}
RATES = {"mega": 1_000, "major": 300, "minor": 200}
METERS = tuple(MeterTerms(level, SEEDS[level], RATES[level], 0, 0) for level in SEEDS)
LINK = replace(APPROVED, link_id="R9", code=ROYAL, paytable="$5", meters=METERS, table_ids=("MIN-01",))
KEY = RoundKey(DAY, "MIN-01", 0, 1)
BOTH, BANKER = ("KC 9C", "KC 9C"), ("2D 4C", "KC 9C")


def draft(*meters: MeterTerms, paytable: str = "$5") -> Draft:
    return Draft("R9", "Royal 9", ROYAL, paytable, meters or METERS, ("MIN-01",), date(2026, 3, 2))


def proposed(given: Draft) -> Link:
    """A proposal, where the table offers the wager on the paytable that the link has."""
    offers = {"MIN-01": terms({ROYAL: given.paytable}, game="minibaccarat")}
    return propose(given, None, None, (), offers, {}, "ann", APPROVED.proposed_at, 7)


def changed(level: str, **changes: Any) -> tuple[MeterTerms, ...]:
    return tuple(each._replace(**changes) if each.level == level else each for each in METERS)


def test_a_rate_that_the_section_leaves_open_is_the_links() -> None:
    """Royal 9's rates of progression are any above nothing; seeds are at least the section's, by denomination."""
    link = proposed(draft())
    assert [terms.increment_rate for terms in link.meters] == [1_000, 300, 200]
    higher = changed("major", seed_cents=90_000, increment_rate=1)
    assert proposed(draft(*higher)).meters == higher
    ones = tuple(each._replace(seed_cents=each.seed_cents // 5) for each in METERS)
    assert proposed(draft(*ones, paytable="$1")).meters == ones


@pytest.mark.parametrize(
    ("meters", "said"),
    [
        (changed("mega", increment_rate=0), "increment_rate of mega: expected a rate above 0.00%"),
        (changed("minor", increment_rate=10_000), "increment_rate of minor: expected a rate above 0.00%"),
        (changed("minor", reserve_rate=5), "reserve_rate of minor: expected 0.00%, given 0.05%"),
        (changed("mega", seed_cents=4_999_999), "seed of mega: expected at least $50,000.00"),
        (METERS[:2], "meters: expected the levels mega, major, minor"),
    ],
)
def test_a_link_that_royal_9_does_not_allow_is_refused(meters: tuple[MeterTerms, ...], said: str) -> None:
    """The refusal names section, level, what was expected and what was given."""
    with pytest.raises(errors.LinkContradictsRules) as refused:
        proposed(draft(*meters))
    assert refused.value.message.startswith(f"627c.3: {said}")


def royal(position: int, number: int, hands: tuple[str, str], *seats: int) -> Play:
    wagers = [wager_on(ROYAL, 500, seat=seat, no=seat) for seat in seats]
    key = KEY._replace(round_no=number)
    return Play(position, Part.WHOLE, key, 1, "RS-1", wagers, [("minibaccarat", recorded(*hands))])


def book(*events: Any, link: Any = LINK, tables: dict[str, Terms] | None = None) -> Book:
    held = tables or {"MIN-01": terms(game="minibaccarat")}
    filed = {"RS-1": Submission(0, "RS-1", DAY, held)}
    made = Book(PROPERTY, State(pending={link.link_id: link}), 0, filed, Seeded(1))
    fold.apply(made, [DayOpened(10, DAY), *events])
    return made


def test_each_level_moves_and_is_won_by_itself() -> None:
    """A wager contributes to every level at its rate; a hit pays and resets its level alone; envy moves no meter."""
    made = book(royal(11, 1, BOTH, 1, 2), royal(12, 2, BANKER, 1, 2))
    first = of(Contribution, made.written)[0]
    assert first.amounts == [500_000, 150_000, 100_000]
    jackpots = [(each.wager_no, each.level, each.amount_cents) for each in of(Jackpot, made.written)]
    # Two $5 wagers a round: a dollar on the mega, 30 cents a round on the major.
    assert jackpots == [(1, "mega", 5_000_100), (1, "major", 45_060)]
    reset = [(each.level, each.cause) for each in of(Movement, made.written)[3:]]
    assert reset == [(level, cause) for level in ("mega", "major") for cause in (Cause.AWARD, Cause.SEED_HOUSE)]
    readings = {level: made.state.meters["R9", level].meter.reading for level in SEEDS}
    assert readings == {"mega": 50_001_000_000, "major": 450_000_000, "minor": 450_400_000}
    assert all(standing.meter.balanced for standing in made.state.meters.values())


THROWN = """
from services.games.craps.wagers.hot_shooter import WAGERS as SHOOTER
from services.games.paytables import MeterShare, Paytable
from services.games.wagers import Meter
from dataclasses import replace

(RULE,) = SHOOTER
LINES = {line: MeterShare("mega", 10_000) for line in RULE.paytables["standard"].lines}
METER = Meter("mega", 10_000, False, 1_000)
WAGERS = (
    replace(RULE, code="craps.thrown", table_kinds=("live",), paytables={"standard": Paytable(LINES)}, meters=(METER,)),
)
"""
ROLLS = [(4, 2)] + [(6, 6)] * 7 + [(5, 2)]
"""Nine rolls: a point, seven twelves, the seven-out."""


def rolled(position: int, last: int, *wagers: PlacedWager, part: Part = Part.RESULT, down: frozenset[int]) -> Play:
    """A part of a hand: the roll with that number, or what lies before the first."""
    dice = [("craps", events_pb2.CrapsResult(first_die=one, second_die=two)) for one, two in ROLLS[:last]]
    key = RoundKey(DAY, "CRP-01", 0, 1, last)
    return Play(position, part, key, 1, "RS-1", list(wagers), dice, None, down)


def test_a_wager_over_several_rolls_contributes_once_and_hits_at_the_roll_that_decides_it(tmp_path: Path) -> None:
    """The contribution is at betting closed; the pin holds through the rolls; what is taken down wins nothing."""
    with wager_file(tmp_path, "thrown", THROWN, "craps"):
        link = replace(APPROVED, link_id="HS", code="craps.thrown", table_ids=("CRP-01",))
        link = replace(link, meters=(MeterTerms("mega", 10_000, 1_000, 0, 0),))
        wagers = [wager_on("craps.thrown", 500, no=number, seat=number) for number in (1, 2)]
        none, second = frozenset[int](), frozenset({2})
        pieces = [rolled(11, 0, *wagers, part=Part.BETTING_CLOSED, down=none)]
        pieces += [rolled(11 + last, last, *wagers[: 1 if last > 3 else 2], down=none) for last in range(1, 9)]
        pieces[3] = pieces[3]._replace(taken_down=second)
        tables = {"CRP-01": terms(game="craps")}
        open_hand = book(*pieces, link=link, tables=tables)
        assert len(of(Contribution, open_hand.written)) == 2
        assert list(open_hand.state.pins) == [RoundKey(DAY, "CRP-01", 0, 1)]
        assert not of(Jackpot, open_hand.written)
        done = book(*pieces, rolled(20, 9, wagers[0], down=none), link=link, tables=tables)
    (jackpot,) = of(Jackpot, done.written)
    assert (jackpot.wager_no, jackpot.key.roll, jackpot.rounds_position) == (1, 9, 20)
    assert jackpot.amount_cents == 10_100
    assert not done.state.pins
    assert not of(Trouble, done.written)


def submission() -> settlement_pb2.SubmissionsEntry:
    """An approved submission of one Minibaccarat table."""
    made = terms(game="minibaccarat")
    offers = [
        settlement_pb2.Offer(
            code=each.code, paytable=each.paytable, minimum_cents=each.minimum_cents, options=dict(each.options)
        )
        for each in made.offers.values()
    ]
    table = settlement_pb2.TableTerms(
        table_id="MIN-01", game="minibaccarat", kind="live", decks=8, seats=7, offers=offers
    )
    approved = settlement_pb2.Submission(submission_id="RS-9", property_id=PROPERTY, tables=[table])
    approved.effective_from = DAY.isoformat()
    return settlement_pb2.SubmissionsEntry(approved=approved)


def piece(body: str, number: int, hands: tuple[str, str]) -> rounds_pb2.Entry:
    """A part of a round with a Royal 9 wager at two seats."""
    cards = events_pb2.BaccaratResult(player=hands[0].split(), banker=hands[1].split())
    wagers = [events_pb2.Wager(wager_no=seat, seat=seat, code=ROYAL, paytable="$5", stake_cents=500) for seat in (1, 2)]
    round_ = rounds_pb2.Round(
        key=rounds_pb2.RoundKey(gaming_day=DAY.isoformat(), table_id="MIN-01", round_no=number),
        submission_id="RS-9",
        wagers=wagers,
        history=[] if body == "betting_closed" else [events_pb2.Result(minibaccarat=cards)],
    )
    entry = rounds_pb2.Entry()
    getattr(entry, body).CopyFrom(round_)
    return entry


async def test_three_levels_survive_a_restart_and_verify(database: Database, home: Path, upstream: Upstream) -> None:
    """Contributions and hits of each level stand in feed, rows and heads, before and after a stop."""
    await upstream.submissions.record(submission())
    meters = [entries_pb2.MeterTerms(**each._asdict()) for each in METERS]
    async with served(database, home, upstream.port) as first:
        await first.approved(
            link_id="R9", title="Royal 9", code=ROYAL, paytable="$5", meters=meters, table_ids=["MIN-01"]
        )
        last = await upstream.rounds.record(
            day_opened(submissions=2), piece("whole_round", 1, BOTH), piece("betting_closed", 2, BANKER)
        )
        before = await first.entries(last)
    last = await upstream.rounds.record(piece("result", 2, BANKER))
    async with served(database, home, upstream.port) as second:
        after = await second.entries(last)
        assert after[: len(before)] == before
        jackpots = [entry.jackpot for entry in after if entry.HasField("jackpot")]
        assert [(each.level, each.amount_cents) for each in jackpots] == [("mega", 5_000_100), ("major", 45_060)]
        assert all(found.different == 0 for found in (await second.verified()).values())
        await _shown(second)


async def _shown(progressives: Progressives) -> None:
    """Signs show each level by itself."""
    found = await progressives.call("ListLinks", progressives_pb.ListLinksRequest(property_id=PROPERTY))
    assert {each.level: each.display_cents for each in found.links[0].meters} == {
        "mega": 5_000_100,
        "major": 45_000,
        "minor": 45_040,
    }
