"""`casino quarantine` and `casino rounds void` against the real rounds service."""

import asyncio
import json
from pathlib import Path

import pytest
from google.protobuf import json_format

from services.rounds import rpc
from tests.clients.command import Ran, casino
from tests.databases import Database
from tests.rounds.conftest import DAY, TABLE, Rounds, event, running, wager, whole
from tests.rounds.test_corrections import bodies
from tests.rounds.test_releases import late


async def ran(rounds: Rounds, *arguments: str, principal: str = "ann") -> Ran:
    """One command as this principal, against the test's services."""
    environ = {f"CASINO_{name.upper()}_ADDRESS": f"127.0.0.1:{port}" for name, port in rounds.ports.items()}
    environ |= {"CASINO_PRINCIPAL": principal, "CASINO_HOME": str(rounds.settings.home)}
    return await asyncio.to_thread(casino, *arguments, environ=environ)


async def test_two_people_let_a_held_wager_in(database: Database, home: Path) -> None:
    """One releases with a reason, another approves; whoever proposed does not; nothing is open then."""
    async with running(database, home) as rounds:
        await rounds.submit([event(late(1))])
        listed = (await ran(rounds, "quarantine", "list", "--open", "--json")).objects[0]
        name = next(each["hold_id"] for each in listed if each["reason"] == "WAGER_LATE")
        proposed = await ran(rounds, "quarantine", "release", name, "--reason", "camera shows it in time")
        assert proposed.code == 0, proposed.err
        same = await ran(rounds, "quarantine", "approve", name)
        assert same.code != 0
        assert "SAME_PRINCIPAL" in same.err
        assert (await ran(rounds, "quarantine", "approve", name, principal="bob")).code == 0
        assert (await ran(rounds, "quarantine", "list", "--open", "--json")).objects == [[]]
        shown = (await ran(rounds, "quarantine", "show", name)).out
        assert '"HOLD_STATE_RELEASED"' in shown
        assert "camera shows it in time" in shown
        assert name in (await ran(rounds, "quarantine", "list")).out


async def test_a_person_voids_and_amends_rounds(database: Database, home: Path, tmp_path: Path) -> None:
    """By the round's key or a file of rounds; the source is the person's own, the numbers are dense."""
    async with running(database, home) as rounds:
        await rounds.submit([event(whole(1)), event(whole(2))])
        again = tmp_path / "again.jsonl"
        body = json_format.MessageToDict(whole(1, "8H KS/2D 3C", [wager(1)]), preserving_proto_field_name=True)
        body.pop("opened_at")
        again.write_text(json.dumps(body) + "\n")
        for _ in range(2):
            amended = await ran(rounds, "rounds", "amend", str(again), "--day", DAY, "--reason", "misread")
            assert amended.code == 0, amended.err
        voided = await ran(rounds, "rounds", "void", f"{DAY}/{TABLE}/1/2", "--reason", "misdeal")
        assert voided.code == 0, voided.err
        assert (await ran(rounds, "rounds", "void", f"{DAY}/{TABLE}/1/2", "--reason", "misdeal")).code == 1
        assert [each.item_no for each in await bodies(rounds, "amend")] == [1, 2]
        (void,) = await bodies(rounds, "void")
        assert (void.actor, void.origin.source_id, void.origin.principal) == ("ann", "corrections:ann", "ann")
        assert await rounds.differences() == []


async def test_what_one_answer_does_not_carry_is_told(
    database: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list says how many facts it leaves off, here of two for each of five rounds."""
    monkeypatch.setattr(rpc, "MOST_HELD", 2)
    async with running(database, home) as rounds:
        await rounds.submit([event(late(number)) for number in range(1, 6)])
        listed = await ran(rounds, "quarantine", "list", "--json")
        assert len(listed.objects[0]) == 2
        assert listed.err.startswith("8 more are left off: ")
        assert "left off" not in (await ran(rounds, "quarantine", "list", "--day", "2026-03-05")).err


async def test_a_fact_that_the_list_leaves_off_is_shown_and_approved(
    database: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever knows its name needs no list: it is found by its key, however many wait before it."""
    async with running(database, home) as rounds:
        await rounds.submit([event(late(number)) for number in range(1, 6)])
        every = (await ran(rounds, "quarantine", "list", "--json")).objects[0]
        monkeypatch.setattr(rpc, "MOST_HELD", 2)
        listed = {each["hold_id"] for each in (await ran(rounds, "quarantine", "list", "--json")).objects[0]}
        late_ones = [each["hold_id"] for each in every if each["reason"] == "WAGER_LATE"]
        name = next(each for each in late_ones if each not in listed)
        assert json.loads((await ran(rounds, "quarantine", "show", name)).out)["hold_id"] == name
        assert (await ran(rounds, "quarantine", "reject", name, "--reason", "late indeed")).code == 0
        approved = await ran(rounds, "quarantine", "approve", name, principal="bob")
        assert approved.code == 0, approved.err
        assert "proposal 1 by ann: reject, late indeed; WAGER_LATE" in approved.err
        shown = json.loads((await ran(rounds, "quarantine", "show", name)).out)
        assert (shown["state"], shown["approved_by"]) == ("HOLD_STATE_REJECTED", "bob")


@pytest.mark.parametrize("name", ["pit-1/1/1/9/00000000", "nonsense", ""])
async def test_a_fact_that_is_none_is_refused_by_name(database: Database, home: Path, name: str) -> None:
    """Also where others are held: another fact than the one that was meant is neither shown nor approved."""
    async with running(database, home) as rounds:
        await rounds.submit([event(late(1))])
        for word in ("show", "approve"):
            refused = await ran(rounds, "quarantine", word, name, principal="bob")
            assert (refused.code, refused.out) == (1, "")
            assert refused.err.startswith("HOLD_UNKNOWN: ")
            assert repr(name) in refused.err
