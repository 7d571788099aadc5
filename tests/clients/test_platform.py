"""The command line against a platform of real processes."""

import csv
import json
import random
from contextlib import aclosing
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from clients.cli.audit.day_facts import check_report
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History
from clients.cli.audit.meters import check_meters
from clients.cli.audit.settlements import check_settlements
from clients.cli.reports import complete_report
from clients.sdk.feeds import Entry, Progress, watch
from clients.sdk.payouts import JackpotNotice, Payout, payouts
from services.games.baccarat.coup import deal
from services.kernel.cards import CARDS
from tests.clients.command import casino
from tests.clients.conftest import Running, settings
from tests.clients.rounds import PLAYER_WINS, PROGRESSIVE, TIE_IN_ONE_SUIT, wager, whole, write

pytestmark = pytest.mark.floor

WAGERS = ("baccarat.player:100", "baccarat.banker:33.35", "baccarat.tie:5", "baccarat.perfect_pairs@player:2")
PAYTABLES = {"baccarat.player": "standard", "baccarat.banker": "5%", "baccarat.tie": "8"}


def card_log(path: Path, rounds: int, seed: int = 7) -> Path:
    """A log of coups dealt from one endless shoe."""
    cards = [*CARDS.values()] * 8
    random.Random(seed).shuffle(cards)
    shoe = cycle(cards)
    with path.open("w", newline="") as file:
        log = csv.writer(file)
        log.writerow(["round", "shoe", "p1", "p2", "p3", "b1", "b2", "b3"])
        for number in range(1, rounds + 1):
            coup = deal(shoe)
            hands = [[*map(str, hand.cards), ""][:3] for hand in (coup.player, coup.banker)]
            log.writerow([number, number // 60 + 1, *hands[0], *hands[1]])
    return path


def ingest(platform: Running, path: Path, *more: str) -> Any:
    """A card log streamed to BAC-01."""
    wagers = [word for text in WAGERS for word in ("--wager", text)]
    return platform.casino("ingest", str(path), "--table", "BAC-01", *wagers, *more)


def test_up_says_where_the_services_listen(platform: Running) -> None:
    """One JSON line when everything serves and the sample property is there."""
    ready = json.loads(platform.ready)
    assert ready["ready"] is True
    assert sorted(ready["addresses"]) == ["progressives", "reporting", "rounds", "settlement"]
    assert platform.casino("properties", "list", "--json").objects[0][0]["property_id"] == "SAMPLE"


def test_file_has_the_same_outcome_whole_cut_or_again(platform: Running, tmp_path: Path) -> None:
    """A file cut and then whole, and whole again, settles each round once and prints the same."""
    log = card_log(tmp_path / "log.csv", 150)
    cut = tmp_path / "cut" / "log.csv"
    cut.parent.mkdir()
    cut.write_text("".join(log.read_text().splitlines(keepends=True)[:71]))
    first = ingest(platform, cut, "--json")
    then, again = ingest(platform, log, "--json"), ingest(platform, log, "--json")
    assert (first.code, then.code, again.code) == (0, 0, 0), then.err
    assert len(then.objects) == 150
    assert then.objects[:70] == first.objects
    assert again.objects == then.objects
    assert "80 accepted, 70 known before, 0 refused" in then.err
    assert "0 accepted, 150 known before, 0 refused" in again.err


def test_platform_settles_as_the_pure_engine_does(platform: Running, tmp_path: Path) -> None:
    """`ingest` prints what `settle` prints of the same rounds."""
    lines = []
    for number, cards in enumerate((PLAYER_WINS, TIE_IN_ONE_SUIT, "2C KD/9D KC"), 1):
        wagers = [wager(no, code, name, 1_010 * no) for no, (code, name) in enumerate(PAYTABLES.items(), 1)]
        lines.append(whole(number, cards, *wagers, table="BAC-03"))
    path = write(tmp_path / "three.jsonl", lines)
    assert platform.casino("ingest", str(path), "--json").objects == casino("settle", str(path), "--json").objects


def test_refused_and_held_are_named_and_the_rest_settles(platform: Running, tmp_path: Path) -> None:
    """An illegal coup, an unknown table, an unreadable line and a wager without its base; exit code 1."""
    alone = wager(2, "baccarat.fortune_7", "A", 500, seat=2)
    lines = [
        whole(1, PLAYER_WINS, wager(1, "baccarat.player", "standard", 500), alone, table="BAC-05"),
        whole(2, "5D 6D/QC 4S", table="BAC-05"),
        whole(3, PLAYER_WINS, table="BAC-99"),
        "nonsense",
        whole(4, PLAYER_WINS, wager(1, "baccarat.player", "standard", 10.5), table="BAC-05"),
    ]
    path = write(tmp_path / "bad.jsonl", lines)
    for _ in range(2):
        ran = platform.casino("ingest", str(path), "--json")
        assert ran.code == 1
        good, *bad = ran.objects
        assert [each["wager"] for each in good["wagers"]] == ["baccarat.player"]
        assert [(each["wager_no"], each["reason"]) for each in good["held"]] == [(2, "BASE_WAGER_MISSING")]
        reasons = [each["error"]["reason"] for each in bad]
        assert reasons == ["ILLEGAL_COUP", "TABLE_UNKNOWN", "UNREADABLE", "STAKE_IMPOSSIBLE"]
    held = platform.casino("quarantine", "list", "--json").objects[0]
    assert {"BASE_WAGER_MISSING", "ILLEGAL_COUP", "TABLE_UNKNOWN", "UNREADABLE"} <= {each["reason"] for each in held}


def test_jackpots_are_priced_and_proved(platform: Running, tmp_path: Path) -> None:
    """Two seats hit the meter in one round and share it; verification agrees with every figure."""
    wagers = [
        wager(1, "baccarat.player", "standard", 500),
        wager(2, PROGRESSIVE, "standard", 507),
        wager(3, "baccarat.player", "standard", 500, seat=4),
        wager(4, PROGRESSIVE, "standard", 500, seat=4),
    ]
    lines = [whole(number, TIE_IN_ONE_SUIT, *wagers, table="BAC-02") for number in (1, 2)]
    assert platform.casino("ingest", str(write(tmp_path / "hit.jsonl", lines))).code == 0
    (jackpots,) = platform.casino("jackpots", "list", "--day", "2026-03-02", "--json").objects
    assert len(jackpots) == 4
    assert sum(each["amount_cents"] for each in jackpots[:2]) == 1_000_000 + 100
    witness = tmp_path / "witness.json"
    verified = platform.casino("verify", "--witness", str(witness), "--json")
    assert verified.code == 0, verified.out
    checks = json.loads(verified.out)["properties"]["SAMPLE"]
    assert checks["audit: jackpots compared with awards"]["checked"] == 4
    assert checks["audit: contributions computed from wagers"]["checked"] == 4
    assert checks["audit: cells of the daily win recomputed"]["checked"] > 100
    assert checks["reader: seals checked with public keys"]["different"] == 0
    assert checks["reader: seals of the witness told again"] == {"checked": 0, "different": 0, "differences": []}
    seen = len(json.loads(witness.read_text())["seals"])
    again = platform.casino("verify", "--witness", str(witness))
    assert (again.code, seen > 0) == (0, True)
    assert f"SAMPLE: reader: seals of the witness told again: {seen:,} checked, 0 different" in again.out


def test_report_stands_on_positions(platform: Running) -> None:
    """Every format prints the feed positions; --wait has every recorded round in it."""
    ran = platform.casino("report", "daily-win", "--day", "2026-03-02", "--format", "json", "--wait")
    found = json.loads(ran.out)
    assert found["positions"]["rounds"] == found["complete_to_rounds_position"]
    (whole_property,) = [found["tables"]["win"]["totals"]]
    assert whole_property["name"] == "SAMPLE"
    assert whole_property["game_win"] == whole_property["handle"] - whole_property["payout"]
    text = platform.casino("report", "daily-win", "--day", "2026-03-02")
    assert "Stands on documents 0, progressives" in text.out
    assert "positions," in platform.casino("report", "daily-win", "--day", "2026-03-02", "--format", "csv").out


def test_status_names_heads_cursors_and_lags(platform: Running) -> None:
    """Each service says where it stands at each property; one that is not there is named."""
    found = json.loads(platform.casino("status", "--json").out)
    settlement = found["services"]["settlement"]["properties"]["SAMPLE"]
    assert settlement["cursors"]["rounds"] > 0
    assert settlement["lags"]["rounds"] >= 0
    assert settlement["lag_seconds"]["rounds"] >= 0
    assert not any(source["degraded"] for source in found["intakes"]["SAMPLE"]["sources"].values())
    away = casino("status", environ={**platform.environ, "CASINO_REPORTING_ADDRESS": "127.0.0.1:1"})
    assert away.code == 1
    assert "reporting cannot be reached: 127.0.0.1:1: UNAVAILABLE" in away.out


def test_nouns_list_and_refuse_in_one_sentence(platform: Running, tmp_path: Path) -> None:
    """Lists print JSON lists; an approval by the person who proposed is refused by name."""
    assert platform.casino("tables", "list", "--json").objects[0][0]["table_id"] == "BAC-01"
    assert platform.casino("submissions", "list", "--json").objects[0][0]["proposed_by"] == "sample-operator"
    assert platform.casino("links", "list", "--json").objects[0][0]["link"]["code"] == PROGRESSIVE
    assert json.loads(platform.casino("rounds", "show", "2026-03-02/BAC-02/1/1").out)["settlements"]
    assert platform.casino("rounds", "list", "--day", "2026-03-02", "--table", "BAC-02").out.count("\n") == 2
    shown = json.loads(platform.casino("submissions", "show", "RS-1").out)["submission"]
    proposal = {
        "propertyId": "SAMPLE",
        "title": "Again",
        "certificateHolder": "Sample Casino",
        "effectiveFrom": "2027-01-01",
        "tables": shown["tables"],
    }
    file = write(tmp_path / "proposal.json", [proposal])
    proposed = platform.casino("submissions", "propose", str(file), "--json")
    assert proposed.code == 0, proposed.err
    name = proposed.objects[0]["submission"]["submission_id"]
    refused = platform.casino("submissions", "approve", name, "--property", "SAMPLE")
    assert refused.code == 1
    assert refused.err.startswith("SAME_PRINCIPAL: ")
    assert refused.err.count("\n") == 1
    assert platform.casino("submissions", "approve", name, principal="bob").code == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("report", "nothing", "--day", "2026-03-02"), "REPORT_UNKNOWN: "),
        (("report", "daily-win", "--day", "today"), "INVALID_REQUEST: expected a day written YYYY-MM-DD"),
        (("report", "daily-win", "--day", "2026-03-02", "--property", "X"), "UNKNOWN: expected a property of"),
        (("rounds", "show", "1/2"), "INVALID_REQUEST: expected a round written DAY/TABLE/SHOE/ROUND"),
    ],
)
def test_refusals_are_one_sentence(platform: Running, arguments: tuple[str, ...], reason: str) -> None:
    """Exit code 1, the refusal by name, no traceback."""
    ran = platform.casino(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(reason)
    assert ran.err.count("\n") == 1


async def test_payouts_and_jackpots_of_a_table_come_merged(platform: Running) -> None:
    """Both feeds are filtered to the table, each item with its cursor; a reader resumes after it."""
    async with platform.client() as casino:
        rounds: list[Payout] = []
        jackpots: list[JackpotNotice] = []
        async with aclosing(payouts(casino, "SAMPLE", "BAC-02")) as items:
            async for item in items:
                rounds += [item] if isinstance(item, Payout) else []
                jackpots += [item] if isinstance(item, JackpotNotice) else []
                if (len(rounds), len(jackpots)) == (2, 4):
                    break
        assert [each.round.key.round_no for each in rounds] == [1, 2]
        assert {wager.outcome for wager in rounds[0].wagers} == {"win", "push"}
        later = payouts(casino, "SAMPLE", "BAC-02", rounds[0].position, jackpots[-1].position)
        async with aclosing(later) as items:
            assert await anext(items) == rounds[1]


async def test_feed_resumes_in_the_middle_with_its_chain(platform: Running) -> None:
    """From any cursor a reader gets the rest, and progress with the author's own cursors."""
    async with platform.client() as casino:
        found = [item async for item in _until_level(casino, 0)]
        rest = [item async for item in _until_level(casino, 5)]
    assert rest[:-1] == found[5:-1]
    (progress,) = rest[-1:]
    assert isinstance(progress, Progress)
    assert progress.upstream["submissions"] >= 1


async def _until_level(casino: Any, after: int) -> Any:
    async with aclosing(watch(casino, "rounds", "SAMPLE", after)) as items:
        async for item in items:
            yield item
            if isinstance(item, Progress):
                return


def test_a_propertys_house_edge_band_warns(platform: Running, tmp_path: Path) -> None:
    """A proposal is warned on standard error, with --json in the object; the catalogue warns by the band of today."""
    now, later = (
        {"timeZone": "America/New_York", "cutOver": "06:00", **given}
        for given in (
            {"propertyId": "QUAY", "effectiveFrom": "2026-01-01", "houseEdgeFrom": "1.2", "houseEdgeTo": "12.5"},
            {"propertyId": "SAMPLE", "effectiveFrom": "2027-06-01", "houseEdgeTo": "12.5"},
        )
    )
    for settings_ in (now, later):
        file = write(tmp_path / "settings.json", [{"settings": settings_}])
        assert platform.casino("properties", "set", str(file)).code == 0
    assert "12.5" in platform.casino("properties", "list").out
    shown = json.loads(platform.casino("submissions", "show", "RS-1").out)["submission"]
    words = {"propertyId": "SAMPLE", "title": "Later", "certificateHolder": "Sample Casino", "tables": shown["tables"]}
    file = write(tmp_path / "later.json", [{**words, "effectiveFrom": "2027-06-01"}])
    proposed = platform.casino("submissions", "propose", str(file))
    ties = [line for line in proposed.err.splitlines() if "tie: expected a house edge of 0.00% to 12.50%" in line]
    assert ties
    assert all(line.startswith("Warning: 631a.12: ") and "BAC-" in line for line in ties)
    asked = platform.casino("submissions", "propose", str(file), "--json")
    assert (asked.err, len(asked.objects[0]["warnings"])) == ("", proposed.err.count("\n"))
    listed = platform.casino("wagers", "--property", "QUAY", "--json").objects[0]
    warned = {each["code"]: each["warnings"] for each in listed}
    assert warned["baccarat.player"] == []
    banker = "631a.12: baccarat.banker: expected a house edge of 1.20% to 12.50%, given 1.0579% (paytable 5%, 8)"
    assert banker in warned["baccarat.banker"]
    said = platform.casino("wagers", "--property", "QUAY").err.splitlines()
    assert said == [f"Warning: {each}." for sentences in warned.values() for each in sentences]
    unknown = platform.casino("wagers", "--property", "PIER")
    assert unknown.err.startswith("UNKNOWN: expected a property of QUAY, SAMPLE, given PIER")


async def test_audit_finds_what_was_changed(platform: Running) -> None:
    """A changed payout, a lost settlement, a changed amount and a lost contribution are all differences."""
    async with platform.client() as casino:
        history = History("SAMPLE")
        assert sum(each.different for each in await history.read_on(casino)) == 0
        report = await complete_report(casino, "daily-win", "SAMPLE", "2026-03-02")
    through = history.chains["rounds"].position
    assert _settlement_differences(history, through) == 0
    settlements = history.entries["settlements"]
    history.entries["settlements"] = [_with(settlements[0], "payout_cents"), *settlements[2:]]
    assert _settlement_differences(history, through) == 2
    findings = Findings("report")
    check_report(findings, history, report, [])
    assert findings.different > 0
    history.entries["settlements"] = settlements
    journal = history.entries["progressives"]
    at = next(place for place, each in enumerate(journal) if each.kind == "contribution")
    history.entries["progressives"] = [*journal[:at], _with(journal[at], "amount_micros"), *journal[at + 1 :]]
    assert _meter_differences(history, through) > 0
    history.entries["progressives"] = [*journal[:at], *journal[at + 1 :]]
    assert _meter_differences(history, through) > 0
    history.entries["progressives"] = journal
    assert _meter_differences(history, through) == 0


def _with(entry: Entry, field: str) -> Entry:
    """The entry with the first number of a list one higher."""
    whole = entry.parsed
    numbers = getattr(getattr(whole, entry.kind), field)
    numbers[0] += 1
    return entry._replace(data=whole.SerializeToString())


def _settlement_differences(history: History, through: int) -> int:
    return sum(each.different for each in check_settlements(history, through))


def _meter_differences(history: History, through: int) -> int:
    found, _ = check_meters(history, through)
    return sum(each.different for each in found)


def test_ingest_starts_a_platform_where_none_runs(tmp_path: Path) -> None:
    """The command starts one in the home, with the sample property, and leaves no process behind."""
    environ = settings(tmp_path / "home")
    path = write(tmp_path / "one.jsonl", [whole(1, PLAYER_WINS, wager(1, "baccarat.player", "standard", 500))])
    ran = casino("ingest", str(path), "--json", environ=environ)
    assert ran.code == 0, ran.err
    assert ran.objects[0]["wagers"][0]["net_cents"] == 500
    assert not (tmp_path / "home" / "pids.json").exists()
