"""Files of rounds as nobody should write them: read by the functions, and by the commands."""

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

from google.protobuf import json_format
from hypothesis import strategies as st

from clients.cli.rounds_file import RoundLine, read_card_log, read_rounds
from services.kernel.errors import Refusal
from tests.clients.command import casino
from tests.fuzz import bases
from tests.fuzz.house import PROPERTY, STARTS, House
from tests.fuzz.oracle import REASONS, Fault, judge_sentence
from tests.fuzz.values import Draw, mutated, spoilt
from tests.rounds.conftest import TABLE, wager, whole

HEADER = "shoe,round,p1,p2,p3,b1,b2,b3"
CELLS = (
    "1", "2", "", "9H", "KS", "2D", "10C", "-1", "9" * 30, "9" * 5_000, "\u0661", "\u00b2", "1e3", '"', "\x00",
    "x" * 140_000,
)  # fmt: skip
HEADERS = (HEADER,) * 9 + ("", "shoe,round", "\ufeff" + HEADER, HEADER * 2)
JSON_NAMES = ("stakeCents", "shoe", "roundNo", "tableId", "wagers", "result", "openedAt", "seat")
JSON_VALUES = (
    "null", "1e999999999", "-1e-999999999", "1e400", "NaN", "Infinity", "9" * 5_000, "1.5", "true", '""', '"\\ud800"',
    '"\\u0000"', "[" * 3_000, "[]", "{}", '{"a":1}', '"' + "9" * 400 + '"', "12345678901234567890",
)  # fmt: skip
LINES = (b"", b"\xff\xfe", b"\x00", b"[]", b"null", b"{", b"[" * 100_000, b'{"a":' * 50_000, b'"x"', b"\xef\xbb\xbf{}")
CODE_OF_REFUSAL = 1


class RoundsFile(NamedTuple):
    """A file's bytes."""

    content: bytes


class Command(NamedTuple):
    """A command on a file of that ending."""

    name: str
    suffix: str
    content: bytes


@st.composite
def jsonl(draw: Draw) -> RoundsFile:
    """A few lines."""
    return RoundsFile(b"\n".join(draw(st.lists(_lines(), max_size=4))))


@st.composite
def _lines(draw: Draw) -> bytes:
    if not draw(st.integers(0, 9)):
        return bytes(draw(st.sampled_from(LINES)))
    made = whole(draw(st.integers(1, 5)), wagers=[wager(1), wager(2, bases.CODE)])
    if draw(st.booleans()):
        made = draw(mutated(made))
    try:
        text = json_format.MessageToJson(made, indent=None)
    except (ValueError, json_format.Error):  # a timestamp that has no text
        text = "{}"
    if draw(st.booleans()):
        name = draw(st.sampled_from(JSON_NAMES))
        value = draw(st.sampled_from(JSON_VALUES))
        text = f'{text.rstrip("}")}"{name}":{value}}}' if text == "{}" else _with_value(text, name, value)
    content = text.encode("utf-8", "surrogatepass")
    return bytes(content if draw(st.integers(0, 3)) else draw(spoilt(content))).replace(b"\n", b" ")


def _with_value(text: str, name: str, value: str) -> str:
    """The JSON text with one more value under a name, at the first place where it stands or at the end."""
    marked = f'"{name}":'
    before, found, after = text.partition(marked)
    return f"{before}{marked}{value},{marked}{after}" if found else f'{text[:-1]},"{name}":{value}}}'


@st.composite
def card_logs(draw: Draw) -> RoundsFile:
    """A header and a few rows."""
    header = draw(st.sampled_from(HEADERS))
    rows = draw(st.lists(st.lists(st.sampled_from(CELLS), max_size=10), max_size=4))
    content = "\n".join([header, *(",".join(row) for row in rows)]).encode()
    return RoundsFile(content if draw(st.integers(0, 3)) else draw(spoilt(content)))


@st.composite
def commanded(draw: Draw) -> Command:
    """A command on a file of rounds or on a card log."""
    suffix = draw(st.sampled_from((".jsonl", ".csv")))
    content = draw(jsonl() if suffix == ".jsonl" else card_logs()).content
    return Command(draw(st.sampled_from(("settle", "ingest"))), suffix, content)


def _file(folder: str, suffix: str, content: bytes) -> Path:
    path = Path(folder) / f"rounds{suffix}"
    path.write_bytes(content)
    return path


def check_jsonl(_house: House, example: RoundsFile) -> None:
    """Each line is a round, or says by name why it is none."""
    with tempfile.TemporaryDirectory() as folder:
        _judge_lines(list(read_rounds(_file(folder, ".jsonl", example.content))))


def check_card_log(_house: House, example: RoundsFile) -> None:
    """The same of a card log, whose header may be refused as a whole."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            _judge_lines(list(read_card_log(_file(folder, ".csv", example.content), TABLE, [wager(1)])))
        except Refusal as refusal:
            judge_sentence(refusal.reason, refusal.message)


def _judge_lines(lines: list[RoundLine]) -> None:
    for line in lines:
        if (line.round is None) == (line.refusal is None):
            raise Fault(f"expected a round or a refusal, got {line}")
        if line.refusal is not None:
            judge_sentence(line.refusal.reason, line.refusal.message)
        if line.round is not None:
            line.round.SerializeToString()


def check_command(house: House, example: Command) -> None:
    """The command ends well or with one sentence that names the refusal."""
    environ = {"CASINO_HOME": str(house.settings.home), "CASINO_PRINCIPAL": "ann"}
    for name in STARTS:
        environ[f"CASINO_{name.upper()}_ADDRESS"] = house.settings.service(name).address
    with tempfile.TemporaryDirectory() as folder:
        path = _file(folder, example.suffix, example.content)
        options = ["--table", TABLE, "--wager", "baccarat.player:10"] if example.suffix == ".csv" else []
        of_property = ["--property", PROPERTY] if example.name == "ingest" else []
        ran = house.aside(lambda: casino(example.name, str(path), *options, *of_property, "--json", environ=environ))
    words = ran.err.strip().splitlines()
    if ran.code not in (0, CODE_OF_REFUSAL, 2) or "Traceback" in ran.err:
        raise Fault(f"expected exit code 0, 1 or 2 and a sentence, got {ran.code}: {ran.err}")
    for line in ran.out.splitlines():
        json.loads(line)
    if ran.code == CODE_OF_REFUSAL and not ran.out and (words or [""])[-1].partition(":")[0] not in REASONS:
        raise Fault(f"expected a refusal by name, got {ran.err}")
