"""Whatever happens to links, meters and jackpots, the service agrees with a naive model of the rulings, to the micro.

Two properties with four links each on real Postgres: a wager with one level, one with a mystery, one with whole and
percentage lines, a reserve, a limit and a posted maximum, and one with three levels.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel import errors
from services.progressives import operations
from services.progressives.decision import ChangeReason, Proposal
from services.progressives.play import Change, Event, Part
from services.progressives.verification import verify_journal
from tests.builders import wager_file
from tests.databases import Database
from tests.progressives.house import HEAVENLY, MADE, MADE_WAGER, ROYAL, TABLES, House, make_pool
from tests.progressives.model import CENT, Decision, Refused, Round, Wager

DICE = st.integers(0, 2**32 - 1).map(Random)
"""One draw a step: many small ones would outgrow what is kept of an example."""
NUMBERS = itertools.count(1)
RESULTS = {
    HEAVENLY: ("plain", "same suit"),
    MADE: ("plain", "same suit", "tie"),
    ROYAL: ("plain", "both", "banker", "player"),
}
STAKES = (500, 501, 5_050, 100_000, 1_000_000)
AMOUNTS = (-5_000_000_000, -1_234_567, 1, 30_000_001, 4_000_000_000)
EVENTS = ("whole", "whole", "whole", "close", "result", "void", "amend", "amend", "release", "late")


class Machine(RuleBasedStateMachine):
    """Two properties, each beside its model; every step is compared."""

    def __init__(self, database: Database, home: Path) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.pool = self.run(make_pool(database.url("progressives")))
        self.houses = [House(f"P{next(NUMBERS)}", self.pool, home) for _ in range(2)]
        self.repeat: Callable[[], Awaitable[Any]] | None = None
        self.answer: Any = None
        for house in self.houses:
            self.run(house.set_up())
            self.run(house.compare())

    def run(self, work: Any) -> Any:
        """The result of some work on the machine's own loop."""
        return self.runner.run(work)

    def teardown(self) -> None:
        """Nothing that the service wrote contradicts itself."""
        try:
            for house in self.houses:
                for found in self.run(verify_journal(self.pool, house.ledger.feed)):
                    assert found.different == 0, (found.check, list(found.differences))
        finally:
            self.run(self.pool.close())
            self.runner.close()

    def attempt(self, house: House, expected: Callable[[], Any], real: Callable[[], Awaitable[Any]]) -> tuple[Any, Any]:
        """Model and service both do it, or both refuse; the model's result and the answer, None where refused."""
        try:
            found = expected()
        except Refused:
            with pytest.raises(errors.Refusal):
                self.run(real())
            self.run(house.compare())
            return None, None
        self.repeat, self.answer = real, self.run(real())
        return found, self.answer

    # Play.

    @rule(dice=DICE, place=st.integers(0, 1), offset=st.sampled_from([0, 3, 40, 900, 14_999]))
    def feed(self, dice: Random, place: int, offset: int) -> None:
        """A batch of the rounds feed, of up to five events."""
        house = self.houses[place]
        house.hide(offset)
        kinds = dice.choices(EVENTS, k=dice.randint(1, 5))
        events: list[Event] = []
        for kind in kinds:
            event = self._event(dice, house, kind, house.position + len(events) + 1)
            events += [event] if event else []
        if events:
            self.run(house.feed(events))
            self.run(house.compare())

    def _event(self, dice: Random, house: House, kind: str, at: int) -> Event | None:
        """One event, done by the model already; None where no round is there for it."""
        model = house.model
        if kind in ("whole", "close", "late"):
            return self._new(dice, house, kind, at)
        wanted = [each for each in model.rounds.values() if not each.void and (each.open or kind != "result")]
        if not wanted:
            return None
        played = dice.choice(wanted[-6:])
        code = TABLES[played.table]
        if kind == "result":
            model.deal(at, played, dice.choice(RESULTS[code]))
            return house.play(at, Part.RESULT, played)
        if kind == "void":
            model.correct(at, played, {}, "", void=True)
            return house.correction(at, Change.VOID, played)
        wagers, result = dict(played.wagers), played.result or "plain"
        if kind == "amend":
            result = dice.choice(RESULTS[code])
            for number in list(wagers):
                stake = dice.choice((0, wagers[number].stake, *STAKES))
                seat = dice.choice((wagers[number].seat, wagers[number].seat, dice.randint(1, 3)))
                wagers[number] = replace(wagers[number], stake=stake, seat=seat)
            wagers = {number: each for number, each in wagers.items() if each.stake}
        if kind == "release" or not wagers:
            number = max([*played.wagers, *(no for no, _ in played.owed)], default=0) + 1
            wagers[number] = self._wager(dice, number, code)
        model.correct(at, played, wagers, result, void=False)
        return house.correction(at, Change.RELEASE if kind == "release" else Change.AMEND, played)

    def _new(self, dice: Random, house: House, kind: str, at: int) -> Event:
        """A whole round, one whose betting closes, or one that was quarantined and is released."""
        model, table = house.model, dice.choice(list(TABLES))
        code = TABLES[table]
        count = dice.randint(1, 3)
        wagers = {number: self._wager(dice, number, code) for number in range(1, count + 1)}
        played = Round(len(model.rounds) + 1, model.day, table, wagers)
        result = dice.choice(RESULTS[code])
        if kind == "late":
            model.correct(at, played, wagers, result, void=False)
            return house.correction(at, Change.RELEASE, played)
        model.close(at, played)
        if kind == "close":
            return house.play(at, Part.BETTING_CLOSED, played)
        model.deal(at, played, result)
        return house.play(at, Part.WHOLE, played)

    @staticmethod
    def _wager(dice: Random, number: int, code: str) -> Wager:
        return Wager(number, dice.randint(1, 3), code, dice.choice(STAKES))

    @rule(place=st.integers(0, 1), offset=st.sampled_from([0, 40, 900]))
    def day(self, place: int, offset: int) -> None:
        """A gaming day is opened."""
        house = self.houses[place]
        house.hide(offset)
        self.run(house.open_day())
        self.run(house.compare())

    @rule(place=st.integers(0, 1))
    def batch_again(self, place: int) -> None:
        """A batch that has been applied is refused by the cursor."""
        house = self.houses[place]
        assert house.last_batch is not None
        with pytest.raises(errors.Busy):
            self.run(operations.apply_rounds(house.ledger, *house.last_batch))
        self.run(house.compare())

    @rule(place=st.integers(0, 1))
    def restart(self, place: int) -> None:
        """A new ledger reads from the database what the old one had in memory."""
        house = self.houses[place]
        before = house.ledger.state
        self.run(house.open())
        assert house.ledger.state == before
        self.run(house.compare())

    @precondition(lambda self: self.repeat is not None)
    @rule()
    def call_again(self) -> None:
        """The same request gets the same answer, and nothing moves."""
        assert self.repeat is not None
        assert self.run(self.repeat()) == self.answer
        for house in self.houses:
            self.run(house.compare())

    @rule(place=st.integers(0, 1), suspends=st.booleans(), dice=DICE)
    def suspend_or_resume(self, place: int, suspends: bool, dice: Random) -> None:
        """A link is taken out of play, or put back by another person."""
        house = self.houses[place]
        name = dice.choice(list(house.model.links))
        former, state = ("live", "suspended") if suspends else ("suspended", "live")
        call = operations.suspend_link if suspends else operations.resume_link
        write, who = house.write("SuspendLink" if suspends else "ResumeLink"), "ann" if suspends else "bob"
        self.attempt(
            house,
            lambda: house.model.set_state(name, former, state),
            lambda: call(house.ledger, write, name, "a reason", who),
        )
        self.run(house.compare())

    @rule(place=st.integers(0, 1), dice=DICE, ahead=st.integers(0, 1))
    def amend_link(self, place: int, dice: Random, ahead: int) -> None:
        """A link gets another limit or rate, or one of its successors the tables of a retired one."""
        house, model = self.houses[place], self.houses[place].model
        former = dice.choice(list(model.links.values()))
        levels = {name: replace(level) for name, level in former.levels.items()}
        top, first = dice.choice((0, 1, 50_000)), next(iter(levels.values()))
        first.limit = top and max(first.seed, model.meters[former.name, next(iter(levels))].reading // CENT) + top
        if former.code == MADE:
            first.rate = dice.choice((1_300, 2_000))
        name = f"{former.name}+" if former.state == "retired" else former.name
        link = replace(former, name=name, levels=levels, day=max(0, model.day + ahead))

        self.attempt(house, lambda: model.draft(link), lambda: house.approve_link(link))
        self.repeat = None
        self.run(house.compare())

    @rule(place=st.integers(0, 1), dice=DICE)
    def withdraw_link(self, place: int, dice: Random) -> None:
        """A version that is to be is taken back."""
        house, model = self.houses[place], self.houses[place].model
        name = dice.choice(list(model.links))
        pending = house.ledger.state.pending.get(name)
        version, write = pending.version if pending else 1, house.write("WithdrawLink")
        self.attempt(
            house,
            lambda: model.withdraw(name),
            lambda: operations.withdraw_link(house.ledger, write, name, version, "a reason", "ann"),
        )
        self.run(house.compare())

    # Decisions.

    @rule(place=st.integers(0, 1), dice=DICE)
    def propose(self, place: int, dice: Random) -> None:
        """An adjustment, a transfer or a retirement is proposed."""
        house, model = self.houses[place], self.houses[place].model
        meters = list(model.meters)
        kind = dice.choice(("adjustment", "transfer", "retirement"))
        amount = dice.choice(AMOUNTS)
        subject: tuple[Any, ...]
        if kind == "adjustment":
            subject = (kind, *dice.choice(meters), amount)
        elif kind == "transfer":
            subject = (kind, *dice.choice(meters), *dice.choice(meters), amount)
        else:
            link = dice.choice(list(model.links))
            heirs = tuple((level, *dice.choice(meters)) for level in model.links[link].levels)
            subject = (kind, link, max(0, model.day + dice.randint(0, 1)), heirs)
        self._propose(house, None, subject, at_once=dice.random() < 0.6)

    @rule(place=st.integers(0, 1), dice=DICE)
    def decide_jackpot(self, place: int, dice: Random) -> None:
        """Somebody proposes what becomes of a jackpot that nobody asks about."""
        house = self.houses[place]
        if house.model.jackpots:
            key = dice.choice(list(house.model.jackpots))
            self._propose(house, None, self._about_jackpot(dice, key, house.model.jackpots[key].cents))

    @rule(place=st.integers(0, 1), dice=DICE)
    def answer_asked(self, place: int, dice: Random) -> None:
        """What the platform asks for is proposed."""
        house = self.houses[place]
        if asked := [each for each in house.model.decisions if each.state == "open"]:
            decision = dice.choice(asked)
            subject = decision.subject
            if subject[0] == "jackpot":
                subject = self._about_jackpot(dice, subject[1], house.model.jackpots[subject[1]].cents)
            elif dice.random() < 0.5:
                subject = (*subject[:3], 0)
            self._propose(house, decision, subject)

    @staticmethod
    def _about_jackpot(dice: Random, key: tuple[int, int, str], cents: int) -> tuple[Any, ...]:
        action = dice.choice(("void", "void", "confirm", "set_amount"))
        amount = dice.choice((1_000, cents - 7, cents + 1, cents + 90))
        return "jackpot", key, action, amount if action == "set_amount" else 0

    def _propose(
        self, house: House, decision: Decision | None, subject: tuple[Any, ...], *, at_once: bool = True
    ) -> None:
        asked, about = decision.name if decision else "", house.about(subject)
        reasons = {"transfer": ChangeReason.APPROVED_TRANSFER, "retirement": ChangeReason.APPROVED_TRANSFER}
        reason = reasons.get(subject[0], ChangeReason.MALFUNCTION_CORRECTION)
        proposal, write = Proposal(about, reason, "PGCB-1", "a note"), house.write("ProposeDecision")
        found, answer = self.attempt(
            house,
            lambda: house.model.propose(decision, subject),
            lambda: operations.propose_decision(house.ledger, write, asked, proposal, "ann"),
        )
        if found:
            found.name = answer.decision.decision_id
            self.run(house.compare())
            if at_once:
                self._approve(house, found)

    def _approve(self, house: House, decision: Decision) -> None:
        ledger, name, write = house.ledger, decision.name, house.write("ApproveDecision")
        self.attempt(
            house,
            lambda: house.model.approve(decision),
            lambda: operations.approve_decision(ledger, write, name, decision.proposals, "bob"),
        )
        self.run(house.compare())

    @rule(place=st.integers(0, 1), dice=DICE, approves=st.sampled_from((True, True, True, False)))
    def decide(self, place: int, dice: Random, approves: bool) -> None:
        """A proposal is approved and carried out, or rejected."""
        house, model = self.houses[place], self.houses[place].model
        proposed = [each for each in model.decisions if each.state == "proposed"]
        if not proposed:
            return
        decision = dice.choice(proposed)
        if approves:
            self._approve(house, decision)
            return
        name, write = decision.name, house.write("RejectDecision")
        self.attempt(
            house,
            lambda: model.reject(decision),
            lambda: operations.reject_decision(house.ledger, write, name, "no", "bob"),
        )
        self.run(house.compare())

    @rule(place=st.integers(0, 1), dice=DICE, goes_on=st.booleans())
    def claim(self, place: int, dice: Random, goes_on: bool) -> None:
        """A jackpot is claimed, and may be verified and paid."""
        house, model = self.houses[place], self.houses[place].model
        if not model.jackpots:
            return
        key = dice.choice(list(model.jackpots))
        jackpot, ledger = model.jackpots[key], house.ledger
        table, seat, name = jackpot.round.table, jackpot.wager.seat, house.jackpots[key].jackpot_id
        writes = [house.write(f"{each}Jackpot") for each in ("Claim", "Verify", "Pay")]
        calls: list[tuple[Callable[[], Any], Callable[[], Awaitable[Any]]]] = [
            (
                lambda: model.claim(table, seat),
                lambda: operations.claim_jackpot(ledger, writes[0], table, seat, "cat"),
            ),
            (
                lambda: model.verify(key),
                lambda: operations.verify_jackpot(ledger, writes[1], name, "floorperson", "dan"),
            ),
            (lambda: model.pay(key), lambda: operations.pay_jackpot(ledger, writes[2], name, PAYEE, "eve")),
        ]
        for expected, real in calls if goes_on else calls[:1]:
            self.attempt(house, expected, real)
            self.run(house.compare())


PAYEE = pb.Payee(name="A. Winner", address="1 Pier", identification="licence", tax_number="1")


@pytest.fixture
def made_wager(tmp_path: Path) -> Iterator[None]:
    """A wager with whole and percentage lines and a reserve."""
    with wager_file(tmp_path, "model", MADE_WAGER):
        yield


def play(database: Database, home: Path, examples: int, steps: int) -> None:
    """Machines one after another on one database, each with properties of its own."""

    class Played(Machine):
        def __init__(self) -> None:
            super().__init__(database, home)

    run_state_machine_as_test(
        Played,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            # A failing machine is told as it is: making it smaller would take minutes on a real database.
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_meters_are_those_of_the_model(database: Database, home: Path, made_wager: None) -> None:
    """Rulings J1 to J12, on a few hundred random steps."""
    play(database, home, examples=20, steps=100)


@pytest.mark.slow
def test_meters_are_those_of_the_model_for_long(database: Database, home: Path, made_wager: None) -> None:
    """Rulings J1 to J12, on many thousand random steps."""
    play(database, home, examples=110, steps=200)
