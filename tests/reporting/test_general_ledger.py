"""The journal: entries of meters as accounting for progressives has them, balanced to the cent, nothing lost."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.kernel.money import MICROS_PER_CENT, cents, display_cents
from services.progressives import meter as meters
from services.reporting.ledger.accounts import account, component
from services.reporting.ledger.documents import closed, document_entries
from services.reporting.ledger.jackpots import jackpot_entries
from services.reporting.ledger.journal import general_ledger
from services.reporting.ledger.posting import EntryUnbalanced, entry, moved
from services.reporting.ledger.store import Contributed
from services.reporting.ledger.taxes import tax_entries, taxed
from services.reporting.registers.steps import owed, steps, withheld
from tests.reporting.builders import DAY, NOON, box, slip
from tests.reporting.ledgers import Journal, booked, jackpot, lines, micros, told
from tests.reporting.table_days import facts, live, named

HIT = {"hit_id": "H-1", "table_id": "BAC-01", "round_no": 7}
AWARD = {**HIT, "jackpot_id": "J-1"}


def test_a_wager_is_accrued_as_it_is_made() -> None:
    """Five dollars at 10 % and 2 %: 0.60 against revenue, 0.50 owed on the meter and 0.10 on the reserve."""
    meter = Journal()
    (made,), _ = booked([meter.moved("seed_house", micros("10,000"))], [meter.put(micros("0.50"), micros("0.10"))])
    assert lines(made) == {"Meter": "-0.50", "Reserve": "-0.10", "Contributions": "0.60"}


def test_a_hit_takes_what_players_put_on_and_the_house_bears_the_rest() -> None:
    """A meter of 12,000, a seed of 10,000, a reserve of 400: 2,000, 400 and 9,600 make 12,000; no entry reseeds."""
    meter = Journal()
    seeded = meter.moved("seed_house", micros("10,000"))
    put = meter.put(micros("2,000"), micros("400"))
    hit = [
        meter.moved("award", -micros("12,000"), **AWARD),
        meter.moved("seed_reserve", micros("400"), **HIT),
        meter.moved("seed_house", micros("9,600"), **HIT),
    ]
    (_, made), after = booked([seeded, *hit], [put])
    assert lines(made) == {"Meter": "2,000.00", "Reserve": "400.00", "Payable": "-12,000.00", "PaidByHouse": "9,600.00"}
    assert made.documents == ("J-1",)
    assert after.owed["HVN", "mega"] == (0, 0, 0)
    assert after.seeds.unearned["HVN", "mega"] == micros("10,000")


def test_ten_percent_is_paid_of_what_was_accrued() -> None:
    """10 % of 12,345.60 is 1,234.56, of which nothing is the house's; the meter stands at 11,111.04."""
    meter = Journal()
    seeded, put = meter.moved("seed_house", micros("10,000")), meter.put(micros("2,345.60"))
    (_, made), after = booked([seeded, meter.moved("award", -micros("1,234.56"), **AWARD)], [put])
    assert lines(made) == {"Meter": "1,234.56", "Payable": "-1,234.56"}
    assert meter.reading == micros("11,111.04")
    assert after.owed["HVN", "mega"].meter == micros("1,111.04")


def test_what_was_not_accrued_is_the_houses_and_is_not_accrued_twice() -> None:
    """10 % of 10,500: 500 were accrued, 550 are the house's; the next contribution is owed whole again."""
    meter = Journal()
    seeded, put = meter.moved("seed_house", micros("10,000")), meter.put(micros("500"))
    (_, made), after = booked([seeded, meter.moved("award", -micros("1,050"), **AWARD)], [put])
    assert lines(made) == {"Meter": "500.00", "Payable": "-1,050.00", "PaidByHouse": "550.00"}
    later = after.contributed(meter.put(micros("3")))
    assert later is not None
    assert lines(later) == {"Meter": "-3.00", "Contributions": "3.00"}


def test_a_transfer_is_never_revenue() -> None:
    """An approved transfer of 3,000 from one meter to another moves the liability alone."""
    one, other = Journal(), Journal(link="GLD")
    decided = {"decision_id": "D-1"}
    events = [
        one.moved("seed_house", micros("10,000")),
        other.moved("seed_house", micros("10,000")),
    ]
    put = [one.put(micros("4,000"))]
    events += [
        one.moved("transfer_out", -micros("3,000"), **decided),
        other.moved("transfer_in", micros("3,000"), **decided),
    ]
    (_, made), _ = booked(events, put)
    assert {to.name: cents for to, cents in made.postings.items()} == {
        "Liabilities:Progressive:HVN:Mega:Meter": 300_000,
        "Liabilities:Progressive:GLD:Mega:Meter": -300_000,
    }


def test_a_retired_meters_seed_goes_with_it_unearned() -> None:
    """A whole meter moves to its heir: what players put on is owed there, the seed is nobody's yet."""
    one, other = Journal(), Journal(link="GLD")
    decided = {"decision_id": "D-1"}
    events = [one.moved("seed_house", micros("10,000")), other.moved("seed_house", micros("10,000"))]
    put = [one.put(micros("2,000"), micros("7"))]
    events += [
        one.moved("seed_reserve", micros("7"), **decided),
        one.moved("transfer_out", -micros("12,007"), **decided),
        other.moved("transfer_in", micros("12,007"), **decided),
    ]
    (_, made), after = booked(events, put)
    assert sorted(made.postings.values()) == [-200_700, 700, 200_000]
    assert after.seeds.unearned == {("HVN", "mega"): 0, ("GLD", "mega"): micros("20,000")}


def test_a_voided_hit_is_undone_to_the_cent() -> None:
    """Once the only award of a hit is voided and its reset undone, the liability is what it was before."""
    meter = Journal()
    seeded, put = meter.moved("seed_house", micros("10,000")), meter.put(micros("2,000"), micros("400"))
    voided = {**AWARD, "decision_id": "D-1"}
    events = [
        seeded,
        meter.moved("award", -micros("12,000"), **AWARD),
        meter.moved("seed_reserve", micros("400"), **HIT),
        meter.moved("seed_house", micros("9,600"), **HIT),
        meter.moved("award", micros("12,000"), **voided),
        meter.moved("seed_reserve", -micros("400"), **voided),
        meter.moved("seed_house", -micros("9,600"), **voided),
    ]
    (_, hit, undone), after = booked(events, [put])
    assert {to: -cents for to, cents in hit.postings.items()} == dict(undone.postings)
    assert after.owed["HVN", "mega"] == (micros("2,000"), micros("400"), 0)


def test_a_changed_seed_is_the_houses_from_the_hit_on() -> None:
    """An amended seed of 5,000 is put on at the reset: the hit of 12,000 still costs the house 9,600."""
    meter = Journal()
    seeded, put = meter.moved("seed_house", micros("10,000")), meter.put(micros("2,000"), micros("400"))
    later = {**HIT, "link_version": 2}
    events = [
        seeded,
        meter.moved("award", -micros("12,000"), **{**AWARD, "link_version": 2}),
        meter.moved("seed_reserve", micros("400"), **later),
        meter.moved("seed_house", micros("4,600"), **later),
    ]
    seeds = {("HVN", 1, "mega"): micros("10,000"), ("HVN", 2, "mega"): micros("5,000")}
    (_, made), after = booked(events, [put], seeds)
    assert lines(made)["PaidByHouse"] == "9,600.00"
    assert after.owed["HVN", "mega"] == (0, 0, 0)


@given(st.lists(st.tuples(st.integers(0, 99_999), st.integers(0, 9_999)), min_size=1, max_size=30))
def test_what_lies_below_a_cent_is_booked_when_it_completes_one(parts: list[tuple[int, int]]) -> None:
    """However contributions fall, what is booked is the meter's whole cents, and the rest stays on the meter."""
    meter = Journal()
    seeded = meter.moved("seed_house", micros("10,000"))
    entries, after = booked([seeded], [meter.put(*each) for each in parts])
    sums = {
        part: sum(each.postings.get(account(part, "HVN", "mega"), 0) for each in entries)
        for part in ("meter", "reserve")
    }
    owed = after.owed["HVN", "mega"]
    assert sums == {"meter": -display_cents(owed.meter), "reserve": -display_cents(owed.reserve)}
    assert owed[:2] == (sum(amount for amount, _ in parts), sum(reserve for _, reserve in parts))


def test_an_adjustment_is_revenues_as_far_as_players_earned_it() -> None:
    """500 of 900 that are taken off were owed to players; 200 that are put on are owed to them whole."""
    meter = Journal()
    decided = {"decision_id": "D-1"}
    seeded, put = meter.moved("seed_house", micros("10,000")), meter.put(micros("500"))
    down = meter.moved("adjustment", -micros("900"), **decided)
    up = meter.moved("adjustment", micros("200"), decision_id="D-2")
    (_, first, second), _ = booked([seeded, down, up], [put])
    assert lines(first) == {"Meter": "500.00", "Adjustments": "-500.00"}
    assert lines(second) == {"Meter": "-200.00", "Adjustments": "200.00"}


def test_movements_that_contradict_themselves_are_refused() -> None:
    """A transfer that arrives short is no entry: the difference is named."""
    one, other = Journal(), Journal(link="GLD")
    decided = {"decision_id": "D-1"}
    put = one.put(9)
    out, arrived = one.moved("transfer_out", -9, **decided), other.moved("transfer_in", 8, **decided)
    with pytest.raises(EntryUnbalanced, match="expected the meters to gain 0 micro-dollars, given -1"):
        booked([out, arrived], [put])


def test_an_entry_balances_or_is_refused() -> None:
    """Postings to one account are added up; a sum other than nothing is told with its parts."""
    one, other = account("cage_cash"), account("jackpots")
    assert entry(DAY, "nothing", moved(one, one, 5)) is None
    with pytest.raises(EntryUnbalanced, match=r"expected postings that sum to 0.00, given 0.01"):
        entry(DAY, "a cent too many", [(one, 6), (other, -5)])


def test_names_become_parts_of_accounts() -> None:
    """A capital first, and nothing that an account's name may not hold."""
    assert [component(text) for text in ("mega", "BAC-01", "bj 1/é", "--")] == ["Mega", "BAC-01", "Bj-1", "X"]


def test_a_payment_that_is_voided_is_undone_on_its_day() -> None:
    """Cash, withholding and what the house bore come back when the jackpot is voided, the day after."""
    later = NOON + timedelta(days=1)
    states = [
        jackpot("unpriced", "0", at=None),
        jackpot("hit"),
        jackpot("paid", withheld_cents=cents("166.80"), slip_no="PJ-1"),
        jackpot("voided", at=later),
    ]
    given_facts = told(tables=facts(last=DAY + timedelta(days=1)), jackpots=states)
    found = steps(states, (), given_facts.calendars)
    entries = list(jackpot_entries(given_facts, found))
    assert [each.gaming_day for each in entries] == [DAY, DAY, *[DAY + timedelta(days=1)] * 2]
    assert [lines(each) for each in entries] == [
        {"PaidByHouse": "700.00", "Payable": "-700.00"},
        {"Payable": "700.00", "Withholding": "-166.80", "Cash": "-533.20"},
        {"PaidByHouse": "-700.00", "Payable": "700.00"},
        {"Payable": "-700.00", "Withholding": "166.80", "Cash": "533.20"},
    ]
    assert (owed(found, DAY), withheld(found, DAY), withheld(found, later.date())) == (0, cents("166.80"), 0)


@pytest.mark.parametrize(
    ("how", "of"),
    [({"paid_from": "inventory"}, "PaidFromInventory"), ({"paid_through": "device"}, "ElectronicTables")],
    ids=("tray", "terminal"),
)
def test_a_jackpot_is_paid_from_where_it_was_paid(how: dict[str, str], of: str) -> None:
    """Chips of the tray are in the win of the table already, credit at a terminal is in its meters' account."""
    states = [jackpot("hit"), jackpot("paid", **how)]
    *_, paid = jackpot_entries(told(jackpots=states), steps(states, (), told().calendars))
    assert lines(paid) == {"Payable": "700.00", of: "-700.00"}


def test_negative_days_beyond_their_week_are_put_right_at_its_end() -> None:
    """A week of -400.00: 48.00 and 8.00 of its taxes are nobody's to pay back, on its Sunday."""
    sunday = DAY + timedelta(days=6)
    given_facts = told(tables=facts(live("BJ-1", "-400"), last=sunday))
    loss, right = tax_entries(given_facts, taxed(given_facts))
    assert (loss.gaming_day, right.gaming_day) == (DAY, sunday)
    assert {to: -amount for to, amount in loss.postings.items()} == dict(right.postings)
    assert sorted(right.postings.values()) == [cents("-48"), cents("-8"), cents("8"), cents("48")]
    accounts = {row["account"]: row for row in named(general_ledger(given_facts), "accounts")}
    state = accounts[account("tax_state").name]
    assert (state["debits"], state["closing"], state["difference"]) == (cents("48"), 0, 0)


def test_a_week_that_began_before_the_period_is_due_whole() -> None:
    """Sunday alone: its own tax is accrued, and what of the week's loss it cannot carry is put right."""
    sunday = DAY + timedelta(days=6)
    tables = facts(live("BJ-1", "-1,000"), live("BJ-1", "400", day=sunday), first=sunday, last=sunday)
    accrued, right = tax_entries(told(tables=tables), taxed(told(tables=tables)))
    assert accrued.postings[account("tax_state")] == -cents("48")
    assert right.postings[account("tax_state")] == -cents("72")
    (state,) = (
        row
        for row in named(general_ledger(told(tables=tables)), "accounts")
        if row["account"] == account("tax_state").name
    )
    assert (state["closing"], state["difference"]) == (-cents("120"), 0)


def test_a_table_whose_box_is_not_counted_waits() -> None:
    """Its closer is booked and its win is not; the next opener begins where the closer left it."""
    papers = [slip("opener", "BJ-1", "500.00"), slip("closer", "BJ-1", "450.00")]
    found = told(documents=papers)
    entries = list(document_entries(found))
    tray, waiting = account("tray", "BJ-1"), account("unresolved", "BJ-1")
    assert [dict(each.postings) for each in entries] == [
        {tray: 50_000, account("cage_chips"): -50_000},
        {tray: -5_000, waiting: 5_000},
    ]
    assert closed(found) == {"BJ-1": 45_000}


def test_a_tray_is_known_where_its_last_slip_is_a_closer() -> None:
    """A table opened and not closed holds what nobody has counted; one without a slip what it held before."""
    before = {"BJ-2": slip("closer", "BJ-2", "70.00"), "BJ-1": slip("closer", "BJ-1", "60.00")}
    assert closed(told(documents=[slip("opener", "BJ-1", "60.00")], closers=before)) == {"BJ-2": 7_000}


def test_a_box_counted_without_other_slips_is_drop_without_a_win() -> None:
    """Currency and checks are known; the table stays unresolved."""
    (made,) = document_entries(told(documents=[box("BJ-1", "90.00", "10.00")]))
    assert {to.name: amount for to, amount in made.postings.items()} == {
        "Assets:CountRoom:Cash": 9_000,
        "Assets:CounterChecks:AtTables": 1_000,
        "Assets:Tables:Unresolved:BJ-1": -10_000,
    }


class Lives:
    """A meter moved by the functions that move the real one: contributions, hits, voids, percentages, adjustments."""

    def __init__(self) -> None:
        self.meter = meters.seed(meters.Meter(), micros("10,000"))[-1].after
        self.journal = Journal()
        self.events = [self.journal.moved("seed_house", micros("10,000"))]
        self.made: list[Contributed] = []
        self.hits: dict[str, tuple[int, list[meters.Step]]] = {}

    def contribute(self, amount: int, reserve: int) -> None:
        """What a wager puts on the meter and on its reserve."""
        self.meter = meters.contribute(self.meter, amount, reserve)
        self.made.append(self.journal.put(amount, reserve))

    def hit(self, percent: int) -> None:
        """A share of the meter is won; the whole of it resets it."""
        cents_won = display_cents(self.meter.reading) * percent // 100
        moves = meters.award(self.meter, [cents_won])
        if percent == 100:
            moves += meters.reset(moves[-1].after, micros("10,000"))
        name = f"H-{len(self.events)}"
        self.hits[name] = cents_won, moves
        self._moved(moves, hit_id=name)

    def void(self) -> None:
        """The last hit is undone."""
        if self.hits:
            name, (amount, moves) = self.hits.popitem()
            sums = {
                cause: sum(step.amount for step in moves if step.cause.value == cause) for cause in meters.Net._fields
            }
            back = meters.restore(self.meter, amount * MICROS_PER_CENT, meters.Net(**sums), last=True)
            self._moved(back, hit_id=name, decision_id=f"void {name}")

    def adjust(self, amount: int) -> None:
        """People change the reading, never to below nothing."""
        step = meters.move(self.meter, meters.Cause.ADJUSTMENT, max(amount, -self.meter.reading))
        self._moved([step], decision_id=f"D-{len(self.events)}")

    def _moved(self, moves: list[meters.Step], **given: str) -> None:
        for step in moves:
            cause = "reserve" if step.cause is meters.Cause.RESERVE else step.cause.value
            jackpot_id = f"J of {given['hit_id']}" if cause == "award" else ""
            self.events.append(self.journal.moved(cause, step.amount, jackpot_id=jackpot_id, **given))
            self.meter = step.after


MOVES = st.one_of(
    st.tuples(st.just("contribute"), st.integers(0, 10**9), st.integers(0, 10**8)),
    st.tuples(st.just("hit"), st.sampled_from((10, 50, 100))),
    st.tuples(st.just("void")),
    st.tuples(st.just("adjust"), st.integers(-(10**10), 10**9)),
)


@given(st.lists(MOVES, max_size=25))
def test_however_a_meter_is_moved_players_are_owed_no_less_than_nothing(moves: list[tuple[Any, ...]]) -> None:
    """Every group of movements balances; the unearned seed is part of the reading; nothing is lost below a cent."""
    lives = Lives()
    for name, *with_these in moves:
        getattr(lives, name)(*with_these)
    entries, after = booked(lives.events, lives.made)
    owes = after.owed.get(("HVN", "mega"), (0, 0, 0))
    unearned = after.seeds.unearned["HVN", "mega"]
    assert 0 <= unearned <= lives.meter.reading
    assert owes == (lives.meter.reading - unearned, lives.meter.reserve, -lives.meter.overflow)
    sums = [
        sum(each.postings.get(account(part, "HVN", "mega"), 0) for each in entries) for part in ("meter", "reserve")
    ]
    assert sums == [-display_cents(owes[0]), -display_cents(owes[1])]
