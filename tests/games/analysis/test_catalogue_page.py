"""The page of all wagers."""

import runpy
from pathlib import Path

import pytest

from services.games.analysis import catalogue_page
from services.games.catalogue import catalogue
from services.games.procedures import procedures
from tests.builders import wager_file


def test_the_page_is_what_the_declarations_say() -> None:
    """`docs/wagers.md` is written anew whenever a wager came or changed."""
    assert catalogue_page.PAGE.read_text(encoding="utf-8") == catalogue_page.page()


def test_every_wager_has_its_line_and_its_paytables() -> None:
    """A line names section, title, code and edges, and leads to the paytables below; procedures stand between."""
    text = catalogue_page.page()
    for rule in catalogue().values():
        assert f"| {rule.section} | {rule.title} | [`{rule.code}`](#" in text
        assert f"\n## {rule.section} {rule.title} {rule.code}\n" in text
    for each in procedures():
        assert f"| {each.section} | {each.title} | {each.text} |" in text


def test_a_reader_finds_what_a_section_pays() -> None:
    """Meters, limits, draws, mystery bonuses and lines that no result hits are said in words."""
    text = catalogue_page.page()
    assert "| tie same suit | 100% of mega |" in text
    assert "* paytable standard: mega, seed $10,000.00, 10.00%" in text
    assert "| 631c.6 | Mystery bonus of Heavenly 9 progressive |" in text
    assert "by the weights drawn, even at a mean of 36 to 1 (single zero)" in text
    assert "| come out seven or eleven (1 for 1 nets nothing and the wager stays up (ruling C2)) |" in text
    assert "In force 2023-08-05 to 2026-08-04." in text
    assert "Only on fully automated tables." in text


def test_what_many_paytables_share_is_said_once() -> None:
    """Of the tables of Jackpot Party: what all pay, then a row for each kind, then one for each meter and stake."""
    text = catalogue_page.page().partition("## 633c.2 Jackpot Party")[2].partition("\n## ")[0]
    assert text.count("pair 10 for 1") == 1
    assert "| P2, P5, P7 to P11 | 100% of progressive | 10% of progressive | 150 for 1 | 70 for 1 | 50 for 1 |" in text
    assert "| P27A to P31C | 100% of mega | 100% of major | 100% of minor | 100% of mini | 60 for 1 |" in text
    row = next(line for line in text.splitlines() if "P35A-$5:" in line)
    assert "mega, seed $50,000.00, 6.00%; major, seed $5,000.00, 2.00%" in row
    assert row.count("decks)") == 2
    assert len(text.splitlines()) < 80


def test_an_edge_under_another_assumption_stands_beside() -> None:
    """The dealer who hits soft 17, and a bonus that a table may file."""
    text = catalogue_page.page().partition("## 633c.13 Buster")[2].partition("\n## ")[0]
    assert "* the dealer hits soft 17 and completes the hand: A: 6.2417% (1 deck), 5.4230% (6 decks)" in text
    assert "bonus B1 for a stake of $5: A: 8.1266% (1 deck)" in text
    assert "* B2: eight or more cards with blackjack $5,000.00, seven cards with blackjack $1,000.00" in text


MANY = """
from services.games.paytables import Paytable, to_one
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.wagers import Wager

WAGERS = (Wager(code="baccarat.many", section="631c.97", title="many", game="baccarat", sample=COUPS_BY_POINTS,
                classify=lambda history, placement, terms: "wins" if history.last.player.total == 9 else None,
                paytables={str(odds): Paytable({"wins": to_one(odds)}, decks=(8,)) for odds in range(1, 10)}),)
"""


def test_paytables_may_share_nothing(tmp_path: Path) -> None:
    """Then nothing is said of all of them."""
    with wager_file(tmp_path, "many", MANY):
        text = catalogue_page.page().partition("## 631c.97 many")[2].partition("\n## ")[0]
    assert "Every paytable pays" not in text
    assert "| 9 | 9 to 1 |" in text


def test_the_page_is_saved(tmp_path: Path) -> None:
    """Saving writes the page."""
    catalogue_page.save(tmp_path / "wagers.md")
    assert (tmp_path / "wagers.md").read_text(encoding="utf-8") == catalogue_page.page()


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_the_module_run_writes_the_page_of_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m services.games.analysis.catalogue_page` takes no argument."""
    written: dict[Path, str] = {}
    monkeypatch.setattr(Path, "write_text", lambda path, text, encoding: written.update({path: text}))
    runpy.run_module("services.games.analysis.catalogue_page", run_name="__main__")
    assert written == {catalogue_page.PAGE: catalogue_page.page()}
