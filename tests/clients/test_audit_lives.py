"""The auditor and the fold, which share no code, agree on lives of meters that nobody thought of."""

from contextlib import suppress
from random import Random

import pytest

from clients.cli.audit.meters import check_meters
from services.games.wagers import PlacedWager
from services.kernel.errors import Refusal
from services.progressives.decision import Adjustment, JackpotAction, JackpotDecision, Transfer
from services.progressives.link import LinkState
from services.progressives.play import Change, Part
from tests.clients.test_audit_meters import LIMITED, RESERVED
from tests.clients.told import Told
from tests.progressives.folded import CODE, PLAIN, SEED_CENTS, WHOLE, linked, on
from tests.progressives.test_mystery_fold import FAST, MEGA, offering

LIVES = 120
MOST_STEPS = 15
STAKES = (1, 333, 500, 700)
ACTIONS = (JackpotAction.VOID, JackpotAction.CONFIRM, JackpotAction.SET_AMOUNT)


class Life:
    """One life: rounds, corrections and decisions as the seed has them; what is refused does not happen."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        meters = self.random.choice(((RESERVED,), (LIMITED,), (MEGA,), (MEGA, FAST)))
        if FAST in meters:
            held = offering(CODE, "baccarat", mystery="A-$5")
            self.floor = Told(linked("H9", *meters), tables={"BAC-01": held, "BAC-02": held})
        else:
            self.floor = Told(linked("H9", *meters), linked("N9", table_ids=("BAC-03",)))
        self.rounds = 0

    def run(self) -> None:
        """Takes some steps."""
        steps = (self.whole, self.whole, self.pieces, self.void, self.amend, self.release, self.answer, self.decide)
        for _ in range(self.random.randrange(3, MOST_STEPS)):
            with suppress(Refusal):
                self.random.choice(steps)()

    def wagers(self) -> list[PlacedWager]:
        """Wagers at some seats."""
        seats = self.random.sample(range(1, 6), self.random.randrange(1, 4))
        return [on(seat, self.random.choice(STAKES)) for seat in seats]

    def cards(self) -> tuple[str, str]:
        """A coup that wins the whole meter now and then."""
        return WHOLE if self.random.random() < 0.3 else PLAIN

    def whole(self) -> None:
        """A round at once."""
        self.rounds += 1
        self.floor.round(self.rounds, *self.wagers(), cards=self.cards())

    def pieces(self) -> None:
        """A round in pieces, which stays open now and then."""
        self.rounds += 1
        wagers = self.wagers()
        self.floor.round(self.rounds, *wagers, part=Part.BETTING_CLOSED)
        if self.random.randrange(3):
            self.floor.round(self.rounds, *wagers, part=Part.RESULT, cards=self.cards())

    def void(self) -> None:
        """A void of some round."""
        if self.rounds:
            self.floor.void(self.random.randint(1, self.rounds))

    def amend(self, change: Change = Change.AMEND) -> None:
        """Some round again, with other wagers and another coup."""
        if self.rounds:
            number = self.random.randint(1, self.rounds)
            self.floor.amend(number, *self.wagers(), change=change, cards=self.cards())

    def release(self) -> None:
        """Some round with what was let in."""
        self.amend(Change.RELEASE)

    def jackpot(self, name: str) -> JackpotDecision:
        """Something that becomes of a jackpot."""
        return JackpotDecision(name, self.random.choice(ACTIONS), self.random.choice((500, SEED_CENTS - 3)))

    def answer(self) -> None:
        """Two people answer what the platform asks for first."""
        for asked in self.floor.open[:2]:
            subject = asked.subject
            if isinstance(subject, JackpotDecision):
                subject = self.jackpot(subject.jackpot_id)
            self.floor.decide(subject, asked.reason, asked.decision_id)

    def decide(self) -> None:
        """People suspend, resume, adjust, transfer, or decide of a jackpot on their own."""
        floor, kind = self.floor, self.random.randrange(4)
        if kind == 0:
            suspended = floor.state.links["H9"].state is LinkState.SUSPENDED
            floor.suspend(state=LinkState.LIVE if suspended else LinkState.SUSPENDED)
        elif kind == 1:
            floor.decide(Adjustment("H9", "mega", self.random.randrange(-(10**6), 10**6)))
        elif kind == 2 and "N9" in floor.state.links:
            floor.decide(Transfer("H9", "mega", "N9", "mega", self.random.randrange(1, 10**6)))
        elif floor.jackpots:
            floor.decide(self.jackpot(self.random.choice(list(floor.jackpots))))


@pytest.mark.parametrize("seed", range(LIVES))
def test_auditor_and_fold_agree_on_any_life(seed: int) -> None:
    """Whatever is played, corrected and decided, every entry is what the auditor works out for himself."""
    life = Life(seed)
    life.run()
    found, _ = check_meters(life.floor.history(life.floor.journal()), through=life.floor.at)
    assert [difference for each in found for difference in each.differences] == []
