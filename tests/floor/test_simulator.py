"""The simulated floor: honest shoes, honest dealers, and paper that fits its money."""

from collections import Counter
from datetime import UTC, date
from random import Random

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.rounds.v1 import entries_pb2 as rounds
from clients.floor.card_dealer import CardDealer, recorded
from clients.floor.day import Day, play
from clients.floor.dealer import Made, placed
from clients.floor.house import PROGRESSIVE, house
from clients.floor.patrons import Patron
from clients.floor.sample import sample
from clients.floor.shoe import Shoe
from clients.floor.tray import OPENER, Tray
from services.games.admission import admit
from services.games.baccarat.coup import Coup
from services.games.terms import check_terms
from services.kernel.cards import card
from tests.builders import coup
from tests.floor.auditor import payout

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def day() -> Day:
    """A small day of the sample property."""
    return play(sample(), DAY, 240, 7)


def amount(day: Day, table_id: str, *kinds: int) -> int:
    """The sum of a table's documents of these kinds."""
    return sum(
        document.amount_cents
        for document in day.documents()
        if document.table_id == table_id and document.kind in kinds
    )


def test_sample_tables_keep_the_rules() -> None:
    """Every table of the sample property offers only what its sections allow from the first day on."""
    for table in sample().tables:
        check_terms(table.terms, date(2026, 1, 1))


def test_sample_deals_every_paytable_of_the_base_wagers() -> None:
    """Some table has 4 % commission, some table pays 9 to 1, and BAC-01 has the usual of both."""
    offers = {table.table_id: table.terms.offers for table in sample().tables}
    assert {each["baccarat.banker"].paytable for each in offers.values()} == {"5%", "4%"}
    assert {each["baccarat.tie"].paytable for each in offers.values()} == {"8", "9"}
    assert offers["BAC-01"]["baccarat.banker"].paytable == "5%"
    assert offers["BAC-01"]["baccarat.tie"].paytable == "8"


def test_links_join_the_tables_that_offer_their_wager() -> None:
    """A table offers the progressive wager if and only if a link has it; those of one link have as many decks."""
    property_ = house("H", "A house", 9)
    decks = {table.table_id: table.terms.decks for table in property_.tables if PROGRESSIVE in table.terms.offers}
    linked = [table_id for link in property_.links for table_id in link.table_ids]
    assert sorted(linked) == sorted(decks)
    assert [{decks[table_id] for table_id in link.table_ids} for link in property_.links] == [{8}, {6}]
    assert 1 < len(decks) < 9


def test_shoe_holds_each_card_as_often_as_it_has_decks() -> None:
    """No card comes out of a shoe more often than its decks hold it."""
    shoe, seen = Shoe(1, 6, Random(3)), Counter[str]()
    while not shoe.finished:
        coup = shoe.deal()
        seen.update(str(card) for card in coup.player.cards + coup.banker.cards)
    assert max(seen.values()) <= 6
    assert sum(seen.values()) > 200


def test_same_seed_deals_the_same_day(day: Day) -> None:
    """Events and documents follow from the seed alone."""
    again, other = play(sample(), DAY, 240, 7), play(sample(), DAY, 240, 8)
    assert list(again.events()) == list(day.events())
    assert again.documents() == day.documents()
    assert list(other.events()) != list(day.events())


def test_events_follow_the_clock_within_the_gaming_day(day: Day) -> None:
    """All tables' events come in the order of their moments, all within the one gaming day."""
    moments = [event.occurred_at.ToDatetime(UTC) for event in day.events()]
    assert moments == sorted(moments)
    assert {day.house.calendar.day_of(moment) for moment in (moments[0], moments[-1])} == {DAY}


def test_physical_win_is_the_game_win_to_the_cent(day: Day) -> None:
    """Closer + credits + drop - opener - fills is what was staked less what was paid, at every table."""
    for table in day.tables:
        name = table.table.table_id
        into = amount(day, name, paper.DOCUMENT_KIND_CLOSER, paper.DOCUMENT_KIND_CREDIT, paper.DOCUMENT_KIND_COUNT)
        out = amount(day, name, paper.DOCUMENT_KIND_OPENER, paper.DOCUMENT_KIND_FILL)
        assert into - out == table.handle - table.payout


def test_counted_checks_are_those_issued(day: Day) -> None:
    """The box holds every counter check written at the table; its count says currency and checks apart."""
    for table in day.tables:
        name = table.table.table_id
        (count,) = [each for each in table.documents if each.kind == paper.DOCUMENT_KIND_COUNT]
        assert count.counter_checks_cents == amount(day, name, paper.DOCUMENT_KIND_COUNTER_CHECK)
        assert count.amount_cents == count.currency_cents + count.counter_checks_cents


def test_tray_is_filled_and_credited_through_the_cage() -> None:
    """A tray that runs low is filled, one that runs over sends a credit, and the win does not move."""
    calendar = sample().calendar
    at = calendar.start_of(DAY)
    tray = Tray("H", "BAC-01", DAY, calendar)
    tray.open(at)
    tray.settle(0, 7_000_000)
    tray.level(at)
    tray.settle(9_000_000, 0)
    tray.level(at)
    tray.close(at)
    kinds = [document.kind for document in tray.documents]
    assert kinds == [
        paper.DOCUMENT_KIND_OPENER,
        paper.DOCUMENT_KIND_FILL,
        paper.DOCUMENT_KIND_CREDIT,
        paper.DOCUMENT_KIND_CLOSER,
        paper.DOCUMENT_KIND_COUNT,
    ]
    assert [document.amount_cents for document in tray.documents[1:4]] == [7_000_000, 9_000_000, OPENER]


def test_dealt_rounds_are_legal_and_their_wagers_admitted(day: Day) -> None:
    """No coup breaks the third-card rules and no wager would be held."""
    terms = {table.table_id: table.terms for table in day.house.tables}
    wholes = [event.whole_round for event in day.events() if event.HasField("whole_round")]
    assert wholes
    for whole in wholes:
        dealt = whole.result.baccarat
        Coup.dealt([card(each) for each in dealt.player], [card(each) for each in dealt.banker])
        assert not admit(list(map(placed, whole.wagers)), terms[whole.table_id], DAY, None, None)[1]


def test_tables_send_whole_rounds_and_rounds_in_pieces(day: Day) -> None:
    """Odd tables send finished rounds; even tables opening, closing of betting and result, in that order."""
    kinds = {table.table.table_id: [str(event.WhichOneof("body")) for event in table.events] for table in day.tables}
    assert kinds["BAC-01"].count("whole_round") == day.tables[0].rounds
    pieces = [kind for kind in kinds["BAC-02"] if kind not in {"table_opened", "table_closed", "shoe_changed"}]
    assert pieces == ["round_opened", "betting_closed", "result"] * day.tables[1].rounds


def test_auditor_prices_like_the_engine(day: Day) -> None:
    """The auditor's own prices and the filed paytables give the same payout, table by table."""
    found: Counter[str] = Counter()
    wagers: dict[tuple[str, int, int], list[floor.Wager]] = {}
    for event in day.events():
        piece = getattr(event, str(event.WhichOneof("body")))
        if event.HasField("betting_closed"):
            wagers[piece.table_id, piece.shoe, piece.round_no] = list(piece.wagers)
        if event.HasField("whole_round") or event.HasField("result"):
            made = getattr(piece, "wagers", None) or wagers[piece.table_id, piece.shoe, piece.round_no]
            played = rounds.Round(history=[piece.result])
            found[piece.table_id] += sum(payout(each, played) or 0 for each in made)
    assert found == {table.table.table_id: table.payout for table in day.tables}


def test_a_whole_meter_leaves_no_chips(day: Day) -> None:
    """A share of a meter is paid by slip: the tray keeps the stake and pays nothing (ruling J7)."""
    dealer = CardDealer(day.house, day.house.tables[0], DAY, 1, staged=False)
    wager = floor.Wager(wager_no=1, seat=1, code=PROGRESSIVE, paytable="standard", stake_cents=500)
    patron = Patron(1, "", 500, (), has_credit=False)
    made = [Made(patron, wager)]
    result = floor.Result(baccarat=recorded(coup("2C AC 6C", "2C 3C 4C")))
    dealer._pay(made, dealer._settled([result], made))
    assert (dealer.done.tray.cents, patron.chips) == (OPENER + 500, 0)
