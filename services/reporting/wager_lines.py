"""The day's wagers by code, paytable and decks or wheel: actual win beside the theory of the very rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from services.games.analysis import bands, theoretical
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.settlement import STATED
from services.games.wagers import Setting, Wager
from services.kernel.errors import Held
from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
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
    Column("wheel", "Wheel", TEXT),
)
THEORY_DIGITS = 4
PROGRESSIVE_NOTE = (
    "Progressives: win = stakes - fixed awards - contributions to meter and reserve, and theoretical hold ="
    " 1 - fixed return - increment rate - reserve rate; what the meter pays is in neither."
)
OPEN_RATE_NOTE = "the rate of progression is the Rules Submission's; theoretical hold takes what the day's wagers gave."


@dataclass
class WagerLine:
    """One wager under one paytable, number of decks and wheel; money in cents, contributions in micro-dollars."""

    code: str
    paytable: str
    decks: int
    wheel: str
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
    def proven(self) -> bool:
        """Whether a paytable prices it; the others pay what the floor states (ruling K13)."""
        return self.rule is not None and self.rule.settles != STATED

    @property
    def setting(self) -> Setting:
        """What its exact figures are counted for: the wheel, the decks, or neither."""
        return self.wheel or self.decks or None

    @property
    def unsettled(self) -> bool:
        """Whether no settlement has told yet on how many decks, or on which wheel, it was played."""
        game = GAMES[self.rule.game] if self.rule else None
        return game is not None and not self.setting and bool(game.fewest_decks or game.wheels)

    @property
    def open_rate(self) -> bool:
        """Whether its section leaves a meter's increment rate to the Rules Submission."""
        meters = self.rule.meters_of(self.paytable) if self.rule else ()
        return any(meter.increment_rate is None for meter in meters)

    @property
    def win_micros(self) -> int:
        """Stakes less payouts less contributions, in micro-dollars."""
        return (self.handle - self.payout) * MICROS_PER_CENT - self.contributions


@cache
def is_base(code: str) -> bool:
    """Whether a wager is one of the game itself: of the game's own chapter, or what a variation has in its place.

    Such a one stands among the base wagers any of which a side wager needs.
    """
    rule = catalogue().get(code)
    if rule is None or rule.settles == STATED:
        return False
    own = {each.code for each in catalogue().values() if each.section.split(".")[0] == GAMES[each.game].chapter}
    return code in own or any(code in each.needs and own.intersection(each.needs) for each in catalogue().values())


def lines(
    sums: Iterable[WagerSum], contributions: Mapping[ContributionKey, tuple[int, int]]
) -> tuple[list[WagerLine], list[WagerLine], list[WagerLine]]:
    """The wagers of the game, the side wagers, and those that no rule proves, each by section, code, paytable, decks
    and wheel.
    """
    found: dict[tuple[str, str, int, str], WagerLine] = {}
    equipment: dict[tuple[str, str], tuple[int, str]] = {}
    for each in sums:
        key = each.key
        name = (key.code, key.paytable, key.decks, key.wheel)
        line = found.setdefault(name, WagerLine(*name))
        line.wagers += each.wagers
        line.handle += each.handle_cents
        line.payout += each.payout_cents
        equipment[key.table_id, key.submission_id] = key.decks, key.wheel
    for made, amounts in contributions.items():
        name = (made.code, made.paytable, *equipment.get((made.table_id, made.submission_id), (0, "")))
        found.setdefault(name, WagerLine(*name)).contributions += sum(amounts)
    for line in found.values():
        line.theory = _theory(line)
    order = sorted(found.values(), key=lambda line: (_section(line), line.code, line.paytable, line.decks, line.wheel))
    proven = [line for line in order if line.proven]
    return (
        [line for line in proven if is_base(line.code)],
        [line for line in proven if not is_base(line.code)],
        [line for line in order if not line.proven],
    )


def _section(line: WagerLine) -> str:
    return line.rule.section if line.rule else ""


def _theory(line: WagerLine) -> Fraction | None:
    """The exact house edge; None where no figure follows from the rules that this platform contains."""
    if line.unsettled or (line.open_rate and not line.handle):
        return None
    try:
        edge = theoretical(line.code, line.paytable, line.setting).house_edge
    except Held:
        return None
    if edge is None or not line.open_rate:
        return edge
    # Contributions are exact: over the handle they are the rate that the Rules Submission states.
    return edge - Fraction(line.contributions, line.handle * MICROS_PER_CENT)


def table(name: str, title: str, found: Sequence[WagerLine], band: EdgeBand = DEFAULT_BAND) -> Table:
    """The lines as a table; a total's theory weighs each line by its handle, a note names an edge out of the band."""
    notes = [PROGRESSIVE_NOTE] if any(line.rule and line.rule.meters for line in found) else []
    notes += [f"{line.code}: {said}" for line in found if (said := _said(line))]
    notes += [said for line in found if line.theory is not None for said in _warnings(line, band)]
    return Table(name, title, COLUMNS, tuple(_row(line) for line in found), _totals(found), tuple(notes))


def _warnings(line: WagerLine, band: EdgeBand) -> list[str]:
    """Whether its exact house edge is unusual at the property."""
    return bands.warnings(line.code, line.paytable, line.setting, band.fractions)


def _said(line: WagerLine) -> str:
    if not line.proven:
        return "not proven; settled as the floor stated it."
    if line.unsettled:
        return "contributions of rounds that are not settled yet."
    if line.open_rate and line.theory is not None:
        return OPEN_RATE_NOTE
    if line.rule and line.rule.depends_on == "play":
        return "no theory: it depends on how it is played."
    return "" if line.theory is not None else f"no theory for paytable {line.paytable}."


def _row(line: WagerLine) -> Row:
    return (
        _section(line),
        line.code,
        line.paytable,
        line.decks or None,
        line.wagers,
        line.handle,
        line.payout,
        half_up(line.win_micros, MICROS_PER_CENT),
        win.hold(line.win_micros, line.handle * MICROS_PER_CENT),
        None if line.theory is None else decimal_text(line.theory * 100, THEORY_DIGITS),
        line.wheel or None,
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
        None,
    )
