"""What holds for every wager of Craps in every hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.catalogue import catalogue
from services.games.craps.chains import NO_TERMS
from services.games.craps.hand import Hand, in_time
from services.games.wagers import PENDING, Placement, Wager
from tests.games.craps.dice import hands

CRAPS = [rule for rule in catalogue().values() if rule.game == "craps"]


@pytest.mark.parametrize("rule", CRAPS, ids=lambda rule: rule.code)
def test_a_wager_is_settled_once_and_by_the_seven_out(rule: Wager) -> None:
    """Pending until one roll settles it, as it then stays; at the seven-out nothing is pending."""

    @given(found=hands(), data=st.data())
    def holds(found: Hand, data: st.DataObject) -> None:
        roll = data.draw(st.sampled_from([roll for roll in range(61) if in_time(rule.lock, roll, found)]))
        place = Placement(1, data.draw(st.sampled_from(rule.placements)), roll)
        lines = [rule.classify(Hand(found.rolls[:rolls]), place, NO_TERMS) for rolls in range(len(found.rolls) + 1)]
        settled = [line for line in lines if line is not PENDING]
        assert lines == [PENDING] * (len(lines) - len(settled)) + settled[:1] * len(settled)
        assert all(line is PENDING for line in lines[: roll + 1])
        assert settled or not found.over or roll > len(found.rolls)
        assert all(line in table.lines for line in settled if line for table in rule.paytables.values())

    holds()
