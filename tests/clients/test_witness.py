"""A witness of seals: what it remembers, what it misses, and which files are none."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.witness import Witness
from services.kernel.errors import InvalidRequest, Unreadable
from tests.clients.command import casino

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
REPORTING = "reporting"


def seal(feed: str, position: int, hash_: bytes = b"\x0a", minute: int = 0) -> feeds_pb2.Seal:
    """A seal as a service tells it."""
    made = feeds_pb2.Seal(property_id="P", feed=feed, position=position, hash=hash_, signature=b"signed")
    made.sealed_at.FromDatetime(NOON + timedelta(minutes=minute, microseconds=7))
    return made


FIRST = [seal("documents", 3), seal("documents", 9, b"\x0b", 1), seal("records", 4, b"\x0c")]


def looked(file: Path, *told: feeds_pb2.Seal, property_id: str = "P") -> Witness:
    """A witness that was told these seals."""
    witness = Witness(file)
    witness.look(property_id, REPORTING, told)
    return witness


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that remembers the first seals."""
    found = tmp_path / "witness.json"
    looked(found, *FIRST).renew()
    return found


def test_the_newest_seal_of_each_feed_is_written_for_people_to_read(file: Path) -> None:
    """Property, service, feed, position, hash and instant; nothing else is left beside the file."""
    common = {"property_id": "P", "service": REPORTING}
    assert json.loads(file.read_text()) == {
        "seals": [
            {
                **common,
                "feed": "documents",
                "position": 9,
                "hash": "0b",
                "sealed_at": "2026-03-02T12:01:00.000007+00:00",
            },
            {
                **common,
                "feed": "records",
                "position": 4,
                "hash": "0c",
                "sealed_at": "2026-03-02T12:00:00.000007+00:00",
            },
        ]
    }
    assert list(file.parent.iterdir()) == [file]


def test_seals_that_are_told_again_with_newer_ones_are_no_difference(file: Path) -> None:
    """The newest of them is remembered the next time; a head that was sealed again at a start counts by its instant."""
    newer = [*FIRST, seal("documents", 9, b"\x0b", 5), seal("documents", 8, b"\x0d", 9), seal("terms", 1)]
    witness = looked(file, *newer)
    found = witness.check("P")
    assert (found.checked, found.differences) == (2, [])
    witness.renew()
    kept = {
        each["feed"]: (each["position"], each["sealed_at"][14:16]) for each in json.loads(file.read_text())["seals"]
    }
    assert kept == {"documents": (9, "05"), "records": (4, "00"), "terms": (1, "00")}


GONE = (
    "reporting: the seal of documents at position 9 that was seen, sealed at 2026-03-02T12:01:00.000007+00:00, is gone"
)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([FIRST[0]], GONE),
        ([FIRST[0], seal("documents", 12, b"\x0e", 7)], GONE),
        ([seal("documents", 8, b"\x0b", 1)], GONE),
        ([seal("documents", 9, b"\x0b", 2)], GONE),
        ([seal("documents", 9, b"\x0e", 1)], f"{GONE}: expected hash 0b there, given 0e"),
    ],
    ids=["deleted", "sealed anew further on", "another position", "another instant", "another hash"],
)
def test_a_seal_that_is_not_told_again_is_named(file: Path, told: list[feeds_pb2.Seal], said: str) -> None:
    """Service, feed and position, whatever was sealed in its place."""
    found = looked(file, *told, FIRST[2]).check("P")
    assert (found.checked, found.differences) == (2, [said])


def test_another_property_is_left_as_it_is(file: Path) -> None:
    """It is neither looked for nor forgotten where one alone is verified; where all are, it is missed."""
    witness = looked(file, seal("documents", 1), property_id="Q")
    assert (witness.check("Q").checked, witness.check("Q").different) == (0, 0)
    assert (witness.forgotten(["Q"]), witness.forgotten(["P", "Q"])) == (["P"], [])
    witness.renew()
    assert [each["property_id"] for each in json.loads(file.read_text())["seals"]] == ["P", "P", "Q"]


def changed(**fields: Any) -> str:
    """A file with one seal that has these fields otherwise."""
    good = {"property_id": "P", "service": REPORTING, "feed": "documents", "position": 9, "hash": "0b"}
    seals = [{**good, "sealed_at": "2026-03-02T12:01:00.000007+00:00", **fields}]
    return json.dumps({"seals": seals})


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "null", '{"seals": 3}', '{"seals": [3]}', '{"seals": [{}]}', "[" * 100_000, "\x00"),
        *(changed(position="9"), changed(position=True), changed(hash="0x"), changed(sealed_at="noon")),
        *(changed(feed=None), changed(more=1)),
    ],
    ids=lambda text: text[:20],
)
def test_a_file_that_is_no_witness_is_refused_by_name(tmp_path: Path, text: str) -> None:
    """It would remember nothing, and nothing would be missed."""
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(Unreadable, match=r"expected .*other\.json to hold the seals that a witness has seen"):
        Witness(file)


def test_the_command_refuses_before_it_verifies(tmp_path: Path) -> None:
    """One sentence, whether a platform runs or not: also where no witness can be written."""
    file = tmp_path / "other.json"
    file.write_bytes(b"\xff")
    ran = casino("verify", "--witness", str(file), environ={"CASINO_HOME": str(tmp_path)})
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.startswith(f"UNREADABLE: expected {file} to hold")
    with pytest.raises(InvalidRequest, match="expected a folder to write the witness"):
        Witness(tmp_path / "nowhere" / "witness.json")
