"""How side wagers did: handle, take-up, payout, and the actual hold against the exact one on one basis."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from services.games.analysis import theoretical
from services.games.settlement import STATED
from services.kernel.errors import Held
from services.kernel.money import MICROS_PER_CENT, dollars, half_up
from services.reporting import wager_lines
from services.reporting.periods import WagerFacts
from services.reporting.reports.amounts import decimal, percent
from services.reporting.statistics import Limits, flag_score, score, standard_error
from services.reporting.table import BAR, CENTS, COUNT, PERCENT, TEXT, Column, Plot, Row, Table
from services.reporting.wager_lines import WagerLine

TITLE = "Side wagers"
THEORY_DIGITS = 4
COLUMNS = (
    Column("section", "Section", TEXT),
    Column("wager", "Wager", TEXT),
    Column("paytable", "Paytable", TEXT),
    Column("decks", "Decks", COUNT),
    Column("wheel", "Wheel", TEXT),
    Column("wagers", "Wagers", COUNT),
    Column("take_up", "Take-up %", PERCENT),
    Column("handle", "Handle", CENTS),
    Column("payout", "Payout", CENTS),
    Column("contributions", "Contributions", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("theoretical_hold", "Theoretical hold %", PERCENT),
    Column("theoretical_win", "Theoretical win", CENTS),
    Column("standard_error", "Standard error %", PERCENT),
    Column("z", "z", TEXT),
    Column("flag", "Flag", TEXT),
)
NOTES = (
    (
        "Take-up = seats with the wager / seats with any wager, where a Rules Submission offered it; a seat counts"
        " once for each round, of craps once for each roll that decides a wager."
    ),
    (
        "Win = stakes - fixed awards - contributions to meter and reserve; theoretical hold is on the same basis: what"
        " a meter pays is in neither."
    ),
    (
        "Standard error: the root of the variance per unit of stake x the sum of squared stakes, over the handle;"
        " wagers are taken as independent, so that several seats on one result make it too small."
    ),
)


@dataclass
class Taken:
    """Seats with a wager, seats that might have had it, squared stakes in cents."""

    seats: int = 0
    of: int = 0
    squares: int = 0
    counted: set[tuple[str, str]] = field(default_factory=set)


Name = tuple[str, str, int, str]
"""Code, paytable, decks and wheel."""


def side_wagers(facts: WagerFacts, limits: Limits) -> tuple[Table, ...]:
    """One row a side wager, paytable and decks or wheel; then those that no rule proves."""
    _, side, external = wager_lines.lines(facts.wagers, facts.contributions)
    taken = _taken(facts)
    rows = tuple(_row(line, taken.get(_name(line), Taken()), limits) for line in side)
    return (
        Table(
            "side_wagers", TITLE, COLUMNS, rows, _totals(side), (*NOTES, _limit(limits)), Plot(BAR, "wager", ("win",))
        ),
        wager_lines.table("external", "Wagers not proven", external, facts.asked.band),
    )


def _limit(limits: Limits) -> str:
    if limits.z is None:
        return f"{limits.title} sets no limit in standard errors."
    return (
        f"Flagged beyond {dollars(limits.z)} standard errors, from {limits.minimum_wagers} wagers on ({limits.title})."
    )


def _name(line: WagerLine) -> Name:
    return line.code, line.paytable, line.decks, line.wheel


def _taken(facts: WagerFacts) -> dict[Name, Taken]:
    """Take-up by line: at a table under a submission, a wager has been placed or was offered."""
    equipment = {(each.key.table_id, each.key.submission_id): (each.key.decks, each.key.wheel) for each in facts.wagers}
    offered = {(each.table_id, each.submission_id): set(each.offers) for each in facts.terms}
    everyone = {key[1:3]: seats for key, (seats, _) in facts.seats.items() if not key.code}
    found: dict[Name, Taken] = {}
    for key, (seats, squares) in facts.seats.items():
        if key.code:
            line = found.setdefault((key.code, key.paytable, *equipment.get(key[1:3], (0, ""))), Taken())
            line.seats += seats
            line.squares += squares
            _count(line, key[1:3], everyone)
    for place, wagers in offered.items():
        for code, paytable in wagers:
            name = (code, paytable, *equipment.get(place, (0, "")))
            if name in found:
                _count(found[name], place, everyone)
    return found


def _count(line: Taken, place: tuple[str, str], everyone: dict[tuple[str, str], int]) -> None:
    """Seats at a table and submission, once."""
    if place not in line.counted:
        line.counted.add(place)
        line.of += everyone.get(place, 0)


def variance_of(line: WagerLine) -> Fraction | None:
    """The engine's variance per unit of stake; None where no figure follows from the rules."""
    if line.rule is None or line.rule.settles == STATED or line.unsettled:
        return None
    try:
        return theoretical(line.code, line.paytable, line.setting).variance
    except Held:
        return None


def _row(line: WagerLine, taken: Taken, limits: Limits) -> Row:
    micros = line.handle * MICROS_PER_CENT
    hold = Fraction(line.win_micros, micros) if micros else None
    variance = variance_of(line)
    error = standard_error(variance, taken.squares, line.handle) if variance is not None else None
    z = score(hold, line.theory, error) if hold is not None and line.theory is not None else None
    enough = line.wagers >= limits.minimum_wagers
    return (
        line.rule.section if line.rule else "",
        line.code,
        line.paytable,
        line.decks or None,
        line.wheel or None,
        line.wagers,
        percent(Fraction(taken.seats, taken.of)) if taken.of else None,
        line.handle,
        line.payout,
        half_up(line.contributions, MICROS_PER_CENT),
        half_up(line.win_micros, MICROS_PER_CENT),
        percent(hold),
        percent(line.theory, THEORY_DIGITS),
        expected(line),
        percent(error, THEORY_DIGITS),
        decimal(z),
        flag_score(z, limits) if enough else "",
    )


def expected(line: WagerLine) -> int | None:
    """The theoretical win in cents, half up; None where there is no theory."""
    if line.theory is None:
        return None
    won = line.theory * line.handle
    return half_up(won.numerator, won.denominator)


def _totals(lines: Iterable[WagerLine]) -> Row:
    found = list(lines)
    handle, won = sum(line.handle for line in found), sum(line.win_micros for line in found)
    paid = sum(line.contributions for line in found)
    return (
        "total",
        None,
        None,
        None,
        None,
        sum(line.wagers for line in found),
        None,
        handle,
        sum(line.payout for line in found),
        half_up(paid, MICROS_PER_CENT),
        half_up(won, MICROS_PER_CENT),
        percent(Fraction(won, handle * MICROS_PER_CENT)) if handle else None,
        *(None,) * 5,
    )
