"""What people do with links, meters and jackpots by the command line, on a platform of real processes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clients.cli.amounts import micro_dollars, read_micros
from services.kernel.errors import AmountUnreadable
from tests.clients.command import ROOT
from tests.clients.conftest import Running
from tests.clients.rounds import PLAYER_WINS, PROGRESSIVE, TIE_IN_ONE_SUIT, wager, whole, write

LINK, OTHER = "SAMPLE-HEAVENLY-9", "SAMPLE-HEAVENLY-9-6D"
PAPERS = ("--reference", "PGCB-7", "--note", "as found")


@pytest.mark.parametrize(
    ("text", "micros"),
    [("0", 0), ("-12.5", -12_500_000), ("1,234.56", 1_234_560_000), ("+0.000001", 1), ("10", 10_000_000)],
)
def test_amounts_of_meters_are_read_exactly(text: str, micros: int) -> None:
    """Up to six digits after the point, none of them rounded."""
    assert read_micros(text) == micros
    assert read_micros(micro_dollars(micros)) == micros


@pytest.mark.parametrize("text", ["", "1.0000001", "$5", "1e3", "5 ", "--5", "1,23"])
def test_amounts_that_are_none_are_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(AmountUnreadable, match="expected dollars with at most six digits"):
        read_micros(text)


def placed(seat: int = 1, first: int = 1) -> list[dict[str, Any]]:
    """A base wager and the progressive one at a seat."""
    return [
        wager(first, "baccarat.player", "standard", 500, seat=seat),
        wager(first + 1, PROGRESSIVE, "standard", 500, seat=seat),
    ]


@pytest.fixture(scope="module")
def played(platform: Running, tmp_path_factory: pytest.TempPathFactory) -> Running:
    """The platform after a plain round and one that two seats win, at BAC-02, and a plain one at BAC-03."""
    lines = [
        whole(1, PLAYER_WINS, *placed(), table="BAC-02"),
        whole(2, TIE_IN_ONE_SUIT, *placed(1), *placed(4, 3), table="BAC-02"),
        whole(1, PLAYER_WINS, *placed(), table="BAC-03"),
    ]
    ran = platform.casino("ingest", str(write(tmp_path_factory.mktemp("rounds") / "r.jsonl", lines)), principal="gate")
    assert ran.code == 0, ran.err
    return platform


def done(platform: Running, *arguments: str, principal: str = "ann") -> Any:
    """What a command that succeeds prints as one JSON value."""
    ran = platform.casino(*arguments, "--json", principal=principal)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def meter(platform: Running, link_id: str = LINK) -> dict[str, Any]:
    """The one meter of a link."""
    (found,) = [each for each in done(platform, "links", "list") if each["link"]["link_id"] == link_id]
    shown: dict[str, Any] = found["meters"][0]
    return shown


def approved(platform: Running, *arguments: str) -> None:
    """A proposal of ann, approved by bob."""
    name = done(platform, "links", *arguments)["decision"]["decision_id"]
    refused = platform.casino("links", "approve-decision", name)
    shown, said = refused.err.splitlines()
    assert (refused.code, said.startswith("SAME_PRINCIPAL: ")) == (1, True)
    assert shown.startswith("proposal 1 by ")
    other = platform.casino("links", "approve-decision", name, "--proposal", "2", principal="bob")
    assert "ALREADY_DECIDED: expected proposal 1 of decision" in other.err
    done(platform, "links", "approve-decision", name, principal="bob")


@pytest.mark.floor
def test_an_amendment_is_withdrawn_with_a_reason(played: Running, tmp_path: Path) -> None:
    """One person takes back what is not in force; the link stays as it is."""
    (link,) = [each["link"] for each in done(played, "links", "list") if each["link"]["link_id"] == LINK]
    names = ("property_id", "link_id", "title", "code", "paytable", "meters", "table_ids", "effective_from")
    file = tmp_path / "link.json"
    file.write_text(json.dumps({"request_id": "again", **{name: link[name] for name in names}}))
    proposed = done(played, "links", "propose", str(file))["link"]
    taken = done(played, "links", "withdraw", LINK, "--reason", "no use")["link"]
    assert (taken["state"], taken["version"]) == ("LINK_STATE_WITHDRAWN", proposed["version"])
    refused = played.casino("links", "withdraw", LINK, "--reason", "no use")
    assert refused.err.startswith("LINK_OUT_OF_STATE: ")


@pytest.mark.floor
def test_meters_are_adjusted_and_transferred_by_two_people(played: Running) -> None:
    """Each to the micro-dollar, below zero too; the list tells who proposed and who decided."""
    before, other = meter(played)["reading_micros"], meter(played, OTHER)["reading_micros"]
    approved(played, "adjust", LINK, "mega", "-0.050001", "--reason", "malfunction_correction", *PAPERS)
    approved(played, "transfer", LINK, "mega", OTHER, "mega", "12.25", *PAPERS)
    assert meter(played)["reading_micros"] == before - 50_001 - 12_250_000
    assert meter(played, OTHER)["reading_micros"] == other + 12_250_000
    told = played.casino("links", "decisions").out
    assert f"adjust {LINK} mega by $-0.050001" in told
    assert f"transfer $12.25 from {LINK} mega to {OTHER} mega" in told
    name = done(played, "links", "retire", LINK, "--into", f"mega={OTHER}:mega", "--from", "2027-01-01", *PAPERS)
    decision = name["decision"]["decision_id"]
    rejected = done(played, "links", "reject-decision", decision, "--note", "not this year", principal="bob")
    assert rejected["decision"]["state"] == "DECISION_STATE_REJECTED"


@pytest.mark.floor
def test_a_link_is_suspended_by_one_and_resumed_by_another(played: Running) -> None:
    """The list shows its state, by whom and since when."""
    done(played, "links", "suspend", OTHER, "--reason", "the sign is dark")
    assert "suspended" in played.casino("links", "list").out
    refused = played.casino("links", "resume", OTHER, "--reason", "repaired")
    assert refused.err.startswith("SAME_PRINCIPAL: ")
    done(played, "links", "resume", OTHER, "--reason", "repaired", principal="bob")
    assert json.loads(played.casino("links", "show", OTHER).out)["link"]["state"] == "LINK_STATE_LIVE"


@pytest.mark.floor
def test_a_jackpot_goes_from_claim_to_slip(played: Running, tmp_path: Path) -> None:
    """Claimed at its seat, verified by rank, the payee asked for by name; the slip shows all but the payee."""
    first, second = done(played, "jackpots", "list", "--day", "2026-03-02")
    name = first["jackpot_id"]
    assert len(done(played, "jackpots", "claim", "BAC-02", "1", principal="dan")["jackpots"]) == 1
    assert played.casino("jackpots", "verify", name, "--rank", "dealer").err.startswith("RANK_TOO_LOW: ")
    done(played, "jackpots", "verify", name, "--rank", "pit_manager", principal="flo")
    assert played.casino("jackpots", "pay", name).err.startswith("PAYEE_MISSING: ")
    payee = ("--name", "Ada Patron", "--address", "1 Boardwalk", "--identification", "licence 1")
    paid = done(played, "jackpots", "pay", name, *payee, principal="cage")
    assert paid["slip"]["paid_cents"] == paid["slip"]["amount_cents"] - paid["slip"]["withheld_cents"]
    slip = played.casino("jackpots", "slip", name).out
    played.casino("jackpots", "slip", name, "--pdf", str(tmp_path / "slip.pdf"))
    assert (tmp_path / "slip.pdf").read_bytes().startswith(b"%PDF-")
    assert all(said in slip for said in ("Verified by   flo, pit manager", "BAC-02, seat 1", "Patron ___"))
    assert "Ada" not in slip
    (form,) = done(played, "jackpots", "forms", "--from", "2026-01-01", "--to", "2099-12-31")
    assert (form["payee"]["name"], form["payee"]["tax_number"]) == ("Ada Patron", "")
    proof = done(played, "jackpots", "prove", name)
    assert [each["jackpot_id"] for each in proof["sharing"]] in ([second["jackpot_id"]], [name, second["jackpot_id"]])
    assert "contribution" in played.casino("jackpots", "prove", name).out


@pytest.mark.floor
def test_what_the_platform_asks_for_is_decided_by_two_people(played: Running) -> None:
    """A void of the round that was won asks about its jackpots; one is voided, another confirmed."""
    assert played.casino("rounds", "void", "2026-03-02/BAC-02/1/2", "--reason", "misdeal").code == 0
    played.casino("report", "daily-win", "--day", "2026-03-02", "--wait")
    asked = done(played, "links", "decisions", "--open")
    about = [each for each in asked if "jackpot" in each]
    assert len(about) == 2
    refused = played.casino("links", "decide", about[0]["decision_id"], "--adjust", "1", "--note", "x")
    assert refused.err.startswith("INVALID_REQUEST: expected --void, --confirm or --amount")
    for each, answer in zip(about, ("--confirm", "--void"), strict=True):
        done(played, "links", "decide", each["decision_id"], answer, "--note", "as the Board says")
        done(played, "links", "approve-decision", each["decision_id"], principal="bob")
    for each in done(played, "links", "decisions", "--open"):
        done(played, "links", "decide", each["decision_id"], "--adjust", "0", *PAPERS)
        done(played, "links", "approve-decision", each["decision_id"], principal="bob")
    assert done(played, "links", "decisions", "--open") == []
    verified = played.casino("verify")
    assert verified.code == 0, verified.out


@pytest.mark.floor
def test_a_meter_is_explained_now_and_then(played: Running) -> None:
    """The fold by cause is the reading; at a position it is the reading there; both at once are refused."""
    now = played.casino("links", "explain", LINK, "mega", "--wagers", "--json").objects
    told = now[0]["explanation"]
    on_reading = [each for each in told["totals"] if each["cause"] != "METER_CAUSE_RESERVE"]
    assert sum(each["amount_micros"] for each in on_reading) == told["reading_micros"]
    line = next(each["line"] for each in now[1:] if each["line"]["cause"] == "METER_CAUSE_CONTRIBUTION")
    then = played.casino("links", "explain", LINK, "mega", "--position", str(line["position"]), "--json").objects
    assert then[0]["explanation"]["reading_micros"] == line["reading_micros"]
    assert "contribution" in played.casino("links", "explain", LINK, "mega").out
    both = played.casino("links", "explain", LINK, "mega", "--position", "3", "--at", "2026-03-02T15:00:00Z")
    assert both.err.startswith("INVALID_REQUEST: expected --at or --position")


@pytest.mark.floor
def test_signs_alerts_and_triggers_are_listed(played: Running, tmp_path: Path) -> None:
    """A sign's view ends after its frames; the triggers are what the independent verifier reads."""
    watched = played.casino("links", "watch", "--frames", "1", "--json").objects
    assert {each["link_id"] for each in watched} == {LINK, OTHER}
    assert played.casino("links", "alerts").code == 0
    unknown = played.casino("links", "acknowledge", "A-none")
    assert unknown.err.startswith("ALERT_UNKNOWN: ")
    file = tmp_path / "triggers.json"
    file.write_text(played.casino("links", "triggers", "--json").out)
    ended = subprocess.run((sys.executable, str(ROOT / "docs/verify_commitment.py"), str(file)), check=False)
    assert ended.returncode == 0
