"""What holds in every game, whatever is dealt, spun or thrown and whatever is placed."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.baccarat.coup import Coup, Coups, deal
from services.games.blackjack.round import Table
from services.games.catalogue import catalogue
from services.games.paytables import NOT_PAID
from services.games.results import GAMES, read_history
from services.games.roulette.layout import WHEELS
from services.games.settlement import ENVY, Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PENDING, PlacedWager, Placement
from services.kernel.cards import CARDS
from services.kernel.errors import Refusal
from tests.builders import dealt_coups, terms
from tests.games.histories import DICE, hands, histories, placed, rolls_of, tables, wagers_of

COUP_GAMES = [name for name in GAMES if name.endswith("baccarat")]
SUITED = ("heavenly_9_progressive", "perfect_pairs", "lucky_nines", "majestic_match", "royal_9")
"""Wagers of which the section speaks of suits."""

ROUNDS = tables().flatmap(lambda table: st.tuples(st.just(table), histories(table), placed(table, rolls=3)))


def envious(code: str) -> bool:
    """Whether a wager may share an award with others of its code."""
    return any(table.envy for table in catalogue()[code].paytables.values())


@given(played=ROUNDS, data=st.data())
def test_wagers_settle_apart_from_each_other(played: tuple[Terms, Any, list[PlacedWager]], data: st.DataObject) -> None:
    """Taking a wager out of a round changes no other that shares no award with it."""
    table, history, wagers = played
    whole = settle_round(history, wagers, table)
    left_out = data.draw(st.integers(0, len(wagers) - 1))
    without = settle_round(history, wagers[:left_out] + wagers[left_out + 1 :], table)
    others = whole[:left_out] + whole[left_out + 1 :]
    shares = [each.wager_no for each in wagers if each.code == wagers[left_out].code and envious(each.code)]
    assert [each for each in without if each.wager_no not in shares] == [
        each for each in others if each.wager_no not in shares
    ]


@given(played=ROUNDS, seats=st.permutations(range(1, 8)))
def test_permuted_seats_permute_the_settlements(played: tuple[Terms, Any, list[PlacedWager]], seats: list[int]) -> None:
    """Wagers that change seats, and what the layout prints at those seats with them, settle as they did."""
    table, history, wagers = played
    moved = [each._replace(seat=seats[each.seat - 1]) for each in wagers]
    there = _moved(history, seats) if isinstance(history, Table) else history
    assert settle_round(there, moved, _reseated(table, seats)) == settle_round(history, wagers, table)


def _moved(history: Table, seats: list[int]) -> Table:
    """The round with the hands at the new seats."""
    return history._replace(seats={seats[number - 1]: seat for number, seat in history.seats.items()})


def _reseated(table: Terms, seats: list[int]) -> Terms:
    """The table with its king-nine combinations printed at the new seats."""
    offers = dict(table.offers)
    for code, offer in table.offers.items():
        by_seat = dict(offer.options).get("king_9_by_seat")
        if by_seat:
            pairs = [text.split(":") for text in by_seat.split()]
            moved = " ".join(f"{seats[int(seat) - 1]}:{cards}" for seat, cards in pairs)
            offers[code] = replace(offer, options=(("king_9_by_seat", moved),))
    return replace(table, offers=offers)


@given(played=ROUNDS, most=st.integers(10**7, 10**8))
def test_a_payout_is_never_below_nothing_nor_above_the_maximum(
    played: tuple[Terms, Any, list[PlacedWager]], most: int
) -> None:
    """A payout lies between nothing and the most that the table pays; a stake no larger than that always returns."""
    table, history, wagers = played
    capped = {code: replace(offer, maximum_payout_cents=most) for code, offer in table.offers.items()}
    free = settle_round(history, wagers, table)
    for each, unlimited in zip(settle_round(history, wagers, replace(table, offers=capped)), free, strict=True):
        assert 0 <= each.payout_cents <= most
        assert each.payout_cents == min(unlimited.payout_cents, most)
        assert each.payout_cents >= sum(award.cents for award in each.awards)
        assert all(award.cents >= 0 for award in each.awards)
        assert 0 <= each.breakage_micros < 10_000


@given(played=ROUNDS)
def test_every_result_settles_every_wager(played: tuple[Terms, Any, list[PlacedWager]]) -> None:
    """A result that can be names, of every wager, a line of its paytables, a loss, or that more must come."""
    table, history, wagers = played
    for each in settle_round(history, wagers, table):
        code, name = next((one.code, one.paytable) for one in wagers if one.wager_no == each.wager_no)
        lines = catalogue()[code].paytables[name].lines
        assert each.line in ("", ENVY) or lines[each.line] is not NOT_PAID
        assert (each.outcome in ("lose", "pending") and not each.payout_cents) == (each.line == "")


@given(data=st.data())
def test_a_hand_that_is_over_leaves_no_wager_open(data: st.DataObject) -> None:
    """Once the seven-out is thrown, every wager that could be placed before it is settled."""
    table, dice = terms(game="craps", every=True), data.draw(hands())
    for more in ([], [(6, 1)], [(6, 1), (2, 2), (6, 1)]):
        hand = read_history("craps", rolls_of([*dice, *more]), 0)
        if hand.over:
            break
    assert hand.over
    drawn = data.draw(placed(table, rolls=len(hand.rolls) - 1))
    wagers = [each for each in drawn if GAMES["craps"].in_time(catalogue()[each.code].lock, each.roll, hand)]
    assert "pending" not in {each.outcome for each in settle_round(hand, wagers, table)}


@given(dice=hands(), data=st.data())
def test_a_hand_settles_alike_however_it_is_split(dice: list[tuple[int, int]], data: st.DataObject) -> None:
    """Recorded roll by roll, a wager is pending until one roll settles it, and no later roll changes that."""
    table = terms(game="craps", every=True)
    wagers = data.draw(placed(table, rolls=len(dice)))
    last: dict[int, Settled] = {}
    for count in range(1, len(dice) + 1):
        ready = [each for each in wagers if each.roll <= count]
        for each in settle_round(read_history("craps", rolls_of(dice[:count]), 0), ready, table):
            if last.get(each.wager_no, each).outcome != "pending":
                assert last.get(each.wager_no, each) == each
            last[each.wager_no] = each
    whole = settle_round(read_history("craps", rolls_of(dice), 0), wagers, table)
    assert [last.get(each.wager_no, each) for each in whole] == whole


@pytest.mark.parametrize("game", COUP_GAMES)
@given(shown=st.lists(st.sampled_from(sorted(CARDS)), min_size=4, max_size=6), third=st.booleans())
def test_only_what_can_be_dealt_is_accepted(game: str, shown: list[str], third: bool) -> None:
    """Cards are accepted as a coup if and only if the drawing rules deal exactly them."""
    player = shown[:3] if len(shown) == 6 or (len(shown) == 5 and third) else shown[:2]
    banker = shown[len(player) :]
    accepted = _accepted(game, [SimpleNamespace(player=player, banker=banker)], 8)
    order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    spare = [CARDS["AS"]] * 2
    assert accepted == (deal(iter([*(CARDS[each] for each in order), *spare])) == _coup(player, banker))


def _coup(player: list[str], banker: list[str]) -> Coup:
    return Coup.of([CARDS[each] for each in player], [CARDS[each] for each in banker])


def _accepted(game: str, messages: list[Any], decks: int) -> bool:
    try:
        read_history(game, messages, decks)
    except Refusal:
        return False
    return True


@given(dice=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)) | DICE, min_size=1, max_size=8))
def test_only_what_can_be_thrown_is_accepted(dice: list[tuple[int, int]]) -> None:
    """Rolls are accepted if dice show 1 to 6 and none follows the seven-out."""
    assert _accepted("craps", rolls_of(dice), 0) == _legal(dice)


def _legal(dice: list[tuple[int, int]]) -> bool:
    """Whether these rolls are a hand, by a plain reading of the rules."""
    point = 0
    for number, (first, second) in enumerate(dice, start=1):
        total = first + second
        if not (1 <= first <= 6 and 1 <= second <= 6):
            return False
        if point and total == 7:
            return number == len(dice)
        point = (0 if total == point else point) if point else total * (total in (4, 5, 6, 8, 9, 10))
    return True


@given(pocket=st.sampled_from(["0", "00", "7", "37", "-1", "", "07"]), wheel=st.sampled_from(sorted(WHEELS)))
def test_only_a_pocket_of_the_wheel_is_accepted(pocket: str, wheel: str) -> None:
    """A spin is accepted if and only if its pocket is one of the table's wheel."""
    spin = SimpleNamespace(pocket=pocket, bonus_pockets=[], drawn_payout=0, lucky_numbers=[])
    try:
        GAMES["roulette"].check(read_history("roulette", [spin], 0), terms(game="roulette", wheel=wheel))
        accepted = True
    except Refusal:
        accepted = False
    assert accepted == (pocket in WHEELS[wheel])


@pytest.mark.parametrize("game", COUP_GAMES)
@given(found=dealt_coups(), suits=st.permutations("CDHS"))
def test_renaming_suits_changes_nothing_where_suits_are_ignored(game: str, found: Coup, suits: list[str]) -> None:
    """A wager whose section does not speak of suits names the same line whatever the suits are."""
    renamed: Mapping[str, str] = dict(zip("CDHS", suits, strict=True))
    player, banker = (
        [CARDS[each.rank + renamed[each.suit]] for each in hand.cards] for hand in (found.player, found.banker)
    )
    table, other = terms(game=game, every=True), Coups(Coup.dealt(player, banker))
    for rule in wagers_of(game):
        if rule.code.partition(".")[2] not in SUITED:
            for on in rule.placements:
                expected = rule.classify(Coups(found), Placement(1, on), table)
                assert rule.classify(other, Placement(1, on), table) == expected


def test_nothing_of_cards_or_a_wheel_waits_for_more() -> None:
    """A coup settles every wager on it."""
    for game in COUP_GAMES:
        table = terms(game=game, every=True)
        coup = Coups(deal(iter([CARDS[each] for each in ("9C", "KH", "KD", "7S", "2C", "3C")])))
        for rule in wagers_of(game):
            assert rule.classify(coup, Placement(1, rule.placements[0]), table) is not PENDING
