"""Identities are derived, so that every service names a thing alike."""

from datetime import date

from services.kernel.ids import RoundKey, alert_id, decision_id, hit_id, jackpot_id

KEY = RoundKey(date(2026, 3, 2), "BAC-01", 3, 17)


def test_a_round_is_written_with_its_roll_only_where_it_has_rolls() -> None:
    """The key of a round with one result has no roll in writing."""
    assert str(KEY) == "2026-03-02/BAC-01/3/17"
    assert str(KEY._replace(roll=4)) == "2026-03-02/BAC-01/3/17/4"


def test_an_id_follows_from_its_parts_alone() -> None:
    """The same parts give the same id, any other part another one."""
    assert jackpot_id(KEY, 4, "mega") == jackpot_id(RoundKey(*KEY), 4, "mega", 0)
    ids = {
        jackpot_id(KEY, 4, "mega"),
        jackpot_id(KEY, 5, "mega"),
        jackpot_id(KEY, 4, "major"),
        hit_id("L", "mega", 1),
    }
    assert len({*ids, jackpot_id(KEY._replace(roll=1), 4, "mega"), hit_id("L", "mega", 2)}) == 6
    assert {each[:2] for each in ids} == {"J-", "H-"}


def test_what_people_decide_and_what_they_are_told_have_ids_of_their_own() -> None:
    """The kind of a thing stands in front of its id, so that one is never taken for the other."""
    assert decision_id("HAR", "p1") == decision_id("HAR", "p1") != decision_id("HAR", "p2")
    assert (decision_id("HAR", 1)[:2], alert_id("HAR", 1)[:2]) == ("D-", "A-")
    assert decision_id("HAR", 1)[2:] == alert_id("HAR", 1)[2:]
