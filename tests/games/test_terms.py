"""Terms: read, written canonically and held against the regulation."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from services.games.catalogue import catalogue
from services.games.terms import Offer, Terms, canonical_json, check_terms, digest
from services.kernel.errors import TermsContradictRules
from tests.builders import terms, wager_file, with_offer

DAY = date(2026, 3, 2)

ODDITY = """
from dataclasses import replace
from datetime import date
from services.games.baccarat.wagers.tie import WAGERS as TIES
from services.games.paytables import Paytable, to_one
from services.games.wagers import Mystery
WAGERS = (replace(
    TIES[0], code="baccarat.oddity", section="631c.99", maximum_cents=10_000,
    table_kinds=("fully_automated",),
    paytables={"A": Paytable({"tie": to_one(8)}, decks=(6,))}, expires=date(2026, 8, 4),
), replace(TIES[0], code="roulette.oddity", section="617c.99", game="roulette"),
replace(TIES[0], code="baccarat.mystery", section="631c.99", mysteries=(
    Mystery("small", 0, 10_000, 20_000, 200), Mystery("large", 500, 10_000, 50_000, 100),
)))
"""


@pytest.fixture
def oddity(tmp_path: Path) -> Iterator[None]:
    """A wager with a maximum, for six decks on automated tables until August 2026, and another game's."""
    with wager_file(tmp_path, "oddity", ODDITY):
        yield


def message(**changes: Any) -> Any:
    """Terms as they come on the wire."""
    offers = [
        SimpleNamespace(code="baccarat.tie", paytable="8", minimum_cents=500, maximum_cents=0, options={}),
        SimpleNamespace(
            code="baccarat.banker",
            paytable="5%",
            minimum_cents=500,
            maximum_cents=90_000,
            options={"commission_rounding": "cent"},
        ),
    ]
    given = {"game": "baccarat", "kind": "live", "decks": 8, "seats": 7, "offers": offers}
    return SimpleNamespace(**{**given, **changes})


def only(code: str, paytable: str, minimum: int = 100, maximum: int | None = None, **table: Any) -> Terms:
    """Terms that offer one wager alone."""
    offers = {code: Offer(code, paytable, minimum, maximum)}
    return replace(Terms("RS-1", "baccarat", "live", 8, 7, offers), **table)


def test_terms_are_read_from_a_message() -> None:
    """A maximum of 0 in the message is no maximum, and options are kept sorted."""
    found = Terms.read("RS-9", message())
    assert (found.submission_id, found.decks, found.seats, found.kind) == ("RS-9", 8, 7, "live")
    assert found.offers["baccarat.tie"] == Offer("baccarat.tie", "8", 500, None)
    banker = Offer("baccarat.banker", "5%", 500, 90_000, (("commission_rounding", "cent"),))
    assert found.offers["baccarat.banker"] == banker


def test_a_wager_offered_twice_is_refused() -> None:
    """One table offers one wager on one paytable."""
    with pytest.raises(TermsContradictRules, match=r"offers of baccarat\.tie: expected one, given two"):
        Terms.read("RS-9", message(offers=[*message().offers, message().offers[0]]))


def test_equal_terms_have_one_digest_in_any_order() -> None:
    """The digest leaves out the submission's id and does not depend on the order of the offers."""
    one, other = Terms.read("RS-1", message()), Terms.read("RS-2", message(offers=message().offers[::-1]))
    assert (
        canonical_json(one)
        == canonical_json(other)
        == (
            '{"decks":8,"game":"baccarat","kind":"live","offers":['
            '{"code":"baccarat.banker","maximum_cents":90000,"minimum_cents":500,'
            '"options":{"commission_rounding":"cent"},"paytable":"5%"},'
            '{"code":"baccarat.tie","maximum_cents":0,"minimum_cents":500,"options":{},"paytable":"8"}],"seats":7}'
        )
    )
    assert digest(one) == digest(other) != digest(Terms.read("RS-1", message(decks=6)))
    assert len(digest(one)) == 64


@pytest.mark.parametrize("table", ["A", "B"])
def test_terms_with_every_wager_are_accepted(table: str) -> None:
    """All wagers of Baccarat may be offered together, the 5 Treasures on either paytable."""
    treasures = {code: table for code, rule in catalogue().items() if rule.family == "5 Treasures"}
    assert len(treasures) == 5
    check_terms(terms(treasures), DAY)


@pytest.mark.parametrize("rounding", ["cent", "nearest_quarter"])
def test_an_option_of_the_wager_may_be_chosen(rounding: str) -> None:
    """The Rules Submission chooses among the values a wager's option has."""
    check_terms(with_offer("baccarat.banker", options=(("commission_rounding", rounding),)), DAY)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            replace(terms(), game="faro"),
            "expected baccarat or minibaccarat or midibaccarat or roulette or craps or blackjack, given faro",
        ),
        (
            replace(terms(), kind="online"),
            "631a.2: kind: expected live or hybrid or fully_automated, given online",
        ),
        (terms(decks=5), "631a.3: decks: expected at least 6, given 5"),
        (terms(seats=0), "631a.2: seats: expected at least 1, given 0"),
        (replace(terms(), offers={}), "601a.2: offers: expected at least one wager, given none"),
        (only("baccarat.faro", "A"), "601a.2: wager: expected one of the catalogue, given baccarat.faro"),
        (
            only("baccarat.golden_8", "A"),
            "631c.3: base wager of baccarat.golden_8: expected baccarat.player or baccarat.banker",
        ),
        (
            only("baccarat.tie", "11"),
            "631a.12: paytable of baccarat.tie: expected 8 or 9, given 11",
        ),
        (
            only("baccarat.tie", "8", 0),
            "631a.12: minimum of baccarat.tie: expected at least $0.01, given $0.00",
        ),
        (
            with_offer("baccarat.heavenly_9_progressive", minimum_cents=499),
            "631c.2: minimum of baccarat.heavenly_9_progressive: expected at least $5.00, given $4.99",
        ),
        (
            only("baccarat.tie", "8", 500, 499),
            "631a.12: maximum of baccarat.tie: expected at least the minimum, $5.00, given $4.99",
        ),
        (
            terms({"baccarat.blazing_7s": "B"}),
            "expected A, as baccarat.cover_all of 5 Treasures, given B",
        ),
        (
            with_offer("baccarat.tie", options=(("suit", "S"),)),
            "631a.12: option of baccarat.tie: expected none, given suit",
        ),
        (
            with_offer("baccarat.banker", options=(("commission_rounding", "dime"),)),
            "option commission_rounding of baccarat.banker: expected cent or nearest_quarter, given dime",
        ),
    ],
)
def test_terms_against_the_regulation_are_refused(given: Terms, words: str) -> None:
    """What contradicts a section is refused with section, field, what was expected and what was given."""
    with pytest.raises(TermsContradictRules) as refusal:
        check_terms(given, DAY)
    assert words in refusal.value.message


@pytest.mark.parametrize(
    ("changes", "day", "words"),
    [
        ({}, DAY, "kind of table for baccarat.oddity: expected fully_automated, given live"),
        ({"kind": "fully_automated"}, DAY, "decks for paytable A of baccarat.oddity: expected 6, given 8"),
        (
            {"kind": "fully_automated", "decks": 6},
            date(2026, 8, 5),
            "gaming day of baccarat.oddity: expected any day to 2026-08-04, given 2026-08-05",
        ),
    ],
)
def test_terms_beyond_a_wagers_own_limits_are_refused(
    oddity: None, changes: dict[str, Any], day: date, words: str
) -> None:
    """A wager is offered on its kinds of table, at its deck counts, in its days."""
    with pytest.raises(TermsContradictRules, match=words):
        check_terms(only("baccarat.oddity", "A", 100, 10_000, **changes), day)


@pytest.mark.parametrize(("maximum", "given"), [(None, "no maximum"), (10_001, r"\$100\.01")])
def test_a_maximum_over_the_sections_is_refused(oddity: None, maximum: int | None, given: str) -> None:
    """Where the section sets a maximum, the table has one that is not higher."""
    table = {"kind": "fully_automated", "decks": 6}
    with pytest.raises(TermsContradictRules, match=rf"expected at most \$100\.00, given {given}"):
        check_terms(only("baccarat.oddity", "A", 100, maximum, **table), DAY)
    check_terms(only("baccarat.oddity", "A", 100, 10_000, **table), DAY)


def test_a_wager_of_another_game_is_refused(oddity: None) -> None:
    """A table offers the wagers of its own game."""
    with pytest.raises(TermsContradictRules, match=r"game of roulette\.oddity: expected roulette, given baccarat"):
        check_terms(only("roulette.oddity", "8"), DAY)


def test_a_family_stands_beside_a_wager_the_catalogue_does_not_know() -> None:
    """An unknown wager is refused as unknown, whatever stands before it."""
    unknown = Offer("baccarat.zzz", "B", 100)
    with pytest.raises(TermsContradictRules, match=r"given baccarat\.zzz"):
        check_terms(replace(terms(), offers={**terms().offers, "baccarat.zzz": unknown}), DAY)


def cards_table(code: str = "baccarat.tie", **changes: Any) -> Terms:
    """A table with one wager, changed in its offer."""
    paytable = next(iter(catalogue()[code].paytables))
    return only_offer(Offer(code, **{"paytable": paytable, "minimum_cents": 500, **changes}))


def only_offer(offer: Offer, **table: Any) -> Terms:
    """A table of the wager's game that offers it alone."""
    game = catalogue()[offer.code].game
    given = {"decks": 8 if "baccarat" in game else 0, "wheel": "single_zero" if game == "roulette" else "", **table}
    return Terms("RS-1", game, "live", given["decks"], 7, {offer.code: offer}, given["wheel"])


def test_a_wheel_and_a_maximum_payout_are_read_and_digested_where_there_are_any() -> None:
    """Terms without them have the digest they always had."""
    plain = message().offers[0]
    capped = SimpleNamespace(**{**vars(plain), "maximum_payout_cents": 500_000})
    found = Terms.read("RS-9", message(game="roulette", decks=0, wheel="single_zero", offers=[capped]))
    assert (found.wheel, found.offers["baccarat.tie"].maximum_payout_cents) == ("single_zero", 500_000)
    assert '"maximum_payout_cents":500000' in canonical_json(found)
    assert canonical_json(found).endswith('"seats":7,"wheel":"single_zero"}')
    none = Terms.read("RS-9", message(wheel="", offers=[SimpleNamespace(**{**vars(plain), "maximum_payout_cents": 0})]))
    assert digest(none) == digest(Terms.read("RS-9", message(offers=[plain])))


@pytest.mark.parametrize(
    ("game", "table", "expected"),
    [("baccarat", {}, 8), ("roulette", {"wheel": "double_zero"}, "double_zero"), ("craps", {}, None)],
)
def test_figures_are_for_the_tables_equipment(game: str, table: dict[str, Any], expected: object) -> None:
    """Exact figures are counted for the decks, for the wheel, or for neither."""
    assert terms(game=game, **table).setting == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (only_offer(Offer("roulette.dozen", "standard", 100), wheel=""), "617a.1: wheel: expected single_zero or"),
        (
            only_offer(Offer("roulette.dozen", "standard", 100), decks=6),
            "617a.1: decks: expected none in roulette, given 6",
        ),
        (only_offer(Offer("craps.field", "double 12", 100), decks=1), "623a.1: decks: expected none in craps, given 1"),
        (
            only_offer(Offer("craps.field", "double 12", 100), wheel="single_zero"),
            "623a.1: wheel: expected none in craps, given single_zero",
        ),
        (
            only_offer(Offer("roulette.five_number", "standard", 100)),
            "617a.4: wheel for paytable standard of roulette.five_number: expected double_zero, given single_zero",
        ),
        (
            cards_table(maximum_payout_cents=5_000),
            "631a.12: maximum payout of baccarat.tie: expected none without a maximum, given $50.00",
        ),
        (
            cards_table(maximum_cents=10_000, maximum_payout_cents=9_999),
            "maximum payout of baccarat.tie: expected at least the maximum stake, $100.00, given $99.99",
        ),
        (
            with_offer("baccarat.heavenly_9_progressive", minimum_cents=500, options=(("mystery", "Z"),)),
            "option mystery of baccarat.heavenly_9_progressive: expected none or A-$1 or",
        ),
        (
            with_offer("baccarat.heavenly_9_progressive", options=(("mystery_paid_from", "pocket"),)),
            "option mystery_paid_from of baccarat.heavenly_9_progressive: expected slip or inventory, given pocket",
        ),
        (
            only_offer(Offer("minibaccarat.royal_9", "$5", 500)),
            "base wager of minibaccarat.royal_9: expected minibaccarat.player",
        ),
    ],
)
def test_equipment_payouts_and_mysteries_are_held_against_the_sections(given: Terms, words: str) -> None:
    """Decks, wheels, maximum payouts and mystery bonuses are refused by section, field, expected and given."""
    with pytest.raises(TermsContradictRules) as refusal:
        check_terms(given, DAY)
    assert words in refusal.value.message


def test_an_option_that_must_be_chosen_is_missed() -> None:
    """The king-nine combinations of the positions, or the payouts that may be drawn, are the table's to file."""
    with pytest.raises(TermsContradictRules, match=r"option king_9_by_seat of .*: expected a choice, given none"):
        check_terms(replaced("minibaccarat.royal_9", options=()), DAY)


def test_an_option_with_a_reader_is_refused_in_its_words() -> None:
    """A parser says what it expected, and the section stands before it."""
    wrong = replaced("minibaccarat.royal_9", options=(("king_9_by_seat", "1:KS8S"),))
    with pytest.raises(TermsContradictRules, match=r"627c\.3: option king_9_by_seat of .*: expected a king and a nine"):
        check_terms(wrong, DAY)


def replaced(code: str, **changes: Any) -> Terms:
    """All wagers of the wager's game that may stand together, one offer changed."""
    found = terms(game=catalogue()[code].game)
    return replace(found, offers={**found.offers, code: replace(found.offers[code], **changes)})


def test_a_mystery_is_for_the_denomination_it_is_printed_for(oddity: None) -> None:
    """631c.6(c)(4) prints a configuration for each least wager; a table with a lower minimum cannot have it."""

    def table(minimum: int, mystery: str) -> Terms:
        chosen = (("mystery", mystery), ("mystery_paid_from", "inventory"))
        return only_offer(Offer("baccarat.mystery", "8", minimum, options=chosen))

    for minimum, mystery in ((500, "large"), (100, "small"), (100, "")):
        check_terms(table(minimum, mystery), DAY)
    with pytest.raises(TermsContradictRules, match=r"expected at least \$5\.00 with mystery large, given \$4\.99"):
        check_terms(table(499, "large"), DAY)


def test_options_are_read_where_they_are_chosen() -> None:
    """A choice is read by the option's parser; without one the first value stands, or nothing."""
    banker = with_offer("baccarat.banker", options=(("commission_rounding", "nearest_quarter"),))
    assert banker.option("baccarat.banker", "commission_rounding") == "nearest_quarter"
    assert terms().option("baccarat.banker", "commission_rounding") == "cent"
    assert terms().parsed("baccarat.banker", "commission_rounding") == "cent"
    assert terms().option("baccarat.banker", "suit") is None
    assert terms().option("baccarat.faro", "suit") is None
    assert only("baccarat.tie", "8").option("baccarat.banker", "commission_rounding") == "cent"
    drawn = terms(game="roulette")
    assert drawn.parsed("roulette.b2b", "payouts") == (1000, 500, 250, 100, 50, 25, 10)
    assert drawn.parsed("roulette.b2b", "weights") is None


@pytest.mark.parametrize("game", ["minibaccarat", "midibaccarat", "craps"])
@pytest.mark.parametrize("kind", ["live", "hybrid", "fully_automated"])
def test_the_wagers_of_a_game_may_be_offered_together(game: str, kind: str) -> None:
    """All wagers that a kind of table may have stand together."""
    check_terms(terms(game=game, kind=kind), DAY)


@pytest.mark.parametrize("wheel", ["single_zero", "double_zero", "double_zero_as_single"])
def test_the_wagers_of_a_wheel_may_be_offered_together(wheel: str) -> None:
    """All wagers of Roulette that the wheel's layout has stand together."""
    found = terms(game="roulette", wheel=wheel)
    fitting = {code: each for code, each in found.offers.items() if wheel in _wheels(code, wheel)}
    check_terms(replace(found, offers=fitting), DAY)


def _wheels(code: str, wheel: str) -> tuple[str, ...]:
    return next(iter(catalogue()[code].paytables.values())).wheels or (wheel,)


def test_what_a_section_says_besides_is_held_against_the_terms() -> None:
    """A contradiction that a wager's own check finds is refused with its section."""
    mixed = terms({"baccarat.banker": "5%"}, every=True)
    with pytest.raises(TermsContradictRules, match=r"631c\.5: paytable of baccarat\.banker: expected commission-free"):
        check_terms(replace(mixed, kind="fully_automated"), DAY)
