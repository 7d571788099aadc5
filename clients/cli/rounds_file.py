"""Rounds in a file: one protobuf JSON round a line, or a card log with the same wagers each round."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2
from services.kernel.errors import InvalidRequest, KeyImpossible, Refusal, StakeImpossible, Unreadable
from services.kernel.money import cents

MOST_DIGITS = 19
CARD_LOG = {"shoe", "round", "p1", "p2", "p3", "b1", "b2", "b3"}
_WHOLE = re.compile(r"-?[0-9]+")
_WAGER = re.compile(r"(?P<code>[^:@]+)(?:@(?P<on>[^:@]+))?:(?P<stake>[^:]+)")


class RoundLine(NamedTuple):
    """One line of data: its number from 1, the name of its round, and the round or why it is none.

    `raw` is the line as it stands in the file.
    """

    number: int
    name: str
    raw: bytes
    round: events_pb2.WholeRound | None
    refusal: Refusal | None = None


class StakeText(NamedTuple):
    """A wager as a person writes it: code, placement, stake in cents."""

    code: str
    on: str
    stake_cents: int


def stake_text(text: str) -> StakeText:
    """`CODE:DOLLARS` or `CODE@PLACEMENT:DOLLARS`. Raises InvalidRequest, AmountUnreadable."""
    found = _WAGER.fullmatch(text)
    if found is None:
        raise InvalidRequest(f"expected --wager CODE:DOLLARS or CODE@PLACEMENT:DOLLARS, given {text!r}")
    amount = cents(found["stake"])
    if amount <= 0:
        raise StakeImpossible(f"expected a stake above zero in --wager {text}, given {found['stake']}")
    return StakeText(found["code"], found["on"] or "", amount)


def round_name(table_id: str, shoe: int, round_no: int) -> str:
    """`<table>/<shoe>/<round>`, as the commands print it."""
    return f"{table_id}/{shoe}/{round_no}"


def read_rounds(path: Path) -> Iterator[RoundLine]:
    """The lines of a `.jsonl` file, each the protobuf JSON form of a WholeRound; empty lines are no data."""
    with path.open("rb") as file:
        lines = (line for line in file if line.strip())
        for number, line in enumerate(lines, 1):
            yield _json_line(number, line.strip())


def _json_line(number: int, raw: bytes) -> RoundLine:
    name = f"line {number}"
    try:
        found = json.loads(raw, parse_float=_exact)
        if not isinstance(found, dict):
            raise Unreadable(f"expected a JSON object on line {number}, given {type(found).__name__}")
        name = _name(found) or name
        _check_stakes(found)
        read = json_format.ParseDict(found, events_pb2.WholeRound())
    except Refusal as refusal:
        return RoundLine(number, name, raw, None, refusal)
    except RecursionError:
        unread = Unreadable(f"expected a round in protobuf JSON on line {number}, given one nested too deep to be read")
        return RoundLine(number, name, raw, None, unread)
    except (ValueError, json_format.ParseError) as problem:
        unread = Unreadable(f"expected a round in protobuf JSON on line {number}, given {_first(problem)}")
        return RoundLine(number, name, raw, None, unread)
    return RoundLine(number, round_name(read.table_id, read.shoe, read.round_no), raw, read)


def _first(problem: Exception) -> str:
    """The first line of what a parser says; what follows is the same for every problem."""
    return str(problem).partition("\n")[0]


def _exact(text: str) -> int | str:
    """A number with a point: whole if it is, else its text, which no integer field takes. Never binary."""
    number = Decimal(text)
    # The digits of 1e999999999 would fill the memory; no field takes a number of more than those of an int64.
    small = number.is_finite() and number.adjusted() < MOST_DIGITS
    return int(number) if small and number == number.to_integral_value() else text


def _name(found: Mapping[str, Any]) -> str:
    table, shoe = found.get("tableId", found.get("table_id")), found.get("shoe", 0)
    number = found.get("roundNo", found.get("round_no"))
    return f"{table}/{shoe}/{number}" if table and number is not None else ""


def _check_stakes(found: Mapping[str, Any]) -> None:
    wagers = found.get("wagers", [])
    for wager in wagers if isinstance(wagers, list) else []:
        if not isinstance(wager, dict):
            raise Unreadable(f"expected each wager to be a JSON object, given {wager!r}")
        stake = wager.get("stakeCents", wager.get("stake_cents", 0))
        if not _WHOLE.fullmatch(str(stake)) or int(str(stake)) <= 0:
            number = wager.get("wagerNo", wager.get("wager_no", "without a number"))
            raise StakeImpossible(f"expected whole cents above zero on wager {number}, given {stake}")


def read_card_log(path: Path, table_id: str, wagers: Sequence[events_pb2.Wager]) -> Iterator[RoundLine]:
    """The lines of a card log: columns shoe, round, p1 to p3, b1 to b3 (rank then suit, blank for none).

    Every round carries the same wagers. Raises InvalidRequest where a column is missing.
    """
    with path.open(newline="", encoding="utf-8") as file:
        number = 0
        try:
            log = csv.DictReader(file)
            missing = sorted(CARD_LOG - set(log.fieldnames or ()))
            if missing:
                raise InvalidRequest(f"expected columns {', '.join(sorted(CARD_LOG))}, missing {', '.join(missing)}")
            for number, row in enumerate(log, 1):
                yield _log_line(number, row, table_id, wagers)
        except (csv.Error, UnicodeDecodeError) as problem:
            raise Unreadable(f"expected a card log in UTF-8, unreadable after line {number}: {problem}") from problem


def _log_line(
    number: int, row: Mapping[str, str | None], table_id: str, wagers: Sequence[events_pb2.Wager]
) -> RoundLine:
    raw = json.dumps(row).encode()
    try:
        shoe, round_no = _count(row, "shoe", number), _count(row, "round", number)
    except Refusal as refusal:
        return RoundLine(number, f"line {number}", raw, None, refusal)
    dealt = events_pb2.BaccaratResult(player=_cards(row, "p"), banker=_cards(row, "b"))
    read = events_pb2.WholeRound(
        table_id=table_id,
        shoe=shoe,
        round_no=round_no,
        wagers=wagers,
        result=events_pb2.Result(baccarat=dealt),
    )
    return RoundLine(number, round_name(table_id, shoe, round_no), raw, read)


def _count(row: Mapping[str, str | None], column: str, number: int) -> int:
    text = (row[column] or "").strip()
    if not text.isdecimal() or len(text) > MOST_DIGITS or int(text) >= 1 << 31:
        raise KeyImpossible(f"expected a whole number as {column} on line {number}, given {text!r}")
    return int(text)


def _cards(row: Mapping[str, str | None], side: str) -> list[str]:
    return [text for place in "123" if (text := (row[side + place] or "").strip())]


def placed(texts: Sequence[StakeText], paytables: Mapping[str, str]) -> list[events_pb2.Wager]:
    """The wagers of every round of a card log, numbered from 1, all at seat 1.

    One that repeats a place moves to the next seat. `paytables`: the table's paytable by wager code; a code
    it lacks gets none.
    """
    seats: dict[tuple[str, str], int] = {}
    found = []
    for number, (code, on, stake) in enumerate(texts, 1):
        seat = seats[code, on] = seats.get((code, on), 0) + 1
        found.append(
            events_pb2.Wager(
                wager_no=number,
                seat=seat,
                code=code,
                paytable=paytables.get(code, ""),
                stake_cents=stake,
                placement=on,
            )
        )
    return found


def timed(read: events_pb2.WholeRound, day_starts: datetime) -> events_pb2.WholeRound:
    """The round itself if it says when it opened, else a copy opened one second a round number into the day.

    A file, whole, cut or resumed, so always has the same keys and content.
    """
    if read.HasField("opened_at"):
        return read
    opened = Timestamp()
    opened.FromDatetime((day_starts + timedelta(seconds=read.round_no)).astimezone(UTC))
    copy = events_pb2.WholeRound()
    copy.CopyFrom(read)
    copy.opened_at.CopyFrom(opened)
    return copy
