"""Facts about Baccarat found by others."""

import csv
import json
from typing import Any

import pytest

from services.games.baccarat.coup import Coups, Hand, Side, banker_draws, player_draws
from services.games.results import read_history
from services.games.settlement import settle_round
from tests.builders import NO_SHARED, SHARED, cards, coup, recorded, terms, wager_on

VECTORS = SHARED / "golden" / "vectors.json"
LOG = SHARED / "data" / "cardsharp" / "baccarat.csv"
COUPS = {"player": ("9C KH", "KC 7D"), "banker": ("KC 7D", "9C KH"), "tie": ("7C KH", "KC 7D")}
SIDES = {"player_win": Side.PLAYER, "banker_win": Side.BANKER, "tie": Side.TIE}

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not SHARED.exists(), reason=NO_SHARED)]


def net(code: str, history: Coups, stake_cents: int) -> int:
    """What a player gains on the first paytable, in cents."""
    paytable = {"baccarat.banker": "5%"}.get(code, terms().offers[code].paytable)
    (found,) = settle_round(history, [wager_on(code, stake_cents, paytable=paytable)], terms())
    return found.payout_cents - stake_cents


def answer(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """This engine's answer to one recorded fact."""
    if kind == "banker_draw":
        draws = banker_draws(given["banker_two_card_total"], given["player_third_card_value"])
        return {"banker_draws": draws}
    if kind == "player_draw":
        return {"player_draws": player_draws(given["player_two_card_total"])}
    if kind == "hand_value":
        hand = Hand.of(cards(" ".join(given["cards"])))
        return {"total": hand.total, "natural": hand.natural}
    gained = net(f"baccarat.{given['bet']}", Coups(coup(*COUPS[given["outcome"]])), given["stake"] * 100)
    return {"net": gained // 100}


def test_facts_of_another_engine_agree() -> None:
    """Draws, totals and payouts are those that another engine's tests state."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    facts = [vector for vector in vectors if vector["game"] == "baccarat"]
    for fact in facts:
        found = answer(fact["kind"], fact["input"])
        assert {key: found[key] for key in fact["expect"]} == fact["expect"], fact["id"]
    assert len(facts) == 116


def test_coups_of_another_engine_settle_alike() -> None:
    """Every coup of a long simulated log is legal here, with the same totals, winner and net results."""
    with LOG.open(encoding="utf-8", newline="") as log:
        rows = list(csv.DictReader(log))
    for row in rows:
        hands = [" ".join(filter(None, (row[f"{side}{number}"] for number in "123"))) for side in "pb"]
        history = read_history("baccarat", [recorded(*hands)], 8)
        found = history.last
        totals = found.player.total, found.banker.total
        assert (*totals, found.winner) == (
            int(row["player_total"]),
            int(row["banker_total"]),
            SIDES[row["outcome"]],
        )
        for name in ("player", "banker", "tie"):
            assert net(f"baccarat.{name}", history, 10_000) == int(row[f"net_{name}_100"]) * 100
    assert len(rows) == 8_092
