"""One pass along the feeds of a property, in which every check takes each entry once; nothing that is over is kept."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body
from clients.cli.audit.passage import Passage, Taker, parse
from clients.sdk.client import Casino
from clients.sdk.feeds import FEEDS, Chain, ChainBroken, Entry, pages
from clients.sdk.refusals import RefusedByServer

UNREADABLE = (DecodeError, ValueError, LookupError, ArithmeticError, AttributeError)
"""What a check raises on entries that no service writes."""
READABLE = "audit: entries that can be read"


def broken_by(problem: Exception) -> Findings:
    """A check that cannot make anything of an entry: that is a difference, not its end."""
    broken = Findings(READABLE)
    broken.differs(_broken(problem))
    return broken


def _broken(problem: Exception) -> str:
    return f"{type(problem).__name__} in an entry that no service writes: {problem}"


class Auditor:
    """Checks that take what passes, each until it meets an entry that it cannot make anything of.

    `broken`: what is said of those that did, by check.
    """

    def __init__(self, *checks: Taker) -> None:
        self.broken: dict[int, Findings] = {}
        self._checks = list(checks)

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        for check in self._checks:
            try:
                check.round(entry, settled)
            except UNREADABLE as problem:
                self._break(check, problem)

    def stray(self, entry: Body) -> None:
        """A settlement of no round in its place."""
        for check in self._checks:
            try:
                check.stray(entry)
            except UNREADABLE as problem:
                self._break(check, problem)

    def journal(self, entry: Body) -> None:
        """An entry of the progressives feed."""
        for check in self._checks:
            try:
                check.journal(entry)
            except UNREADABLE as problem:
                self._break(check, problem)

    def _break(self, check: Taker, problem: Exception) -> None:
        self.broken[id(check)] = broken_by(problem)
        self._checks = [each for each in self._checks if each is not check]

    def found(self, check: Taker, finish: Callable[[], list[Findings]]) -> list[Findings]:
        """What a check found, or how it was broken; `finish` is called once everything has passed."""
        if id(check) in self.broken:
            return [self.broken[id(check)]]
        try:
            return finish()
        except UNREADABLE as problem:
            return [broken_by(problem)]


@dataclass
class Reader:
    """The feeds of a property as they are read: how far, and what was found of their chains.

    `stopped`: what ended a feed before its end.
    """

    casino: Casino
    property_id: str
    chains: Mapping[str, Chain] = field(default_factory=lambda: {feed: Chain(feed) for feed in FEEDS})
    findings: dict[str, Findings] = field(
        default_factory=lambda: {feed: Findings(f"reader: {feed} entries rehashed") for feed in FEEDS}
    )
    stopped: list[Exception] = field(default_factory=list)
    unreadable: Findings = field(default_factory=lambda: Findings(READABLE))

    async def pages(self, feed: str) -> AsyncIterator[list[Body]]:
        """The entries that there are now, parsed; a chain that breaks is a difference and ends its feed."""
        findings = self.findings[feed]
        try:
            async with aclosing(pages(self.casino, feed, self.property_id, self.chains[feed])) as found:
                async for page in found:
                    findings.checked += len(page)
                    yield self._parsed(feed, page)
        except (ChainBroken, RefusedByServer) as broken:
            findings.differs(str(broken))
            self.stopped.append(broken)

    def _parsed(self, feed: str, page: list[Entry]) -> list[Body]:
        try:
            return parse(feed, page)
        except UNREADABLE:
            return [body for each in page for body in self._readable(feed, each)]

    def _readable(self, feed: str, entry: Entry) -> list[Body]:
        try:
            return parse(feed, [entry])
        except UNREADABLE as problem:
            self.unreadable.differs(f"{_broken(problem)}, at {feed} position {entry.position}")
            return []

    async def pass_by(self, taker: Taker, feeds: Sequence[str] = ("settlements", "progressives")) -> None:
        """Tells rounds, and settlements and journal, or one of them, side by side, from where they were read to."""
        passage = Passage(taker)
        behind = {feed: self.pages(feed) for feed in feeds}
        async for page in self.pages("rounds"):
            for feed, ahead in behind.items():
                await _ahead(passage, feed, ahead, page[-1].position if page else 0)
            passage.rounds(page)
        passage.strays()
        passage.rest()
        for feed, ahead in behind.items():
            async for rest in ahead:
                passage.add(feed, rest)
                passage.strays()
                passage.rest()


async def _ahead(passage: Passage, feed: str, ahead: AsyncIterator[list[Body]], position: int) -> None:
    while not passage.beyond(feed, position):
        page = await anext(ahead, None)
        if page is None:
            return
        passage.add(feed, page)
