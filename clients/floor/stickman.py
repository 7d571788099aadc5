"""The stickman: Craps, one shooter's hand after the other, roll by roll.

Between the rolls patrons place further wagers, odds behind those that have a number, and take some down again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from casino.floor.v1 import events_pb2 as floor
from clients.floor.dealer import LONGEST_STEP, Dealer, Made, Round
from clients.floor.patrons import Choice, Curious, Patron
from services.games.catalogue import wager
from services.games.craps.hand import ROLLS, Hand, Roll
from services.games.results import GAMES

ODDS = {
    "craps.pass": "craps.pass_odds",
    "craps.dont_pass": "craps.dont_pass_odds",
    "craps.come": "craps.come_odds",
    "craps.dont_come": "craps.dont_come_odds",
}
TAKEN_DOWN = ("craps.place_", "craps.buy_", "craps.lay_")
"""What a patron may take down as long as it stands."""
STEPS_BEFORE_ROLLS = 4


@dataclass
class Felt:
    """The wagers of one hand: all that were made, those that still stand, what was added after each roll."""

    made: list[Made]
    standing: list[Made] = field(default_factory=list)
    added: dict[int, list[floor.AddedStake]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.standing = list(self.made)

    def add(self, each: Made, kind: "floor.StakeKind.ValueType", belongs_to: int = 0) -> None:
        """A wager placed between the rolls."""
        self.made.append(each)
        self.standing.append(each)
        self._note(each.wager.roll, floor.AddedStake(kind=kind, belongs_to=belongs_to, wager=each.wager))

    def take_down(self, each: Made, roll: int) -> None:
        """A wager returned to its patron after this roll."""
        self.standing.remove(each)
        each.patron.chips += each.wager.stake_cents
        self._note(roll, floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=each.wager.wager_no))

    def _note(self, roll: int, stake: floor.AddedStake) -> None:
        self.added.setdefault(roll, []).append(stake)


class Stickman(Dealer):
    """Deals Craps. A table that sends whole rounds takes nothing down, because such a round cannot say it."""

    def _round(self, moment: Round) -> None:
        self._company.change()
        hand = self._throw()
        steps = STEPS_BEFORE_ROLLS + 2 * len(hand.rolls)
        moment = replace(moment, step=min(moment.interval // (steps + 2), LONGEST_STEP))
        felt = Felt(self._opening(moment))
        opening = [each.wager for each in felt.made]
        for number in range(1, len(hand.rolls) + 1):
            self._resolve(felt, Hand(hand.rolls[:number]))
            if number < len(hand.rolls):
                self._between(felt, Hand(hand.rolls[:number]), moment)
        self.done.rounds += 1
        self.done.tray.level(moment.at(steps))
        results = [_recorded(roll) for roll in hand.rolls]
        if self.staged:
            self._send_rolls(moment, opening, felt, results)
        else:
            self._send_whole(moment, [each.wager for each in felt.made], *results)

    def _throw(self) -> Hand:
        """A whole hand: the dice know nothing of the wagers."""
        hand = Hand(())
        while not hand.over:
            hand = hand.then(self.random.choice(ROLLS))
        return hand

    def _resolve(self, felt: Felt, hand: Hand) -> None:
        """Take and pay what the last roll settles; the rest stands."""
        settled = self._settled([_recorded(roll) for roll in hand.rolls], felt.standing)
        both = list(zip(felt.standing, settled, strict=True))
        resolved = [(each, found) for each, found in both if found.outcome != "pending"]
        self._pay([each for each, _ in resolved], [found for _, found in resolved])
        felt.standing = [each for each, found in both if found.outcome == "pending"]

    def _between(self, felt: Felt, hand: Hand, moment: Round) -> None:
        """What patrons do after this roll: odds, further wagers, wagers taken down."""
        roll = len(hand.rolls)
        if self.staged:
            for each in [each for each in felt.standing if each.wager.code.startswith(TAKEN_DOWN)]:
                if not self.random.randrange(12):
                    felt.take_down(each, roll)
        for each in list(felt.standing):
            if (choice := self._odds_behind(each, felt, hand)) and self.random.randrange(2):
                self._place(felt, each.patron, choice, hand, moment, belongs_to=each.wager.wager_no)
        for patron in self._company.patrons:
            if isinstance(patron, Curious) and not self.random.randrange(3):
                for choice in self._later(patron, felt, hand):
                    self._place(felt, patron, choice, hand, moment)

    def _odds_behind(self, each: Made, felt: Felt, hand: Hand) -> Choice | None:
        """The odds that may be placed behind a wager that has its number and none behind it."""
        base, terms = each.wager, self.table.terms
        code = ODDS.get(base.code, "")
        standing = {(other.wager.seat, other.wager.code) for other in felt.standing}
        if code not in terms.offers or (base.seat, code) in standing or base.roll == len(hand.rolls):
            return None
        number = str(hand.totals[base.roll])
        rule = wager(code)
        areas = [area for area in rule.placements if area.partition(" ")[0] in ("", number)]
        stake = min(base.stake_cents, terms.offers[code].maximum_cents or base.stake_cents)
        return Choice(code, stake, self.random.choice(areas))

    def _later(self, patron: Curious, felt: Felt, hand: Hand) -> Iterator[Choice]:
        """Up to two wagers that the rules allow after this roll."""
        seated = {each.wager.code for each in felt.standing if each.wager.seat == patron.seat}
        for code in islice(patron.turn, self.random.randint(1, 2)):
            rule = wager(code)
            in_time = GAMES[rule.game].in_time(rule.lock, len(hand.rolls), hand)
            if in_time and code not in ODDS.values() and (not rule.needs or seated & set(rule.needs)):
                yield patron.choice(code, self.table.terms, self.random)

    def _place(
        self, felt: Felt, patron: Patron, choice: Choice, hand: Hand, moment: Round, belongs_to: int = 0
    ) -> None:
        roll = len(hand.rolls)
        self._collect(patron, [choice], moment.at(STEPS_BEFORE_ROLLS + 2 * roll - 1))
        each = Made(patron, self.wager(len(felt.made) + 1, patron, choice, roll))
        kind = floor.STAKE_KIND_ODDS if belongs_to else floor.STAKE_KIND_MID_ROUND
        felt.add(each, kind, belongs_to)

    def _send_rolls(
        self, moment: Round, opening: list[floor.Wager], felt: Felt, results: Sequence[floor.Result]
    ) -> None:
        table_id, item_no = self.table.table_id, 0
        self._send_opening(moment, opening)
        for roll, result in enumerate(results, start=1):
            dealt = floor.ResultDealt(table_id=table_id, roll=roll, result=result)
            self._send_piece(moment, STEPS_BEFORE_ROLLS + 2 * roll - 2, floor.Event(result=dealt))
            if roll in felt.added:
                item_no += 1
                added = floor.StakesAdded(table_id=table_id, item_no=item_no, stakes=felt.added[roll])
                self._send_piece(moment, STEPS_BEFORE_ROLLS + 2 * roll - 1, floor.Event(stakes_added=added))


def _recorded(roll: Roll) -> floor.Result:
    return floor.Result(craps=floor.CrapsResult(first_die=roll.first, second_die=roll.second))
