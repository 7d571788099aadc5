"""Every section of the regulation has its wagers or a recorded procedure."""

import re

import pytest

from services.games.catalogue import catalogue
from services.games.procedures import procedures
from tests.builders import NO_SHARED, SHARED

SECTIONS = {
    "617c": ("B2B Roulette wager", "Blazing 7's wager", "Lightning Roulette"),
    "623c": (
        "Hot Roller Craps",
        "Lucky Shooter wager",
        "Bonus Craps alternate paytable option; change in wager verbiage",
        "Hot Shooter jackpot wager",
    ),
    "627c": ("Perfect Pairs wager", "Commission-free Minibaccarat", "Royal 9 progressive wager"),
    "629c": (
        "Perfect Pairs wager",
        "Commission-free Midibaccarat",
        "Royal 9 progressive wager",
        "Alternative card reveal procedure",
    ),
    "631c": (
        "Perfect Pairs wager",
        "Heavenly 9 progressive Baccarat wager",
        "5 Treasures Baccarat wagers",
        "Lucky Nines",
        "Commission-free Baccarat",
        "Must-Hit-By Mystery bonus",
        "Majestic Match wager",
    ),
    "633c": (
        "Perfect Pairs wager",
        "Jackpot Party progressive wager",
        "Match the Dealer progressive wager",
        "Switch hands and Blackjack premium",
        "Blackjack played on a hybrid gaming table",
        "Super 4 progressive Blackjack wager",
        "Top 3 wager",
        "Lucky Aces wager",
        "Blazing 7's progressive wager",
        "Blackjack Match progressive",
        "TriLux Deluxe wager",
        "AxMan wager",
        "Buster Blackjack wager",
        "Must-Hit-By Mystery bonus",
        "Upcard Luck wager",
    ),
}
"""The headings of 54 Pa.B. 2923 by chapter, from section 1 on, and of 53 Pa.B. 4409 below."""

KNOWN = {f"{chapter}.{no}": title for chapter, titles in SECTIONS.items() for no, title in enumerate(titles, 1)}
KNOWN["627b.4"] = "Rising Phoenix Baccarat"

HEADING = re.compile(r"^§\s*(\d{3}[a-z]\.\d+)\.?\s+(.+?)\.?$", re.MULTILINE)


def covered() -> set[str]:
    """The sections of all wagers, mystery bonuses and procedures."""
    wagers = catalogue().values()
    named = [rule.section for rule in wagers] + [each.section for each in procedures()]
    named += [mystery.section for rule in wagers for mystery in rule.mysteries]
    return {section.partition("(")[0] for section in named}


@pytest.mark.parametrize("section", sorted(KNOWN))
def test_a_section_has_its_wagers_or_a_recorded_procedure(section: str) -> None:
    """A section without either fails here."""
    assert section in covered(), KNOWN[section]


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason=NO_SHARED)
def test_the_list_of_sections_is_that_of_the_text() -> None:
    """Each heading of the text that is not reserved is in the list, and no other."""
    found: dict[str, str] = {}
    for path in sorted((SHARED / "seeds").glob("*.txt")):
        found.update(HEADING.findall(path.read_text(encoding="utf-8")))
    assert {section: title for section, title in found.items() if title != "[Reserved]"} == KNOWN


def test_a_procedure_says_what_it_is() -> None:
    """Each has section, title and a text that ends; they are in the order of their sections."""
    assert list(procedures()) == sorted(procedures())
    for each in procedures():
        assert each.section in KNOWN
        assert each.title
        assert each.text.endswith(".")
