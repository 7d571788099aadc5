"""The floor of a house that offers everything: each wager at some table, dealt, spun and thrown by the rules."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from random import Random

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.rounds.v1 import entries_pb2 as rounds
from clients.floor.day import Day, play
from clients.floor.dealer import placed
from clients.floor.full_house import full_house
from clients.floor.generator import Generator
from services.games.admission import admit
from services.games.catalogue import catalogue
from services.games.results import GAMES, read_history
from services.games.terms import check_terms
from services.games.wagers import KINDS
from tests.floor.auditor import FULL_HOUSE as FILINGS
from tests.floor.auditor import payout

DAY = date(2026, 3, 2)
AFTER_RISING_PHOENIX = date(2026, 8, 5)
ROUNDS_A_TABLE = 25


@pytest.fixture(scope="module")
def day() -> Day:
    """A day over the full house."""
    house = full_house()
    return play(house, DAY, ROUNDS_A_TABLE * len(house.tables), 20260302)


def rounds_of(events: list[floor.Event]) -> Iterator[floor.WholeRound]:
    """The rounds of one table, those sent in pieces put together; nothing taken down is in them."""
    under_way: floor.WholeRound = floor.WholeRound()
    for event in events:
        if event.HasField("whole_round"):
            yield event.whole_round
        elif event.HasField("betting_closed"):
            closed = event.betting_closed
            under_way = floor.WholeRound(shoe=closed.shoe, round_no=closed.round_no, wagers=closed.wagers)
        elif event.HasField("stakes_added"):
            add_stakes(under_way, event.stakes_added.stakes)
        elif event.HasField("result"):
            under_way.earlier_results.append(event.result.result)
            if event.result.result.WhichOneof("game") != "craps" or seven_out(under_way):
                under_way.result.CopyFrom(under_way.earlier_results.pop())
                yield under_way


def add_stakes(under_way: floor.WholeRound, stakes: Iterable[floor.AddedStake]) -> None:
    """Further wagers, and wagers taken down."""
    for stake in stakes:
        if stake.kind == floor.STAKE_KIND_TAKEN_DOWN:
            left = [wager for wager in under_way.wagers if wager.wager_no != stake.belongs_to]
            del under_way.wagers[:]
            under_way.wagers.extend(left)
        else:
            under_way.wagers.append(stake.wager)


def seven_out(under_way: floor.WholeRound) -> bool:
    """Whether the shooter has sevened out."""
    return GAMES["craps"].over(read_history("craps", [each.craps for each in under_way.earlier_results], 0))


def test_every_filed_paytable_is_offered_at_some_table() -> None:
    """The tables together offer each paytable of each wager in force, on terms that the sections allow."""
    house = full_house()
    offered = {(code, offer.paytable) for table in house.tables for code, offer in table.terms.offers.items()}
    assert offered == {(code, name) for code, rule in catalogue().items() for name in rule.paytables}
    for table in house.tables:
        check_terms(table.terms, DAY)


def test_kinds_and_wheels_all_stand_somewhere() -> None:
    """Live, hybrid and fully automated tables are there, and every wheel."""
    terms = [table.terms for table in full_house().tables]
    assert {each.kind for each in terms} == set(KINDS)
    assert {each.wheel for each in terms} == {*GAMES["roulette"].wheels, ""}


def test_expired_rules_are_offered_no_more() -> None:
    """Rising Phoenix is on no table from the day after its expiry (ruling B7)."""
    codes = {code for table in full_house(day=AFTER_RISING_PHOENIX).tables for code in table.terms.offers}
    assert set(catalogue()) - codes == {code for code in catalogue() if "rising_phoenix" in code}


def test_every_progressive_paytable_has_one_link() -> None:
    """Each table that offers a progressive wager is in the one link of its paytable, and no other table is."""
    house = full_house()
    linked = Counter((link.code, link.paytable, table_id) for link in house.links for table_id in link.table_ids)
    assert set(linked.values()) == {1}
    assert set(linked) == {
        (code, offer.paytable, table.table_id)
        for table in house.tables
        for code, offer in table.terms.offers.items()
        if catalogue()[code].meters
    }


def test_every_wager_is_placed(day: Day) -> None:
    """Patrons leave out no wager of the catalogue and no paytable."""
    found = {
        (wager.code, wager.paytable) for table in day.tables for one in rounds_of(table.events) for wager in one.wagers
    }
    assert found == {(code, name) for code, rule in catalogue().items() for name in rule.paytables}


def test_the_same_seed_plays_the_same_day(day: Day) -> None:
    """Spins, throws, draws and documents follow from the seed alone."""
    again = play(day.house, DAY, ROUNDS_A_TABLE * len(day.house.tables), 20260302)
    assert list(again.events()) == list(day.events())
    assert again.documents() == day.documents()


def test_each_table_keeps_the_clock(day: Day) -> None:
    """No event of a table happens before the one sent before it."""
    for table in day.tables:
        moments = [event.occurred_at.ToNanoseconds() for event in table.events]
        assert moments == sorted(moments)


def test_physical_win_is_the_game_win_at_every_table(day: Day) -> None:
    """Closer + credits + drop - opener - fills, or what meters read, is what was staked less what was paid."""
    into = (paper.DOCUMENT_KIND_CLOSER, paper.DOCUMENT_KIND_CREDIT, paper.DOCUMENT_KIND_COUNT)
    out = (paper.DOCUMENT_KIND_OPENER, paper.DOCUMENT_KIND_FILL)
    for table in day.tables:
        win = sum(
            document.amount_cents * ((document.kind in into) - (document.kind in out))
            + document.wagers_cents
            - document.payouts_cents
            for document in table.documents
        )
        assert win == table.handle - table.payout


def test_every_round_is_possible_and_its_wagers_admitted(day: Day) -> None:
    """No result is refused, no draw is unfiled, and no wager would be held."""
    for table in day.tables:
        terms, previous = table.table.terms, None
        for one in rounds_of(table.events):
            results = [getattr(each, terms.game) for each in [*one.earlier_results, one.result]]
            history = read_history(terms.game, results, terms.decks, previous)
            GAMES[terms.game].check(history, terms)
            assert not admit([placed(wager) for wager in one.wagers], terms, DAY, None, None, history)[1]
            previous = results[-1] if terms.wheel else None


def test_auditor_prices_every_wager_like_the_engine(day: Day) -> None:
    """The auditor's own prices and the filed paytables give the same payout, table by table."""
    for table in day.tables:
        found, previous = 0, None
        for one in rounds_of(table.events):
            recorded = rounds.Round(history=[*one.earlier_results, one.result], previous=previous)
            found += sum(payout(wager, recorded, FILINGS.king_9s) or 0 for wager in one.wagers)
            previous = one.result
        assert (table.table.table_id, found) == (table.table.table_id, table.payout)


def test_generator_draws_by_the_filed_weights() -> None:
    """Every filed payout comes, the heavier ones oftener, and nothing that is not filed."""
    (terms,) = [table.terms for table in full_house().tables if "roulette.lightning_straight" in table.terms.offers]
    generator = Generator(terms, Random(1))
    drawn = Counter(generator.payout("roulette.lightning_straight") for _ in range(10_000))
    assert [payout for payout, _ in drawn.most_common()] == [49, 99, 299, 499]
    assert set(Counter(generator.count("roulette.lightning_straight") for _ in range(200))) == {1, 2, 3, 4, 5}


def test_hands_are_thrown_roll_by_roll(day: Day) -> None:
    """A staged hand opens, closes betting, and then has rolls from 1 on, with dense items of added stakes between."""
    (table, *_) = [each for each in day.tables if each.table.terms.game == "craps" and len(each.events) > 100]
    rolls, items, added = 0, 0, Counter[int]()
    for event in table.events:
        if event.HasField("betting_closed"):
            rolls, items = 0, 0
            assert {wager.roll for wager in event.betting_closed.wagers} <= {0}
        elif event.HasField("result"):
            rolls += 1
            assert event.result.roll == rolls
        elif event.HasField("stakes_added"):
            items += 1
            assert event.stakes_added.item_no == items
            added.update(stake.kind for stake in event.stakes_added.stakes)
            later = [stake.wager.roll for stake in event.stakes_added.stakes if stake.HasField("wager")]
            assert set(later) <= {rolls}
    kinds = (floor.STAKE_KIND_MID_ROUND, floor.STAKE_KIND_ODDS, floor.STAKE_KIND_TAKEN_DOWN)
    assert set(added) == set(kinds)
