"""Random sequences of rounds, voids, amendments, holds, releases and rejections, folded again from the feed."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import grpc
import pytest

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from services.rounds import wire
from tests.rounds.conftest import TABLE, Rounds, event, wager, whole
from tests.rounds.test_corrections import ILLEGAL, amend, hand_again, spin_again, void, void_at
from tests.rounds.test_ladder import said
from tests.rounds.test_releases import REJECT, RELEASE, agree, held, late, propose
from tests.rounds.test_several_results import CRAPS, WHEEL, floor_of_two, opened, roll, spin
from tests.rounds.test_several_results import wager as stake

__all__ = ["floor_of_two"]
CARDS = ("9H KS/2D 3C", "8H KS/2D 3C", "7H 9C/2D 3S 2C", "9D QS/2H 4C")
POCKETS = ("0", "5", "17", "18", "32")
DICE = ((2, 2), (3, 3), (1, 1), (5, 6), (3, 4))
ENTRIES = (*wire.ROUND_KINDS.values(), *wire.CORRECTIONS.values())
Key = tuple[str, int]


@dataclass
class State:
    """A round as the feed gives it: its newest result by roll, whether it is void, the corrections told of it."""

    rolls: dict[int, entries.Round] = field(default_factory=dict)
    open_: entries.Round | None = None
    void: bool = False
    corrections: dict[str, int] = field(default_factory=lambda: {"void": 0, "amend": 0})

    @property
    def results(self) -> list[str]:
        """What was dealt, newest version, in order."""
        last = self.rolls[max(self.rolls)] if self.rolls else entries.Round()
        return [str(each).strip() for each in last.history]

    @property
    def wagers(self) -> list[int]:
        """The numbers of the wagers in it."""
        rounds = [*self.rolls.values(), *([self.open_] if self.open_ else [])]
        return sorted({each.wager_no for one in rounds for each in one.wagers})


def fold(feed: Iterable[tuple[int, entries.Entry]]) -> dict[Key, State]:
    """The rounds that a feed tells of, by table and number."""
    found: dict[Key, State] = {}
    for _, entry in feed:
        name = entry.WhichOneof("body") or ""
        body: Any = getattr(entry, name)
        if name not in ENTRIES:
            continue
        key = (body.round if name in ("stakes_added", "release") else body).key
        state = found.setdefault((key.table_id, key.round_no), State())
        if name in state.corrections and body.item_no < 1_000_000_000:
            state.corrections[name] = body.item_no
        if name == "void":
            state.void = True
            continue
        message = body.round if name in ("stakes_added", "amend", "release") else body
        if message.history and name != "stakes_added":
            state.rolls[key.roll] = message
        else:
            state.open_ = message
    return found


class Play:
    """What a seeded floor sends, and what it must come to."""

    def __init__(self, rounds: Rounds, seed: int) -> None:
        self.rounds, self.random = rounds, random.Random(seed)
        self.sent: list[bytes] = []
        self.number = 0
        self.expected: dict[Key, list[str]] = {}
        self.void: set[Key] = set()
        self.corrected: dict[tuple[Key, str], int] = {}

    async def send(self, *events: bytes) -> list[tuple[int, str, str]]:
        """Events in the one epoch, and what they were answered."""
        first = len(self.sent) + 1
        self.sent += events
        return said(await self.rounds.submit(events, first, self.rounds.hello(epoch=1)))

    def item(self, key: Key, kind: str, accepted: int = 0) -> int:
        """The number of the next correction, counted if it was accepted."""
        self.corrected[key, kind] = self.corrected.get((key, kind), 0) + accepted
        return self.corrected[key, kind] + 1

    async def deal(self) -> None:
        """A new round of one of the three tables, whole or in pieces, or one with something wrong."""
        self.number += 1
        number, cards = self.number, self.random.choice(CARDS)
        kind = self.random.choice(["whole", "whole", "late", "late", "illegal", "conflict", "spin", "spin", "hand"])
        if kind == "spin":
            pocket = self.random.choice(POCKETS)
            assert await self.send(spin(number, pocket)) == []
            self.expected[WHEEL, number] = [pocket]
        elif kind == "conflict":
            await self.send(event(whole(number)), event(whole(number, self.random.choice(CARDS[1:]))))
            self.expected[TABLE, number] = ["9H KS"]
        elif kind == "hand":
            dice = [self.random.choice(DICE[:4]) for _ in range(self.random.randint(1, 3))]
            wagers = [stake(1, "craps.pass"), stake(2, "craps.field")]
            rolls = [roll(number, count, *each) for count, each in enumerate(dice, 1)]
            assert await self.send(*opened(number, wagers), *rolls) == []
            self.expected[CRAPS, number] = [f"{a} {b}" for a, b in dice]
        else:
            body = late(number) if kind == "late" else whole(number, ILLEGAL if kind == "illegal" else cards)
            events = [event(body)] if self.random.random() < 0.5 else [event(e) for e in wire.pieces(body).values()]
            answered = await self.send(*events)
            assert bool(answered) == (kind in ("late", "illegal"))
            if kind != "illegal":
                self.expected[TABLE, number] = [" ".join(body.result.baccarat.player)]

    async def correct(self) -> None:
        """A void or an amendment of a round that is known, or of one that is not."""
        key = self.random.choice([*self.expected, (TABLE, self.number + 50)])
        table, number = key
        if self.random.random() < 0.3:
            item = self.item(key, "void")
            told = void(number, item) if table == TABLE else void_at(table, number, item)
            if await self.send(told) == []:
                self.item(key, "void", 1)
                self.void.add(key)
            return
        told, results = self._amendment(table, number, self.item(key, "amend"))
        answered = await self.send(told)
        if answered == []:
            self.item(key, "amend", 1)
            kept = self.expected[key][len(results) :] if table == CRAPS else []
            self.expected[key] = [*results, *kept]
        elif key not in self.void and key in self.expected:
            assert answered[0][2] in ("OUT_OF_STATE", "ILLEGAL_COUP", "ILLEGAL_ROLL")

    def _amendment(self, table: str, number: int, item: int) -> tuple[bytes, list[str]]:
        if table == WHEEL:
            pocket = self.random.choice(POCKETS)
            return spin_again(number, pocket, item), [pocket]
        if table == CRAPS:
            dice = [self.random.choice(DICE) for _ in range(self.random.randint(1, 3))]
            wagers = [stake(1, "craps.pass"), stake(2, "craps.field")]
            again = hand_again(*dice, wagers=wagers, number=number)
            return amend(again, item, len(dice)), [f"{a} {b}" for a, b in dice]
        cards = self.random.choice([*CARDS, ILLEGAL])
        body = whole(number, cards, [wager(1), wager(2, "baccarat.tie")])
        return amend(body, item), [" ".join(body.result.baccarat.player)]

    async def decide(self) -> None:
        """Two people release or reject one fact: what cannot be is refused and nothing is entered."""
        facts = [fact for fact in await held(self.rounds) if fact.state == pb.HOLD_STATE_OPEN]
        if not facts:
            return
        fact, decision = self.random.choice(facts), self.random.choices([RELEASE, REJECT], [3, 1])[0]
        before = await self.rounds.feed()
        try:
            await propose(self.rounds, fact.hold_id, decision)
            await agree(self.rounds, fact.hold_id)
        except grpc.aio.AioRpcError:
            assert decision == RELEASE
            assert await self.rounds.feed() == before
        else:
            key = (fact.key.table_id, fact.key.round_no)
            self.expected.pop(key, None)

    async def check(self) -> None:
        """The feed's rounds are what was told; each spin has the valid one before it; every row proves itself."""
        feed = await self.rounds.feed()
        states = fold(feed)
        for key, results in self.expected.items():
            assert states[key].void == (key in self.void), key
            if key not in self.void:
                assert _shown(states[key]) == results, key
        valid = sorted(
            (number, state) for (table, number), state in states.items() if table == WHEEL and not state.void
        )
        spins = [("", ""), *[(_shown(state)[0], state.rolls[0].previous.roulette.pocket) for _, state in valid]]
        for (pocket, _), (_, previous) in pairwise(spins):
            assert previous == pocket
        assert await self.rounds.differences() == []
        answered = said(await self.rounds.submit(self.sent, hello=self.rounds.hello(epoch=self.rounds.epoch + 2)))
        assert {kind for _, kind, _ in answered} <= {"DUPLICATE", "HELD"}
        assert {sequence for sequence, _, _ in answered} == set(range(1, len(self.sent) + 1))
        assert await self.rounds.feed() == feed


def _shown(state: State) -> list[str]:
    """What the newest version of a round shows, as the test writes it."""
    shown = []
    for each in state.rolls[max(state.rolls)].history:
        if each.HasField("craps"):
            shown.append(f"{each.craps.first_die} {each.craps.second_die}")
        elif each.HasField("roulette"):
            shown.append(each.roulette.pocket)
        else:
            shown.append(" ".join(each.baccarat.player))
    return shown


@pytest.mark.parametrize("seed", range(6))
async def test_any_sequence_of_corrections_folds_to_what_was_told(floor_of_two: Rounds, seed: int) -> None:
    """Over restarts too; and everything sent again in a new epoch changes nothing."""
    play = Play(floor_of_two, seed)
    for turn in range(60):
        work = play.random.choices([play.deal, play.correct, play.decide], [5, 5, 4])[0]
        await work()
        if turn == 30:
            await floor_of_two.stop()
            await floor_of_two.start()
    await play.check()
