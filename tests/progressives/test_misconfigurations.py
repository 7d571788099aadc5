"""Every wrong neighbour of a right link is refused, each in its own words.

The first table names the misconfigurations that have gone live on casino floors; the second walks every paytable of
every wager with a meter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import pytest

from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.terms import Offer, Terms
from services.games.wagers import Mystery, Wager
from services.kernel import errors
from services.kernel.money import dollars
from services.progressives.link import MYSTERY, Draft, Link, LinkState, MeterTerms, go_live, propose, resume, suspend

DAY, NOW = date(2026, 3, 2), datetime(2026, 3, 1, 12, tzinfo=UTC)
A, B = "T-1", "T-2"
METERED = [
    (code, paytable)
    for code, rule in catalogue().items()
    if rule.meters or rule.mysteries
    for paytable in rule.paytables
]


class Case(NamedTuple):
    """A link and what its two tables offer, with words of the refusal expected: section and field, expected, given."""

    draft: Draft
    offers: Mapping[str, Terms]
    words: tuple[str, str, str] = ("", "", "")


def stakes(rule: Wager, paytable: str) -> tuple[int, ...]:
    return rule.paytables[paytable].denominations or rule.denominations


def table(code: str, paytable: str, mystery: str = "", **changes: Any) -> Terms:
    """A table that offers the wager alone, at the stake its paytable is printed for."""
    rule = catalogue()[code]
    least = max(rule.minimum_cents, *stakes(rule, paytable), 100)
    offer = Offer(code, paytable, least, None, (("mystery", mystery),) if mystery else ())
    offered = {"offers": {code: offer}, **changes}
    decks = (rule.paytables[paytable].decks or (8,))[-1] if GAMES[rule.game].fewest_decks else 0
    return replace(Terms("RS-1", rule.game, "live", decks, 7, {}), **offered)


def mystery_of(code: str, paytable: str) -> Mystery | None:
    """The first configuration printed for the stake of the paytable."""
    rule = catalogue()[code]
    least = max(rule.minimum_cents, *stakes(rule, paytable), 100)
    return next((each for each in rule.mysteries if each.denomination_cents in (0, least)), None)


def right(code: str, paytable: str) -> Case:
    """The link that its section allows, with a mystery where it has one, over two tables that offer it."""
    rule, mystery = catalogue()[code], mystery_of(code, paytable)
    meters = [
        MeterTerms(each.level, each.seed_cents, 100 if each.increment_rate is None else each.increment_rate,
                   each.reserve_rate, 0)
        for each in rule.meters_of(paytable)
    ]  # fmt: skip
    if mystery:
        rate, most = mystery.increment_rate, mystery.maximum_cents
        meters.append(MeterTerms(MYSTERY, mystery.minimum_cents, rate, 0, most, mystery.name))
    offered = table(code, paytable, mystery.name if mystery else "")
    return Case(Draft("L", "Link", code, paytable, tuple(meters), (A, B), DAY), {A: offered, B: offered})


def proposed(case: Case) -> Link:
    return propose(case.draft, None, None, (), case.offers, {}, "ann", NOW, 1)


def refusal(case: Case) -> str:
    """The words in which it is refused; they are those that are expected."""
    with pytest.raises(errors.LinkContradictsRules) as refused:
        proposed(case)
    start, expected, given = case.words
    message = refused.value.message
    assert message.startswith(f"{start}: expected "), message
    assert expected in message.partition("expected ")[2].rpartition(", given ")[0], message
    assert given in message.rpartition(", given ")[2], message
    return message


def with_meter(case: Case, number: int, words: tuple[str, str, str], **changes: Any) -> Case:
    meters = list(case.draft.meters)
    meters[number] = meters[number]._replace(**changes)
    return Case(case.draft._replace(meters=tuple(meters)), case.offers, words)


def at_second(case: Case, terms: Terms | None, words: tuple[str, str, str]) -> Case:
    offers = {A: case.offers[A], **({B: terms} if terms else {})}
    return Case(case.draft, offers, words)


def wrong_meters(case: Case) -> Iterator[Case]:
    """Seeds off by a dollar and rates off by 0.01 %."""
    rule = catalogue()[case.draft.code]
    for number, filed in enumerate(rule.meters_of(case.draft.paytable)):
        seed, level = filed.seed_cents, filed.level
        for off in (-100,) if filed.minimum_seed else (-100, 100):
            words = f"{rule.section}: seed of {level}", f"${dollars(seed)}", f"${dollars(seed + off)}"
            yield with_meter(case, number, words, seed_cents=seed + off)
        for name in ("increment_rate", "reserve_rate"):
            rate = getattr(filed, name)
            if rate is None:
                yield from left_to_the_holder(case, number, f"{rule.section}: {name} of {level}")
            for off in () if rate is None else (-1, 1):
                words = f"{rule.section}: {name} of {level}", percent(rate), percent(rate + off)
                yield with_meter(case, number, words, **{name: rate + off})
        words = f"{rule.section}: limit of {level}", "none, or above the seed", "$0.01"
        yield with_meter(case, number, words, limit_cents=1)
        words = f"{rule.section}: mystery of {level}", "none but", "A-$5"
        yield with_meter(case, number, words, mystery="A-$5")


def left_to_the_holder(case: Case, number: int, field: str) -> Iterator[Case]:
    """A rate that the section leaves to the Rules Submission is neither nothing nor the whole stake."""
    for rate in (0, 10_000):
        words = field, "a rate above 0.00% and under 100.00%", percent(rate)
        yield with_meter(case, number, words, increment_rate=rate)


def percent(rate: int) -> str:
    return f"{'-' if rate < 0 else ''}{abs(rate) // 100}.{abs(rate) % 100:02d}%"


def wrong_levels(case: Case) -> Iterator[Case]:
    """A level too many, and each one missing; a mystery alone may be left out, and is then missed at the tables."""
    field, meters = f"{catalogue()[case.draft.code].section}: meters", case.draft.meters
    extra = (*meters, MeterTerms("grand", 100, 1, 0, 0))
    yield Case(case.draft._replace(meters=extra), case.offers, (field, meters[0].level, "grand"))
    yield Case(
        case.draft._replace(meters=(*meters, meters[-1])), case.offers, (field, meters[0].level, meters[-1].level)
    )
    for number, each in enumerate(meters):
        left = meters[:number] + meters[number + 1 :]
        given = ", ".join(terms.level for terms in left) or "none"
        if each.level != MYSTERY or len(meters) == 1:
            yield Case(case.draft._replace(meters=left), case.offers, (field, each.level, given))


def wrong_mystery(case: Case) -> Iterator[Case]:
    """A configuration off by a dollar or 0.01 %, of another stake or another name; chosen on one side alone."""
    code, paytable = case.draft.code, case.draft.paytable
    rule, filed, last = catalogue()[code], mystery_of(code, paytable), len(case.draft.meters) - 1
    if filed is None:
        return
    section = filed.section or rule.section
    for off in (-100, 100):
        words = (
            f"{section}: limit of mystery",
            f"${dollars(filed.maximum_cents)} under",
            f"${dollars(filed.maximum_cents + off)}",
        )
        yield with_meter(case, last, words, limit_cents=filed.maximum_cents + off)
        words = (
            f"{section}: seed of mystery",
            f"${dollars(filed.minimum_cents)} under",
            f"${dollars(filed.minimum_cents + off)}",
        )
        yield with_meter(case, last, words, seed_cents=filed.minimum_cents + off)
    words = f"{section}: increment_rate of mystery", percent(filed.increment_rate), percent(filed.increment_rate + 1)
    yield with_meter(case, last, words, increment_rate=filed.increment_rate + 1)
    yield with_meter(case, last, (f"{section}: reserve_rate of mystery", "0.00%", "0.01%"), reserve_rate=1)
    yield with_meter(case, last, (f"{section}: mystery", filed.name, "none"), mystery="")
    field = f"{rule.section}: option mystery at {B}"
    yield at_second(case, table(code, paytable), (field, f"{filed.name}, as the link has", "none"))
    if rule.meters:
        without = Case(case.draft._replace(meters=case.draft.meters[:-1]), case.offers)
        words = f"{rule.section}: option mystery at {A}", "none, as the link has", filed.name
        yield without._replace(words=words)
    other = next(
        (each for each in rule.mysteries if each.denomination_cents not in (0, filed.denomination_cents)), None
    )
    if other and stakes(rule, paytable):
        words = f"{section}: mystery", "one for $", other.name
        meter = MeterTerms(MYSTERY, other.minimum_cents, other.increment_rate, 0, other.maximum_cents, other.name)
        yield Case(case.draft._replace(meters=(*case.draft.meters[:-1], meter)), case.offers, words)


def wrong_tables(case: Case) -> Iterator[Case]:
    """Tables without a submission, of another game, with other decks, another stake or another paytable."""
    code, paytable = case.draft.code, case.draft.paytable
    rule, good = catalogue()[code], case.offers[B]
    section, offer = rule.section, good.offers[code]
    missing = f"an approved Rules Submission that offers {code} at {B} on 2026-03-02"
    yield at_second(case, None, (f"{section}: table_ids", missing, "none"))
    yield at_second(case, replace(good, offers={}), (f"{section}: table_ids", missing, "RS-1, which does not offer it"))
    yield at_second(case, replace(good, game="craps"), (f"{section}: game at {B}", rule.game, "craps"))
    decks = rule.paytables[paytable].decks
    if decks:
        words = f"{section}: decks at {B}", f"for paytable {paytable}", "3"
        yield at_second(case, replace(good, decks=3), words)
    if len(decks) != 1:
        words = f"{section}: decks at {B}", f"8, as at {A}", "6"
        yield at_second(case, replace(good, decks=6), words)
    for other in rule.paytables:
        if other != paytable:
            same = stakes(rule, other) == stakes(rule, paytable)
            words = f"{section}: {'paytable' if same else 'denomination'} at {B}", paytable, other
            yield at_second(case, replace(good, offers={code: replace(offer, paytable=other)}), words)
    yield from wrong_limits(case, rule, good, offer)


def wrong_limits(case: Case, rule: Wager, good: Terms, offer: Offer) -> Iterator[Case]:
    printed = stakes(rule, case.draft.paytable)
    if not printed:
        words = f"{rule.section}: minimum at {B}", "$", "$99.00"
        mystery = mystery_of(rule.code, case.draft.paytable)
        if mystery and mystery.denomination_cents:
            words = f"{mystery.section}: minimum at {B}", f"for which {mystery.name} is printed", "$99.00"
        yield at_second(case, replace(good, offers={rule.code: replace(offer, minimum_cents=9_900)}), words)
        return
    field, (stake,) = f"{rule.section}: limits at {B}", printed
    for least, most in ((stake + 1, None), (1, stake - 1)):
        changed = replace(offer, minimum_cents=least, maximum_cents=most)
        words = field, f"limits that admit ${dollars(stake)}", "no maximum" if most is None else f"${dollars(most)}"
        yield at_second(case, replace(good, offers={rule.code: changed}), words)


@pytest.mark.parametrize(("code", "paytable"), METERED)
def test_every_wrong_neighbour_of_a_right_link_is_refused_in_its_own_words(code: str, paytable: str) -> None:
    """The right link of a paytable passes, with its mystery and without; each neighbour names what is wrong with it."""
    case = right(code, paytable)
    assert proposed(case).state is LinkState.PROPOSED
    if catalogue()[code].meters and mystery_of(code, paytable):
        plain = case.draft._replace(meters=case.draft.meters[:-1])
        assert proposed(Case(plain, dict.fromkeys((A, B), table(code, paytable)))).meters == plain.meters
    wrong = [each for walk in (wrong_meters, wrong_levels, wrong_mystery, wrong_tables) for each in walk(case)]
    messages = [refusal(each) for each in wrong]
    assert len(set(messages)) == len(messages) > 9


def test_every_wager_with_a_meter_is_walked() -> None:
    """The walk covers each of them, and both stakes where a wager has two."""
    assert len({code for code, _ in METERED}) == sum(
        1 for rule in catalogue().values() if rule.meters or rule.mysteries
    )
    assert len(METERED) > 200


MATCH, FIVE, APPROVED = "blackjack.blackjack_match", "A-$5", "approved Rules Submission"
MISCONFIGURED = {
    "a_rate_the_technician_typed": (
        with_meter(right(MATCH, FIVE), 0, ("", "", ""), increment_rate=130),
        "633c.10: increment_rate of mega: expected 13.00%, given 1.30%",
    ),
    "a_reserve_rate_of_another_paytable": (
        with_meter(right(MATCH, FIVE), 0, ("", "", ""), reserve_rate=325),
        "633c.10: reserve_rate of mega: expected 2.50%, given 3.25%",
    ),
    "a_seed_a_hundred_times_too_large": (
        with_meter(right(MATCH, FIVE), 0, ("", "", ""), seed_cents=100_000_000),
        "633c.10: seed of mega: expected $10,000.00, given $1,000,000.00",
    ),
    "a_limit_that_no_prize_fits_under": (
        with_meter(right(MATCH, FIVE), 0, ("", "", ""), limit_cents=800_000),
        "633c.10: limit of mega: expected none, or above the seed of $10,000.00, given $8,000.00",
    ),
    "a_link_before_any_approval_of_its_table": (
        at_second(right(MATCH, FIVE), None, ("", "", "")),
        f"633c.10: table_ids: expected an {APPROVED} that offers {MATCH} at T-2 on 2026-03-02, given none",
    ),
    "a_version_that_was_not_the_approved_one": (
        at_second(right(MATCH, FIVE), table(MATCH, "C-$5"), ("", "", "")),
        "633c.10: paytable at T-2: expected A-$5, as the link has, given C-$5",
    ),
    "a_one_dollar_table_on_a_five_dollar_link": (
        at_second(right(MATCH, FIVE), table(MATCH, "A-$1"), ("", "", "")),
        "633c.10: denomination at T-2: expected $5.00 of paytable A-$5, given $1.00 of paytable A-$1",
    ),
    "a_five_dollar_table_on_a_one_dollar_link": (
        at_second(right(MATCH, "A-$1"), table(MATCH, FIVE), ("", "", "")),
        "633c.10: denomination at T-2: expected $1.00 of paytable A-$1, given $5.00 of paytable A-$5",
    ),
    "a_table_that_deals_from_another_number_of_decks": (
        at_second(right(MATCH, FIVE), table(MATCH, FIVE, decks=6), ("", "", "")),
        "633c.10: decks at T-2: expected 8, as at T-1, given 6",
    ),
    "a_table_whose_decks_no_paytable_is_for": (
        at_second(right(MATCH, FIVE), table(MATCH, FIVE, decks=4), ("", "", "")),
        "633c.10: decks at T-2: expected 6 or 8 for paytable A-$5, given 4",
    ),
    "a_table_of_another_game": (
        at_second(right(MATCH, FIVE), table(MATCH, FIVE, game="baccarat"), ("", "", "")),
        "633c.10: game at T-2: expected blackjack, given baccarat",
    ),
}


@pytest.mark.parametrize("name", MISCONFIGURED)
def test_a_misconfiguration_that_went_live_elsewhere_is_refused(name: str) -> None:
    """Wrong rates, prizes, limits, versions and stakes are refused before anybody plays for them."""
    case, words = MISCONFIGURED[name]
    with pytest.raises(errors.LinkContradictsRules) as refused:
        proposed(case)
    assert refused.value.message == words


def test_no_misconfiguration_is_told_in_the_words_of_another() -> None:
    """Each has its own message."""
    assert len({words for _, words in MISCONFIGURED.values()}) == len(MISCONFIGURED)


def test_the_rates_of_all_levels_leave_something_of_the_stake() -> None:
    """Where the section leaves the rates to the holder, they may not take the whole stake together."""
    case = right("minibaccarat.royal_9", "$5")
    plain = tuple(each._replace(increment_rate=3_300, reserve_rate=0) for each in case.draft.meters[:3])
    draft = case.draft._replace(meters=plain)
    offers = dict.fromkeys((A, B), table("minibaccarat.royal_9", "$5"))
    assert proposed(Case(draft, offers)).meters == plain
    greedy = draft._replace(meters=tuple(each._replace(increment_rate=3_334) for each in plain))
    words = "627c.3: rates of all levels", "less than 100.00% of the stake together", "100.02%"
    refusal(Case(greedy, offers, words))


def test_where_no_stake_is_printed_the_tables_have_one_least_stake() -> None:
    """One prize is played for at one price: a $25 table is not on a link with a $5 table."""
    code = "baccarat.heavenly_9_progressive"
    case, five = right(code, "standard"), table(code, "standard")
    dear = replace(five, offers={code: replace(five.offers[code], minimum_cents=2_500)})
    draft = case.draft._replace(meters=case.draft.meters[:-1])
    assert proposed(Case(draft, {A: dear, B: dear})).state is LinkState.PROPOSED
    refusal(Case(draft, {A: five, B: dear}, (f"631c.2: minimum at {B}", f"$5.00, as at {A}", "$25.00")))


def test_a_link_put_back_into_play_with_other_settings_is_refused() -> None:
    """What somebody changed while the link was out of play does not come back with it."""
    case = right(MATCH, FIVE)
    link = suspend(go_live(replace(proposed(case), state=LinkState.APPROVED), 2), "eve", "meter board", NOW, 3)
    assert resume(link, (), case.offers, "fay", "board replaced", NOW, 4).state is LinkState.LIVE
    with pytest.raises(errors.LinkContradictsRules, match="denomination at T-2"):
        resume(link, (), {**case.offers, B: table(MATCH, "A-$1")}, "fay", "board replaced", NOW, 4)
