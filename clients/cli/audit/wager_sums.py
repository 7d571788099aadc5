"""The day's wagers by code, paytable and decks or wheel, summed from settlements and contributions, with theory."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.table_sums import UNCOUNTED
from services.games.analysis import theoretical
from services.games.catalogue import catalogue
from services.games.results import GAMES, Game
from services.kernel.money import MICROS_PER_CENT, decimal_text, half_up

Row = dict[str, Any]
Rows = tuple[list[Row], Row]
"""Rows and totals."""


@dataclass
class Line:
    """Sums of one wager: cents, and micro-dollars of contributions."""

    wagers: int = 0
    handle: int = 0
    payout: int = 0
    contributed: int = 0

    @property
    def win(self) -> int:
        """Stakes less payouts less contributions, in micro-dollars."""
        return (self.handle - self.payout) * MICROS_PER_CENT - self.contributed


Name = tuple[str, str, str, int, str]
"""Section, code, paytable, decks (0: no cards), wheel (empty: none)."""


Placed = tuple[str, str, str, str]
"""Table, submission, code and paytable."""


@dataclass
class WagerSums:
    """Of one day: the sums of its wagers as settlements and contributions come."""

    lines: defaultdict[Name, Line] = field(default_factory=lambda: defaultdict(Line))
    played_on: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    contributed: Counter[Placed] = field(default_factory=Counter)

    def settle(self, told: settlement.SettledRound) -> None:
        """One more settled round. ValueError where its lists differ in length."""
        equipment = told.decks, told.wheel
        self.played_on[told.key.table_id, told.submission_id] = equipment
        columns = told.code, told.paytable, told.outcome, told.stake_cents, told.payout_cents
        for code, paytable, outcome, stake, payout in zip(*columns, strict=True):
            line = self.lines[_section(code), code, paytable, *equipment]
            if outcome not in UNCOUNTED:
                line.wagers += 1
                line.handle += stake
                line.payout += payout

    def contribute(self, made: progressives.Contribution, micros: int) -> None:
        """What a wager contributed, or what a correction took back of it, in micro-dollars."""
        self.contributed[made.key.table_id, made.submission_id, made.code, made.paytable] += micros

    def rows(self) -> tuple[Rows, Rows, Rows]:
        """The wagers of the game, the side wagers, and those that pay as the floor states, each with totals."""
        lines = self.lines.copy()
        for (table_id, submission_id, code, paytable), micros in self.contributed.items():
            equipment = self.played_on.get((table_id, submission_id), (0, ""))
            name = _section(code), code, paytable, *equipment
            line = lines[name]
            lines[name] = replace(line, contributed=line.contributed + micros)
        bases, stated = _bases(), {name for name in lines if _stated(name[1])}
        base = {name: line for name, line in lines.items() if name[1] in bases and name not in stated}
        side = {name: line for name, line in lines.items() if name not in base and name not in stated}
        return _table(base), _table(side), _table({name: lines[name] for name in stated})


def _stated(code: str) -> bool:
    """Whether no paytable of the catalogue prices it."""
    rule = catalogue().get(code)
    return rule is None or rule.settles == "stated"


@cache
def _section(code: str) -> str:
    rule = catalogue().get(code)
    return rule.section if rule else ""


def _bases() -> set[str]:
    """The wagers of a game's own chapter, and those that stand beside them where a side wager needs one of several."""
    rules = catalogue().values()
    own = {rule.code for rule in rules if rule.section.startswith(f"{GAMES[rule.game].chapter}.")}
    return own.union(*(rule.needs for rule in rules if not own.isdisjoint(rule.needs)))


def _table(lines: dict[Name, Line]) -> Rows:
    theory = {name: _theory(name, line) for name, line in lines.items()}
    rows = [{**_named(name), **_sums(lines[name]), **_hold(theory[name])} for name in sorted(lines)]
    total = Line(*(sum(part) for part in zip(*map(_parts, lines.values()), strict=True)))
    known = [edge * lines[name].handle for name, edge in theory.items() if edge is not None]
    whole = len(known) == len(lines) and total.handle
    expected = sum(known, Fraction(0)) / total.handle if whole else None
    nameless = dict.fromkeys(("section", "wager", "paytable", "decks", "wheel"))
    return rows, {**nameless, **_sums(total), **_hold(expected)}


def _parts(line: Line) -> tuple[int, int, int, int]:
    return line.wagers, line.handle, line.payout, line.contributed


def _named(name: Name) -> Row:
    section, code, paytable, decks, wheel = name
    return {"section": section, "wager": code, "paytable": paytable, "decks": decks or None, "wheel": wheel}


def _sums(line: Line) -> Row:
    handle = line.handle * MICROS_PER_CENT
    return {
        "wagers": line.wagers,
        "handle": line.handle,
        "payout": line.payout,
        "win": half_up(line.win, MICROS_PER_CENT),
        "hold": decimal_text(Fraction(line.win * 100, handle), 2) if handle else None,
    }


def _hold(edge: Fraction | None) -> Row:
    return {"theoretical_hold": None if edge is None else decimal_text(edge * 100, 4)}


def _theory(name: Name, line: Line) -> Fraction | None:
    _, code, paytable, decks, wheel = name
    rule = catalogue().get(code)
    if rule is None or paytable not in rule.paytables or not _settled(GAMES[rule.game], decks, wheel):
        return None
    edge = theoretical(code, paytable, wheel or decks or None).house_edge
    if all(meter.increment_rate is not None for meter in rule.meters_of(paytable)):
        return edge
    # The Rules Submission states the rate; contributions over stakes are that rate exactly.
    rate = Fraction(line.contributed, line.handle * MICROS_PER_CENT) if line.handle else None
    return None if edge is None or rate is None else edge - rate


def _settled(game: Game, decks: int, wheel: str) -> bool:
    """Whether a settlement has told what the wagers were played on; contributions alone do not."""
    return bool(wheel) if game.wheels else bool(decks) or game.fewest_decks is None
