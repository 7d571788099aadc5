"""Must-Hit-By Mystery bonus of Blackjack."""

from services.games.blackjack.must_hit_by import MUST_HIT_BY


def test_must_hit_by_mystery_has_twelve_configurations() -> None:
    """Each of A to D for a least wager of $1, $2 and $5, with its minimum, maximum and rate as 633c.14 prints them."""
    assert {each.name: each[1:5] for each in MUST_HIT_BY} == {
        "A-$1": (100, 10_000, 20_000, 200),
        "A-$2": (200, 10_000, 20_000, 150),
        "A-$5": (500, 10_000, 25_000, 100),
        "B-$1": (100, 10_000, 50_000, 500),
        "B-$2": (200, 10_000, 50_000, 350),
        "B-$5": (500, 10_000, 50_000, 200),
        "C-$1": (100, 25_000, 50_000, 200),
        "C-$2": (200, 25_000, 50_000, 150),
        "C-$5": (500, 25_000, 50_000, 50),
        "D-$1": (100, 25_000, 100_000, 500),
        "D-$2": (200, 25_000, 100_000, 300),
        "D-$5": (500, 25_000, 100_000, 200),
    }
    assert {each.section for each in MUST_HIT_BY} == {"633c.14"}
