"""Two gaming days with everything in them, as the feeds and the papers tell it: for the journal and the registers."""

from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import documents_pb2 as paper
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from services.kernel.money import MICROS_PER_CENT, cents
from tests.reporting.conftest import House
from tests.reporting.papers import box, counted, post, post_all, whole_day, written
from tests.reporting.test_projections import HEAVENLY, key
from tests.reporting.upstream import PROPERTY

MONDAY, TUESDAY = "2026-03-02", "2026-03-03"
END = 10
"""The position of the rounds feed at which both days are over."""


def micros(amount: str) -> int:
    """Dollars as micro-dollars."""
    return cents(amount) * MICROS_PER_CENT


def at(day: int, hour: int = 17) -> Timestamp:
    """An hour of a day in March 2026, UTC; 17 is noon in New York."""
    made = Timestamp()
    made.FromDatetime(datetime(2026, 3, day, hour, tzinfo=UTC))
    return made


class Told:
    """A meter of one level and its link, $10,000 and 10 %, as the progressives feed tells them."""

    def __init__(self, link_id: str) -> None:
        self.link_id, self.reading, self.reserve = link_id, 0, 0

    def link(
        self,
        state: "progressives.LinkState.ValueType" = progressives.LINK_STATE_LIVE,
        version: int = 1,
        seed: int = 1_000_000,
        **more: Any,
    ) -> Any:
        """A state of the link."""
        terms = progressives.MeterTerms(level="mega", seed_cents=seed, increment_rate=1_000, reserve_rate=200)
        parts: dict[str, Any] = {
            "property_id": PROPERTY,
            "title": f"The {self.link_id}",
            "code": HEAVENLY,
            "paytable": "standard",
            "meters": [terms],
            "table_ids": ["BAC-01"],
            "effective_from": MONDAY,
            "proposed_by": "ann",
            "approved_by": "bob",
            "approved_at": at(1),
            "rounds_position": 4,
        }
        link = progressives.Link(link_id=self.link_id, version=version, state=state, **{**parts, **more})
        return progressives.Entry(link=link)

    def contribution(self, round_no: int, position: int, amount: int, reserve: int) -> progressives.Entry:
        """A wager's contribution, micro-dollars."""
        self.reading += amount
        self.reserve += reserve
        made = progressives.Contribution(
            key=key(round_no),
            wager_no=1,
            code=HEAVENLY,
            paytable="standard",
            submission_id="RS-1",
            stake_cents=500,
            link_id=self.link_id,
            link_version=1,
            amount_micros=[amount],
            reading_micros=[self.reading],
            reserve_amount_micros=[reserve],
            reserve_micros=[self.reserve],
            rounds_position=position,
        )
        return progressives.Entry(contribution=made)

    def moved(self, cause: str, amount: int, position: int, **more: Any) -> progressives.Entry:
        """A movement by another cause, micro-dollars."""
        self.reading += 0 if cause == "RESERVE" else amount
        self.reserve += {"RESERVE": amount, "SEED_RESERVE": -amount}.get(cause, 0)
        made = progressives.MeterMovement(
            link_id=self.link_id,
            link_version=1,
            level="mega",
            cause=progressives.MeterCause.Value(f"METER_CAUSE_{cause}"),
            amount_micros=amount,
            reading_after_micros=self.reading,
            reserve_after_micros=self.reserve,
            rounds_position=position,
            **{"gaming_day": MONDAY, **more},
        )
        return progressives.Entry(movement=made)


def jackpot(number: int, state: str, amount: str, **more: Any) -> progressives.Entry:
    """A state of a jackpot of HVN: J-1 of hit H-1 in round 1, and so on."""
    parts: dict[str, Any] = {
        "jackpot_id": f"J-{number}",
        "hit_id": f"H-{number}",
        "link_id": "HVN",
        "link_version": 1,
        "level": "mega",
        "key": key(number),
        "wager_no": 1,
        "seat": number,
        "code": HEAVENLY,
        "paytable": "standard",
        "amount_cents": cents(amount),
        "percent": 10_000,
        "reading_micros": micros(amount),
        "rounds_position": 6,
        "paid_from": "slip",
        "stake_cents": 500,
    }
    found = progressives.Jackpot(state=progressives.JackpotState.Value(f"JACKPOT_STATE_{state}"), **{**parts, **more})
    return progressives.Entry(jackpot=found)


def decision(name: str, state: str, **more: Any) -> progressives.Entry:
    """A state of what two people decide."""
    parts: dict[str, Any] = {
        "proposed_by": "ann",
        "decided_by": "bob" if state != "PROPOSED" else "",
        "gaming_day": MONDAY,
        "rounds_position": 8,
        "reason": progressives.CHANGE_REASON_MALFUNCTION_CORRECTION,
        "regulator_reference": "PGCB 26-7",
        "note": "the controller lost a cent",
    }
    number = progressives.DecisionState.Value(f"DECISION_STATE_{state}")
    return progressives.Entry(decision=progressives.Decision(decision_id=name, state=number, **{**parts, **more}))


def hit_and_paid(meter: Told) -> list[progressives.Entry]:
    """The whole meter of 12,000 is won and paid on Monday; 10 % of the next is won and waits."""
    first, second = {"hit_id": "H-1", "key": key(1)}, {"hit_id": "H-2", "key": key(2), "jackpot_id": "J-2"}
    verified = {"actor": "carl", "rank": "floorperson", "at": at(2)}
    paid = {
        "actor": "dora",
        "at": at(2, 18),
        "slip_no": "PJ-7",
        "paid_through": progressives.PAID_THROUGH_ATTENDANT,
        "reportable": True,
        "withheld_cents": cents("2,878.80"),
    }
    return [
        meter.contribution(1, 5, micros("2,000") + 5_005, micros("400")),
        meter.moved("AWARD", -micros("12,000"), 6, jackpot_id="J-1", **first),
        meter.moved("SEED_RESERVE", micros("400"), 6, **first),
        meter.moved("SEED_HOUSE", micros("9,600"), 6, **first),
        jackpot(1, "HIT", "12,000.00"),
        jackpot(1, "CLAIMED", "12,000.00", actor="bea", at=at(2)),
        jackpot(1, "VERIFIED", "12,000.00", **verified),
        jackpot(1, "PAID", "12,000.00", **paid),
        meter.contribution(2, 7, micros("345.60") + 4_995, micros("1.25")),
        meter.moved("AWARD", -micros("1,034.56"), 7, **second),
        jackpot(2, "HIT", "1,034.56", percent=1_000, rounds_position=7),
    ]


def decided(meter: Told, other: Told) -> list[progressives.Entry]:
    """An adjustment and a transfer on Monday; on Tuesday J-2 is voided, and what a round contributed is undone."""
    adjusted = progressives.Adjustment(link_id="HVN", level="mega", amount_micros=-micros("2,500"))
    transfer = {"from_link_id": "HVN", "from_level": "mega", "to_link_id": "GLD", "to_level": "mega"}
    sent = progressives.Transfer(**transfer, amount_micros=micros("100"))
    void = progressives.JackpotDecision(jackpot_id="J-2", action=progressives.JACKPOT_ACTION_VOID)
    back = {"hit_id": "H-2", "key": key(2), "jackpot_id": "J-2", "decision_id": "D-3"}
    return [
        decision("D-1", "PROPOSED", adjustment=adjusted),
        decision("D-1", "APPROVED", adjustment=adjusted),
        meter.moved("ADJUSTMENT", -micros("2,500"), 8, decision_id="D-1"),
        decision("D-2", "APPROVED", transfer=sent, reason=progressives.CHANGE_REASON_APPROVED_TRANSFER),
        meter.moved("TRANSFER_OUT", -micros("100"), 8, decision_id="D-2"),
        other.moved("TRANSFER_IN", micros("100"), 8, decision_id="D-2"),
        decision("D-3", "APPROVED", jackpot=void, reason=progressives.CHANGE_REASON_JACKPOT, rounds_position=END),
        meter.moved("AWARD", micros("1,034.56"), END, **back),
        jackpot(2, "VOIDED", "1,034.56", rounds_position=7, actor="bob", at=at(3), decision_id="D-3"),
        meter.moved("CONTRIBUTION", -micros("0.50"), END, key=key(3), wager_no=1),
        meter.moved("RESERVE", -micros("0.10"), END, key=key(3), wager_no=1),
        other.link(progressives.LINK_STATE_SUSPENDED, changed_by="carl", reason="sign dark", rounds_position=END),
        other.link(progressives.LINK_STATE_PROPOSED, version=2, seed=2_000_000, rounds_position=END, approved_by=""),
    ]


def unlinked() -> list[progressives.Entry]:
    """Won where no link was live: two people set the amount, the house pays it."""
    no_link = {"hit_id": "", "link_id": "", "link_version": 0, "percent": 0, "reading_micros": 0}
    given = {"amount_cents": 0, **no_link}
    return [
        jackpot(4, "UNPRICED", "0.00", **given),
        jackpot(4, "HIT", "700.00", **no_link, actor="bob", at=at(2, 19), decision_id="D-4"),
    ]


def submission() -> settlement.SubmissionsEntry:
    """Both tables' kinds, approved by two people."""
    kinds = (("BAC-01", "baccarat", "live"), ("RO-1", "roulette", "fully_automated"))
    tables = [settlement.TableTerms(table_id=name, game=game, kind=kind) for name, game, kind in kinds]
    told = settlement.Submission(
        submission_id="RS-1",
        property_id=PROPERTY,
        title="Opening",
        effective_from="2026-01-01",
        tables=tables,
        proposed_by="ann",
        approved_by="bob",
    )
    return settlement.SubmissionsEntry(approved=told)


def papers_of_both_days() -> list[paper.Document]:
    """Monday of BJ-104 with coupons, checks, vigorish, terminals; Tuesday opens 5.00 short and waits for its count."""
    monday = [each for each in whole_day() if each.document_id != "N-1"]
    coupons = {name: counted(by, "38,250.00", "10,000.00", "75.00") for name, by in COUNTERS}
    return [
        *monday,
        box("N-1", "38,250.00", "10,000.00", coupons_cents=cents("75.00"), **coupons),
        written("counter_check", "M-2", "600.00"),
        written("counter_check_redeemed", "R-1", "600.00"),
        written("vigorish_uncollected", "V-1", "40.00"),
        written("vigorish_recovered", "W-1", "15.00"),
        written("jackpot_slip", "PJ-7", "12,000.00", jackpot_id="J-1"),
        written("meter_reading", "E-1", table_id="RO-1", wagers_cents=cents("5,000"), payouts_cents=cents("4,400.55")),
        written("opener", "O-2", "32,395.00", gaming_day=TUESDAY, occurred_at=at(3)),
        written("closer", "X-2", "30,000.00", gaming_day=TUESDAY, occurred_at=at(3, 20)),
    ]


COUNTERS = (("first_count", "Ann"), ("second_count", "Ben"))


async def play_both_days(house: House) -> None:
    """Everything of both days, told and posted."""
    upstream, heavenly, gold = house.upstream, Told("HVN"), Told("GLD")
    table = rounds.TableSettings(
        property_id=PROPERTY, table_id="RO-1", pit="P1", game="roulette", effective_from="2026-01-01"
    )
    opened = [rounds.Entry(day_opened=rounds.DayOpened(gaming_day=day)) for day in (MONDAY, TUESDAY)]
    nothing = [rounds.Entry(betting_closed=rounds.Round(key=key(9)))] * 4
    await upstream.rounds.commit([rounds.Entry(table_set=table), opened[0], *nothing, opened[1], nothing[0]])
    await upstream.submissions.commit([submission()])
    seeds = [meter.moved("SEED_HOUSE", micros("10,000"), 4) for meter in (heavenly, gold)]
    told = [heavenly.link(), gold.link(), *seeds, gold.contribution(1, 5, micros("3.33") + 3_333, 66)]
    told += [*hit_and_paid(heavenly), *unlinked(), *decided(heavenly, gold)]
    await upstream.progressives.commit(told, rounds=END)
    await upstream.settlements.commit(rounds=END)
    await house.report(complete_to=END)
    await post_all(house, papers_of_both_days())
    await post(house, written("fill", "F-9", "22,100.00", corrects="F-1", reason="keyed short"), by="an auditor")
