"""Settlements run again from what was recorded, and by other terms: amounts by hand, differences by name."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.history import CORRECTIONS, Body, History, round_of
from clients.cli.audit.passage import Quiet, pass_through
from clients.cli.replaying.commits import Commits
from clients.cli.replaying.filing import Filing
from clients.cli.replaying.rerun import Rerun, Versions
from clients.cli.replaying.sums import WhatIf
from clients.cli.replaying.supposition import Supposition
from clients.sdk.feeds import GENESIS, ChainBroken
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.runtime.feeds import kind_of
from services.runtime.followers import Followed
from services.settlement import wire
from services.settlement.settlements import Play, Settlement, settle, voided
from services.settlement.submissions import read_tables
from tests.blackjack_hands import dealt, hand
from tests.clients.test_audit import history
from tests.settlement.recorded import recorded_round, result_of
from tests.settlement.test_blackjack import TABLES as BLACKJACK
from tests.settlement.test_rolls_and_spins import HARD, PASS, TABLES, on, spin

DAY = "2026-03-02"
EVERY = (*TABLES, *BLACKJACK)


def body_of(entry: rounds.Entry) -> tuple[str, Any]:
    name = str(entry.WhichOneof("body"))
    return name, getattr(entry, name)


def settled(recorded: Sequence[rounds.Entry]) -> list[tuple[str, Any]]:
    """What the service makes of them, corrections included."""
    terms, found, latest = read_tables("RS-1", EVERY), [], dict[Any, Settlement]()
    followed = [
        Followed(position, kind_of(each, body_of(each)[0]), each.SerializeToString())
        for position, each in enumerate(recorded, 1)
    ]
    for play in wire.read_rounds(followed):
        before = latest.get(play.key)
        if isinstance(play, Play):
            made = settle(play, terms[play.key.table_id], before.revision + 1 if before else 0)
        else:
            assert before is not None
            made = voided(before, play.position)
        latest[play.key] = made
        found.append(("settled", settlement.Entry.FromString(wire.settlement_entry(made, "1.0").data).settled))
    return found


class Passed(Quiet):
    """Keeps the settlements that pass."""

    def __init__(self) -> None:
        self.settlements: list[Body] = []

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """Those of a round."""
        self.settlements += settled

    def stray(self, entry: Body) -> None:
        """One of none."""
        self.settlements.append(entry)


def recording(recorded: Sequence[rounds.Entry], told: Sequence[tuple[str, Any]]) -> History:
    """What was read of these feeds."""
    filed = settlement.Submission(submission_id="RS-1", effective_from=DAY, tables=EVERY)
    return history(submissions=[("approved", filed)], rounds=list(map(body_of, recorded)), settlements=list(told))


def corrected_of(read: History, through: int) -> dict[str, int]:
    """The last correction of each round that is corrected up to a position, as a first look along the feed finds it."""
    return {round_of(each.key): each.position for each in read.recorded(*CORRECTIONS) if each.position <= through}


def replayed(
    recorded: Sequence[rounds.Entry], told: Sequence[tuple[str, Any]], *, asked: bool = True, through: int = 0
) -> tuple[Rerun, list[Body]]:
    """A replay of these feeds, whose settlements version 0.9 committed, and the settlements that it passes on.

    `through`: how far the rounds went before they were read, if not to their end.
    """
    read, versions, passed = recording(recorded, told), Versions(), Passed()
    versions.note(1, "0.9")
    days = (DAY, DAY) if asked else ("2026-03-03", "2026-03-03")
    through = through or len(recorded)
    found = Rerun(days, read.terms(), set(corrected_of(read, through)), through, versions, passed)
    pass_through(read, found)
    found.finish(len(recorded))
    return found, passed.settlements


def rolls(*dice: tuple[int, int], wagers: Sequence[Sequence[PlacedWager]]) -> list[rounds.Entry]:
    """The entries of a shooter's hand, with the wagers that work on each roll."""
    results = [result_of("craps", *each) for each in dice]
    return [
        rounds.Entry(result=recorded_round("CRP-01", 1, results[:roll], *working, roll=roll))
        for roll, working in enumerate(wagers, 1)
    ]


FIELD, BUY = on("craps.field", 4, 700), on("craps.buy_4", 5, 700)
STRAIGHT, B2B = on("roulette.straight", 2, 500, place="17"), on("roulette.b2b", 1, 500)
NATURAL = on("blackjack.blackjack", 1)
SEVENTEEN: dict[str, Any] = {"previous": result_of("roulette", {"pocket": "17"})}


def natural() -> rounds.Entry:
    """A player's Blackjack against a 17."""
    result = dealt(hand("AS KD"), dealer="10C 7D")
    return rounds.Entry(whole_round=recorded_round("BJ-01", 1, [result], NATURAL))


def day() -> list[rounds.Entry]:
    """A hand of four rolls, two spins and a Blackjack."""
    return [
        *rolls((6, 6), (3, 5), (2, 2), (3, 4), wagers=[[PASS, FIELD, HARD, BUY], [HARD, BUY], [HARD, BUY], [HARD]]),
        spin(1, {"pocket": "17"}, STRAIGHT),
        spin(2, {"pocket": "17", "drawn_payout": 250}, B2B, STRAIGHT, **SEVENTEEN),
        natural(),
    ]


def corrections() -> list[rounds.Entry]:
    """The first spin made void, the second told again with another pocket, a wager let in beside the Blackjack."""
    void, second, blackjack = spin(1, {}).whole_round, spin(2, {"pocket": "8"}, B2B, STRAIGHT, **SEVENTEEN), natural()
    blackjack.whole_round.wagers.add().CopyFrom(blackjack.whole_round.wagers[0])
    blackjack.whole_round.wagers[1].wager_no = 2
    return [
        rounds.Entry(void=rounds.RoundCorrection(key=void.key)),
        rounds.Entry(amend=rounds.RoundCorrection(key=second.whole_round.key, round=second.whole_round)),
        rounds.Entry(release=rounds.Release(round=blackjack.whole_round)),
    ]


def test_rolls_spins_hands_and_their_corrections_come_out_again() -> None:
    """Every settlement of the day is what the engine gives, one for each result and correction."""
    recorded = [*day(), *corrections()]
    told = settled(recorded)
    found, passed = replayed(recorded, told)
    assert found.differences == []
    assert (found.rounds_run[DAY], len(passed)) == (10, 10)
    assert [each.body.void for each in passed] == [*[False] * 7, True, False, False]


def test_a_day_that_was_not_asked_for_stays_as_recorded() -> None:
    """Nothing of it is run and nothing compared."""
    told = settled(day())
    told[6][1].payout_cents[0] += 1
    found, passed = replayed(day(), told, asked=False)
    assert (found.differences, found.rounds_run.total()) == ([], 0)
    assert [each.body for each in passed] == [body for _, body in told]


Told = list[tuple[str, Any]]
UNSETTLED = ("exception", settlement.SettlementException(reason="NO_SUBMISSION", rounds_position=7))
UNSETTLED[1].key.CopyFrom(natural().whole_round.key)
BLACKJACK_PAID = "seat 1 blackjack.blackjack 3 to 2 stake 10.00 win blackjack payout"
CHANGED: list[tuple[Callable[[Told], Any], str]] = [
    (
        lambda told: told[6][1].payout_cents.__setitem__(0, 2_400),
        (
            f"round {DAY}/BJ-01/0/1 at 7 wager 1: settled {BLACKJACK_PAID} 24.00, today's engine says"
            f" {BLACKJACK_PAID} 25.00 (settled by version 0.9)"
        ),
    ),
    (
        lambda told: setattr(told[6][1], "decks", 8),
        f"round {DAY}/BJ-01/0/1 at 7: settled decks 8, today's engine says decks 6 (settled by version 0.9)",
    ),
    (lambda told: told.pop(4), f"round {DAY}/ROU-01/0/1 at 5: settled nothing, today's engine says wagers 2"),
    (
        lambda told: told.insert(5, told[4]),
        f"round {DAY}/ROU-01/0/1 at 5: settled wagers 2, today's engine says nothing (settled by version 0.9)",
    ),
    (
        lambda told: told.__setitem__(6, UNSETTLED),
        (
            f"round {DAY}/BJ-01/0/1 at 7: settled exception NO_SUBMISSION, today's engine says wagers 1"
            " (settled by version 0.9)"
        ),
    ),
    (
        lambda told: told[6][1].line.pop(),
        (
            f"round {DAY}/BJ-01/0/1 at 7: settled lists {{'wager_no': 1, 'outcome': 1, 'payout_cents': 1}},"
            " today's engine says wagers 1 (settled by version 0.9)"
        ),
    ),
]


@pytest.mark.parametrize(("change", "said"), CHANGED)
def test_what_was_settled_otherwise_is_named(change: Callable[[Told], Any], said: str) -> None:
    """Round, wager, both sides and the version that settled; the replay goes on with what the engine gives."""
    told = settled(day())
    change(told)
    found, passed = replayed(day(), told)
    assert [each.line() for each in found.differences] == [said]
    _, clean = replayed(day(), settled(day()))
    assert [each.body for each in passed] == [each.body for each in clean]


def test_a_settlement_of_nothing_recorded_is_named() -> None:
    """One whose position in the rounds feed has no round."""
    told = settled(day())
    stray = settlement.SettledRound()
    stray.CopyFrom(told[6][1])
    stray.rounds_position = 99
    found, _ = replayed(day(), [*told, ("settled", stray)])
    (difference,) = found.differences
    assert (difference.rounds_position, difference.today) == (99, None)


@pytest.mark.parametrize("through", [7, 8, 9])
def test_what_the_floor_sends_meanwhile_is_not_run(through: int) -> None:
    """Rounds voided, amended and let in after the feeds were looked at pass as recorded, and nothing differs."""
    recorded = [*day(), *corrections()]
    told = settled(recorded)
    found, passed = replayed(recorded, told, through=through)
    assert found.differences == []
    assert found.rounds_run[DAY] == through
    assert [each.body for each in passed[through:]] == [body for _, body in told[through:]]


def test_a_settlement_of_what_was_entered_after_the_rounds_were_read_is_sound() -> None:
    """It comes as one of no round that was read; whether there is one, the head says afterwards."""
    told = settled([*day(), *corrections()])
    found, passed = replayed(day(), told, through=7)
    assert [each.rounds_position for each in found.differences] == [8, 9, 10]
    assert len(passed) == 10
    found.differences.clear()
    found.finish(len(told))
    assert found.differences == []


def by(change: Callable[[settlement.TableTerms], Any]) -> Filing:
    """The filed tables with a change at each."""
    changed = []
    for table in EVERY:
        copy = settlement.TableTerms()
        copy.CopyFrom(table)
        change(copy)
        changed.append(copy)
    return Filing("WHAT-IF", {each.table_id: Terms.read("WHAT-IF", each) for each in changed})


def offer(table: settlement.TableTerms, code: str) -> settlement.Offer:
    """A wager's offer; an empty one where the table has none."""
    return next((each for each in table.offers if each.code == code), settlement.Offer())


def supposed(
    recorded: Sequence[rounds.Entry], change: Callable[[settlement.TableTerms], Any], through: int = 0
) -> WhatIf:
    """The day by other terms; `through`: how far the rounds went before they were read, if not to their end."""
    read, through = recording(recorded, settled(recorded)), through or len(recorded)
    found = Supposition([DAY], by(change), read.terms(), corrected_of(read, through), through)
    pass_through(read, found)
    (made,) = found.finish()
    return made


def changes(found: WhatIf) -> list[tuple[str, Any, Any]]:
    """Of each affected wager its code and both payouts, or why it is not taken."""
    rows = found.described()["wagers"]
    return [
        (
            each["wager"],
            each["settled"]["payout_cents"],
            each["refused"]["reason"] if each["refused"] else each["would_be"]["payout_cents"],
        )
        for each in rows
    ]


def test_nothing_changes_by_the_filed_terms() -> None:
    """The same terms give the same payouts, roll by roll too."""
    found = supposed([*day(), *corrections()], lambda table: None)
    assert changes(found) == []
    assert {each["difference_cents"] for each in found.described()["win"]} == {0}


@pytest.mark.parametrize("through", [7, 8, 9])
def test_what_the_floor_sends_meanwhile_is_left_out(through: int) -> None:
    """A round that is corrected after the feeds were looked at counts as it stood then."""
    found = supposed([*day(), *corrections()], lambda table: None, through)
    assert found.totals == supposed([*day(), *corrections()][:through], lambda table: None).totals


def test_craps_by_another_submission() -> None:
    """A field of $7 on 12 pays 2 or 3 to 1; the 5 % of $7 on a 4 bought is 35 cents, or 25 to the quarter."""

    def change(table: settlement.TableTerms) -> None:
        offer(table, "craps.field").paytable = "triple 12"
        offer(table, "craps.buy_4").options["commission_rounding"] = "nearest_quarter"

    found = supposed(day(), change)
    assert changes(found) == [("craps.field", 2_100, 2_800), ("craps.buy_4", 2_065, 2_075)]
    wins = {each["table"]: each["difference_cents"] for each in found.described()["win"]}
    assert wins == {"BJ-01": 0, "CRP-01": -710, "ROU-01": 0, None: -710}


def test_blackjack_by_another_submission() -> None:
    """A Blackjack of $10 pays $15 at 3 to 2 and $12 at 6 to 5: $3 were overpaid."""
    found = supposed(day(), lambda table: setattr(offer(table, "blackjack.blackjack"), "paytable", "6 to 5"))
    assert changes(found) == [("blackjack.blackjack", 2_500, 2_200)]
    total = next(each for each in found.described()["totals"] if each["table"] == "BJ-01")
    assert (total["overpaid_cents"], total["underpaid_cents"]) == (300, 0)


def test_roulette_by_another_submission() -> None:
    """A bonus round of red, black and red without a seven pays $5 at 7 to 1 on paytable 1, at 6 to 1 on 3."""
    blazing = on("roulette.blazing_7s", 1, 500)
    spun = spin(3, {"pocket": "17", "bonus_pockets": ["1", "2", "3"]}, blazing, STRAIGHT, **SEVENTEEN)

    def change(table: settlement.TableTerms) -> None:
        offer(table, "roulette.blazing_7s").paytable = "3"

    assert changes(supposed([*day(), spun], change)) == [("roulette.blazing_7s", 4_000, 3_500)]


def test_a_draw_that_is_not_listed_cannot_be_settled() -> None:
    """The wagers of that spin are named with the reason; other spins are not affected."""

    def change(table: settlement.TableTerms) -> None:
        if offer(table, "roulette.b2b").code:
            offer(table, "roulette.b2b").options["payouts"] = "50,100"

    found = supposed(day(), change)
    assert changes(found) == [
        ("roulette.b2b", 125_500, "DRAW_NOT_FILED"),
        ("roulette.straight", 18_000, "DRAW_NOT_FILED"),
    ]


def test_a_limit_on_the_payout_and_a_wager_that_is_gone() -> None:
    """A straight of $5 is paid $100 at most; the hardway is not offered and its lost $5 stay with the patron."""

    def change(table: settlement.TableTerms) -> None:
        if offer(table, "roulette.straight").code:
            offer(table, "roulette.straight").maximum_payout_cents = 10_000
        kept = [each for each in table.offers if each.code != "craps.hard_6"]
        del table.offers[:]
        table.offers.extend(kept)

    found = supposed(day(), change)
    assert changes(found) == [
        ("craps.hard_6", 0, "WAGER_NOT_OFFERED"),
        ("roulette.straight", 18_000, 10_000),
        ("roulette.straight", 18_000, 10_000),
    ]
    assert [each.overpaid_cents for each in found.affected] == [-500, 8_000, 8_000]


def batch(*entries: bytes, version: str = "", after: int = 0) -> feeds_pb2.FeedBatch:
    """A commit whose head hash is not that of its bytes."""
    commit = feeds_pb2.Commit(software_version=version).SerializeToString() if version else b""
    found = feeds_pb2.FeedBatch(first_position=after + 1, entries=entries, kinds=[1] * len(entries), commit=commit)
    found.start_hash, found.head_hash = GENESIS, b"other"
    return found


def test_a_chain_reads_on_where_it_breaks() -> None:
    """The break is kept, the entries are read and the version is that of their commit; a gap ends it."""
    chain = Commits("settlements")
    entry = settlement.Entry(settled=settlement.SettledRound()).SerializeToString()
    assert len(chain.take(batch(entry, entry, version="1.2"))) == 2
    assert (chain.position, chain.version, chain.hash, len(chain.broken)) == (2, "1.2", b"other", 1)
    chain.take(batch(entry, after=2))
    assert chain.version == "1.2"
    with pytest.raises(ChainBroken, match="position 4"):
        chain.take(batch(entry, after=9))
