"""Rounds as lines of a file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROGRESSIVE = "baccarat.heavenly_9_progressive"
PLAYER_WINS = "5D 6D 8D/QC 4S"
TIE_IN_ONE_SUIT = "5D JD 4D/QD 5D 4D"


def wager(number: int, code: str, paytable: str, stake: object, seat: int = 1, **more: Any) -> dict[str, Any]:
    """A wager in protobuf JSON."""
    return {
        "wagerNo": number, "seat": seat, "code": code, "paytable": paytable, "stakeCents": stake, **more
    }  # fmt: skip


def whole(number: int, cards: str, *wagers: dict[str, Any], table: str = "BAC-01") -> dict[str, Any]:
    """A whole round in protobuf JSON; cards as player/banker."""
    player, banker = (side.split() for side in cards.split("/"))
    return {
        "tableId": table,
        "shoe": 1,
        "roundNo": number,
        "wagers": list(wagers),
        "result": {"baccarat": {"player": player, "banker": banker}},
    }


def write(path: Path, lines: Sequence[object]) -> Path:
    """A file with a line for each; a text is written as it is."""
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path
