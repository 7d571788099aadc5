"""`casino settle` on the rounds of another engine's Blackjack."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.builders import NO_SHARED, SHARED
from tests.clients.command import casino
from tests.games.blackjack.cardsharp import DECKS, RULES, whole_round

ROUNDS = SHARED / "data" / "cardsharp" / "blackjack.jsonl"
UNPAID_INSURANCE = 1_500
"""What that engine forgot in some rounds: insurance of $5 at 2 to 1, in cents."""

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not SHARED.exists(), reason=NO_SHARED)]


def settled(folder: Path, rules: str, rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the command prints of the rounds of one rule set, under its house rules."""
    path = folder / f"{rules}.jsonl"
    path.write_text("".join(json.dumps(whole_round(each)) + "\n" for each in rounds), encoding="utf-8")
    options = [f"--option=blackjack.blackjack:{name}={value}" for name, value in RULES[rules].items()]
    ran = casino("settle", str(path), "--json", f"--decks={DECKS[rules[0]]}", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.objects


def test_six_thousand_rounds_settle_to_their_net(tmp_path: Path) -> None:
    """Doubles, splits, surrenders and insurance; 27 rounds differ by the insurance that the other engine forgot."""
    rounds = [json.loads(line, parse_float=Decimal) for line in ROUNDS.read_text(encoding="utf-8").splitlines()]
    differing: Counter[tuple[int, bool]] = Counter()
    for rules in RULES:
        mine = [each for each in rounds if each["rule_set"] == rules]
        for played, found in zip(mine, settled(tmp_path, rules, mine), strict=True):
            net = sum(each["net_cents"] for each in found["wagers"])
            differing[net - played["net"] * 100, bool(played["known_defects"])] += 1
    assert differing == {(0, False): 5_973, (UNPAID_INSURANCE, True): 27}
