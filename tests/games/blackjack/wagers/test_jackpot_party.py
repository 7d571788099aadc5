"""Jackpot Party progressive."""

import re
from collections.abc import Iterator, Mapping

import pytest

from services.games.blackjack.round import Table, shown
from services.games.catalogue import catalogue
from services.games.paytables import Cell, MeterShare, for_one
from services.games.settlement import settle_round
from services.games.wagers import PENDING, PlacedWager, Placement
from tests.builders import NO_SHARED, SHARED, cards
from tests.games.blackjack.initial import dealt, line_at, settled_at, table

CODE = "blackjack.jackpot_party"
DECKS = {"Single": 1, "One": 1, "Two": 2, "Four": 4, "Six": 6, "Eight": 8}


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        ("QD JD", "AD KD", "royal_flush_diamonds"),
        ("KD QD", "JD AD", "royal_flush_diamonds"),
        ("QS JS", "AS KS", "royal_flush_other"),
        ("AD AD", "AD KD", "three_of_a_kind"),
        ("KC KH", "AD KD", "three_of_a_kind"),
        ("QD JC", "AD KD", "straight"),
        ("2D 9D", "AD KD", "flush"),
        ("AD KD", "AD KD", "flush"),
        ("AH KD", "AD KH", "two_pair"),
        ("AC KS", "AD KH", "two_pair"),
        ("2D 9H", "AD KD", "all_same_color"),
        ("5D 5H", "AD KD", "all_same_color"),
        ("5C 5S", "AD KD", "pair"),
        ("5C AS", "AD KD", "pair"),
        ("5C 6C", "KD AD", "dealer_blackjack"),
        ("QD JD", "AD 5D", "dealer_ace_up"),
        ("QD JD", "5D AD", None),
        ("AD JD", "KD QD", None),
    ],
)
def test_jackpot_party_hits_its_line(player: str, dealer: str, line: str | None) -> None:
    """The first line that fits; but for an ace up, all need a dealer Blackjack."""
    assert line_at(CODE, player, dealer) == line


def test_the_dealer_needs_a_second_card() -> None:
    """Where no hole card is dealt and the round ends on the upcard, nothing is settled."""
    assert catalogue()[CODE].classify(dealt("QD JD", "AD"), Placement(1), table(CODE)) is PENDING


@pytest.mark.parametrize("name", ["P1", "P10-$1", "P17A-$5", "P36C-$1"])
def test_the_stake_does_not_come_back(name: str) -> None:
    """Odds are all that a wager receives; a meter's share is left to the meter."""
    stake = catalogue()[CODE].paytables[name].denominations[0]
    odds = {"P10-$1": 15}.get(name, 20)
    assert settled_at(CODE, name, "2D 9H", "AD KD", stake).payout_cents == odds * stake
    (award,) = settled_at(CODE, name, "QD JD", "AD KD", stake).awards
    assert (award.kind, award.paid_from, award.cents, award.percent) == ("meter", "slip", 0, 10_000)


@pytest.mark.parametrize(("name", "cents"), [("P7", 300_000), ("P27A-$5", 0), ("P1", 0), ("P36C-$1", 300_000)])
def test_envy_goes_to_the_other_positions(name: str, cents: int) -> None:
    """A royal flush in diamonds pays every other wager of the table a fixed amount, where the table prints envy."""
    history = settled_history()
    stake = catalogue()[CODE].paytables[name].denominations[0]
    wagers = [PlacedWager(seat, seat, CODE, name, stake) for seat in (1, 2)]
    winner, other = settle_round(history, wagers, table(CODE, name))
    assert winner.payout_cents == 0
    assert [each.cents for each in other.awards if each.kind == "envy"] == ([cents] if cents else [])


def settled_history() -> Table:
    """A royal flush in diamonds at seat 1, a pair at seat 2."""
    first, second = (shown(cards(two), cards("AD KD"), seat=no) for no, two in ((1, "QD JD"), (2, "5C 5S")))
    return Table({**first.seats, **second.seats}, first.dealer)


def test_a_dealer_blackjack_alone_is_not_envied() -> None:
    """Only the royal flushes have envy, and $1,000 is that of the other suits."""
    envy = [table.envy for table in catalogue()[CODE].paytables.values() if table.envy]
    assert all(each == {"royal_flush_diamonds": 300_000, "royal_flush_other": 100_000} for each in envy)


def test_there_are_thirty_six_tables() -> None:
    """P1 to P16, and P17 to P36 with options A to C; twice where the wager is the Rules Submission's to say."""
    names = list(catalogue()[CODE].paytables)
    assert list(dict.fromkeys(name.partition("-")[0].rstrip("ABC") for name in names)) == [
        f"P{no}" for no in range(1, 37)
    ]
    assert len(names) == 16 + 2 + 20 * 3 * 2
    assert [name for name in names if name.startswith("P17")] == [
        f"P17{option}-${dollars}" for option in "ABC" for dollars in (1, 5)
    ]


def test_what_stands_out_stands_as_printed() -> None:
    """P12 is a $5 table on the odds of the $1 table P3; the major meter of P35 grows by 2 %, that of P34 by 5 %."""
    paytables = catalogue()[CODE].paytables
    odds = list(paytables["P3"].lines.items())[2:]
    assert odds == list(paytables["P12"].lines.items())[2:]
    assert [(paytables[name].denominations, paytables[name].meters[0][1:]) for name in ("P3", "P12")] == [
        ((100,), (1_000_000, False, 1_900, 425)),
        ((500,), (5_000_000, False, 2_325, 0)),
    ]
    assert [paytables[name].meters[1].increment_rate for name in ("P34A-$1", "P35A-$1")] == [500, 200]
    assert [paytables[name].lines["flush"] for name in ("P26A-$1", "P31A-$1")] == [for_one(50), for_one(60)]


ROWS = {
    "Royal flush—diamonds": "royal_flush_diamonds",
    "Royal flush—other": "royal_flush_other",
    "Royal flush (ace—jack)—diamonds": "royal_flush_diamonds",
    "Royal flush (ace—jack)—other": "royal_flush_other",
    "Three-of-a-kind": "three_of_a_kind",
    "Straight": "straight",
    "Flush": "flush",
    "Two pair": "two_pair",
    "All same color": "all_same_color",
    "Pair": "pair",
    "Dealer Blackjack": "dealer_blackjack",
    "Dealer ace up (no Blackjack)": "dealer_ace_up",
}
HEADED = re.compile(r"(\w+) Decks?—(P\d+)")


def printed() -> Iterator[tuple[str, int, Mapping[str, tuple[str, str]]]]:
    """Every printed table and option with its decks: by row, what it pays and its envy."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((SHARED / "seeds").glob("*.txt")))
    section = re.split(r"\n§\s633c\.[23]\.", text)[1].splitlines()
    starts = [no for no, line in enumerate(section) if HEADED.search(line)]
    for start, end in zip(starts, [*starts[1:], len(section)], strict=True):
        rows = [line.split("\t") for line in section[start:end] if "\t" in line]
        heads = next(row[1:] for row in rows if row[0] == "Outcome")
        pays = [no for no, head in enumerate(heads) if not head.startswith("w/")]
        for no, (name, decks) in zip(pays, _names(section[start], len(pays)), strict=True):
            yield name, decks, {row[0]: (_cell(row, no), _cell(row, no + 1)) for row in rows[1:] if row[0] != "Outcome"}


def _names(head: str, columns: int) -> list[tuple[str, int]]:
    found = [(name, DECKS[word]) for word, name in HEADED.findall(head)]
    if "Option" not in head:
        return found
    ((name, decks),) = found
    return [(name + option, decks) for option in "ABC"[:columns]]


def _cell(row: list[str], column: int) -> str:
    return row[1 + column] if 1 + column < len(row) else ""


def _pays(text: str) -> Cell:
    if "%" in text:
        percent, _, level = text.partition("% ")
        return MeterShare(level.removeprefix("of ").lower(), int(percent) * 100)
    return for_one(int(text.removesuffix(" to 1")))


def _cents(text: str) -> int:
    return int(text.removeprefix("$").replace(",", "")) * 100


def _rate(text: str) -> int:
    whole, _, rest = text.removesuffix("%").partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0"))


def _meters(rows: Mapping[str, str]) -> tuple[tuple[str, int, bool, int, int], ...]:
    found = []
    for name, text in rows.items():
        if "eter seed" in name:
            level = name.lower().partition("meter seed")[0].strip()
            rate = rows.get(f"{level.capitalize()} increment rate") if level else rows.get("Primary increment rate")
            reserve = _rate(rows.get("Secondary increment rate", "0"))
            rated = _rate(rate or rows["Total increment rate"])
            found.append((level or "progressive", _cents(text), False, rated, reserve))
    return tuple(found)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason=NO_SHARED)
def test_every_table_is_the_printed_one() -> None:
    """Each cell, envy, wager, seed and rate of the thirty-six tables is that of the text."""
    paytables, seen = catalogue()[CODE].paytables, set()
    for name, decks, rows in printed():
        pays = {row: cell for row, (cell, _) in rows.items()}
        stakes = [_cents(pays["Wager"])] if "Wager" in pays else [100, 500]
        for stake in stakes:
            full = name if "Wager" in pays else f"{name}-${stake // 100}"
            table = paytables[full]
            seen.add(full)
            assert dict(table.lines) == {line: _pays(pays[row]) for row, line in ROWS.items() if row in pays}, full
            assert table.decks == (decks,)
            assert table.denominations == (stake,)
            assert table.meters == _meters(pays), full
            assert dict(table.envy) == _envy(rows), full
    assert seen == set(paytables)


def _envy(rows: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """The second column of a row where it is dollars: envy, and not another table's payout."""
    return {line: _cents(rows[row][1]) for row, line in ROWS.items() if row in rows and rows[row][1].startswith("$")}
