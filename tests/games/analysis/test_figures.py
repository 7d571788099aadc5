"""Figures of a toy wager that can be checked by hand, and the stored ones."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from services.games.analysis import (
    Theory,
    analyse,
    analyses,
    return_at,
    stored,
    table_warnings,
    theoretical,
    warnings,
)
from services.games.analysis.law import count
from services.games.catalogue import catalogue
from services.games.terms import Offer, Terms
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
    monkeypatch.setattr(stored, "compute", lambda *key: {"counted": list(key)})
    assert analyse("baccarat.tie", "8", 8) is kept
    assert analyse("baccarat.tie", "8", 8, recompute=True) == {"counted": ["baccarat.tie", "8", 8]}
    assert analyse("baccarat.tie", "8", 7) == {"counted": ["baccarat.tie", "8", 7]}


def test_figures_are_saved_as_stable_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving writes all analyses, counted anew, as one JSON text."""
    monkeypatch.setattr(stored, "compute", lambda *key: dict(zip(("wager", "paytable", "decks"), key, strict=True)))
    stored.save(tmp_path / "stored")
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "stored").iterdir()}
    assert json.loads(texts["baccarat.json"])[0] == {"wager": "baccarat.banker", "paytable": "4%", "decks": 6}
    assert texts == stored.texts()
    assert sum(len(json.loads(text)) for text in texts.values()) == len(analyses())


def test_probabilities_sum_to_one() -> None:
    """The lines of every stored analysis, the losing one last, add up to exactly 1, and counted ones share a total."""
    for found in analyses():
        shares = [each["probability"] for each in found["lines"]]
        if not shares:
            assert found["depends_on"] in ("play", "stated")
            continue
        assert sum(map(Fraction, shares)) == 1
        rule = catalogue()[found["wager"]]
        if rule.sample and not rule.drawn:
            assert len({share.partition("/")[2] for share in shares}) == 1
        assert found["lines"][-1]["line"] == "lose"


def test_theory_agrees_with_the_stored_figures() -> None:
    """The exact house edge used in reports is the stored one before rounding, except for a progressive."""
    for found in analyses():
        exact = theoretical(found["wager"], found["paytable"], found["wheel"] or found["decks"])
        if found["house_edge"] is None:
            assert exact == Theory(None, None)
        elif "at" not in found:
            assert exact.house_edge is not None
            assert abs(exact.house_edge - Fraction(found["house_edge"])) <= Fraction(1, 2 * 10**12)
            assert exact.variance == Fraction(found["variance"])
        else:
            rule = catalogue()[found["wager"]]
            meters = rule.meters_of(found["paytable"])
            rates = sum((meter.increment_rate or 0) + meter.reserve_rate for meter in meters)
            assert exact.house_edge == 1 - Fraction(found["fixed_return"]) - Fraction(rates, 10_000)


SPUN = """
from fractions import Fraction
from services.games.paytables import PUSH, STAKE, Paytable, to_one
from services.games.wagers import Wager


def spun(name, classify=None, **given):
    return Wager(code=f"craps.{name}", section="623c.97", title=name, game="craps",
                 classify=classify or (lambda history, placement, terms: None), **given)


CHAIN = {"wins": Fraction(1, 4), "even": Fraction(1, 4), None: Fraction(1, 2)}
WAGERS = (
    spun("walk", paytables={"A": Paytable({"wins": to_one(3), "even": PUSH}, commission=500, commission_of=STAKE)},
         distribution=lambda name, setting: CHAIN),
    spun("drawn", paytables={"A": Paytable({"five": to_one(5), "two": to_one(2), "even": PUSH})},
         distribution=lambda name, setting: {"prize": Fraction(1, 4), "even": Fraction(1, 4), None: Fraction(1, 2)},
         drawn={"prize": ("five", "two")},
         draw_law=lambda options, setting: {"five": Fraction(1, 3), "two": Fraction(2, 3)} if options else None),
    spun("played", paytables={"A": Paytable({"wins": to_one(1)})}, depends_on="play"),
    spun("strategy", paytables={"A": Paytable({"wins": to_one(1)})}, assumes="always stands",
         distribution=lambda name, setting: {"wins": Fraction(2, 5), None: Fraction(3, 5)}),
)
"""


@pytest.fixture
def spun(tmp_path: Path) -> Iterator[None]:
    """Wagers of Craps with exact distributions: plain, with a drawn price, dependent on play, by a strategy."""
    theoretical.cache_clear()
    with wager_file(tmp_path, "spun", SPUN, "craps"):
        yield
    theoretical.cache_clear()


def test_a_distribution_gives_reduced_probabilities(spun: None) -> None:
    """A wager over several rolls has fractions of 1; a commission of the stake is taken from what it wins."""
    found = analyse("craps.walk", "A", None)
    assert [(each["line"], each["probability"]) for each in found["lines"]] == [
        ("wins", "1/4"),
        ("even", "1/4"),
        ("lose", "1/2"),
    ]
    net = Fraction(1, 4) * (3 - Fraction(1, 20)) - Fraction(1, 2)
    assert (Fraction(found["house_edge"]), found["hit_frequency"]) == (-net, "1/4")
    assert (found["decks"], found["wheel"], found["sample"]) == (None, None, "rolls of a shooter's hand")


def test_a_drawn_price_leaves_the_edge_open(spun: None) -> None:
    """What a generator draws has the chance of its event, a break-even mean and, by filed weights, a return."""
    found = analyse("craps.drawn", "A", None)
    assert found["lines"][0] == {"line": "prize", "probability": "1/4", "pays": "drawn: 5 to 1, 2 to 1"}
    assert (found["house_edge"], found["variance"], found["depends_on"]) == (None, None, "rng_weights")
    assert found["break_even_mean"] == "2/1"
    assert theoretical("craps.drawn", "A", None) == Theory(None, None)
    assert return_at("craps.drawn", "A", None, {"weights": "5:1,2:2"}) == Fraction(1, 4) + Fraction(1, 4) * (2 + 2)
    for code in ("craps.drawn", "craps.walk"):
        with pytest.raises(InvalidRequest, match=f"expected filed weights of what {code} draws, given none"):
            return_at(code, "A", None, {})


def test_where_play_decides_there_is_no_figure(spun: None) -> None:
    """A wager whose lines hang on the player's decisions says so; one by a written strategy names it."""
    found = analyse("craps.played", "A", None)
    assert (found["lines"], found["house_edge"], found["hit_frequency"], found["depends_on"]) == (
        [],
        None,
        None,
        "play",
    )
    assert theoretical("craps.played", "A", None) == Theory(None, None)
    assert analyse("craps.strategy", "A", None)["assumes"] == "always stands"
    with pytest.raises(InvalidRequest, match=r"lines can be counted, given craps\.played"):
        count(catalogue()["craps.played"], "A", None, 100)


def test_options_that_figures_assume_are_written_beside_them() -> None:
    """Royal 9 is counted for the positions of seven seats, which the analysis names."""
    assert analyse("minibaccarat.royal_9", "$5", 8)["assumes"].startswith("king_9_by_seat 1:K")


@pytest.mark.parametrize(
    ("code", "paytable", "setting", "words"),
    [
        (
            "roulette.dozen",
            "standard",
            8,
            "expected a wheel, single_zero or .*, given 8",
        ),
        ("roulette.dozen", "standard", None, "expected a wheel, .*, given none"),
        ("craps.pass", "standard", 8, "expected neither decks nor a wheel in craps, given 8"),
        ("baccarat.tie", "8", "single_zero", "expected at least one deck, given single_zero"),
    ],
)
def test_figures_are_asked_for_by_the_games_equipment(code: str, paytable: str, setting: Any, words: str) -> None:
    """Cards have decks, Roulette a wheel, Craps neither."""
    with pytest.raises(InvalidRequest, match=words):
        theoretical(code, paytable, setting)


def test_a_house_edge_outside_the_band_is_warned_of(spun: None) -> None:
    """The band is 0 to 45 % unless the property sets another; a figure that does not follow is not warned of."""
    assert warnings("craps.pass", "standard", None) == []
    assert warnings("craps.strategy", "A", None, (Fraction(0), Fraction(1, 10))) == [
        "623c.97: craps.strategy: expected a house edge of 0.00% to 10.00%, given 20.0000%"
    ]
    assert warnings("craps.walk", "A", None)[0].endswith("0.00% to 45.00%, given -23.7500%")
    assert warnings("craps.drawn", "A", None) == []


def test_a_table_is_warned_of_by_the_weights_it_filed(spun: None) -> None:
    """Where a generator draws, the return under the filed weights is held against the band."""
    offers = {"craps.drawn": Offer("craps.drawn", "A", 100), "craps.strategy": Offer("craps.strategy", "A", 100)}
    table = Terms("RS-1", "craps", "live", 0, 7, offers)
    assert table_warnings(table) == []
    filed = {**offers, "craps.drawn": Offer("craps.drawn", "A", 100, options=(("weights", "5:1,2:2"),))}
    (said,) = table_warnings(replace(table, offers=filed))
    assert said == "623c.97: craps.drawn: expected a house edge of 0.00% to 45.00%, given -25.0000%"
