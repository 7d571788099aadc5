"""The naive model's people and days: links in and out of force, decisions of two people, claims and payments."""

from collections import Counter
from dataclasses import replace
from typing import Any

from tests.progressives.model import CENT, MYSTERY, WHOLE, Decision, Jackpot, Link, Meter, Model, Refused, prices


def expect(holds: bool) -> None:
    """Raises Refused unless it holds."""
    if not holds:
        raise Refused


class Lives(Model):
    """The model with everything that people do."""

    # Links.

    def draft(self, link: Link) -> None:
        """A link, new or amended, proposed and approved; a limit never lies under the reading."""
        former, waiting = self.links.get(link.name), self.pending.get(link.name)
        expect(waiting is None and (former is None or former.state != "retired"))
        others = [each for each in (*self.links.values(), *self.pending.values()) if each.name != link.name]
        for other in others:
            shared = set(other.tables) & set(link.tables)
            expect(other.state == "retired" or other.code != link.code or not shared)
        for name, level in link.levels.items():
            standing = self.meters.get((link.name, name), Meter())
            expect(not level.limit or name == MYSTERY or standing.reading < level.limit * CENT)
        self.pending[link.name] = replace(link, state="approved")

    def withdraw(self, name: str) -> None:
        """A version that is not in force is taken back."""
        expect(name in self.pending)
        del self.pending[name]

    def set_state(self, name: str, former: str, state: str) -> None:
        """Suspends or resumes."""
        expect(name in self.links and self.links[name].state == former)
        self.links[name].state = state

    def open_day(self, day: int) -> None:
        """Links go live and change, then retire, unless a jackpot or a pinned round of theirs is open."""
        self.day = day
        for name in sorted(self.pending):
            link, former = self.pending[name], self.links.get(name)
            if link.day <= day and (former is None or self._may_change(link)):
                del self.pending[name]
                link.state = former.state if former else "live"
                self.links[name] = link
                if former is None:
                    self._seed(link)
        for decision in sorted(self.decisions, key=lambda each: each.name):
            if decision.state == "approved" and decision.subject[2] <= day and self._may_retire(decision):
                self._retire(decision)

    def _may_change(self, link: Link) -> bool:
        readings = {name: self.meters[link.name, name].reading for name in link.levels}
        fits = all(not level.limit or readings[name] <= level.limit * CENT for name, level in link.levels.items())
        return fits and not self.busy(link.name)

    def _may_retire(self, decision: Decision) -> bool:
        try:
            self.check(decision.subject, decision)
        except Refused:
            return False
        return not self.busy(decision.subject[1])

    def busy(self, name: str) -> bool:
        """Whether a jackpot or a round of the link is open."""
        won = any(each.open and each.link == name for each in self.jackpots.values())
        asked = any(name in self._links_of(each) for each in self.decisions if each.state in ("open", "proposed"))
        return won or asked or any(each.open and name in each.pins.values() for each in self.rounds.values())

    def _links_of(self, decision: Decision) -> list[str]:
        kind, *about = decision.subject
        if kind == "jackpot":
            return [self.jackpots[about[0]].link]
        if kind == "adjustment":
            return [about[0]]
        return [about[0], about[2]] if kind == "transfer" else []

    def _seed(self, link: Link) -> None:
        for name, level in link.levels.items():
            self.meters[link.name, name] = Meter()
            self.meters[link.name, name].put("seed_house", level.seed * CENT)
            if name == MYSTERY:
                self.triggers[link.name, name] = level.seed + self.offset

    def _retire(self, decision: Decision) -> None:
        _, name, _, heirs = decision.subject
        for level, to_link, to_level in heirs:
            meter = self.meters[name, level]
            meter.put("overflow", meter.kept_off)
            meter.put("seed_reserve", meter.reserve)
            amount = meter.reading
            meter.put("transfer_out", -amount)
            heir, terms = self.meters[to_link, to_level], self.level(to_link, to_level)
            heir.put("transfer_in", amount)
            self.keep_within(heir, terms)
            self.triggers.pop((name, level), None)
        self.links[name].state = "retired"
        self.pending.pop(name, None)
        self.decisions.remove(decision)

    # Decisions.

    def propose(self, decision: Decision | None, subject: tuple[Any, ...]) -> Decision:
        """A proposal, of its own or for a decision that is asked for."""
        self.check(subject, decision)
        if decision is None:
            decision = Decision(subject, "proposed", None, proposals=1)
            self.decisions.append(decision)
            return decision
        expect(decision.state == "open" and decision.subject[0] == subject[0])
        expect(subject[0] != "jackpot" or decision.subject[1] == subject[1])
        decision.subject, decision.state = subject, "proposed"
        decision.proposals += 1
        return decision

    def approve(self, decision: Decision) -> None:
        """Another person approves; a retirement waits for its day."""
        expect(decision.state == "proposed")
        self.check(decision.subject, decision)
        self._carry_out(decision.subject)
        decision.state = "approved"
        if decision.subject[0] != "retirement":
            self.decisions.remove(decision)

    def reject(self, decision: Decision) -> None:
        """It is not approved; what is asked for stays open."""
        expect(decision.state == "proposed")
        decision.state = "open"
        if decision.asked is None:
            self.decisions.remove(decision)

    def check(self, subject: tuple[Any, ...], own: Decision | None = None) -> None:
        """Whether it can be carried out as the meters stand; `own` is the decision as it was entered before."""
        kind = subject[0]
        if kind == "adjustment":
            # People put no money on a hidden trigger (J10).
            expect(subject[3] <= 0 or subject[2] != MYSTERY)
            self._movable(*subject[1:])
        elif kind == "transfer":
            _, link, level, to_link, to_level, amount = subject
            expect(amount > 0 and (link, level) != (to_link, to_level) and to_level != MYSTERY)
            self._movable(link, level, -amount)
            self._movable(to_link, to_level, amount)
        elif kind == "retirement":
            _, link, _, heirs = subject
            expect(self.running(link) and sorted(each[0] for each in heirs) == sorted(self.links[link].levels))
            for _, to_link, to_level in heirs:
                expect(to_link != link and to_level != MYSTERY)
                self._movable(to_link, to_level, 0)
            # One at a time.
            expect(not self._beside(own, "retirement", link))
        else:
            asked = own is not None and own.asked is not None
            # What the platform asks is answered first.
            expect(asked or not self._beside(own, "jackpot", subject[1]))
            self._check_jackpot(*subject[1:], asked=asked)

    def _beside(self, own: Decision | None, *about: Any) -> bool:
        return any(each is not own and each.subject[:2] == about for each in self.decisions)

    def _movable(self, link: str, level: str, amount: int) -> None:
        expect(self.running(link) and level in self.links[link].levels)
        reading, limit = self.meters[link, level].reading + amount, self.level(link, level).limit
        expect(reading >= 0 and (amount <= 0 or not limit or reading <= limit * CENT))

    def _without_meter(self, jackpot: Jackpot) -> bool:
        """None was live, or its link is over and nobody was paid."""
        return not jackpot.link or (self.links[jackpot.link].state == "retired" and jackpot.state != "paid")

    def _check_jackpot(self, key: tuple[int, int, str], action: str, cents: int, *, asked: bool) -> None:
        expect(key in self.jackpots and action != "none")
        jackpot = self.jackpots[key]
        voided = jackpot.state == "voided"
        expect(action != "confirm" or jackpot.state not in ("unpriced", "voided"))
        # One that is voided stays so where the platform asks.
        expect(action != "void" or not voided or asked)
        expect(action != "void" or voided or self._without_meter(jackpot) or self.running(jackpot.link))
        if action == "set_amount":
            expect((jackpot.open or voided) and cents > 0)
            more = cents - (0 if voided else jackpot.cents)
            if not self._without_meter(jackpot) and more > 0:
                expect(self.running(jackpot.link))
                kept = self.meters[jackpot.link, jackpot.level].kept_off if jackpot.level == MYSTERY else 0
                self._movable(jackpot.link, jackpot.level, -max(0, more * CENT - kept))

    def _carry_out(self, subject: tuple[Any, ...]) -> None:
        kind = subject[0]
        if kind == "adjustment":
            self.meters[subject[1:3]].put("adjustment", subject[3])
        elif kind == "transfer":
            self.meters[subject[1:3]].put("transfer_out", -subject[5])
            self.meters[subject[3:5]].put("transfer_in", subject[5])
        elif kind == "jackpot":
            jackpot, action, cents = self.jackpots[subject[1]], subject[2], subject[3]
            if action == "void":
                self._void(jackpot)
            elif action == "set_amount":
                self._set_amount(jackpot, cents)
            elif jackpot.state == "held":
                # That it lies above a posted maximum says nothing of the round.
                jackpot.state = "hit"
                return
            # What two people confirm or price is verified on their word, of the round as they saw it (J12).
            if action != "void":
                jackpot.decided = self.position

    def _void(self, jackpot: Jackpot) -> None:
        """What the house put up goes back to it, with the last award of a hit the reset is undone (J10)."""
        if jackpot.state != "voided" and not self._without_meter(jackpot):
            meter, terms = self.meters[jackpot.link, jackpot.level], self.level(jackpot.link, jackpot.level)
            net, before, stood = self.nets[jackpot.hit], Counter(meter.causes), meter.reading
            of_hit = [each for each in self.jackpots.values() if each.hit == jackpot.hit and each is not jackpot]
            meter.put("award", jackpot.cents * CENT)
            meter.put("house_excess", -min(jackpot.cents * CENT, net["house_excess"]))
            if all(each.state == "voided" for each in of_hit):
                meter.put("seed_reserve", -min(net["seed_reserve"], meter.reading))
                meter.put("seed_house", -min(net["seed_house"], meter.reading))
                meter.put("overflow", -max(0, min(net["overflow"], meter.reading)))
            if jackpot.level == MYSTERY:
                # People move no meter towards its trigger.
                meter.put("overflow", -max(0, meter.reading - stood))
            else:
                self.keep_within(meter, terms)
            net.update(meter.causes)
            net.subtract(before)
        jackpot.state = "voided"

    def _set_amount(self, jackpot: Jackpot, cents: int) -> None:
        if not self._without_meter(jackpot):
            meter, net = self.meters[jackpot.link, jackpot.level], self.nets[jackpot.hit]
            before = Counter(meter.causes)
            terms, voided, stood = self.level(jackpot.link, jackpot.level), jackpot.state == "voided", meter.reading
            more = (cents - (0 if voided else jackpot.cents)) * CENT
            hidden = jackpot.level == MYSTERY
            if hidden:
                # What was kept off the hidden trigger pays first.
                meter.put("overflow", min(meter.kept_off, max(0, more)))
            meter.put("award", -more)
            if voided and jackpot.percent == WHOLE:
                # It resets the meter once more, as far as voids have undone it.
                lacking = max(0, terms.seed * CENT - net["seed_reserve"] - net["seed_house"])
                of_reserve = min(lacking, meter.reserve)
                meter.put("seed_reserve", of_reserve)
                meter.put("seed_house", lacking - of_reserve)
            if hidden:
                meter.put("overflow", -max(0, meter.reading - stood))
            else:
                self.keep_within(meter, terms)
            net.update(meter.causes)
            net.subtract(before)
        else:
            jackpot.house = bool(jackpot.link)
        jackpot.cents = cents
        if jackpot.state not in ("claimed", "verified"):
            jackpot.state = "hit"

    # Jackpots.

    def claim(self, table: str, seat: int) -> None:
        """The hits of the oldest winning round at a table and seat."""
        waiting = [
            each
            for each in self.jackpots.values()
            if each.state == "hit" and (each.round.table, each.wager.seat) == (table, seat)
        ]
        expect(bool(waiting))
        for each in waiting:
            if each.position == min(other.position for other in waiting):
                each.state = "claimed"

    def verify(self, key: tuple[int, int, str]) -> None:
        """The recorded round still wins it."""
        jackpot = self.jackpots[key]
        played, wager = jackpot.round, jackpot.round.wagers.get(jackpot.wager.no)
        won = prices(jackpot.wager.code, played.result, jackpot.wager.seat).get(jackpot.level)
        there = wager is not None and (wager.seat, wager.code) == (jackpot.wager.seat, jackpot.wager.code)
        wins = not played.void and there and (jackpot.level == MYSTERY or won == jackpot.percent)
        expect(jackpot.state == "claimed" and not self._beside(None, "jackpot", key))
        expect(wins or jackpot.decided >= played.position)
        jackpot.state = "verified"

    def pay(self, key: tuple[int, int, str]) -> None:
        """It is paid, and counted on its meter."""
        jackpot = self.jackpots[key]
        expect(jackpot.state == "verified" and not self._beside(None, "jackpot", key))
        jackpot.state = "paid"
        if jackpot.link:
            self.meters[jackpot.link, jackpot.level].paid_cents += jackpot.cents
