"""The day's wagers by code, paytable and decks, summed from settlements and contributions, beside their theory."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives
from casino.settlement.v1 import entries_pb2 as settlement
from clients.sdk.payouts import wagers_of
from services.games.analysis import theoretical
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.kernel.errors import Held
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


Name = tuple[str, str, str, int]
"""Section, code, paytable, decks."""


def wager_rows(
    rounds: Iterable[settlement.SettledRound], contributions: Iterable[progressives.Contribution]
) -> tuple[Rows, Rows]:
    """The wagers of the game and the side wagers, each with totals."""
    lines: defaultdict[Name, Line] = defaultdict(Line)
    decks: dict[tuple[str, str], int] = {}
    for each in rounds:
        for wager in wagers_of(each):
            decks[each.key.table_id, each.submission_id] = each.decks
            line = lines[_section(wager.code), wager.code, wager.paytable, each.decks]
            if wager.outcome not in ("void", "pending"):
                line.wagers += 1
                line.handle += wager.stake_cents
                line.payout += wager.payout_cents
    for made in contributions:
        number = decks.get((made.key.table_id, made.submission_id), 0)
        line = lines[_section(made.code), made.code, made.paytable, number]
        line.contributed += sum(made.amount_micros) + sum(made.reserve_amount_micros)
    base = {name: line for name, line in lines.items() if _is_base(name)}
    return _table(base), _table({name: line for name, line in lines.items() if name not in base})


def _section(code: str) -> str:
    rule = catalogue().get(code)
    return rule.section if rule else ""


def _is_base(name: Name) -> bool:
    rule = catalogue().get(name[1])
    return rule is not None and name[0].startswith(f"{GAMES[rule.game].chapter}.")


def _table(lines: dict[Name, Line]) -> Rows:
    theory = {name: _theory(name) for name in lines}
    rows = [{**_named(name), **_sums(lines[name]), **_hold(theory[name])} for name in sorted(lines)]
    total = Line(*(sum(part) for part in zip(*map(_parts, lines.values()), strict=True)))
    known = [edge * lines[name].handle for name, edge in theory.items() if edge is not None]
    whole = len(known) == len(lines) and total.handle
    expected = sum(known, Fraction(0)) / total.handle if whole else None
    nameless = {"section": None, "wager": None, "paytable": None, "decks": None}
    return rows, {**nameless, **_sums(total), **_hold(expected)}


def _parts(line: Line) -> tuple[int, int, int, int]:
    return line.wagers, line.handle, line.payout, line.contributed


def _named(name: Name) -> Row:
    return dict(zip(("section", "wager", "paytable", "decks"), name, strict=True))


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


def _theory(name: Name) -> Fraction | None:
    _, code, paytable, decks = name
    if not decks:
        return None
    try:
        return theoretical(code, paytable, decks).house_edge
    except Held:
        return None
