"""The page of all wagers."""

import runpy
from pathlib import Path

import pytest

from services.games.analysis import catalogue_page
from services.games.catalogue import catalogue
from services.games.procedures import procedures


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
