"""The auditor's day of the README, command by command, as it is typed."""

import hashlib
import re
from decimal import Decimal
from json import JSONDecoder
from pathlib import Path

import pytest

from tests.floor.test_operators_walk import walked

pytestmark = pytest.mark.floor

FILED = re.compile(r"filed: (\S+) version (\d), [\d,]+ bytes, SHA-256 ([0-9a-f]{64})")


def test_a_day_is_filed_proved_and_restated(home: Path) -> None:
    """Every command of the README's audit succeeds, in this order, from an empty home, and says what it should."""
    ran = walked(home, "audit")
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    _filed_and_proved(ran.stdout)
    _behind_a_line(ran.stdout)
    _restated(ran.stdout)
    (folder,) = {found.parent for found in home.parent.glob("*/filed")}
    assert hashlib.sha256((folder / "filed").read_bytes()).hexdigest() in ran.stdout
    assert (folder / "daily-win.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "version-1.csv").read_bytes() != (folder / "version-2.csv").read_bytes()


def _filed_and_proved(said: str) -> None:
    """The day as filed: win 30.00 against 55.00 of the rounds, 12 and 2 % of it, a meter at its seed and 0.50."""
    (win,) = set(re.findall(r"table +BAC-01 +50,000\.00 .*? 30\.00 +30\.00 +55\.00 +(-25\.00)", said))
    assert win == "-25.00"
    assert re.search(r"2026-03-02 +banking +30\.00 +0\.00 +30\.00 +30\.00 +3\.60 +0\.00 +0\.60 +4\.20", said)
    assert said.count("As filed, version 1.") == 3
    assert "SAMPLE-HEAVENLY-9 mega at position" in said
    assert "$10,000.50, reserve $0.00" in said
    assert said.count("\n0 differences.\n") == 3  # verified, replayed, verified again
    assert "different, 0" not in said


def _behind_a_line(said: str) -> None:
    """The papers come to the line's win of 30.00, and one of its rounds shows cards, wagers and the 30.00 they lost."""
    papers = re.findall(r"\n([ODXN]-1) +DOCUMENT_KIND_(\w+) +BAC-01 +\d +([\d,.]+) ", said)
    amounts = {kind: Decimal(amount.replace(",", "")) for _, kind, amount in papers}
    assert amounts["CLOSER"] + amounts["COUNT"] - amounts["OPENER"] == Decimal("30.00")
    assert re.findall(r"whole_round (2026-03-02/BAC-01/1/\d)\n", said) == [f"2026-03-02/BAC-01/1/{no}" for no in (1, 2)]
    shown, _ = JSONDecoder().raw_decode(said[said.index("{", said.index("whole_round 2026-03-02/BAC-01/1/2")) :])
    cards = shown["events"][0]["entry"]["whole_round"]["history"][0]["baccarat"]
    assert (cards["player"], cards["banker"]) == (["KC", "6D"], ["2C", "3D", "2H"])
    (settled,) = shown["settlements"]
    assert settled["code"] == ["baccarat.player", "baccarat.heavenly_9_progressive"]
    assert sum(settled["stake_cents"]) - sum(settled["payout_cents"]) == 3_000


def _restated(said: str) -> None:
    """The late round leaves version 1 as it was; version 2 explains the difference."""
    assert "differs from filed: daily-win\ndiffers\n" in said
    first, second = (hash_ for name, version, hash_ in FILED.findall(said) if name == "daily-win" and version == "1")
    assert first == second
    assert re.search(r"\n< win,table,BAC-01,.*,30\.00,55\.00,-25\.00,2,", said)
    assert re.search(r"\n> win,table,BAC-01,.*,30\.00,30\.00,0\.00,3,", said)
