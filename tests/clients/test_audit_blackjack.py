"""The auditor follows Blackjack: later stakes come to the result, stated payouts are what the floor stated."""

from typing import Any

import pytest

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.settlements import check_settlements
from clients.cli.audit.wager_sums import WagerSums
from services.reporting import wire as reporting_wire
from services.reporting.sums import SettlementsChange
from services.reporting.wager_lines import lines, table
from services.runtime.feeds import kind_of
from services.runtime.followers import Followed
from services.settlement import wire
from services.settlement.settlements import Play, settle
from services.settlement.submissions import read_tables
from tests.clients.test_audit import history
from tests.reporting.builders import summed
from tests.reporting.test_daily_win import cells
from tests.settlement.test_blackjack import TABLES, in_pieces, split


def recorded() -> list[Any]:
    """A round in pieces; the payout of one of its two external wagers is stated."""
    return in_pieces(1, split(_3=3_000))


def settled(entries: list[Any]) -> list[settlement.SettledRound]:
    """What the service makes of them."""
    terms, found = read_tables("RS-1", TABLES), []
    followed = [
        Followed(position, kind_of(each, str(each.WhichOneof("body"))), each.SerializeToString())
        for position, each in enumerate(entries, 1)
    ]
    for play in wire.read_rounds(followed):
        assert isinstance(play, Play)
        entry = wire.settlement_entry(settle(play, terms[play.key.table_id], 0), "1.0")
        found.append(settlement.Entry.FromString(entry.data).settled)
    return found


def differences(entries: list[Any], told: list[settlement.SettledRound]) -> list[str]:
    """What the auditor finds of both feeds."""
    filed = settlement.Submission(submission_id="RS-1", effective_from="2026-03-02", tables=TABLES)
    bodies = [(str(each.WhichOneof("body")), getattr(each, str(each.WhichOneof("body")))) for each in entries]
    made = history(submissions=[("approved", filed)], rounds=bodies, settlements=[("settled", each) for each in told])
    return [text for found in check_settlements(made, len(entries)) for text in found.differences]


def test_a_round_with_later_stakes_settles_as_the_auditor_expects() -> None:
    """What is stated is paid, what is not is pending, and every stake comes to the result."""
    assert differences(recorded(), settled(recorded())) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda entries, told: told[0].payout_cents.__setitem__(2, 3_001), "payout_cents"),
        (lambda entries, told: told[0].outcome.__setitem__(3, settlement.OUTCOME_LOSE), "outcome"),
        (lambda entries, told: entries[2].result.history[0].ClearField("stated_payouts"), "outcome"),
        (lambda entries, told: entries[1].stakes_added.stakes.__delitem__(0), "wagers: expected [1, 2, 3, 4, 6, 7, 8]"),
    ],
)
def test_what_was_changed_is_named(change: Any, said: str) -> None:
    """A payout beside the stated one, a wager settled that waits, a stake from nowhere."""
    entries = recorded()
    told = settled(entries)
    change(entries, told)
    assert any(said in each for each in differences(entries, told))


def test_the_auditor_shows_apart_what_is_not_proven() -> None:
    """Three tables as in the report: the game's wagers with the later stakes, side wagers, and those not proven."""
    told, change = settled(recorded()), SettlementsChange()
    for each in told:
        change.add_round(reporting_wire.heading(each), 0, reporting_wire.settled_wagers(each), void=each.void)
    base, side, external = lines(summed(change), {})
    assert [line.code for line in base] == [
        "blackjack.double",
        "blackjack.split",
        "blackjack.blackjack",
        "blackjack.insurance",
    ]
    assert side == []
    assert [(line.code, line.wagers, line.handle, line.payout) for line in external] == [
        ("external.royal_match", 1, 500, 3_000),
        ("external.three_card_poker", 0, 0, 0),
    ]
    sums = WagerSums()
    for each in told:
        sums.settle(each)
    for (rows, totals), found in zip(sums.rows(), (base, side, external), strict=True):
        made = table("wagers", "Wagers", found)
        shown = [cells(made, row) for row in (*made.rows, made.totals or ())]
        plain = [{name: value or None for name, value in each.items()} for each in (*rows, totals)]
        assert [{name: value or None for name, value in each.items()} for each in shown] == plain
