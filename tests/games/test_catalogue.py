"""The catalogue finds every wager module."""

from pathlib import Path
from types import ModuleType

import pytest

from services.games.baccarat.wagers import tie
from services.games.catalogue import catalogue, collect, wager
from services.games.settlement import settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import Taken, WagerUnknown
from tests.builders import coup, wager_file

LUCKY = '''
"""An imaginary wager: the Player's first card is an ace."""
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.wagers import Wager


def classify(history, placement, terms):
    return "ace" if history.last.player.cards[0].rank == "A" else None


WAGERS = (Wager(
    code="baccarat.lucky_ace", section="631c.98", title="Lucky Ace", game="baccarat", classify=classify,
    paytables={"A": Paytable({"ace": to_one(11)})}, sample=COUPS_BY_POINTS,
),)
'''


def test_every_wager_of_baccarat_is_found() -> None:
    """Codes are in order, and each names the wager that stands under it."""
    assert list(catalogue()) == sorted(catalogue())
    assert {"baccarat.player", "baccarat.banker", "baccarat.tie"} <= catalogue().keys()
    assert all(rule.code == code for code, rule in catalogue().items())


def test_a_wager_is_asked_for_by_its_code() -> None:
    """An unknown code is refused with what was given."""
    assert wager("baccarat.tie").title == "Tie"
    with pytest.raises(WagerUnknown, match=r"given 'baccarat\.faro'"):
        wager("baccarat.faro")


def test_two_wagers_of_one_code_are_refused() -> None:
    """A code names one wager."""
    copy = ModuleType("copy_of_tie")
    vars(copy)["WAGERS"] = tie.WAGERS
    with pytest.raises(Taken, match=r"one wager of code baccarat\.tie, given another in copy_of_tie"):
        collect([tie, copy])


def test_a_new_wager_is_one_file(tmp_path: Path) -> None:
    """A module dropped among the others is found, offered and settled without any other change."""
    before = list(catalogue())
    with wager_file(tmp_path, "lucky_ace", LUCKY):
        offered = Terms("RS-1", "baccarat", "live", 8, 7, {"baccarat.lucky_ace": Offer("baccarat.lucky_ace", "A", 1)})
        history = type("History", (), {"last": coup("AC 7D", "9C KH")})()
        (found,) = settle_round(history, [PlacedWager(1, 1, "baccarat.lucky_ace", "A", 100)], offered)
        assert (found.line, found.payout_cents) == ("ace", 1_200)
    assert list(catalogue()) == before
