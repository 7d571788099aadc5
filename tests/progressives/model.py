"""A naive model of the links of one property, written from the rulings (docs/rulings.md): slow, obvious, on its own.

It shares no code with the service: integers and dictionaries, and a price list of its own for the few results it plays.
Amounts are micro-dollars unless they are named cents; rates are hundredths of a percent.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

CENT, WHOLE, MYSTERY = 10_000, 10_000, "mystery"


class Refused(Exception):
    """The model does not allow it."""


def prices(code: str, result: str, seat: int) -> dict[str, int]:
    """What a result wins of the meters by level, as filed: the share in hundredths of a percent."""
    if code == "baccarat.heavenly_9_progressive":
        return {"mega": WHOLE} if result == "same suit" else {}
    if code == "baccarat.model":
        shares = {"same suit": WHOLE if seat <= 2 else 1_000, "tie": 1_000}
        return {"mega": shares[result]} if result in shares else {}
    if code == "minibaccarat.royal_9" and seat == 1:
        levels = {"both": "mega", "banker": "major", "player": "minor"}
        return {levels[result]: WHOLE} if result in levels else {}
    return {}


@dataclass
class Level:
    """A level of a link: seed and limit in cents, a limit of 0 is none."""

    seed: int
    rate: int
    reserve_rate: int = 0
    limit: int = 0


@dataclass
class Link:
    """A version of a link."""

    name: str
    code: str
    tables: tuple[str, ...]
    levels: dict[str, Level]
    day: int = 0
    state: str = "approved"


@dataclass
class Meter:
    """Reading and reserve, and what is counted; a cause has the sum of its movements."""

    reading: int = 0
    reserve: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    hits: int = 0
    wagers: int = 0
    handle_cents: int = 0
    paid_cents: int = 0

    def put(self, cause: str, amount: int) -> None:
        """One movement."""
        self.causes[cause] += amount
        if cause == "reserved":
            self.reserve += amount
        else:
            self.reading += amount
        if cause == "seed_reserve":
            self.reserve -= amount

    @property
    def kept_off(self) -> int:
        """What the limit keeps off the reading."""
        return -self.causes["overflow"]


@dataclass
class Wager:
    """A placed wager."""

    no: int
    seat: int
    code: str
    stake: int


@dataclass
class Owed:
    """What a wager has contributed to a link: reading and reserve by level, with the level's hits at that time."""

    code: str
    rates: dict[str, tuple[int, int]]
    paid: dict[str, list[int]]
    hits: dict[str, int]
    asked: Counter[str] = field(default_factory=Counter)


@dataclass
class Round:
    """A round; `position` of the event that brought it. Links pinned by code, empty where none was live."""

    number: int
    day: int
    table: str
    wagers: dict[int, Wager]
    result: str = ""
    pins: dict[str, str] = field(default_factory=dict)
    owed: dict[tuple[int, str], Owed] = field(default_factory=dict)
    open: bool = True
    void: bool = False
    # Played where no link was live: it moves no meter later either.
    unlinked: bool = False
    # Of the event that changed it last.
    position: int = 0


@dataclass
class Jackpot:
    """What a wager has won of a level; `link` is empty where it was won without one."""

    round: Round
    wager: Wager
    level: str
    link: str
    cents: int
    percent: int
    state: str
    position: int
    hit: int
    # The last event that people had seen when they confirmed or priced it.
    decided: int = -1
    # Priced once its link was over: no meter pays it.
    house: bool = False

    @property
    def key(self) -> tuple[int, int, str]:
        """Round, wager and level."""
        return self.round.number, self.wager.no, self.level

    @property
    def open(self) -> bool:
        """Whether somebody still has to do something."""
        return self.state not in ("paid", "voided")


@dataclass
class Decision:
    """What two people decide; `asked` names round, wager and position where the platform asks for it."""

    subject: tuple[Any, ...]
    state: str
    asked: tuple[int, int, int] | None
    name: str = ""
    proposals: int = 0


class Model:
    """Everything that stands at one property."""

    def __init__(self, most_cents: dict[str, int]) -> None:
        """`most_cents`: the posted maximum payout by code."""
        self.most_cents = most_cents
        self.links: dict[str, Link] = {}
        self.pending: dict[str, Link] = {}
        self.meters: dict[tuple[str, str], Meter] = {}
        self.triggers: dict[tuple[str, str], int] = {}
        self.rounds: dict[int, Round] = {}
        self.jackpots: dict[tuple[int, int, str], Jackpot] = {}
        self.nets: list[Counter[str]] = []
        self.decisions: list[Decision] = []
        self.day = -1
        self.position = 0
        # The next hidden triggers lie so many cents above their minimum.
        self.offset = 0

    def level(self, link: str, level: str) -> Level:
        """The terms of a level."""
        return self.links[link].levels[level]

    def running(self, link: str) -> bool:
        """Whether a link is in force."""
        return link in self.links and self.links[link].state in ("live", "suspended")

    def live(self, table: str, code: str) -> str:
        """The live link of a wager at a table; empty where there is none."""
        for link in self.links.values():
            if link.state == "live" and link.code == code and table in link.tables:
                return link.name
        return ""

    # Play.

    def close(self, at: int, played: Round) -> None:
        """Betting closes."""
        self.rounds[played.number] = played
        self._seen(at, played)
        self.contribute(at, played, list(played.wagers.values()))

    def contribute(self, at: int, played: Round, wagers: list[Wager]) -> None:
        """Contributions in seat order (J6); what the limit keeps off the reading opens the next meter (J8)."""
        for wager in sorted(wagers, key=lambda each: (each.seat, each.no)):
            link = played.pins.setdefault(wager.code, self.live(played.table, wager.code))
            played.unlinked |= not link
            if not link or self.links[link].state == "retired":
                continue
            levels = self.links[link].levels
            owed = Owed(wager.code, {}, {}, {})
            played.owed[wager.no, link] = owed
            for name, level in levels.items():
                meter = self.meters[link, name]
                amount, reserved = wager.stake * level.rate, wager.stake * level.reserve_rate
                owed.rates[name], owed.paid[name] = (level.rate, level.reserve_rate), [amount, reserved]
                owed.hits[name] = meter.hits
                meter.put("contribution", amount)
                meter.put("reserved", reserved)
                self._cap(meter, level, amount)
                meter.wagers += 1
                meter.handle_cents += wager.stake
            if MYSTERY in levels and self.meters[link, MYSTERY].reading > self.triggers[link, MYSTERY] * CENT:
                self.hit(at, played, link, MYSTERY, [(wager, WHOLE)])
                self.triggers[link, MYSTERY] = levels[MYSTERY].seed + self.offset

    def _seen(self, at: int, played: Round) -> None:
        self.position = played.position = at

    def _cap(self, meter: Meter, level: Level, most: int) -> None:
        """What lies above the limit is kept off the reading, of what has just come."""
        above = meter.reading - level.limit * CENT
        if level.limit and above > 0:
            meter.put("overflow", -min(most, above))

    def deal(self, at: int, played: Round, result: str) -> None:
        """The result is in."""
        played.result, played.open = result, False
        self._seen(at, played)
        for (link, level), winners in self.winners(played, played.pins).items():
            self.win(at, played, link, level, winners)

    def winners(self, played: Round, pins: dict[str, str]) -> dict[tuple[str, str], list[tuple[Wager, int]]]:
        """The winners of each meter with their shares."""
        found: dict[tuple[str, str], list[tuple[Wager, int]]] = {}
        for wager in played.wagers.values():
            for level, percent in prices(wager.code, played.result, wager.seat).items():
                found.setdefault((pins.get(wager.code, ""), level), []).append((wager, percent))
        return found

    def win(self, at: int, played: Round, link: str, level: str, winners: list[tuple[Wager, int]]) -> None:
        """A hit on the pinned link; without one two people decide the amount (J12)."""
        if link and self.links[link].state != "retired":
            self.hit(at, played, link, level, winners)
            return
        for wager, percent in winners:
            self._open(Jackpot(played, wager, level, "", 0, percent, "unpriced", at, -1))

    def hit(self, at: int, played: Round, link: str, level: str, winners: list[tuple[Wager, int]]) -> None:
        """Winners of the whole share it, left-over cents in seat order (J1), a percentage is of one reading (J2)."""
        meter, terms = self.meters[link, level], self.level(link, level)
        before, reading = Counter(meter.causes), meter.reading
        ordered = sorted(winners, key=lambda each: (each[0].seat, each[0].no))
        sharing = [wager.no for wager, percent in ordered if percent == WHOLE]
        cents = {wager.no: reading * percent // WHOLE // CENT for wager, percent in ordered}
        for place, number in enumerate(sharing):
            cents[number] = reading // CENT // len(sharing) + (place < reading // CENT % len(sharing))
        # The house puts up what the meter does not hold in whole cents.
        meter.put("house_excess", max(0, sum(cents.values()) - reading // CENT) * CENT)
        meter.put("award", -sum(cents.values()) * CENT)
        if sharing:
            self._reset(meter, terms)
        meter.hits += 1
        self.nets.append(Counter(meter.causes))
        self.nets[-1].subtract(before)
        for wager, percent in ordered:
            most = min((each for each in (self.most_cents.get(wager.code), terms.limit) if each), default=0)
            state = "held" if 0 < most < cents[wager.no] else "hit"
            self._open(Jackpot(played, wager, level, link, cents[wager.no], percent, state, at, len(self.nets) - 1))

    def _reset(self, meter: Meter, terms: Level) -> None:
        """The reserve pays the seed first, the house the rest (J4); what was kept off follows, up to the limit (J8)."""
        reserve = meter.reserve
        meter.put("seed_reserve", reserve)
        meter.put("seed_house", max(0, terms.seed * CENT - reserve))
        kept = meter.kept_off
        meter.put("overflow", min(kept, terms.limit * CENT - meter.reading) if terms.limit else kept)

    def _open(self, jackpot: Jackpot) -> None:
        self.jackpots[jackpot.key] = jackpot
        if jackpot.state in ("held", "unpriced"):
            subject = ("jackpot", jackpot.key, "none", jackpot.cents)
            self._ask(subject, jackpot.round, jackpot.wager.no, jackpot.position)

    def _ask(self, subject: tuple[Any, ...], played: Round, wager_no: int, at: int) -> None:
        self.decisions.append(Decision(subject, "open", (played.number, wager_no, at)))

    # Corrections.

    def correct(self, at: int, played: Round, wagers: dict[int, Wager], result: str, *, void: bool) -> None:
        """A void, an amendment or a release: contributions as the stakes owe them now (J11), then jackpots (J12)."""
        self.rounds[played.number] = played
        self._seen(at, played)
        known = {key for key in self.jackpots if key[0] == played.number}
        before = {number for (number, _), owed in played.owed.items()}
        pins = dict(played.pins) if played.open else {}
        for (number, link), owed in sorted(played.owed.items()):
            self._bring_to(at, played, number, link, owed, wagers[number].stake if number in wagers else 0)
            pins[owed.code] = link
        played.wagers, played.result, played.open, played.void = wagers, result, False, void
        if void or not wagers:
            self._contest(at, played, known, {})
            return
        # What the round was pinned to stays (J12).
        played.pins = {**({each.code: "" for each in wagers.values()} if played.unlinked else {}), **pins}
        self.contribute(at, played, [each for number, each in wagers.items() if number not in before])
        won = self.winners(played, played.pins)
        self._contest(at, played, known, won)
        for (link, level), winners in won.items():
            first = [each for each in winners if (played.number, each[0].no, level) not in known]
            if first:
                self.win(at, played, link, level, first)

    def _bring_to(self, at: int, played: Round, number: int, link: str, owed: Owed, stake: int) -> None:
        for name, (rate, reserve_rate) in owed.rates.items():
            level, meter, paid = self.level(link, name), self.meters[link, name], owed.paid[name]
            more, kept = stake * rate - paid[0], stake * reserve_rate - paid[1]
            if not more and not kept and name not in owed.asked:
                continue
            # What comes back leaves what was kept off first.
            off = min(meter.kept_off, max(0, -more))
            holds = meter.reading + more + off >= 0 and meter.reserve + kept >= 0
            stands = self.running(link) and meter.hits == owed.hits[name]
            if stands and holds and name not in owed.asked:
                meter.put("overflow", off)
                meter.put("contribution", more)
                if more > 0:
                    # No correction puts money on a hidden trigger (J10).
                    self.keep_within(meter, level) if name != MYSTERY else meter.put("overflow", -more)
                meter.put("reserved", kept)
                paid[0], paid[1] = paid[0] + more, paid[1] + kept
            elif unasked := more + kept - owed.asked[name]:
                # Of what people were asked to decide once, they decide all that follows.
                owed.asked[name] += unasked
                self._ask(("adjustment", link, name, unasked), played, number, at)

    @staticmethod
    def keep_within(meter: Meter, level: Level) -> None:
        """Everything above the limit is kept off the reading."""
        if level.limit:
            meter.put("overflow", -max(0, meter.reading - level.limit * CENT))

    def _contest(
        self, at: int, played: Round, known: set[tuple[int, int, str]], won: dict[tuple[str, str], Any]
    ) -> None:
        shares = {(wager.no, level): share for (_, level), each in won.items() for wager, share in each}
        standing = [each for each in map(self.jackpots.__getitem__, known) if each.state != "voided"]
        shared = [each for each in standing if each.hit >= 0 and each.level != MYSTERY and each.percent == WHOLE]
        # Whoever shared the whole with one that is gone is owed another share (J12).
        gone = {each.hit for each in shared if shares.get(each.key[1:]) != WHOLE}
        for key in sorted(known):
            jackpot = self.jackpots[key]
            share, now = shares.get(key[1:]), played.wagers.get(key[1])
            if jackpot.state == "voided":
                asks = jackpot.level != MYSTERY and share is not None
            else:
                lost = jackpot.level != MYSTERY and share != jackpot.percent
                asks = lost or now != jackpot.wager or (jackpot in shared and jackpot.hit in gone)
            waits = any(each.subject[:2] == ("jackpot", key) and each.asked for each in self.decisions)
            if asks and not waits:
                self._ask(("jackpot", key, "none", jackpot.cents), played, key[1], at)
