"""Random interleavings of what streams do, against a model: each event once, in its source's order, as answered."""

import asyncio
import itertools
import random
from dataclasses import dataclass, field

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.rounds.v1 import rounds_service_pb2 as pb
from tests.rounds.conftest import OPENED, Rounds, event, whole
from tests.rounds.streams import Talk, register, talking

NUMBERS = itertools.count(1)
"""Of rounds and of sources: no example meets the rounds of another."""
STEPS = ("send", "send", "send", "repeat", "skip", "fill", "heartbeat", "drop", "reconnect", "epoch")
PLAIN, DUPLICATE, CONFLICT, GAP = "plain", "DUPLICATE", "CONFLICT", "GAP"


@dataclass
class Model:
    """What one source has said, and what the service must have made of it."""

    epoch: int = 1
    durable: int = 0
    # The round at each sequence of this epoch; none where a gap fill or a lost message was.
    at: dict[int, int] = field(default_factory=dict)
    recorded: list[int] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)

    def said(self, first: int, numbers: list[int]) -> list[tuple[int, str]]:
        """The answers to a batch but plain ones, which take effect."""
        answers: list[tuple[int, str]] = []
        for sequence, number in enumerate(numbers, first):
            if sequence > self.durable + 1:
                return [*answers, (sequence, GAP)]
            word = self._take(sequence, number)
            if word != PLAIN:
                answers.append((sequence, word))
        return answers

    def _take(self, sequence: int, number: int) -> str:
        passed, known = sequence <= self.durable, number in self.recorded or number in self.refused
        if not passed:
            self.durable = sequence
            self.at[sequence] = number
        if known:
            return DUPLICATE
        if passed:
            self.refused.add(number)
            return CONFLICT
        self.recorded.append(number)
        return PLAIN


class Source:
    """Plays random steps on streams of one source and holds the answers against the model."""

    def __init__(self, rounds: Rounds, name: str, chance: random.Random) -> None:
        self.rounds, self.name, self.chance, self.model = rounds, name, chance, Model()

    def event(self, number: int) -> bytes:
        """The whole round of a number."""
        return event(whole(number, shoe=0), OPENED)

    async def play(self, plan: list[str]) -> None:
        """Every step, over as many connections as it takes; at the end everything is durable."""
        steps = list(plan)
        while steps:
            async with talking(self.rounds, self.model.epoch, self.name) as talk:
                while steps and (word := steps.pop(0)) not in ("drop", "reconnect", "epoch"):
                    await self._step(talk, word)
                if word == "drop":
                    await self._drop(talk)
            if word == "epoch":
                self._begin_epoch()

    def _begin_epoch(self) -> None:
        self.model.epoch += 1
        self.model.durable, self.model.at = 0, {}

    def _fresh(self) -> list[int]:
        return [next(NUMBERS) for _ in range(self.chance.randint(1, 6))]

    async def _step(self, talk: Talk, word: str) -> None:
        model = self.model
        if word == "fill":
            last = model.durable + self.chance.randint(1, 3)
            await talk.fill(model.durable + 1, last)
            await self._expect(talk, [])
            model.durable = last
        elif word == "heartbeat":
            await talk.heartbeat(model.durable)
            await self._expect(talk, [])
        else:
            first, numbers = self._batch(word)
            await talk.batch(first, [self.event(number) for number in numbers])
            await self._expect(talk, model.said(first, numbers))

    def _batch(self, word: str) -> tuple[int, list[int]]:
        """A fresh batch; one that repeats what was passed, and goes on; one that comes too early; one of old rounds."""
        durable = self.model.durable
        if word == "skip":
            return durable + self.chance.randint(2, 4), self._fresh()
        if word == "repeat" and durable:
            first = self.chance.randint(max(1, durable - 5), durable)
            passed = [self.model.at.get(sequence) or next(NUMBERS) for sequence in range(first, durable + 1)]
            return first, [*passed, *self._fresh()]
        if word == "repeat" and self.model.recorded:
            return durable + 1, [*self.model.recorded[-3:], *self._fresh()]
        return durable + 1, self._fresh()

    async def _expect(self, talk: Talk, answers: list[tuple[int, str]]) -> None:
        said = await talk.answer()
        words = {pb.ANSWER_KIND_QUARANTINED: CONFLICT, pb.ANSWER_KIND_DUPLICATE: DUPLICATE, pb.ANSWER_KIND_GAP: GAP}
        assert [(each.sequence, words[each.kind]) for each in said.answers] == answers
        if not any(word == GAP for _, word in answers):
            assert said.durable_through_sequence >= self.model.durable

    async def _drop(self, talk: Talk) -> None:
        """A batch whose acknowledgement is lost with the connection; what became of it, the next hello tells."""
        first, numbers = self.model.durable + 1, self._fresh()
        await talk.batch(first, [self.event(number) for number in numbers])
        await asyncio.sleep(self.chance.choice((0, 0.002, 0.02)))
        talk.call.cancel()
        # A later epoch fences what is still on its way; only then is it settled how far the source has come.
        self._begin_epoch()
        async with talking(self.rounds, self.model.epoch, self.name):
            found = await recorded(self.rounds, self.name)
        self.model.recorded += [number for number in numbers if number in found]


async def recorded(rounds: Rounds, source: str) -> list[int]:
    """The rounds of a source in the feed, in its order."""
    return [
        entry.whole_round.key.round_no
        for _, entry in await rounds.feed()
        if entry.WhichOneof("body") == "whole_round" and entry.whole_round.origin.source_id == source
    ]


PLANS = st.lists(st.lists(st.sampled_from(STEPS), min_size=1, max_size=14), min_size=1, max_size=3)


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(PLANS, st.integers(0, 1 << 32))
async def test_each_event_is_in_the_feed_once_and_in_its_sources_order(
    rounds: Rounds, plans: list[list[str]], seed: int
) -> None:
    """Batches, repeats, reorders, gap fills, lost acknowledgements, reconnects and epochs of several sources."""
    chance = random.Random(seed)
    names = [f"source-{next(NUMBERS)}" for _ in plans]
    await register(rounds, *names)
    sources = [Source(rounds, name, random.Random(chance.random())) for name in names]
    await asyncio.gather(*(source.play(plan) for source, plan in zip(sources, plans, strict=True)))
    for source in sources:
        assert await recorded(rounds, source.name) == source.model.recorded
