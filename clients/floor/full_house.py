"""A property that offers every wager of the catalogue on every filed paytable, each at some table.

Which wagers may lie beside each other is not written down here: tables are filled as far as the rules let them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import count, product

from clients.floor.house import (
    BASE_LIMITS,
    EFFECTIVE,
    PROGRESSIVE,
    PROGRESSIVE_LIMITS,
    SIDE_LIMITS,
    House,
    Link,
    Table,
    by_code,
    by_decks,
    people,
    pit_of,
)
from services.games.blackjack.house import (
    BASE_WAGERS,
    COMMUNITY,
    NO_HOLE_CARD,
    ORIGINAL_ONLY,
    WITHOUT_HOLE_CARD,
)
from services.games.catalogue import catalogue
from services.games.results import GAMES, Game
from services.games.terms import MYSTERY, Offer, Terms, check_terms
from services.games.wagers import Meter, Wager
from services.kernel.errors import TermsContradictRules

SEATS = 12
DECKS = 8, 6
FILED_RATES = {"mega": 800, "major": 300, "minor": 200, "progressive": 500}
"""Hundredths of a percent, where the section leaves the rate to the Rules Submission (627c.3(f)(2), 629c.3(f)(2))."""
KING_9S = " ".join(
    f"{seat}:K{king}9{nine}" for seat, (king, nine) in zip(range(1, SEATS + 1), product("CDHS", repeat=2), strict=False)
)
OPTIONS: dict[str, dict[str, str]] = {
    PROGRESSIVE: {MYSTERY: "D-$5"},
    "roulette.b2b": {"payouts": "1000,100,25,10", "weights": "1000:1,100:20,25:60,10:100"},
    "roulette.lightning_straight": {
        "payouts": "499,299,99,49",
        "weights": "499:1,299:4,99:20,49:75",
        "lucky_numbers": "1:10,2:20,3:20,4:10,5:5",
    },
    "minibaccarat.royal_9": {"king_9_by_seat": KING_9S},
    "midibaccarat.royal_9": {"king_9_by_seat": KING_9S},
}
"""What the Rules Submission states where a section has it state something."""

NOT_HYBRID = "live", "fully_automated"
SEATS_OF_DECKS = {1: 3, 2: 5}
"""Fewer players than usual where there are few cards."""

HOUSE_RULES = {"dealing": COMMUNITY}
NO_HOLE_CARD_RULES = {"dealing": NO_HOLE_CARD, "dealer_blackjack": ORIGINAL_ONLY, "most_hands": "2"}
"""What a hybrid table's Blackjack wager states, where the dealer takes a hole card and where he does not."""

Filed = tuple[Wager, str]
"""A wager and the name of one of its paytables."""


def full_house(property_id: str = "FULL", title: str = "Full House", day: date = EFFECTIVE) -> House:
    """A house whose tables together offer every wager in force on that gaming day, with links for all progressives."""
    numbers = count(1)
    tables = tuple(table for game in GAMES.values() for table in _tables(game, numbers, day))
    links = tuple(_links(property_id, tables))
    return House(property_id, title, *people(property_id), tables, links, thorough=True)


def _tables(game: Game, numbers: Iterator[int], day: date) -> Iterator[Table]:
    rules = [rule for rule in catalogue().values() if rule.game == game.name and rule.in_force(day)]
    wanted = [(rule, paytable) for rule in rules for paytable in rule.paytables]
    for place in count(1):
        if not wanted:
            if game.name == "blackjack":
                yield Table(f"{game.name[:3].upper()}-{place:02d}", pit_of(next(numbers)), _without_hole_card(day))
            return
        terms = _filled(_opened(game, *wanted[0], place, day), wanted, day)
        left = [filed for filed in wanted if not _offered(filed, terms)]
        if len(left) == len(wanted):
            raise TermsContradictRules(f"expected a table for {wanted[0][0].code}, given none that the rules allow")
        wanted = left
        yield Table(f"{game.name[:3].upper()}-{place:02d}", pit_of(next(numbers)), terms)


def _without_hole_card(day: date) -> Terms:
    """A hybrid table whose dealer takes no hole card, with all that it may offer (633c.5(w) to (ee))."""
    offers = []
    for code in WITHOUT_HOLE_CARD:
        rule = catalogue()[code]
        offers.append(_offer(rule, next(iter(rule.paytables)), Terms("", rule.game, "hybrid", DECKS[0], SEATS, {})))
    offers[0] = replace(offers[0], options=tuple(sorted(NO_HOLE_CARD_RULES.items())))
    found = Terms("", "blackjack", "hybrid", DECKS[0], SEATS, by_code(offers))
    check_terms(found, day)
    return found


def _opened(game: Game, rule: Wager, paytable: str, place: int, day: date) -> Terms:
    """A table without offers that suits one wager; kinds, decks and wheels take turns as far as it allows."""
    printed = rule.paytables[paytable]
    kinds = rule.table_kinds if game.name != "blackjack" or rule.table_kinds == ("hybrid",) else NOT_HYBRID
    kind = kinds[place % len(kinds)]
    decks = (
        (printed.decks or rule.kept_for or DECKS)[place % len(printed.decks or rule.kept_for or DECKS)]
        if game.fewest_decks
        else 0
    )
    wheels = printed.wheels or game.wheels or ("",)
    bare = Terms("", game.name, kind, decks, SEATS_OF_DECKS.get(decks, SEATS), {}, wheels[place % len(wheels)])
    return _with(bare, (rule, paytable), day) or bare


def _filled(terms: Terms, wanted: Iterable[Filed], day: date) -> Terms:
    """The table with every wanted wager that the rules let stand beside those before it, then with any others."""
    rules = sorted(catalogue().values(), key=lambda rule: not _is_base(rule))
    for filed in [*wanted, *((rule, name) for rule in rules for name in rule.paytables)]:
        if filed[0].game == terms.game and filed[0].code not in terms.offers:
            terms = _with(terms, filed, day) or terms
    return terms


def _with(terms: Terms, filed: Filed, day: date) -> Terms | None:
    """The table with one more wager, and a base wager that it needs; None where the rules refuse it."""
    rule, _ = filed
    if not rule.needs or any(code in terms.offers for code in rule.needs):
        return _checked(terms, [filed], day)
    bases = [catalogue()[code] for code in rule.needs]
    tried = (_checked(terms, [(base, name), filed], day) for base in bases for name in base.paytables)
    return next((found for found in tried if found), None)


def _checked(terms: Terms, filed: Iterable[Filed], day: date) -> Terms | None:
    added = [_offer(rule, paytable, terms) for rule, paytable in filed]
    found = replace(terms, offers=by_code([*terms.offers.values(), *added]))
    try:
        check_terms(found, day)
    except TermsContradictRules:
        return None
    return found


def _offer(rule: Wager, paytable: str, terms: Terms) -> Offer:
    """Usual limits within those of the section."""
    amounts = rule.paytables[paytable].denominations or rule.denominations
    low, high = BASE_LIMITS if _is_base(rule) else PROGRESSIVE_LIMITS if rule.meters else SIDE_LIMITS
    least, most = (min(amounts), max(amounts)) if amounts else (max(low, rule.minimum_cents), high)
    if rule.base_share:
        least = min(least, SIDE_LIMITS[0])
    options = HOUSE_RULES if rule.code in BASE_WAGERS and terms.kind == "hybrid" else _stated(rule)
    return Offer(rule.code, paytable, least, min(most, rule.maximum_cents or most), tuple(sorted(options.items())))


def _stated(rule: Wager) -> dict[str, str]:
    """The options that the Rules Submission has to state: those written down here, else what the figures assume."""
    return OPTIONS.get(rule.code) or {name: rule.assumed[name] for name in rule.required_options}


def _is_base(rule: Wager) -> bool:
    """Whether the wager is one of the game's own chapter."""
    return rule.section.startswith(GAMES[rule.game].chapter)


def _offered(filed: Filed, terms: Terms) -> bool:
    rule, paytable = filed
    return rule.code in terms.offers and terms.offers[rule.code].paytable == paytable


def _links(property_id: str, tables: tuple[Table, ...]) -> Iterator[Link]:
    """One link for each progressive wager, paytable and number of decks, over all tables that offer it."""
    progressives = [(rule, name) for rule in catalogue().values() if rule.meters for name in rule.paytables]
    for number, (rule, name) in enumerate(progressives, start=1):
        meters = tuple(map(_filed_rate, rule.meters_of(name)))
        chosen = OPTIONS.get(rule.code, {}).get(MYSTERY)
        mystery = next((each for each in rule.mysteries if each.name == chosen), None)
        for decks, linked in by_decks(tables, rule.code, name).items():
            link_id = f"{property_id}-{number:02d}-{decks}D"
            yield Link(link_id, f"{rule.title} {name}, {decks} decks", rule.code, name, meters, linked, mystery)


def _filed_rate(meter: Meter) -> Meter:
    return meter if meter.increment_rate else meter._replace(increment_rate=FILED_RATES[meter.level])
