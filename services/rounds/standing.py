"""A round as it stands after everything recorded of it: what its results are, which wagers work, what may follow."""

from collections.abc import Callable, Iterable, Sequence

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.terms import Terms
from services.rounds import folding, wire
from services.rounds.book import KnownEvent, OpenRound
from services.rounds.course import carried_on

REENTERED = 1_000_000_000
"""Item numbers above are of what rounds itself enters because of another correction."""

BEFORE_RESULTS = (wire.ROUND_OPENED, wire.BETTING_CLOSED, wire.STAKES_ADDED)


class Standing:
    """One round, folded from its events in the order of the feed. `results`: the newest entry's round by roll."""

    def __init__(self, terms: Terms, events: Iterable[KnownEvent]) -> None:
        self.terms = terms
        self.void = False
        self.whole = False
        self.results: dict[int, entries.Round] = {}
        self.positions: dict[int, int] = {}
        self.message = entries.Round()
        # None once it is over.
        self.goes_on: entries.Round | None = None
        self._stage = 0
        self._numbers: dict[int, list[int]] = {kind: [0] for kind in wire.CORRECTIONS}
        self._reentered = 0
        for event in events:
            self._take(event)

    def _take(self, event: KnownEvent) -> None:
        kind, _, item_no = event.slot
        if item_no > REENTERED:
            self._reentered += 1
        elif kind in wire.CORRECTIONS:
            self._numbers[kind].append(item_no)
        if kind == wire.VOID:
            self.void, self.goes_on = True, None
            return
        message = wire.read_round(event.entry)
        self.message = message
        if kind in BEFORE_RESULTS or not message.history:
            self.goes_on = message
        else:
            self._take_result(event.position, message)
        if kind == wire.WHOLE_ROUND:
            self.whole = True
        if kind not in wire.CORRECTIONS:
            self._stage = kind
        elif message.history:
            self._stage = wire.RESULT

    def _take_result(self, position: int, message: entries.Round) -> None:
        roll, before = message.key.roll, self.goes_on
        self.results[roll], self.positions[roll] = message, position
        if roll < self.rolls:
            return
        if roll == 0:
            self.goes_on = None
            return
        rest = carried_on(wire.RESULT, message, self.terms)
        if rest is not None and before is not None and len(before.history) >= roll:
            _stay(rest, before)
        self.goes_on = rest

    @property
    def rolls(self) -> int:
        """The number of the last result of a round that has several; 0 for none or for the one result."""
        return max(self.results, default=0)

    @property
    def result(self) -> floor.Result | None:
        """The newest result."""
        newest = self.results.get(self.rolls)
        return newest.history[-1] if newest and not self.void else None

    @property
    def over(self) -> bool:
        """Whether nothing may follow but a correction."""
        return self.goes_on is None

    @property
    def closed(self) -> bool:
        """Whether its wagers stand: betting has closed."""
        return self._stage not in (0, wire.ROUND_OPENED)

    def next_number(self, kind: int) -> int:
        """The item number that the next correction of a kind has."""
        return max(self._numbers[kind]) + 1

    def next_reentry(self, ahead: int = 0) -> int:
        """The item number that the next entry has which rounds makes of another correction."""
        return REENTERED + 1 + self._reentered + ahead

    def wagers(self) -> dict[int, floor.Wager]:
        """Every accepted wager, by number."""
        rounds = [*self.results.values(), *([self.goes_on] if self.goes_on else [])]
        return {wager.wager_no: wager for each in rounds for wager in each.wagers}

    def taken_down(self) -> dict[int, int]:
        """The numbers of wagers taken down, each with the roll after which it was."""
        found = {number: roll - 1 for roll, each in self.results.items() for number in each.taken_down}
        if self.goes_on:
            found.update(dict.fromkeys(self.goes_on.taken_down, self.rolls))
        return found

    def reopened(self, events: Sequence[KnownEvent], held: Callable[[bytes], list[bytes]]) -> OpenRound | None:
        """The round as the writer keeps it while it goes on; `held` gives the wagers held of content."""
        if self.goes_on is None:
            return None
        found = OpenRound()
        for event in events:
            sent = folding.sent_in(event.slot[0], event.entry, held(event.digest))
            found.advance(event.slot, event.digest, sent, self.goes_on)
        found.stage = self._stage
        return found


def _stay(rest: entries.Round, before: entries.Round) -> None:
    """Stakes placed and wagers taken down after the last result stay so when that is told again."""
    here = {wager.wager_no for wager in rest.wagers}
    after = len(rest.history)
    rest.wagers.extend(each for each in before.wagers if each.roll >= after and each.wager_no not in here)
    rest.wagers.sort(key=lambda each: each.wager_no)
    here.update(each.wager_no for each in rest.wagers)
    rest.taken_down.extend(number for number in before.taken_down if number in here)
