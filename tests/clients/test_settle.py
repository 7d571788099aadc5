"""`casino settle`: rounds of a file by the pure engine."""

from pathlib import Path
from typing import Any

import pytest

from clients.cli.pricing import settle_line
from clients.cli.rounds_file import read_rounds
from tests.clients.command import casino
from tests.clients.rounds import PLAYER_WINS, PROGRESSIVE, TIE_IN_ONE_SUIT, wager, whole, write


def settled(path: Path, *lines: object) -> list[dict[str, Any]]:
    """The objects of the lines, with eight decks."""
    return [settle_line(line, 8) for line in read_rounds(write(path / "rounds.jsonl", lines))]


def test_round_settles_by_the_paytables_its_wagers_carry(tmp_path: Path) -> None:
    """Payout has the stake where it is returned; net is payout less stake; a loss has no line."""
    banker = wager(1, "baccarat.banker", "4%", 1_010, seat=3)
    player = wager(2, "baccarat.player", "standard", "500")
    (found,) = settled(tmp_path, whole(7, "2C KD/9D KC", banker, player))
    assert found == {
        "round": "BAC-01/1/7",
        "wagers": [
            {
                "wager": "baccarat.banker",
                "paytable": "4%",
                "seat": 3,
                "stake_cents": 1_010,
                "outcome": "win",
                "line": "banker_wins",
                "payout_cents": 1_980,
                "net_cents": 970,
                "awards": [],
            },
            {
                "wager": "baccarat.player",
                "paytable": "standard",
                "seat": 1,
                "stake_cents": 500,
                "outcome": "lose",
                "line": None,
                "payout_cents": 0,
                "net_cents": -500,
                "awards": [],
            },
        ],
    }


def test_meter_award_is_named_without_an_amount(tmp_path: Path) -> None:
    """A share of a meter has level and percent; what it comes to only the journal knows."""
    (found,) = settled(tmp_path, whole(1, TIE_IN_ONE_SUIT, wager(1, PROGRESSIVE, "standard", 500)))
    (award,) = found["wagers"][0]["awards"]
    assert award == {"kind": "meter", "paid_from": "slip", "cents": 0, "level": "mega", "percent": 10_000}
    assert found["wagers"][0]["net_cents"] == -500


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 100.5)), "STAKE_IMPOSSIBLE"),
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 0)), "STAKE_IMPOSSIBLE"),
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", "1e2")), "STAKE_IMPOSSIBLE"),
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tea", "8", 100)), "WAGER_UNKNOWN"),
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "7", 100)), "PAYTABLE_UNKNOWN"),
        (whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 100, placement="roof")), "PLACEMENT_UNKNOWN"),
        (
            whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 1), wager(1, "baccarat.tie", "8", 1)),
            "WAGER_NO_REPEATED",
        ),
        (whole(1, "5D 6D 11D/QC 4S"), "CARD_UNKNOWN"),
        (whole(1, "5D 6D/QC 4S"), "ILLEGAL_COUP"),
        ({"tableId": "BAC-01", "shoe": 1, "roundNo": 1}, "RESULT_MISSING"),
        ({"tableId": "BAC-01", "shoe": 1, "roundNo": 1, "colour": "red"}, "UNREADABLE"),
        ({"tableId": "BAC-01", "shoe": 1, "roundNo": 1, "wagers": [7]}, "UNREADABLE"),
    ],
)
def test_bad_round_is_named(tmp_path: Path, line: object, reason: str) -> None:
    """A round that cannot be settled says which, why, what was expected and what was given."""
    (found,) = settled(tmp_path, line)
    assert (found["round"], found["error"]["reason"]) == ("BAC-01/1/1", reason)
    assert "expected" in found["error"]["message"] or ":" in found["error"]["message"]


def test_unreadable_line_is_named_by_its_number(tmp_path: Path) -> None:
    """A line that is no JSON, or none of an object, has no round to be named by; empty lines are no data."""
    found = settled(tmp_path, "", "nonsense", "[]", '"text"')
    assert [each["round"] for each in found] == ["line 1", "line 2", "line 3"]
    assert {each["error"]["reason"] for each in found} == {"UNREADABLE"}


def test_whole_amount_with_a_point_is_a_whole_amount(tmp_path: Path) -> None:
    """JSON writes 500 and 500.0 for one number; neither becomes binary."""
    (found,) = settled(
        tmp_path, whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 500.0))
    )  # fmt: skip
    assert found["wagers"][0]["stake_cents"] == 500


def test_rest_of_the_file_settles_beside_a_bad_round(tmp_path: Path) -> None:
    """The command prints an object a round and ends with 1 if one of them is bad."""
    good = whole(1, PLAYER_WINS, wager(1, "baccarat.tie", "8", 500))
    path = write(tmp_path / "a file.jsonl", [good, "nonsense", {**good, "roundNo": 3}])
    ran = casino("settle", str(path), "--json")
    assert ran.code == 1
    assert [each["round"] for each in ran.objects] == ["BAC-01/1/1", "line 2", "BAC-01/1/3"]
    assert casino("settle", str(write(path, [good])), "--json").code == 0


def test_file_that_is_not_there_is_one_sentence() -> None:
    """No traceback reaches the user."""
    ran = casino("settle", "nowhere.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "FileNotFoundError: No such file or directory: nowhere.jsonl\n"


def test_text_for_a_reader_says_the_same(tmp_path: Path) -> None:
    """Without --json a wager is a line in dollars."""
    path = write(
        tmp_path / "r.jsonl", [whole(1, TIE_IN_ONE_SUIT, wager(1, PROGRESSIVE, "standard", 500))]
    )  # fmt: skip
    assert casino("settle", str(path)).out == (
        f"BAC-01/1/1: seat 1 {PROGRESSIVE} standard stake 5.00 win tie_same_suit payout 0.00 and 100% of mega\n"
    )
