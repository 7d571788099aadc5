"""The day's wagers by code, paytable and decks: actual win beside the theory of the rules that settled them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from services.games.analysis import theoretical
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.wagers import Wager
from services.kernel.errors import Held
from services.kernel.money import MICROS_PER_CENT, decimal_text, half_up
from services.reporting import win
from services.reporting.sums import ContributionKey, WagerSum
from services.reporting.table import CENTS, COUNT, PERCENT, TEXT, Column, Row, Table

COLUMNS = (
    Column("section", "Section", TEXT),
    Column("wager", "Wager", TEXT),
    Column("paytable", "Paytable", TEXT),
    Column("decks", "Decks", COUNT),
    Column("wagers", "Wagers", COUNT),
    Column("handle", "Handle", CENTS),
    Column("payout", "Payout", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("theoretical_hold", "Theoretical hold %", PERCENT),
)
THEORY_DIGITS = 4
PROGRESSIVE_NOTE = (
    "Progressives: win = stakes - fixed awards - contributions to meter and reserve, and theoretical hold ="
    " 1 - fixed return - increment rate - reserve rate; what the meter pays is in neither."
)


@dataclass
class WagerLine:
    """One wager under one paytable and number of decks; money in cents, contributions in micro-dollars."""

    code: str
    paytable: str
    decks: int
    wagers: int = 0
    handle: int = 0
    payout: int = 0
    contributions: int = 0
    theory: Fraction | None = field(default=None)

    @property
    def rule(self) -> Wager | None:
        """What the catalogue says of it; None for a wager that it does not contain."""
        return catalogue().get(self.code)

    @property
    def win_micros(self) -> int:
        """Stakes less payouts less contributions, in micro-dollars."""
        return (self.handle - self.payout) * MICROS_PER_CENT - self.contributions


def is_base(code: str) -> bool:
    """Whether a wager is one of the game itself: of the game's own chapter, not of one for side wagers."""
    rule = catalogue().get(code)
    return rule is not None and rule.section.split(".")[0] == GAMES[rule.game].chapter


def lines(
    sums: Iterable[WagerSum], contributions: Mapping[ContributionKey, tuple[int, int]]
) -> tuple[list[WagerLine], list[WagerLine]]:
    """The wagers of the game and the side wagers, each by section, code, paytable and decks."""
    found: dict[tuple[str, str, int], WagerLine] = {}
    decks: dict[tuple[str, str], int] = {}
    for each in sums:
        key = each.key
        line = found.setdefault((key.code, key.paytable, key.decks), WagerLine(key.code, key.paytable, key.decks))
        line.wagers += each.wagers
        line.handle += each.handle_cents
        line.payout += each.payout_cents
        decks[key.table_id, key.submission_id] = key.decks
    for made, amounts in contributions.items():
        number = decks.get((made.table_id, made.submission_id), 0)
        name = (made.code, made.paytable, number)
        found.setdefault(name, WagerLine(*name)).contributions += sum(amounts)
    for line in found.values():
        line.theory = _theory(line)
    order = sorted(found.values(), key=lambda line: (_section(line), line.code, line.paytable, line.decks))
    return [line for line in order if is_base(line.code)], [line for line in order if not is_base(line.code)]


def _section(line: WagerLine) -> str:
    return line.rule.section if line.rule else ""


def _theory(line: WagerLine) -> Fraction | None:
    """The exact house edge; None where no figure follows from the rules that this platform contains."""
    if not line.decks:
        return None
    try:
        return theoretical(line.code, line.paytable, line.decks).house_edge
    except Held:
        return None


def table(name: str, title: str, found: Sequence[WagerLine]) -> Table:
    """The lines as a table; a total's theory weighs each line by its handle."""
    notes = [PROGRESSIVE_NOTE] if any(line.rule and line.rule.meters for line in found) else []
    notes += [f"{line.code}: {said}" for line in found if (said := _said(line))]
    return Table(name, title, COLUMNS, tuple(_row(line) for line in found), _totals(found), tuple(notes))


def _said(line: WagerLine) -> str:
    if not line.rule:
        return "not proven; settled as the floor stated it."
    if not line.decks:
        return "contributions of rounds that are not settled yet."
    return "" if line.theory is not None else f"no theory for paytable {line.paytable}."


def _row(line: WagerLine) -> Row:
    return (
        _section(line),
        line.code,
        line.paytable,
        line.decks,
        line.wagers,
        line.handle,
        line.payout,
        half_up(line.win_micros, MICROS_PER_CENT),
        win.hold(line.win_micros, line.handle * MICROS_PER_CENT),
        None if line.theory is None else decimal_text(line.theory * 100, THEORY_DIGITS),
    )


def _totals(found: Sequence[WagerLine]) -> Row:
    handle, won = sum(line.handle for line in found), sum(line.win_micros for line in found)
    expected = [line.theory * line.handle for line in found if line.theory is not None]
    whole = bool(handle) and len(expected) == len(found)
    return (
        "",
        "",
        "",
        None,
        sum(line.wagers for line in found),
        handle,
        sum(line.payout for line in found),
        half_up(won, MICROS_PER_CENT),
        win.hold(won, handle * MICROS_PER_CENT),
        decimal_text(sum(expected, Fraction(0)) * 100 / handle, THEORY_DIGITS) if whole else None,
    )
