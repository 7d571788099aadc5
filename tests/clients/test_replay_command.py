"""`casino replay` over the wire: a day with corrections, by another submission, and with a forged settlement."""

import asyncio
import json
import os
import signal
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from casino.settlement.v1 import entries_pb2 as settlement
from services.runtime.embedded import EmbeddedPostgres
from tests.clients.command import Ran
from tests.clients.conftest import Running
from tests.clients.rounds import PLAYER_WINS, PROGRESSIVE, TIE_IN_ONE_SUIT, wager, whole, write

pytestmark = pytest.mark.floor

DAY = "2026-03-02"
BANKER_WINS = "2C KD/9D KC"
OFFERED = {"baccarat.player": "standard", "baccarat.banker": "4%", "baccarat.tie": "9"}
"""BAC-01 has 5 % and 8 to 1."""


def three() -> list[dict[str, Any]]:
    """Wagers on each outcome at seat 1."""
    stakes = {"baccarat.player": ("standard", 10_000), "baccarat.banker": ("5%", 3_335), "baccarat.tie": ("8", 500)}
    return [wager(number, code, *placed) for number, (code, placed) in enumerate(stakes.items(), 1)]


@pytest.fixture(scope="module", autouse=True)
def played(platform: Running, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Six rounds: two outcomes and a hit of the meter; one told again, one made void, one with a wager let in."""
    folder = tmp_path_factory.mktemp("played")
    side = wager(2, "baccarat.fortune_7", "A", 500, seat=2)
    rounds = [
        whole(1, PLAYER_WINS, *three()),
        whole(2, TIE_IN_ONE_SUIT, *three(), wager(4, PROGRESSIVE, "standard", 507)),
        whole(3, BANKER_WINS, *three()),
        whole(4, BANKER_WINS, *three()),
        whole(5, TIE_IN_ONE_SUIT, *three()),
        whole(6, PLAYER_WINS, wager(1, "baccarat.player", "standard", 10_000), side),
    ]
    assert platform.casino("ingest", str(write(folder / "rounds.jsonl", rounds))).code == 1
    again = write(folder / "again.jsonl", [whole(4, "5D JD 4C/QD 5D 4D", *three())])
    for arguments in (("amend", str(again), "--day", DAY), ("void", f"{DAY}/BAC-01/1/5")):
        corrected = platform.casino("rounds", *arguments, "--reason", "camera")
        assert corrected.code == 0, corrected.err
    (held,) = platform.casino("quarantine", "list", "--open", "--json").objects[0]
    assert platform.casino("quarantine", "release", held["hold_id"], "--reason", "seen").code == 0
    assert platform.casino("quarantine", "approve", held["hold_id"], principal="bob").code == 0


def test_a_recorded_day_comes_out_again(platform: Running) -> None:
    """Voids, amendments and releases too: every settlement, meter entry and report cell is as it was; exit code 0."""
    ran = platform.casino("replay", "--day", DAY, "--json")
    assert ran.code == 0, ran.out + ran.err
    found = json.loads(ran.out)
    (day,) = found["days"].values()
    assert (found["different"], day["differences"]) == (0, [])
    # Six rounds, and one each that was told again, made void and let in.
    assert (day["rounds"], day["wagers"]) == (9, 3 * 7 + 1 + 3)
    assert day["report"]["checked"] > 100
    assert found["meters"]["audit: contributions computed from wagers"]["checked"] == 1
    assert found["meters"]["audit: jackpots compared with awards"]["checked"] == 1
    shown = platform.casino("replay", "--from", "2026-03-01", "--to", "2026-03-31")
    assert shown.code == 0
    assert shown.out.startswith(f"{DAY}: 9 rounds and 25 wagers settled again, 0 different\n")
    assert shown.out.endswith("\n0 differences.\n")


def test_the_same_data_gives_the_same_bytes(platform: Running, tmp_path: Path) -> None:
    """There is no clock and no order of chance in what a replay prints, proved or supposed."""
    proposal = str(proposed(tmp_path))
    for more in ((), ("--json",), ("--with", proposal), ("--with", proposal, "--json")):
        first, second = (platform.casino("replay", "--day", DAY, *more) for _ in range(2))
        assert first.code == 0
        assert first.out == second.out


def proposed(folder: Path, **changed: Any) -> Path:
    """A proposal for BAC-01 that nobody filed."""
    sides = {"baccarat.fortune_7": "A", PROGRESSIVE: "standard"}
    offers: list[dict[str, Any]] = [
        {"code": code, "paytable": paytable, "minimumCents": 500} for code, paytable in {**OFFERED, **sides}.items()
    ]
    kept = [{**each, **changed.get(each["code"], {})} for each in offers if changed.get(each["code"], {}) is not None]
    table = {"tableId": "BAC-01", "game": "baccarat", "kind": "live", "decks": 8, "seats": 14, "offers": kept}
    words = {"title": "What if", "certificateHolder": "Sample Casino", "effectiveFrom": DAY, "tables": [table]}
    return write(folder / "proposal.json", [words])


def supposed(ran: Ran) -> Any:
    """What the day would have been."""
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["days"][DAY]


def test_a_submission_says_what_would_have_been_paid(platform: Running, tmp_path: Path) -> None:
    """4 % on Banker and 9 to 1 on a Tie: three wagers are underpaid, the voided and the released are not among them."""
    day = supposed(platform.casino("replay", "--day", DAY, "--with", str(proposed(tmp_path)), "--json"))
    told = [
        (each["round"], each["wager"], each["settled"]["payout_cents"], each["would_be"]["payout_cents"])
        for each in day["wagers"]
    ]
    # $33.35 wins itself less $1.67 (5 %) or $1.33 (4 %); $5 wins $40 or $45.
    assert told == [
        (f"{DAY}/BAC-01/1/2", "baccarat.tie", 4_500, 5_000),
        (f"{DAY}/BAC-01/1/3", "baccarat.banker", 6_503, 6_537),
        (f"{DAY}/BAC-01/1/4", "baccarat.tie", 4_500, 5_000),
    ]
    assert [(each["overpaid_cents"], each["underpaid_cents"]) for each in day["wagers"]] == [
        (0, 500),
        (0, 34),
        (0, 500),
    ]
    totals = {each["wager"]: (each["wagers"], each["affected"], each["underpaid_cents"]) for each in day["totals"]}
    assert totals["baccarat.tie"] == (4, 2, 1_000)
    assert totals["baccarat.banker"] == (4, 1, 34)
    assert totals["baccarat.player"] == (5, 0, 0)
    assert [each["difference_cents"] for each in day["win"]] == [-1_034, -1_034]


def test_a_submission_says_what_the_tax_would_have_been(platform: Running, tmp_path: Path) -> None:
    """Less win by $10.34 is less tax: 12 % and 2 % of it, each half up, by day and class; by the one in force none."""
    proposal = str(proposed(tmp_path))
    ran = platform.casino("replay", "--day", DAY, "--with", proposal, "--json")
    tax = json.loads(ran.out)["tax"]
    (line,) = tax["classes"]
    assert (line["gaming_day"], line["revenue_class"], line["difference_cents"]) == (DAY, "banking", -1_034)
    # No counts were posted, so that it is the tax of the difference alone: -124.08 and -20.68 cents.
    assert (line["revenue_cents"], line["tax_difference_cents"], tax["by_day"]) == (None, -145, {DAY: -145})
    shown = platform.casino("replay", "--day", DAY, "--with", proposal).out
    assert "Tax by the rates of Pennsylvania:" in shown
    assert "-1.45" in shown
    assert platform.casino("replay", "--day", DAY, "--with", "RS-1").out.endswith("Tax: no difference.\n")


def test_wagers_that_would_not_have_been_taken_are_named(platform: Running, tmp_path: Path) -> None:
    """Not offered, under the minimum, and without the wager they stand on: their stakes stay with the patron."""
    file = proposed(tmp_path, **{"baccarat.fortune_7": None, "baccarat.tie": {"minimumCents": 1_000}})
    day = supposed(platform.casino("replay", "--day", DAY, "--with", str(file), "--json"))
    refused = [(each["wager"], each["refused"]["reason"]) for each in day["wagers"] if each["refused"]]
    assert refused == [*[("baccarat.tie", "STAKE_UNDER_MINIMUM")] * 4, ("baccarat.fortune_7", "WAGER_NOT_OFFERED")]
    over = [(each["overpaid_cents"], each["underpaid_cents"]) for each in day["wagers"] if each["refused"]]
    # A tie that lost $5 keeps them, one that was paid $45 had $40 too much.
    assert over == [(0, 500), (4_000, 0), (0, 500), (4_000, 0), (0, 500)]
    shown = platform.casino("replay", "--day", DAY, "--with", str(file)).out
    assert "STAKE_UNDER_MINIMUM" in shown
    assert "by proposal.json: 15 wagers settled, 6 affected." in shown


def test_a_filed_submission_is_named_by_its_id(platform: Running) -> None:
    """By the one in force nothing is affected, what two people let in is let in again."""
    day = supposed(platform.casino("replay", "--day", DAY, "--with", "RS-1", "--json"))
    assert day["wagers"] == []
    assert {each["difference_cents"] for each in day["win"]} == {0}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "INVALID_REQUEST: expected --day, or --from and --to, given none"),
        (("--day", "today"), "INVALID_REQUEST: expected a day written YYYY-MM-DD, given 'today'"),
        (("--from", "2026-03-02"), "INVALID_REQUEST: expected a day written YYYY-MM-DD, given ''"),
        (("--from", "2026-03-02", "--to", "2026-03-01"), "INVALID_REQUEST: expected --from not after --to"),
        (("--day", "2031-01-01"), "UNKNOWN: expected a gaming day that was opened, one of 2026-03-02"),
        (("--day", DAY, "--with", "RS-99"), "UNKNOWN: expected a submission of property SAMPLE, given 'RS-99'"),
    ],
)
def test_what_cannot_be_replayed_is_refused(platform: Running, arguments: tuple[str, ...], said: str) -> None:
    """Exit code 1 and one sentence."""
    ran = platform.casino("replay", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


async def test_a_forged_settlement_is_named(platform: Running) -> None:
    """The round, the wager, what was settled, what the rules give and whose software settled it; exit code 1."""
    await forge(platform)
    ran = platform.casino("replay", "--day", DAY, "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    (difference,) = found["days"][DAY]["differences"]
    assert (difference["round"], difference["wager_no"]) == (f"{DAY}/BAC-01/1/2", 3)
    assert [difference[side]["payout_cents"] for side in ("settled", "today")] == [4_501, 4_500]
    assert difference["software_version"] == version("casino-back-office")
    assert found["reader"]["reader: settlements entries rehashed"]["different"] == 1
    assert found["different"] == 2
    shown = platform.casino("replay", "--day", DAY)
    assert shown.code == 1
    line = next(line for line in shown.out.splitlines() if "wager 3" in line)
    expected = (
        "settled seat 1 baccarat.tie 8 stake 5.00 win tie payout 45.01, today's engine says seat 1 baccarat.tie 8"
    )
    assert expected in line
    assert line.endswith(f"(settled by version {version('casino-back-office')})")


async def forge(platform: Running) -> None:
    """The owner of the database pays a tie one cent more, and settlement is started again on what stands there."""
    owner = await asyncpg.connect(EmbeddedPostgres(platform.home).url)
    try:
        for table in ("settlements_entry", "settlements_entry_202603"):
            await owner.execute(f"ALTER TABLE settlement.{table} DISABLE TRIGGER ALL")
        told = "SELECT position, entry FROM settlement.settlements_entry WHERE property_id = 'SAMPLE' ORDER BY position"
        position, data = (await owner.fetch(told))[1]
        entry = settlement.Entry.FromString(data)
        entry.settled.payout_cents[2] += 1
        change = "UPDATE settlement.settlements_entry SET entry = $1 WHERE property_id = 'SAMPLE' AND position = $2"
        assert await owner.execute(change, entry.SerializeToString(), position) == "UPDATE 1"
    finally:
        await owner.close()
    pid = int(json.loads((platform.home / "pids.json").read_text())["settlement"])
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if int(json.loads((platform.home / "pids.json").read_text())["settlement"] or pid) != pid:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("settlement was not started again within 60 seconds")
