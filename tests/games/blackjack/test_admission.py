"""Which stakes on Blackjack are held: those out of proportion to the wager they belong to."""

from datetime import UTC, date, datetime, timedelta

import pytest

from services.games.admission import admit
from services.games.wagers import PlacedWager
from services.kernel.errors import (
    BaseWagerHeld,
    BaseWagerMissing,
    Refusal,
    StakeOffDenomination,
    StakeOverMaximum,
    StakeUnderMinimum,
)
from tests.builders import wager_on
from tests.games.blackjack.tables import table

DAY = date(2026, 3, 2)
LOCK = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
BASE = wager_on("blackjack.blackjack", 1_000, no=1)


def held(*wagers: PlacedWager, base: str = "blackjack.blackjack") -> dict[int, type[Refusal]]:
    """Why each held wager is held, by its number."""
    _, refused = admit(wagers, table(base=base), DAY, LOCK, LOCK)
    return {placed.wager_no: type(refusal) for placed, refusal in refused}


@pytest.mark.parametrize(
    ("code", "stake", "on", "refusal"),
    [
        ("blackjack.double", 1_000, "0", None),
        ("blackjack.double", 500, "0", None),
        ("blackjack.double", 1_001, "0", StakeOverMaximum),
        ("blackjack.split", 1_000, "1", None),
        ("blackjack.split", 999, "1", StakeUnderMinimum),
        ("blackjack.split", 1_001, "1", StakeOverMaximum),
        ("blackjack.insurance", 500, "", None),
        ("blackjack.insurance", 501, "", StakeOverMaximum),
        ("blackjack.upcard_luck", 1_000, "", None),
        ("blackjack.upcard_luck", 1_001, "", StakeOverMaximum),
    ],
)
def test_a_stake_keeps_to_its_part_of_the_base_wager(
    code: str, stake: int, on: str, refusal: type[Refusal] | None
) -> None:
    """A double at most the wager, a split exactly, insurance at most half (633a.8, .10, .11)."""
    found = held(BASE, wager_on(code, stake, no=2, on=on))
    assert found == ({2: refusal} if refusal else {})


def test_each_hand_has_its_own_double() -> None:
    """A second one on the same hand passes the part that the first has filled; on another hand it does not."""
    doubles = [wager_on("blackjack.double", 600, no=number, on=on) for number, on in ((2, "0"), (3, "0"), (4, "1"))]
    assert held(BASE, *doubles) == {3: StakeOverMaximum}


def test_stakes_added_in_play_are_never_late() -> None:
    """They come after the cards, when the rules allow them."""
    late = wager_on("blackjack.double", 1_000, no=2, on="0", placed_at=LOCK + timedelta(minutes=1))
    assert held(BASE, late) == {}


def test_switch_hands_and_its_ante_need_each_other() -> None:
    """$1 for each $5, in steps of $5 (633c.4(b), (c))."""
    code = "blackjack.switch_hands"
    wager, ante = wager_on(code, 1_000, no=1), wager_on(f"{code}_ante", 200, no=2)
    assert held(wager, ante, base=code) == {}
    assert held(wager, base=code) == {1: BaseWagerMissing}
    assert held(ante, base=code) == {2: BaseWagerMissing}
    assert held(wager, ante._replace(stake_cents=100), base=code) == {2: StakeUnderMinimum, 1: BaseWagerHeld}
    assert held(wager._replace(stake_cents=750), ante, base=code) == {1: StakeOffDenomination, 2: BaseWagerHeld}


def test_what_is_held_tells_the_part() -> None:
    """Expected and given are parts of the base wager."""
    _, refused = admit([BASE, wager_on("blackjack.split", 500, no=2, on="1")], table(), DAY, LOCK, LOCK)
    assert [str(refusal) for _, refusal in refused] == [
        "expected 1 times the base wager on blackjack.split, given 1/2",
    ]
