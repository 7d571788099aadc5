"""Feeds side by side: what is told when, and that nothing of a round that is over is kept."""

import tracemalloc
from collections.abc import Iterator, Sequence
from typing import Any

from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.auditor import Auditor
from clients.cli.audit.history import Body
from clients.cli.audit.meters import Meters
from clients.cli.audit.passage import Passage, Quiet
from clients.cli.audit.settlements import Settlements
from clients.cli.audit.stamps import Stamps
from tests.clients.test_audit import DAY, TABLE, journal, submission

ROUNDS = 4_000


class Heard(Quiet):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.said: list[tuple[Any, ...]] = []

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """A round with its settlements."""
        self.said.append(("round", entry.position, [each.position for each in settled]))

    def stray(self, entry: Body) -> None:
        """A settlement of none."""
        self.said.append(("stray", entry.position))

    def journal(self, entry: Body) -> None:
        """An entry of the journal."""
        self.said.append(("journal", entry.position))


def settled(position: int, on: int) -> Body:
    """A settlement that stands on a position of the rounds feed."""
    return Body(position, "settled", settlement.SettledRound(rounds_position=on))


def round_(position: int) -> Body:
    """A round of one wager that nobody settles."""
    key = rounds.RoundKey(gaming_day=DAY, table_id=TABLE, shoe=1, round_no=position)
    wager: Any = {"wager_no": 1, "seat": 1, "code": "baccarat.player", "paytable": "standard", "stake_cents": 500}
    return Body(position, "whole_round", rounds.Round(key=key, wagers=[wager], submission_id="RS-1"))


def test_each_entry_is_told_after_what_it_stands_on() -> None:
    """A round comes with its settlements, then the journal up to it; what stands on no round of its turn is a stray."""
    heard, told = Heard(), [body for _, body in journal()]
    passage = Passage(heard)
    passage.add("settlements", [settled(1, 1), settled(2, 3), settled(3, 2), settled(4, 9)])
    passage.add("progressives", [Body(n, "link", body) for n, body in enumerate(told[:2], 1)])
    passage.add("progressives", [Body(3, "contribution", told[3])])
    assert passage.beyond("settlements", 8)
    assert not passage.beyond("progressives", 2)
    passage.rounds([round_(1), round_(2), round_(3)])
    passage.strays()
    passage.rest()
    assert heard.said == [
        ("journal", 1),
        ("round", 1, [1]),
        ("journal", 2),
        ("round", 2, []),
        ("journal", 3),
        ("stray", 3),
        ("round", 3, [2]),
        ("stray", 4),
    ]


def passing(count: int) -> Iterator[Body]:
    """So many rounds, made as they are taken."""
    return (round_(position) for position in range(1, count + 1))


def test_a_check_that_cannot_read_an_entry_ends_alone() -> None:
    """The others take what comes after it, and what broke is told once."""

    class Broken(Quiet):
        def round(self, entry: Body, settled: Sequence[Body]) -> None:
            raise ValueError(entry.position)

    broken, heard = Broken(), Heard()
    auditor = Auditor(broken, heard)
    Passage(auditor).rounds(passing(3))
    assert [each[1] for each in heard.said] == [1, 2, 3]
    (found,) = auditor.found(broken, list)
    assert found.differences == ["ValueError in an entry that no service writes: 1"]


def test_rounds_that_are_over_are_not_kept() -> None:
    """Ten times the rounds hold no more memory."""

    def held(count: int) -> int:
        submissions = [Body(1, *submission("RS-1", "2026-01-01"))]
        checks = Stamps(submissions, count), Settlements({}, set(), count), Meters("P", {}, set(), count)
        passage = Passage(Auditor(*checks))
        tracemalloc.start()
        for each in passing(count):
            passage.add("settlements", [settled(each.position, each.position)])
            passage.rounds([each])
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return size

    held(10)
    assert held(ROUNDS) < held(ROUNDS // 10) + 100_000
