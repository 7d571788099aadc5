"""`casino settle`: rounds of a file by the pure engine."""

from pathlib import Path
from typing import Any

import pytest

from clients.cli.pricing import Offline, settle_line
from clients.cli.rounds_file import read_rounds
from tests.clients.command import casino
from tests.clients.rounds import PLAYER_WINS, PROGRESSIVE, TIE_IN_ONE_SUIT, wager, whole, write


def settled(path: Path, *lines: object) -> list[dict[str, Any]]:
    """The objects of the lines, with eight decks."""
    offline = Offline(decks=8)
    return [settle_line(line, offline) for line in read_rounds(write(path / "rounds.jsonl", lines))]


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


def spin(number: int, pocket: str, *wagers: object, table: str = "ROU-01", **drawn: object) -> dict[str, object]:
    """A whole round of Roulette."""
    result = {"roulette": {"pocket": pocket, **drawn}}
    return {"tableId": table, "roundNo": number, "wagers": list(wagers), "result": result}


def test_a_spin_follows_the_one_before_of_its_table(tmp_path: Path) -> None:
    """B2B is void on a table's first spin and wins where the number comes again there, as drawn."""
    b2b = wager(1, "roulette.b2b", "standard", 500)
    first, again, other, third = settled(
        tmp_path,
        spin(1, "17", b2b),
        spin(2, "17", b2b, drawnPayout=50),
        spin(1, "17", b2b, table="ROU-02"),
        spin(3, "18", b2b),
    )
    assert [each["wagers"][0]["outcome"] for each in (first, again, other, third)] == ["void", "win", "void", "lose"]
    assert again["wagers"][0]["payout_cents"] == 25_500


def test_a_spin_is_held_against_the_wheel_and_the_payouts_filed(tmp_path: Path) -> None:
    """00 is no pocket of a single zero wheel, and a payout that is not filed is never paid."""
    path = write(
        tmp_path / "spins.jsonl",
        [spin(1, "00"), spin(2, "00", wager(1, "roulette.b2b", "standard", 500), drawnPayout=50)],
    )
    refused = casino("settle", str(path), "--json", "--wheel", "single_zero").objects
    assert [each["error"]["reason"] for each in refused] == ["ILLEGAL_SPIN", "ILLEGAL_SPIN"]
    filed = casino("settle", str(path), "--json", "--option", "roulette.b2b:payouts=1000,500").objects
    assert filed[0]["wagers"] == []
    assert filed[1]["error"]["reason"] == "DRAW_NOT_FILED"


def test_a_hand_of_craps_settles_by_its_rolls(tmp_path: Path) -> None:
    """Earlier results come first; a wager counts from the roll after which it was placed."""
    rolls = [{"craps": {"firstDie": first, "secondDie": second}} for first, second in ((2, 2), (5, 6), (1, 3), (3, 4))]
    wagers = [wager(1, "craps.pass", "standard", 500), wager(2, "craps.field", "double 12", 500, roll=1)]
    whole_hand = {"tableId": "CRA-01", "roundNo": 1, "wagers": wagers, "earlierResults": rolls[:3], "result": rolls[3]}
    (found,) = settled(tmp_path, whole_hand)
    assert [(each["outcome"], each["line"], each["payout_cents"]) for each in found["wagers"]] == [
        ("win", "wins", 1_000),
        ("win", "three_four_nine_ten_eleven", 1_000),
    ]
    mixed = {**whole_hand, "earlierResults": [{"roulette": {"pocket": "1"}}]}
    assert settled(tmp_path, mixed)[0]["error"]["reason"] == "RESULT_MISSING"


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (
            "roulette.b2b",
            "INVALID_REQUEST: expected --option roulette.b2b:NAME=VALUE with a name of payouts or weights",
        ),
        ("baccarat.tea:a=b", "WAGER_UNKNOWN:"),
    ],
)
def test_an_option_is_written_with_code_name_and_value(tmp_path: Path, option: str, sentence: str) -> None:
    """What a table files may be given for an offline settlement."""
    path = write(tmp_path / "spins.jsonl", [spin(1, "7")])
    assert casino("settle", str(path), "--option", option).err.startswith(sentence)


@pytest.mark.parametrize(
    ("arguments", "code", "paytable", "words"),
    [
        (("--option", "roulette.b2b:payouts=7"), "roulette.b2b", "standard", "expected payouts such as 1000,500"),
        (("--wheel", "round"), "roulette.dozen", "standard", "expected --wheel single_zero or"),
    ],
)
def test_what_was_chosen_wrongly_is_said_with_the_round(
    tmp_path: Path, arguments: tuple[str, str], code: str, paytable: str, words: str
) -> None:
    """A choice that cannot be is refused with what was expected."""
    on = "" if code == "roulette.b2b" else "1st dozen"
    path = write(tmp_path / "spins.jsonl", [spin(1, "7", wager(1, code, paytable, 500, placement=on))])
    (found,) = casino("settle", str(path), "--json", *arguments).objects
    assert found["error"]["reason"] == "INVALID_REQUEST"
    assert words in found["error"]["message"]


def blackjack(*wagers: object, cards: str = "10S 9D", stated: object = (), **hand: object) -> dict[str, object]:
    """A whole round of Blackjack at one seat against the dealer's 17."""
    played = {"seat": 1, "cards": cards.split(), "actions": ["BLACKJACK_ACTION_STAND"], **hand}
    result = {"blackjack": {"hands": [played], "dealer": ["AS", "6C"]}, "statedPayouts": stated}
    return {"tableId": "BJ-01", "shoe": 1, "roundNo": 1, "wagers": list(wagers), "result": result}


def test_house_rules_of_blackjack_are_options_of_its_base_wager(tmp_path: Path) -> None:
    """They hold for a round whatever its wagers are; Pennsylvania's are the default."""
    base, pairs = wager(1, "blackjack.blackjack", "3 to 2", 500), wager(1, "blackjack.perfect_pairs", "A", 500)
    path = write(tmp_path / "rounds.jsonl", [blackjack(base), blackjack(pairs)])
    assert [each["wagers"][0]["outcome"] for each in casino("settle", str(path), "--json").objects] == ["win", "lose"]
    found = casino("settle", str(path), "--json", "--option", "blackjack.blackjack:soft_17=hit").objects
    assert [each["error"]["reason"] for each in found] == ["ILLEGAL_PLAY", "ILLEGAL_PLAY"]
    assert "dealer, card 3: expected a card on 17" in found[1]["error"]["message"]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ([{"wagerNo": 2, "payoutCents": 1_500}], ("win", 1_500)),
        ([], ("pending", 0)),
        ([{"wagerNo": 1, "payoutCents": 1_500}], "got 1, blackjack.blackjack"),
        ([{"wagerNo": 3, "payoutCents": 0}], "got 3 which it has not"),
        ([{"wagerNo": 2, "payoutCents": -1}], "got -1 on wager 2"),
        ([{"wagerNo": 2}, {"wagerNo": 2}], "got 2 twice"),
    ],
)
def test_a_payout_is_stated_for_wagers_that_no_paytable_prices(tmp_path: Path, stated: object, said: object) -> None:
    """Without one such a wager waits; one stated for any other wager is refused."""
    wagers = wager(1, "blackjack.blackjack", "3 to 2", 500), wager(2, "external.royal_match", "stated", 500)
    (found,) = settled(tmp_path, blackjack(*wagers, stated=stated))
    if "error" in found:
        assert found["error"]["reason"] == "STATED_PAYOUT_IMPOSSIBLE"
        assert str(said) in found["error"]["message"]
    else:
        assert (found["wagers"][1]["outcome"], found["wagers"][1]["payout_cents"]) == said
