"""Settlements as such."""

from datetime import date
from typing import Any

import pytest

from casino.settlement.v1 import entries_pb2
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey, jackpot_id
from services.settlement import wire
from services.settlement.settlements import OUTCOMES, Play, Settlement, WagerAward, settle, voided
from tests.builders import recorded, terms, wager_on
from tests.settlement.recorded import FORTUNE, ILLEGAL, METER

KEY = RoundKey(date(2026, 3, 2), "BAC-01", 1, 7)
LISTS = (
    "wager_no",
    "seat",
    "code",
    "paytable",
    "stake_cents",
    "outcome",
    "line",
    "payout_cents",
    "inventory_cents",
    "breakage_micros",
)


def play(cards: tuple[str, str], *wagers: PlacedWager, **more: Any) -> Play:
    return Play(9, KEY, 1, "P1", "D7", "RS-1", [("baccarat", recorded(*cards))], wagers, **more)


def settled(cards: tuple[str, str], *wagers: PlacedWager) -> Settlement:
    return settle(play(cards, *wagers), terms(), 0)


def test_outcomes_are_numbered_as_on_the_wire() -> None:
    """The stored number of an outcome is the one that the contract gives it."""
    assert {
        name.removeprefix("OUTCOME_").lower(): number for name, number in entries_pb2.Outcome.items() if number
    } == OUTCOMES


def test_every_wager_of_a_round_is_settled_in_parallel_lists() -> None:
    """The lists are of equal length and in the order of the wagers, winnings on top of returned stakes."""
    found = settled(
        FORTUNE,
        wager_on("baccarat.player", 10_000, no=1),
        wager_on("baccarat.banker", 10_000, no=2, seat=2),
        wager_on("baccarat.fortune_7", 500, no=5, seat=2),
    )
    assert {len(getattr(found, name)) for name in LISTS} == {3}
    assert found.wager_no == (1, 2, 5)
    assert found.outcome == (OUTCOMES["lose"], OUTCOMES["win"], OUTCOMES["win"])
    assert found.payout_cents == (0, 19_500, 20_500)
    assert found.inventory_cents == found.payout_cents
    assert found.line[0] == ""
    assert found.line[2] == "banker_three_card_seven"
    assert not found.awards


def test_a_share_of_a_meter_names_its_jackpot_and_no_amount() -> None:
    """Settlement names level and share; the payout has no part of the meter, nor does the inventory."""
    code = "baccarat.heavenly_9_progressive"
    found = settled(METER, wager_on("baccarat.tie", 500, no=1), wager_on(code, 500, no=4))
    assert found.awards == (WagerAward(4, "meter", "slip", 0, "mega", 10_000, jackpot_id(KEY, 4, "mega")),)
    assert (found.payout_cents[1], found.inventory_cents[1]) == (0, 0)


def test_a_voided_round_returns_every_stake() -> None:
    """A void supersedes the settlement: no award stands, every stake goes back."""
    before = settled(METER, wager_on("baccarat.heavenly_9_progressive", 500), wager_on("baccarat.tie", 700, no=2))
    found = voided(before, 12)
    assert (found.revision, found.rounds_position, found.awards) == (1, 12, ())
    assert found.payout_cents == found.inventory_cents == (500, 700)
    assert set(found.outcome) == {OUTCOMES["void"]}
    assert before.revision == 0
    assert before.awards


def test_a_round_that_cannot_have_been_dealt_is_refused() -> None:
    """The refusal names the rule that the cards break."""
    with pytest.raises(errors.IllegalCoup, match="Player stands on 6"):
        settled(ILLEGAL, wager_on("baccarat.player"))


def test_a_result_of_another_game_is_no_result() -> None:
    """A table's round settles on a result of the table's game alone."""
    with pytest.raises(errors.ResultMissing):
        settle(play(FORTUNE)._replace(results=[("roulette", None)]), terms(), 0)


def test_an_entry_reads_back_to_the_settlement_it_was_made_of() -> None:
    """Nothing of a settlement is lost in the bytes that are hashed."""
    found = settled(METER, wager_on("baccarat.tie", 500), wager_on("baccarat.heavenly_9_progressive", no=2))
    entry = wire.settlement_entry(found, "1.0")
    assert wire.read_settlement(entry.data) == found
    assert (entry.kind, entry.gaming_day) == (wire.SETTLED, KEY.gaming_day)


@pytest.mark.parametrize("text", ["", "2026-3-2", "20260302", "2026-W10-1", "tomorrow"])
def test_a_day_is_written_in_one_way(text: str) -> None:
    """Anything but YYYY-MM-DD is refused, naming what was given."""
    with pytest.raises(errors.InvalidRequest, match=f"given '{text}'"):
        wire.read_day(text)
