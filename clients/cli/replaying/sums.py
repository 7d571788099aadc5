"""A what-if of one day: the wagers that it changes, with totals by table and wager and what tables would have won."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from clients.cli.output import columns
from clients.cli.replaying.what_if import Repriced, Side
from services.kernel.errors import Refusal
from services.kernel.money import dollars

Row = dict[str, Any]
TABLE_AND_WAGER = ("table", "wager")
COUNTS = ("wagers", "affected")
MONEY = ("stake_cents", "settled_cents", "would_be_cents", "overpaid_cents", "underpaid_cents")
WIN = ("settled_win_cents", "would_be_win_cents", "difference_cents")


@dataclass
class Total:
    """Of one wager at one table: how many there are, and of those affected the money in cents."""

    wagers: int = 0
    affected: int = 0
    stake: int = 0
    settled: int = 0
    would_be: int = 0
    overpaid: int = 0
    underpaid: int = 0

    def add(self, each: Repriced) -> None:
        """One more wager. What is not taken would be paid nothing: its stake stays with the patron."""
        self.wagers += 1
        if not each.affected:
            return
        self.affected += 1
        self.stake += each.stake_cents
        self.settled += each.settled.payout_cents
        self.would_be += 0 if isinstance(each.would, Refusal) else each.would.payout_cents
        self.overpaid += max(0, each.overpaid_cents)
        self.underpaid += max(0, -each.overpaid_cents)

    def described(self) -> Row:
        """As JSON values."""
        money = self.stake, self.settled, self.would_be, self.overpaid, self.underpaid
        return dict(zip(COUNTS + MONEY, (self.wagers, self.affected, *money), strict=True))


@dataclass
class WhatIf:
    """One gaming day by the terms of `submission`."""

    day: str
    submission: str
    changed: list[tuple[int, Repriced]] = field(default_factory=list)
    totals: defaultdict[tuple[str, str], Total] = field(default_factory=lambda: defaultdict(Total))
    wins: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def add(self, position: int, each: Repriced) -> None:
        """One more wager, settled at a position; those that are not affected are counted alone."""
        self.totals[each.table_id, each.code].add(each)
        for place, win in enumerate(each.wins):
            self.wins[each.table_id][place] += win
        if each.affected:
            self.changed.append((position, each))

    @property
    def affected(self) -> list[Repriced]:
        """The wagers that it changes, in the order in which they were settled."""
        return [each for _, each in sorted(self.changed, key=lambda told: told[0])]

    def described(self) -> Row:
        """As JSON values; money in cents."""
        return {
            "wagers": [_described(each) for each in self.affected],
            "totals": self._totals(),
            "win": self._wins(),
        }

    def _totals(self) -> list[Row]:
        return [
            {**dict(zip(TABLE_AND_WAGER, name, strict=True)), **self.totals[name].described()}
            for name in sorted(self.totals)
        ]

    def _wins(self) -> list[Row]:
        """By table, and of all of them with `table` None."""
        whole = [sum(part) for part in zip(*self.wins.values(), strict=True)] or [0, 0]
        rows: list[tuple[str | None, list[int]]] = [*sorted(self.wins.items()), (None, whole)]
        return [
            {"table": name, **dict(zip(WIN, (settled, would, would - settled), strict=True))}
            for name, (settled, would) in rows
        ]

    def text(self) -> str:
        """For a reader."""
        counted = sum(each.wagers for each in self.totals.values())
        said = f"{self.day} by {self.submission}: {counted:,} wagers settled, {len(self.changed):,} affected."
        parts = [said, self._wagers_text(), self._totals_text(), self._wins_text()]
        return "\n\n".join(part for part in parts if part)

    def _wagers_text(self) -> str:
        titles = ("Round", "No", "Wager", "Seat", "Stake", "Settled", "Payout", "Would be", "Payout", "Over", "Under")
        return _table(titles, [_cells(each) for each in self.affected], (1, 3, 4, 6, 8, 9, 10))

    def _totals_text(self) -> str:
        titles = ("Table", "Wager", "Wagers", "Affected", "Stake", "Settled", "Would be", "Overpaid", "Underpaid")
        rows = [[*(each[name] for name in TABLE_AND_WAGER + COUNTS), *_money(each, MONEY)] for each in self._totals()]
        return _table(titles, rows, range(2, len(titles)))

    def _wins_text(self) -> str:
        rows = [[each["table"] or "All", *_money(each, WIN)] for each in self._wins()]
        return _table(("Table", "Win", "Would be", "Difference"), rows, (1, 2, 3))


def _table(titles: tuple[str, ...], rows: list[list[Any]], right: Iterable[int]) -> str:
    return columns(titles, rows, right) if rows else ""


def _money(row: Row, names: Iterable[str]) -> list[str]:
    return [dollars(row[name]) for name in names]


def _described(each: Repriced) -> Row:
    would = each.would
    refused = {"reason": would.reason, "message": would.message} if isinstance(would, Refusal) else None
    return {
        "round": each.round,
        "wager_no": each.wager_no,
        "wager": each.code,
        "seat": each.seat,
        "stake_cents": each.stake_cents,
        "settled": _side(each.settled),
        "would_be": None if isinstance(would, Refusal) else _side(would),
        "refused": refused,
        "overpaid_cents": max(0, each.overpaid_cents),
        "underpaid_cents": max(0, -each.overpaid_cents),
    }


def _side(side: Side) -> Row:
    shares = [{"level": level, "percent": percent} for level, percent in side.shares]
    return {"outcome": side.outcome, "line": side.line or None, "payout_cents": side.payout_cents, "shares": shares}


def _cells(each: Repriced) -> list[Any]:
    over = each.overpaid_cents
    would = (each.would.reason, "-") if isinstance(each.would, Refusal) else _words(each.would)
    place = [each.round, each.wager_no, each.code, each.seat, dollars(each.stake_cents)]
    return [*place, *_words(each.settled), *would, dollars(max(0, over)), dollars(max(0, -over))]


def _words(side: Side) -> tuple[str, str]:
    shares = "".join(f" and {percent // 100}% of {level}" for level, percent in side.shares)
    return f"{side.outcome} {side.line}".strip() + shares, dollars(side.payout_cents)
