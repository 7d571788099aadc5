"""A property's fold, event by event, with all that it has written and what must hold of it at any time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey
from services.kernel.money import MICROS_PER_CENT
from services.progressives import changes, fold
from services.progressives import decision as decisions
from services.progressives.book import NO_LINK, Book, Recorded
from services.progressives.changes import HitRecord
from services.progressives.decision import (
    REASONS,
    ChangeReason,
    Decision,
    DecisionState,
    JackpotDecision,
    Proposal,
    Subject,
)
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement, Trouble, Written
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.meter import Cause, Meter
from services.progressives.mystery import Random, Seeded
from services.progressives.offers import Submission
from services.progressives.play import Change, Correction, DayOpened, Event, Part, Play
from services.progressives.state import Standing, State
from services.progressives.verification import Fold
from tests.builders import recorded, terms, wager_on

CODE = "baccarat.heavenly_9_progressive"
PROPERTY = "HAR"
DAY, NOW = date(2026, 3, 2), datetime(2026, 3, 1, 12, tzinfo=UTC)
NEXT_DAY = DAY + timedelta(days=1)
CENT = MICROS_PER_CENT
SEED_CENTS = 1_000_000
SEED = SEED_CENTS * CENT
PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")
"""A coup that wins no meter, and one that wins the whole of the one meter of Heavenly 9."""
RESERVED = MeterTerms("mega", SEED_CENTS, 1_000, 300, 0)
"""The one meter of Heavenly 9 with a reserve beside it, for the length of a test."""
TWO_LEVELS = "baccarat.two_levels"
TWO_LEVELS_FILE = """
from services.games.baccarat.samples import COUPS_BY_POINTS_AND_SUITS
from services.games.paytables import MeterShare, Paytable
from services.games.wagers import Meter, Wager

def classify(history, placement, terms):
    return {1: "whole", 2: "tenth", 3: "mini"}.get(placement.seat)

LINES = {"whole": MeterShare("mega", 10_000), "tenth": MeterShare("mega", 1_000), "mini": MeterShare("mini", 10_000)}
METERS = (Meter("mega", 50_000, True, 1_000, 300), Meter("mini", 2_000, False, 50))
WAGERS = (
    Wager(
        code="baccarat.two_levels",
        section="631c.2",
        title="Two levels",
        game="baccarat",
        classify=classify,
        paytables={"standard": Paytable(LINES)},
        sample=COUPS_BY_POINTS_AND_SUITS,
        meters=METERS,
    ),
)
"""
LEVELS = (MeterTerms("mega", 60_000, 1_000, 300, 0), MeterTerms("mini", 2_000, 50, 0, 0))
T = TypeVar("T")


class Numbers(Seeded):
    """Draws these numbers first, then as seeded: a hidden trigger is its minimum and the number, in cents."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(1)
        self._numbers = list(numbers)

    def below(self, n: int) -> int:
        return self._numbers.pop(0) % n if self._numbers else super().below(n)


def linked(link_id: str = "H9", *meters: MeterTerms, **given: Any) -> Link:
    """An approved link; of Heavenly 9 with its one meter at BAC-01 and BAC-02 where nothing else is said."""
    made = Link(
        link_id=link_id,
        version=1,
        title=link_id,
        code=CODE,
        paytable="standard",
        meters=meters or (MeterTerms("mega", SEED_CENTS, 1_000, 0, 0),),
        table_ids=("BAC-01", "BAC-02"),
        effective_from=DAY,
        state=LinkState.APPROVED,
        proposed_by="ann",
        proposed_at=NOW,
        approved_by="bob",
        approved_at=NOW,
        rounds_position=3,
    )
    return replace(made, **given)


def on(seat: int, stake_cents: int = 500, code: str = CODE, no: int = 0) -> PlacedWager:
    """A wager at a seat, with the seat's number unless it has one of its own."""
    return wager_on(code, stake_cents, seat=seat, no=no or seat)


def of(kind: type[T], written: Sequence[Any]) -> list[T]:
    """What was written of one kind."""
    return [each for each in written if isinstance(each, kind)]


class Floor:
    """A property whose links go live on its first day. Every event is a batch of its own unless given with others.

    Positions of the rounds feed count up by themselves.
    """

    def __init__(
        self, *links: Link, random: Random | None = None, tables: dict[str, Terms] | None = None, opened: bool = True
    ) -> None:
        held = tables or {name: terms() for name in ("BAC-01", "BAC-02", "BAC-03")}
        self.filed = {"RS-1": Submission(0, "RS-1", DAY, held)}
        self.state = State(pending={each.link_id: each for each in links or (linked(),)})
        self.written: list[Written] = []
        self.at = 0
        self._random = random or Seeded(1)
        if opened:
            self.day(DAY)

    def book(self, events: Sequence[Event] = ()) -> Book:
        """A book on what stands, with what was written of the rounds that the events correct."""
        keys = {each.round_key for each in events if isinstance(each, Correction)}
        known = {key: self._recorded(key) for key in keys}
        return Book(PROPERTY, self.state, len(self.written), self.filed, self._random, known)

    def _recorded(self, key: RoundKey) -> Recorded:
        found = Recorded()
        for position, each in enumerate(self.written, 1):
            named = getattr(each, "key", None)
            if named is None or named._replace(roll=0) != key:
                continue
            if isinstance(each, Contribution):
                found.contributions.append((position, each))
            elif isinstance(each, Movement):
                found.movements.append(each)
            elif isinstance(each, Jackpot):
                found.jackpots[each.jackpot_id] = each
            elif isinstance(each, Decision):
                found.asked.setdefault(each.decision_id, each)
            elif isinstance(each, Trouble):
                found.unlinked |= {each.wager_no} if each.reason == NO_LINK else set()
        return found

    def take(self, *events: Event) -> list[Written]:
        """Folds events in one batch; what they wrote."""
        book = self.book(events)
        fold.apply(book, events)
        return self.keep(book)

    def keep(self, book: Book) -> list[Written]:
        """Commits a book and holds everything that must hold."""
        self.written += book.written
        self.state = book.state
        self.check()
        return book.written

    def _next(self) -> int:
        self.at += 1
        return self.at

    def day(self, day: date) -> list[Written]:
        """A gaming day opens."""
        return self.take(DayOpened(self._next(), day))

    def play(
        self,
        number: int,
        *wagers: PlacedWager,
        cards: tuple[str, str] = PLAIN,
        part: Part = Part.WHOLE,
        table: str = "BAC-01",
        day: date = DAY,
        game: str = "baccarat",
    ) -> Play:
        """A part of a round as recorded next."""
        key = RoundKey(day, table, 1, number)
        results = [] if part is Part.BETTING_CLOSED else [(game, recorded(*cards))]
        return Play(self._next(), part, key, 1, "RS-1", list(wagers), results, source="table")

    def round(self, number: int, *wagers: PlacedWager, **given: Any) -> list[Written]:
        """A part of a round is recorded."""
        return self.take(self.play(number, *wagers, **given))

    def correction(self, number: int, *wagers: PlacedWager, change: Change = Change.AMEND, **given: Any) -> Correction:
        """A correction of a round as recorded next."""
        play = self.play(number, *wagers, **given)
        return Correction(play.position, play.key, change, None if change is Change.VOID else play)

    def amend(self, number: int, *wagers: PlacedWager, **given: Any) -> list[Written]:
        """A round is amended."""
        return self.take(self.correction(number, *wagers, **given))

    def void(self, number: int, **given: Any) -> list[Written]:
        """A round is voided."""
        return self.take(self.correction(number, change=Change.VOID, **given))

    def decide(self, subject: Subject, reason: ChangeReason = ChangeReason.NONE, answers: str = "") -> list[Written]:
        """One person proposes, another approves, in a transaction of each."""
        made = self.propose(subject, reason, answers)
        return self.approve(made)

    def propose(self, subject: Subject, reason: ChangeReason = ChangeReason.NONE, answers: str = "") -> Decision:
        """One person proposes."""
        book = self.book()
        former, jackpot = self.state.decisions[answers] if answers else None, self._jackpot(subject)
        changes.check(book.state, subject, jackpot, former)
        given = reason or REASONS[type(subject)][0]
        states = (DecisionState.PROPOSED, subject, ChangeReason.NONE, "", "", "", None, "", None)
        blank = Decision(f"D{len(self.written)}", *states, None, 0, book.state.gaming_day, self.at)
        made = decisions.propose(former, blank, Proposal(subject, given, "PGCB-1", "as found"), "ann", NOW)
        book.put_decision(made, jackpot.link_id if jackpot else "")
        self.keep(book)
        return made

    def approve(self, proposed: Decision) -> list[Written]:
        """Another person approves."""
        book = self.book()
        made = decisions.approve(proposed, "bob", NOW, self.at, book.state.gaming_day)
        changes.apply(book, made, self.hit_of(made.subject))
        return self.keep(book)

    def reject(self, given: Decision) -> None:
        """Another person turns a proposal down, or a retirement that waits."""
        book = self.book()
        book.put_decision(decisions.reject(given, "bob", NOW, "not so", self.at))
        self.keep(book)

    def hit_of(self, subject: Subject) -> HitRecord:
        """What was written of the hit of the jackpot that a decision is about."""
        jackpot = self._jackpot(subject)
        if jackpot is None:
            return HitRecord({}, [])
        if not jackpot.hit_id:
            return HitRecord({jackpot.jackpot_id: jackpot}, [])
        latest = {each.jackpot_id: each for each in of(Jackpot, self.written) if each.hit_id == jackpot.hit_id}
        return HitRecord(latest, [each for each in of(Movement, self.written) if each.hit_id == jackpot.hit_id])

    def _jackpot(self, subject: Subject) -> Jackpot | None:
        return self.jackpots.get(subject.jackpot_id) if isinstance(subject, JackpotDecision) else None

    @property
    def jackpots(self) -> dict[str, Jackpot]:
        """The latest state of every jackpot, in the order of their hits."""
        return {each.jackpot_id: each for each in of(Jackpot, self.written)}

    def won(self, place: int = 0) -> Jackpot:
        """The latest state of the jackpot that was hit in that place."""
        return list(self.jackpots.values())[place]

    def suspend(self, link_id: str = "H9", state: LinkState = LinkState.SUSPENDED) -> None:
        """A link changes its state."""
        book = self.book()
        book.state.links[link_id] = replace(book.state.links[link_id], state=state, changed_by="eve", reason="checked")
        book.written.append(book.state.links[link_id])
        self.keep(book)

    def standing(self, link_id: str = "H9", level: str = "mega") -> Standing:
        """Where a meter stands, with all that is counted of it."""
        return self.state.meters[link_id, level]

    def meter(self, link_id: str = "H9", level: str = "mega") -> Meter:
        """A meter."""
        return self.state.meters[link_id, level].meter

    @property
    def open(self) -> list[Decision]:
        """What the platform asks for and nobody proposed yet."""
        return [each for each in self.state.decisions.values() if each.state is DecisionState.OPEN]

    def check(self) -> None:
        """No money appears, none vanishes: meters against the journal, awards against jackpots, transfers in pairs."""
        for name, standing in self.state.meters.items():
            meter = standing.meter
            assert meter.balanced, name
            assert meter.reading >= 0, name
            assert meter.reserve >= 0, name
            assert meter.overflow <= 0, name
        folded = Fold(PROPERTY)
        for position, each in enumerate(self.written, 1):
            folded.add(position, each)
        folded.close(self.state.meters, {})
        assert not [each for each in (folded.continuity, folded.heads, folded.triggers) if each.different]
        self._check_money()

    def _check_money(self) -> None:
        caused = dict.fromkeys(Cause, 0)
        for moved in of(Movement, self.written):
            caused[moved.cause] += moved.amount
        given = sum(sum(each.amounts) + sum(each.reserve_amounts) for each in of(Contribution, self.written))
        paid = sum(each.amount_cents for each in self._standing_jackpots()) * CENT
        assert paid == -caused[Cause.AWARD]
        house = caused[Cause.SEED_HOUSE] + caused[Cause.HOUSE_EXCESS] + caused[Cause.ADJUSTMENT]
        given += caused[Cause.CONTRIBUTION] + caused[Cause.RESERVE]
        meters = [each.meter for each in self.state.meters.values()]
        assert sum(each.reading + each.reserve - each.overflow for each in meters) == house + given - paid
        assert caused[Cause.TRANSFER_IN] == -caused[Cause.TRANSFER_OUT]

    def _standing_jackpots(self) -> list[Jackpot]:
        """Those that a meter has paid; what people price once the link is over is the house's."""
        standing = [each for each in self.jackpots.values() if each.link_id and each.state is not JackpotState.VOIDED]
        over = {name for name, link in self.state.links.items() if link.state is LinkState.RETIRED}
        return [each for each in standing if each.link_id not in over or self._awarded(each)]

    def _awarded(self, jackpot: Jackpot) -> int:
        awards = [each for each in of(Movement, self.written) if each.cause is Cause.AWARD]
        return sum(each.amount for each in awards if each.jackpot_id == jackpot.jackpot_id)


def movements(written: Sequence[Any]) -> list[tuple[str, Cause, int]]:
    """Level, cause and amount of each movement."""
    return [(each.level, each.cause, each.amount) for each in of(Movement, written)]


def reasons(written: Sequence[Any]) -> list[str]:
    """The reasons of the exceptions."""
    return [each.reason for each in of(Trouble, written)]
