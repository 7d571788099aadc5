"""Card logs and the times of rounds that do not say when they opened."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from casino.floor.v1 import events_pb2
from clients.cli.rounds_file import placed, read_card_log, stake_text, timed
from services.kernel.errors import AmountUnreadable, InvalidRequest, StakeImpossible

HEADER = "round,shoe,p1,p2,p3,b1,b2,b3,noise\n"
STARTS = datetime(2026, 3, 2, 11, tzinfo=UTC)


def test_card_log_gives_whole_rounds(tmp_path: Path) -> None:
    """Cards stand rank then suit, blanks are none; every round has the same wagers; other columns do not count."""
    path = tmp_path / "log.csv"
    path.write_text(HEADER + "12,3,5D,6D,8D,QC,4S,,x\n")
    wagers = placed([stake_text("baccarat.player:100"), stake_text("baccarat.tie:0.50")], {"baccarat.tie": "8"})
    (line,) = read_card_log(path, "BAC-01", wagers)
    assert (line.number, line.name, line.refusal) == (1, "BAC-01/3/12", None)
    assert line.round is not None
    assert list(line.round.result.baccarat.player) == ["5D", "6D", "8D"]
    assert list(line.round.result.baccarat.banker) == ["QC", "4S"]
    given = [(each.wager_no, each.seat, each.code, each.paytable, each.stake_cents) for each in line.round.wagers]
    assert given == [(1, 1, "baccarat.player", "", 10_000), (2, 1, "baccarat.tie", "8", 50)]


def test_wagers_lie_at_one_seat_unless_they_would_lie_on_each_other() -> None:
    """A side wager stands beside its base wager; the same place again is the next seat."""
    texts = ("c@player:1", "c@banker:1", "c@player:2", "d:1")
    wagers = placed([stake_text(text) for text in texts], {})
    assert [(each.placement, each.seat) for each in wagers] == [("player", 1), ("banker", 1), ("player", 2), ("", 1)]


def test_log_without_its_columns_is_refused(tmp_path: Path) -> None:
    """The missing columns are named."""
    path = tmp_path / "log.csv"
    path.write_text("round,shoe,p1,p2,b1,b2\n")
    with pytest.raises(InvalidRequest, match="missing b3, p3"):
        list(read_card_log(path, "BAC-01", []))


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "99999999999"])
def test_line_without_a_round_number_is_named(tmp_path: Path, number: str) -> None:
    """A key that cannot be is refused by line; the rest of the log stands."""
    path = tmp_path / "log.csv"
    path.write_text(HEADER + f"{number},1,5D,6D,8D,QC,4S,,\n" + "2,1,5D,6D,8D,QC,4S,,\n")
    bad, good = read_card_log(path, "BAC-01", [])
    assert bad.refusal is not None
    assert (bad.name, bad.round, bad.refusal.reason) == ("line 1", None, "KEY_IMPOSSIBLE")
    assert good.name == "BAC-01/1/2"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("baccarat.player", InvalidRequest),
        ("a:b:c", InvalidRequest),
        ("a:1.005", AmountUnreadable),
        ("a:0", StakeImpossible),
    ],
)
def test_wager_on_the_command_line_is_code_and_dollars(text: str, refusal: type[Exception]) -> None:
    """Anything else is refused; a fraction of a cent is not rounded."""
    with pytest.raises(refusal, match="expected"):
        stake_text(text)


def test_round_without_a_time_opens_by_its_number() -> None:
    """One second a round number after the day's start, whatever the line; a round that says its time keeps it."""
    read = events_pb2.WholeRound(table_id="T", round_no=61)
    first = timed(read, STARTS)
    assert first.opened_at.ToDatetime(UTC) == datetime(2026, 3, 2, 11, 1, 1, tzinfo=UTC)
    assert not read.HasField("opened_at")
    assert timed(first, datetime(2027, 1, 1, tzinfo=UTC)) is first
