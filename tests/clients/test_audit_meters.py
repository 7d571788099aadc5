"""The auditor agrees with every life of a meter, and finds each entry that is left out or says something else."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from casino.progressives.v1 import entries_pb2 as progressives
from clients.cli.audit.meters import check_meters
from services.progressives import jackpot as jackpots
from services.progressives.decision import Adjustment, Heir, JackpotAction, JackpotDecision, Retirement, Transfer
from services.progressives.jackpot import PaidThrough
from services.progressives.link import LinkState, MeterTerms
from services.progressives.play import Change, Part
from services.progressives.winnings import Assessment
from tests.clients.told import Told
from tests.progressives.folded import CODE, NEXT_DAY, NOW, SEED_CENTS, WHOLE, Numbers, linked, on
from tests.progressives.test_mystery_fold import FAST, MEGA, offering

RESERVED = MeterTerms("mega", SEED_CENTS, 1_000, 300, 0)
LIMITED = MeterTerms("mega", SEED_CENTS, 1_000, 0, SEED_CENTS + 100)


def played() -> Told:
    """Whole rounds and rounds in pieces, two winners of one hit, a suspension, a resumption, a second link."""
    floor = Told(linked("H9", RESERVED), linked("N9", table_ids=("BAC-03",)))
    floor.round(1, on(3), on(1, 733))
    floor.round(2, on(2), part=Part.BETTING_CLOSED)
    floor.round(3, on(1), table="BAC-03")
    floor.suspend()
    floor.round(4, on(1))
    floor.round(2, on(2), part=Part.RESULT)
    floor.suspend(state=LinkState.LIVE)
    floor.round(5, on(4, 507), on(2), cards=WHOLE)
    floor.round(6, on(1))
    return floor


def limited() -> Told:
    """Contributions above the limit are kept off and open the next meter."""
    floor = Told(linked("H9", LIMITED))
    for number in range(1, 4):
        floor.round(number, on(1, 700))
    floor.void(3)
    floor.round(4, on(1), cards=WHOLE)
    floor.round(5, on(1))
    return floor


def decided() -> Told:
    """An adjustment down, one up, a transfer, and a retirement into another link."""
    floor = Told(linked("H9", RESERVED), linked("N9", table_ids=("BAC-03",)))
    floor.round(1, on(1, 900))
    floor.decide(Adjustment("H9", "mega", -50_001))
    floor.decide(Adjustment("H9", "mega", 7))
    floor.decide(Transfer("H9", "mega", "N9", "mega", 40_000))
    floor.decide(Retirement("H9", NEXT_DAY, (Heir("mega", "N9", "mega"),)))
    floor.day(NEXT_DAY)
    floor.round(2, on(1), table="BAC-03", day=NEXT_DAY)
    return floor


def corrected() -> Told:
    """Voids, amended stakes up and down, a wager added, one let in, one of a round that is open."""
    floor = Told(linked("H9", RESERVED))
    floor.round(1, on(1, 900), on(2))
    floor.amend(1, on(1, 500), on(2, 600), on(3))
    floor.void(1)
    floor.round(2, on(1))
    floor.amend(2, on(1), on(4), change=Change.RELEASE)
    floor.round(3, on(1), part=Part.BETTING_CLOSED)
    floor.amend(3, on(1), on(5), part=Part.BETTING_CLOSED, change=Change.RELEASE)
    floor.round(3, on(1), on(5), part=Part.RESULT)
    return floor


def contested() -> Told:
    """A hit between: the void asks for an adjustment and about the jackpot, which two people void."""
    floor = Told(linked("H9", RESERVED))
    floor.round(1, on(1, 900))
    floor.round(2, on(1), on(2, 700), cards=WHOLE)
    floor.void(1)
    floor.void(2)
    for each in list(floor.open):
        if isinstance(each.subject, JackpotDecision):
            floor.decide(JackpotDecision(each.subject.jackpot_id, JackpotAction.VOID, 0), each.reason, each.decision_id)
        else:
            floor.decide(each.subject, each.reason, each.decision_id)
    floor.round(3, on(1))
    return floor


def amended_into_a_hit() -> Told:
    """An amended round wins, is amended again and does not; people set the amount, later all of it is confirmed."""
    floor = Told()
    floor.round(1, on(1))
    floor.amend(1, on(1), cards=WHOLE)
    name = floor.won().jackpot_id
    floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, SEED_CENTS - 1))
    floor.amend(1, on(1))
    (asked,) = [each for each in floor.open if isinstance(each.subject, JackpotDecision)]
    floor.decide(JackpotDecision(name, JackpotAction.CONFIRM, 0), asked.reason, asked.decision_id)
    floor.round(2, on(1))
    return floor


def hidden() -> Told:
    """Two mystery hits of one round, beside the meter that the paytable awards."""
    held = offering(CODE, "baccarat", mystery="A-$5")
    floor = Told(linked("H9", MEGA, FAST), random=Numbers(10, 20, 30), tables={"BAC-01": held, "BAC-02": held})
    floor.round(1, on(1, 100))
    floor.round(2, on(1, 200), on(2, 300), on(3, 100))
    floor.round(3, on(1, 100))
    floor.amend(3, on(1, 300))
    floor.amend(3, on(1, 150))
    return floor


def held_and_unpriced() -> Told:
    """Above the link's limit, lowered by an amendment, two people confirm; without a link they set the amount."""
    floor = Told(linked("H9", LIMITED))
    floor.round(1, on(1), table="BAC-03", cards=WHOLE)
    (asked,) = floor.open
    name = floor.won().jackpot_id
    floor.decide(JackpotDecision(name, JackpotAction.SET_AMOUNT, 5_000), asked.reason, asked.decision_id)
    floor.amend_link("H9", NEXT_DAY, meters=(RESERVED._replace(increment_rate=1_200),))
    floor.round(2, on(1), day=NEXT_DAY)
    return floor


def paid() -> Told:
    """A jackpot claimed, verified by another person and paid by a third."""
    floor = Told()
    floor.round(1, on(1), cards=WHOLE)
    hit = floor.won()
    claimed = jackpots.claim(hit, "ann", NOW)
    verified = jackpots.verify(claimed, "bob", "floorperson", NOW, 2, bytes(32))
    due = Assessment(True, 0, "")
    for state in (claimed, verified, jackpots.pay(verified, "cy", NOW, PaidThrough.ATTENDANT, "S-1", due, b"")):
        book = floor.book()
        book.put_jackpot(state)
        floor.keep(book)
    return floor


LIVES: tuple[Callable[[], Told], ...] = (
    played,
    limited,
    decided,
    corrected,
    contested,
    amended_into_a_hit,
    hidden,
    held_and_unpriced,
    paid,
)


def differences(floor: Told, journal: list[progressives.Entry]) -> list[str]:
    """What the auditor says of a journal beside what was recorded."""
    found, _ = check_meters(floor.history(journal), through=floor.at)
    return [difference for each in found for difference in each.differences]


@pytest.mark.parametrize("life", LIVES)
def test_a_journal_that_follows_the_rules_is_clean(life: Callable[[], Told]) -> None:
    """Each movement is what its wager, hit, correction or decision calls for, to the micro-dollar."""
    floor = life()
    assert differences(floor, floor.journal()) == []
    assert any(each.HasField("movement") for each in floor.journal())


@pytest.mark.parametrize("life", LIVES)
def test_an_entry_that_is_left_out_is_found(life: Callable[[], Told]) -> None:
    """But the last state that a person brought something to: nothing after it tells of it, the chain does."""
    floor = life()
    journal = floor.journal()
    for place, each in enumerate(journal):
        if each.WhichOneof("body") != "exception" and not last_word(journal, place):
            rest = [*journal[:place], *journal[place + 1 :]]
            assert differences(floor, rest), f"{place}: {each}"


def last_word(journal: list[progressives.Entry], place: int) -> bool:
    """Whether an entry is a jackpot's last state, by a person, or a decision by which nothing moves."""
    told, rest = journal[place], journal[place + 1 :]
    if told.HasField("jackpot"):
        return bool(told.jackpot.actor) and told.jackpot.jackpot_id not in {each.jackpot.jackpot_id for each in rest}
    if told.HasField("decision") and told.decision.jackpot.action == progressives.JACKPOT_ACTION_CONFIRM:
        return told.decision.decision_id not in {each.decision.decision_id for each in rest}
    return False


class Forged(NamedTuple):
    """A journal in which one number was changed, and which."""

    journal: list[progressives.Entry]
    what: str


NUMBERS = {
    "contribution": ("stake_cents", "seat", "wager_no", "amount_micros", "reading_micros", "reserve_micros"),
    "movement": (
        *("amount_micros", "reading_before_micros", "reading_after_micros"),
        *("reserve_before_micros", "reserve_after_micros"),
    ),
    "jackpot": ("amount_cents", "percent", "reading_micros", "seat", "wager_no"),
    "trigger": ("number",),
}


def forged(journal: list[progressives.Entry]) -> Iterator[Forged]:
    """Each number of each entry one higher, one after another."""
    for place, each in enumerate(journal):
        kind = each.WhichOneof("body") or ""
        for name in NUMBERS.get(kind, ()):
            changed = progressives.Entry.FromString(each.SerializeToString())
            body: Any = getattr(changed, kind)
            value = getattr(body, name)
            if isinstance(value, int):
                setattr(body, name, value + 1)
            elif value:
                value[0] += 1
            else:
                continue
            yield Forged([*journal[:place], changed, *journal[place + 1 :]], f"{place}: {name} of {each}")


@pytest.mark.parametrize("life", LIVES)
def test_a_number_that_is_changed_is_found(life: Callable[[], Told]) -> None:
    """No amount, reading, stake, share or seat can be another one."""
    floor = life()
    for each in forged(floor.journal()):
        assert differences(floor, each.journal), each.what


def changed(floor: Told, kind: str, change: Callable[[Any], object], which: Callable[[Any], bool]) -> list[str]:
    """What the auditor says once the first entry of a kind that fits was changed."""
    journal = floor.journal()
    body = next(body for each in journal if each.HasField(kind) and which(body := getattr(each, kind)))  # type: ignore[arg-type]  # the names of the oneof
    change(body)
    return differences(floor, journal)


def is_approved(told: progressives.Decision) -> bool:
    """Whether this state is the approval."""
    return told.state == progressives.DECISION_STATE_APPROVED


def test_a_decision_of_one_person_is_found() -> None:
    """Whoever proposed it did not approve it."""
    found = changed(decided(), "decision", lambda told: setattr(told, "decided_by", told.proposed_by), is_approved)
    assert any("two people" in each for each in found)


def test_a_decision_approved_for_another_amount_is_found() -> None:
    """What is approved is what was proposed."""
    found = changed(decided(), "decision", lambda told: setattr(told.adjustment, "amount_micros", -50_002), is_approved)
    assert any("as proposed" in each for each in found)


def test_a_link_approved_by_its_proposer_is_found() -> None:
    """A link takes two people."""

    def live(told: progressives.Link) -> bool:
        return told.state == progressives.LINK_STATE_LIVE

    found = changed(played(), "link", lambda told: setattr(told, "approved_by", told.proposed_by), live)
    assert any("two people" in each for each in found)


def test_a_version_that_was_not_approved_so_is_found() -> None:
    """A link runs on the rates that were approved."""

    def raise_rate(told: progressives.Link) -> None:
        told.meters[0].increment_rate += 1

    found = changed(played(), "link", raise_rate, lambda told: told.state == progressives.LINK_STATE_LIVE)
    assert any("as it was approved" in each for each in found)


def test_a_link_resumed_by_whoever_suspended_it_is_found() -> None:
    """A resumption takes another person."""
    found = changed(
        played(), "link", lambda told: setattr(told, "changed_by", "eve"), lambda told: told.changed_by == "dan"
    )
    assert any("another person than eve" in each for each in found)


@pytest.mark.parametrize("change", [("trigger_cents", 10_009), ("salt", bytes(32)), ("jackpot_id", "J-other")])
def test_another_trigger_than_the_one_committed_to_is_found(change: tuple[str, Any]) -> None:
    """Amount, salt and winner follow from the commitment and from the contributions."""

    def opened(told: progressives.Trigger) -> bool:
        return told.state == progressives.TRIGGER_STATE_OPENED

    assert changed(hidden(), "trigger", lambda told: setattr(told, *change), opened)


def test_a_commitment_changed_after_the_fact_is_found() -> None:
    """The commitment that was published is the one that is opened."""
    assert changed(hidden(), "trigger", lambda told: setattr(told, "commitment", bytes(32)), lambda told: True)


STEPS = [
    ("VERIFIED", "actor", "ann"),
    ("VERIFIED", "rank", "dealer"),
    ("PAID", "actor", "bob"),
    ("PAID", "slip_no", ""),
]


@pytest.mark.parametrize(("state", "field", "value"), STEPS)
def test_a_jackpot_that_one_person_brought_two_steps_is_found(state: str, field: str, value: str) -> None:
    """Claim, verification and payment are of different people, the verifier of rank, the payment by slip."""
    wanted = progressives.JackpotState.Value(f"JACKPOT_STATE_{state}")
    assert changed(paid(), "jackpot", lambda told: setattr(told, field, value), lambda told: told.state == wanted)


def test_contributions_out_of_the_order_of_seats_are_found() -> None:
    """The order within a round decides who meets a hidden trigger."""
    floor = played()
    journal = floor.journal()
    first, second = [place for place, each in enumerate(journal) if each.HasField("contribution")][:2]
    journal[first], journal[second] = journal[second], journal[first]
    assert any("order of seats" in each for each in differences(floor, journal))
