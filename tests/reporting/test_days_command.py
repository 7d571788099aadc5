"""`casino documents` and `casino day` against the real reporting service."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest
from google.protobuf import json_format

from casino.reporting.v1 import documents_pb2 as paper
from tests.clients.command import Ran, casino
from tests.reporting.conftest import House
from tests.reporting.papers import complete, notice, post, post_all, whole_day, written

DAY = "2026-03-02"


async def ran(house: House, *arguments: str, principal: str = "ann") -> Ran:
    """One command as this principal, against the test's services."""
    environ = {
        "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{house.upstream.port}",
        "CASINO_REPORTING_ADDRESS": f"127.0.0.1:{house.service.port}",
        "CASINO_PRINCIPAL": principal,
        "CASINO_HOME": str(house.settings.home),
    }
    return await asyncio.to_thread(casino, *arguments, environ=environ)


def filed_in(folder: Path, document: paper.Document) -> str:
    """A request to post it, in a file."""
    told = {"document": json_format.MessageToDict(document, preserving_proto_field_name=True)}
    path = folder / f"{document.document_id}.json"
    path.write_text(json.dumps(told))
    return str(path)


@pytest.fixture
async def closed(house: House) -> House:
    """A house in which everything of the day of BJ-104 is known."""
    await complete(house)
    await post_all(house, whole_day())
    return house


async def test_a_day_is_taken_to_its_filing_and_restated(closed: House) -> None:
    """Every step by its command; `show` ends with 1 where the filed report no longer holds."""
    steps = (("count", "ann"), ("audit", "bob"), ("file", "cy"))
    assert (await ran(closed, "day", "audit", DAY)).code == 1
    for step, who in steps:
        done = await ran(closed, "day", step, DAY, "--json", principal=who)
        assert done.code == 0, done.err
    assert done.objects[0]["reports"][0]["name"] == "daily-win"
    shown = await ran(closed, "day", "show", DAY)
    assert (shown.code, "filed version 1 by cy" in shown.out, "SHA-256" in shown.out) == (0, True, True)
    assert "24:00 hours" in shown.out
    await post(closed, written("fill", "F-2", "100.00"))
    shown = await ran(closed, "day", "show", DAY)
    assert (shown.code, "differs from filed: daily-win" in shown.out) == (1, True)
    assert (await ran(closed, "day", "restate", DAY, "--reason", "late slip")).code == 0
    same = await ran(closed, "day", "approve-restatement", DAY)
    assert (same.code, "SAME_PRINCIPAL" in same.err) == (1, True)
    assert (await ran(closed, "day", "approve-restatement", DAY, principal="bob")).code == 0
    (listed,) = (await ran(closed, "day", "list", "--compare", "--json")).objects[0]
    assert (listed["state"], listed["version"], listed["differs"]) == ("DAY_STATE_RESTATED", 2, [])
    assert "restated" in (await ran(closed, "day", "list")).out


async def test_the_bytes_of_a_filed_report_are_those_of_its_hash(closed: House, tmp_path: Path) -> None:
    """Whoever holds the file can hold it against the hash that the day shows; another version is refused."""
    for step, who in (("count", "ann"), ("audit", "bob"), ("file", "cy")):
        assert (await ran(closed, "day", step, DAY, principal=who)).code == 0
    file, named = tmp_path / "filed", ("report", "daily-win", "--property", "SAMPLE", "--day", DAY, "--format", "bytes")
    assert (await ran(closed, *named, "--version", "1", "--output", str(file))).code == 0
    hashed = hashlib.sha256(file.read_bytes()).hexdigest()
    assert (
        f"daily-win version 1, {file.stat().st_size:,} bytes, SHA-256 {hashed}"
        in (await ran(closed, "day", "show", DAY)).out
    )
    refused = await ran(closed, *named, "--version", "2")
    assert (refused.code, "expected a report filed for a gaming day" in refused.err) == (1, True)


async def test_several_documents_are_posted_from_one_file(house: House, tmp_path: Path) -> None:
    """One a line, in order; the first that is refused ends it, and those before it are posted."""
    lines = [json.dumps({"document": json_format.MessageToDict(each)}) for each in whole_day()]
    file = tmp_path / "papers.jsonl"
    file.write_text("\n".join([*lines[:2], "", *lines[2:4]]))
    posted = await ran(house, "documents", "post", str(file), "--json")
    assert [each["document"]["document_id"] for each in posted.objects] == ["O-1", "F-1", "C-1", "M-1"]
    file.write_text("\n".join([lines[4], '{"document": {"documentId": "?"}}', lines[5]]))
    refused = await ran(house, "documents", "post", str(file))
    assert (refused.code, "expected" in refused.err) == (1, True)
    listed = (await ran(house, "documents", "list", "--day", DAY, "--json")).objects[0]
    assert [each["document_id"] for each in listed] == ["O-1", "F-1", "C-1", "M-1", "D-1"]
    file.write_text("{}\n{")
    assert "expected PostDocumentRequest in protobuf JSON" in (await ran(house, "documents", "post", str(file))).err


async def test_what_stands_in_the_way_is_shown(closed: House) -> None:
    """By step, with its reason; a day that nobody knows is refused."""
    await post(closed, written("fill", "F-3", "100.00", signatures=[]))
    shown = (await ran(closed, "day", "show", DAY)).out
    assert "not audited yet: SIGNATURE_MISSING: fill F-3 of BAC-01" in shown
    assert "not audited yet: SERIALS_MISSING: F-2 missing before F-3" in shown
    refused = await ran(closed, "day", "show", "2026-05-05")
    assert (refused.code, "UNKNOWN: expected a gaming day that was opened" in refused.err) == (1, True)


async def test_documents_are_corrected_and_missing_serials_listed(closed: House, tmp_path: Path) -> None:
    """A correction from a file takes what it corrects and why from the command; gaps say who explains them."""
    again = filed_in(tmp_path, written("fill", "F-3", "2,000.00"))
    corrected = await ran(closed, "documents", "correct", "F-1", again, "--reason", "misread")
    assert corrected.code == 0, corrected.err
    listed = (await ran(closed, "documents", "list", "--day", DAY, "--json")).objects[0]
    assert {each["document_id"]: each["corrects"] for each in listed}["F-3"] == "F-1"
    (missing,) = (await ran(closed, "documents", "gaps", "--from", DAY, "--json")).objects[0]
    assert (missing["first"], missing["before"], missing["explained_by"]) == ("F-2", "F-3", [])
    posted = await ran(closed, "documents", "post", filed_in(tmp_path, notice("E-1", "F-2")))
    assert posted.code == 0, posted.err
    assert "E-1" in (await ran(closed, "documents", "gaps", "--from", DAY, "--to", "2026-03-31")).out
