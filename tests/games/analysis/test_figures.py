"""Figures of a toy wager that can be checked by hand, and the stored ones."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from services.games.analysis import Theory, analyse, analyses, stored, theoretical
from services.games.catalogue import catalogue
from services.kernel.errors import InvalidRequest, PaytableUnknown, WagerUnknown
from tests.builders import wager_file

TOY = """
from services.games.paytables import NOT_PAID, PUSH, Fixed, MeterShare, Paytable, for_one, to_one
from services.games.wagers import Case, Meter, Placement, Sample, Wager

SAMPLE = Sample("ten tickets", Placement(1),
                lambda decks: [Case(n, decks) for n in range(10)], lambda n, on: n)


def classify(history, placement, terms):
    return {0: "mega", 1: "double", 2: "push", 3: "none", 4: "gift"}.get(history)


def toy(name, **given):
    return Wager(code=f"baccarat.{name}", section="631c.97", title=name, game="baccarat", classify=classify,
                 sample=SAMPLE, **given)


ODDS = {"double": to_one(2), "push": PUSH, "none": NOT_PAID, "gift": Fixed(300)}
METERS = (Meter("mega", 1_000, False, 500, 100), Meter("mini", 50, True, 200))
WAGERS = (
    toy("toy", paytables={"A": Paytable({"mega": for_one(3), **ODDS}, commission=1_000)}),
    toy("toy_meter", paytables={"A": Paytable({"mega": MeterShare("mega", 5_000), **ODDS}, decks=(3,))},
        meters=METERS, minimum_cents=100),
    toy("toy_coins", paytables={"A": Paytable({"mega": for_one(3), **ODDS})}, denominations=(500, 200)),
)
"""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[None]:
    """Wagers on the number of one ticket of ten: on odds, on a meter, and in coins of two sizes."""
    theoretical.cache_clear()
    with wager_file(tmp_path, "toy", TOY):
        yield
    theoretical.cache_clear()


def test_figures_follow_from_the_lines(toy: None) -> None:
    """Edge, hit frequency and variance are the exact sums over the lines, N/A counting as lost."""
    found = analyse("baccarat.toy", "A", 2)
    assert [(each["line"], each["probability"], each["pays"]) for each in found["lines"]] == [
        ("mega", "2/20", "3 for 1 less 10% commission"),
        ("double", "2/20", "2 to 1 less 10% commission"),
        ("push", "2/20", "push"),
        ("gift", "2/20", "$3.00"),
        ("lose", "12/20", "loss"),
    ]
    nets = [Fraction(17, 10), Fraction(18, 10), Fraction(0), Fraction(2), *[Fraction(-1)] * 6]
    mean = sum(nets, Fraction(0)) / 10
    assert (found["house_edge"], found["hit_frequency"]) == ("0.050000000000", "6/20")
    assert Fraction(found["variance"]) == sum(each**2 for each in nets) / 10 - mean**2
    assert (found["section"], found["title"], found["decks"], found["sample"]) == (
        "631c.97",
        "toy",
        2,
        "ten tickets",
    )
    assert (found["assumes"], found["depends_on"]) == (None, None)
    assert theoretical("baccarat.toy", "A", 2) == Theory(-mean, Fraction(found["variance"]))


def test_a_progressive_is_taken_at_its_seed(toy: None) -> None:
    """A progressive is analysed at its seed and least stake, with its return by meter value."""
    found = analyse("baccarat.toy_meter", "A", 3)
    fixed_return = (Fraction(3) + 1 + 3) / 10
    assert found["at"] == {"seed_cents": {"mega": 1_000, "mini": 50}, "stake_cents": 100}
    assert Fraction(found["fixed_return"]) == fixed_return
    assert found["house_edge"] == "-0.200000000000"  # half of ten dollars for one in ten, at a stake of one
    assert found["return_per_meter_dollar"] == {"mega": "1/20", "mini": "0/1"}
    assert found["break_even_meter_cents"] == {"mega": 600, "mini": None}


def test_the_theory_of_a_progressive_leaves_the_meter_out(toy: None) -> None:
    """Expected win is what fixed awards and the rates of the meters leave, with the spread of the first."""
    found = theoretical("baccarat.toy_meter", "A", 3)
    assert found.house_edge == 1 - Fraction(7, 10) - Fraction(800, 10_000)
    assert found.variance == Fraction(9 + 1 + 9, 10) - Fraction(7, 10) ** 2


def test_a_fixed_amount_is_taken_at_the_least_stake(toy: None) -> None:
    """Where a wager has amounts of its own, the least of them is the stake."""
    lines = {each["line"]: each for each in analyse("baccarat.toy_coins", "A", 1)["lines"]}
    assert lines["gift"]["probability"] == "1/10"
    assert theoretical("baccarat.toy_coins", "A", 1).house_edge == 1 - (Fraction(3) + 3 + 1 + Fraction(3, 2)) / 10


def test_every_paytable_is_analysed_at_its_deck_counts(toy: None) -> None:
    """A paytable is analysed at the decks it is for, or at six and eight."""
    found = [(each["wager"], each["paytable"], each["decks"]) for each in analyses()]
    assert found == sorted(found)
    assert [key for key in found if "toy_meter" in key[0]] == [("baccarat.toy_meter", "A", 3)]
    assert [key[2] for key in found if key[0] == "baccarat.toy"] == [6, 8]
    assert {key[0] for key in found} == set(catalogue())


def test_what_does_not_exist_has_no_figures() -> None:
    """An unknown wager or paytable is refused by name."""
    with pytest.raises(WagerUnknown, match=r"baccarat\.faro"):
        analyse("baccarat.faro", "A", 8)
    with pytest.raises(PaytableUnknown, match=r"expected paytable 8 or 9 of baccarat\.tie, given '10'"):
        analyse("baccarat.tie", "10", 8)
    with pytest.raises(InvalidRequest, match="expected at least one deck, given 0"):
        analyse("baccarat.tie", "8", 0)


def test_stored_figures_are_used_unless_counting_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored analysis is read, and counted anew only when asked."""
    kept = analyse("baccarat.tie", "8", 8)
    monkeypatch.setattr(stored, "compute", lambda *key: {"counted": key})
    assert analyse("baccarat.tie", "8", 8) is kept
    assert analyse("baccarat.tie", "8", 8, recompute=True) == {"counted": ("baccarat.tie", "8", 8)}
    assert analyse("baccarat.tie", "8", 7) == {"counted": ("baccarat.tie", "8", 7)}


def test_figures_are_saved_as_stable_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving writes all analyses, counted anew, as one JSON text."""
    monkeypatch.setattr(stored, "compute", lambda *key: dict(zip(("wager", "paytable", "decks"), key, strict=True)))
    stored.save(tmp_path / "stored.json")
    text = (tmp_path / "stored.json").read_text(encoding="utf-8")
    assert json.loads(text)[0] == {"wager": "baccarat.banker", "paytable": "4%", "decks": 6}
    assert text == stored.as_text(analyses(recompute=True))


def test_probabilities_sum_to_one() -> None:
    """The lines of every stored analysis, the losing one last, share one total that they add up to."""
    for found in analyses():
        ways = [each["probability"].split("/") for each in found["lines"]]
        assert {total for _, total in ways} == {str(sum(int(number) for number, _ in ways))}
        assert found["lines"][-1]["line"] == "lose"


def test_theory_agrees_with_the_stored_figures() -> None:
    """The exact house edge used in reports is the stored one before rounding, except for a progressive."""
    for found in analyses():
        exact = theoretical(found["wager"], found["paytable"], found["decks"])
        if "at" not in found:
            assert abs(exact.house_edge - Fraction(found["house_edge"])) <= Fraction(1, 2 * 10**12)
            assert exact.variance == Fraction(found["variance"])
        else:
            assert exact.house_edge == 1 - Fraction(found["fixed_return"]) - Fraction(1, 10)
