"""The catalogue as a page for readers: `python -m services.games.analysis.catalogue_page` writes `docs/wagers.md`.

First a line for each wager, by section, with the exact house edge of every paytable; then what each paytable pays.
"""

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from services.games.analysis.bands import warnings
from services.games.analysis.law import settings_of
from services.games.analysis.stored import analyse
from services.games.catalogue import catalogue
from services.games.paytables import Paytable
from services.games.procedures import procedures
from services.games.results import GAMES
from services.games.wagers import KINDS, Line, Meter, Mystery, Setting, Wager
from services.kernel.money import dollars, percent_text

PAGE = Path(__file__).parents[3] / "docs" / "wagers.md"
MOST_COLUMNS = 8
"""More paytables than these do not stand side by side."""

HEAD = """# Wagers

Written by `python -m services.games.analysis.catalogue_page` from the declarations that settle the wagers; a test holds
this page to them. House edges are exact and counted from the same functions, rounded here to four digits of a percent:
by decks for cards, by wheel for Roulette. Those of progressives are taken at the least seeds, the stake not returned.
`casino analyze CODE` has every probability. A code leads to what its paytables pay: `P17A to P21C` are all of them from
the one to the other, and `P17B-$5` is P17, Option B, for a wager of $5. 617a, 623a, 627a, 629a, 631a and 633a are the
games themselves.

"""


def page() -> str:
    """The whole page as Markdown."""
    return HEAD + "\n".join([*_summary(), *_procedures(), *_details()]) + "\n"


def save(path: Path = PAGE) -> None:
    """Writes the page."""
    path.write_text(page(), encoding="utf-8")


def _in_order() -> list[Wager]:
    """By chapter, then by number of the section, then by code: base games stand before their side wagers."""
    return sorted(catalogue().values(), key=lambda rule: (*_number(rule.section), rule.code))


def _number(section: str) -> tuple[str, int]:
    chapter, _, number = section.partition(".")
    return chapter, int(number)


def _summary() -> Iterator[str]:
    for game in GAMES:
        yield from (
            "",
            f"## {game.capitalize()}",
            "",
            _row("section", "wager", "code", "house edge"),
            "|---|---|---|---|",
        )
        for rule in (each for each in _in_order() if each.game == game):
            edges = _range(rule) if _many(rule) else "; ".join(_edges(rule, *each) for each in rule.paytables.items())
            link = f"[`{rule.code}`](#{_anchor(rule)})"
            yield _row(rule.section, rule.title, link, edges)
            for section in sorted({each.section for each in rule.mysteries} - {"", rule.section}):
                yield _row(section, f"Mystery bonus of {rule.title}", link, "")


def _many(rule: Wager) -> bool:
    """Whether the paytables are too many to stand side by side."""
    return len(rule.paytables) > MOST_COLUMNS


def _range(rule: Wager) -> str:
    """The lowest and the highest house edge of many paytables, and how many are outside the band."""
    keys = [(name, setting) for name, table in rule.paytables.items() for setting in settings_of(rule, table)]
    edges = sorted(Fraction(analyse(rule.code, *key)["house_edge"]) for key in keys)
    said = f"{len(rule.paytables)} paytables: {percent_text(edges[0], 4)} to {percent_text(edges[-1], 4)}"
    outside = sum(bool(warnings(rule.code, *key)) for key in keys)
    return f"{said}, **{outside} outside the band**" if outside else said


def _edges(rule: Wager, name: str, paytable: Paytable) -> str:
    """A paytable with its house edge at each setting, the settings named where there is more than one."""
    return f"{name}: " + ", ".join(_edge(rule, name, setting) for setting in settings_of(rule, paytable))


def _edge(rule: Wager, name: str, setting: Setting) -> str:
    found = analyse(rule.code, name, setting)
    where = f" ({_words(setting)})" if setting else ""
    if found["house_edge"] is None:
        mean = found.get("break_even_mean")
        return f"{_open(found)}{', even at a mean of ' + _to_one(mean) if mean else ''}{where}"
    warned = " **outside the band**" if warnings(rule.code, name, setting) else ""
    return f"{percent_text(Fraction(found['house_edge']), 4)}{where}{warned}"


def _open(found: dict[str, Any]) -> str:
    return {"rng_weights": "by the weights drawn", "stated": "as the floor states"}.get(found["depends_on"], "by play")


def _to_one(mean: str) -> str:
    value = Fraction(mean)
    return f"{value.numerator if value.denominator == 1 else mean} to 1"


def _words(setting: Setting) -> str:
    if isinstance(setting, str):
        return setting.replace("_", " ")
    return "1 deck" if setting == 1 else f"{setting} decks"


def _procedures() -> Iterator[str]:
    yield from (
        "",
        "## Procedures without a wager",
        "",
        _row("section", "procedure", "what the table does"),
        "|---|---|---|",
    )
    yield from (_row(*each) for each in procedures())


def _details() -> Iterator[str]:
    yield from ("", "# Paytables")
    for rule in _in_order():
        yield from ("", f"## {_heading(rule)}", "", " ".join(_said(rule)), "")
        yield from _groups(rule) if _many(rule) else _side_by_side(rule)
        yield from _bonus(rule)
        yield from _alternatives(rule)
        yield from _mysteries(rule)


def _side_by_side(rule: Wager) -> Iterator[str]:
    yield _row("line", *(f"paytable {name}" for name in rule.paytables))
    yield _rule(1 + len(rule.paytables))
    for line in _lines(rule):
        pays = [table.printed(line) + _envy(table, line) for table in rule.paytables.values()]
        yield _row(_line(rule, line), *pays)
    yield from _meters(rule)


def _lines(rule: Wager) -> tuple[Line, ...]:
    return tuple(next(iter(rule.paytables.values())).lines)


def _line(rule: Wager, line: Line) -> str:
    note = f" ({rule.unreached[line]})" if line in rule.unreached else ""
    return line.replace("_", " ") + note


def _groups(rule: Wager) -> Iterator[str]:
    """Many paytables: what all of them pay alike, then what each kind pays besides, then meters, stakes and edges."""
    tables = rule.paytables.values()
    alike = [line for line in _lines(rule) if len({table.printed(line) for table in tables}) == 1]
    if alike:
        first = next(iter(tables))
        pays = ", ".join(f"{_line(rule, line)} {first.printed(line)}" for line in alike)
        yield from (f"Every paytable pays: {pays}.", "")
    differing = [line for line in _lines(rule) if line not in alike]
    yield _row("paytables", *(_line(rule, line) for line in differing))
    yield _rule(1 + len(differing))
    for names in _kinds(rule, lambda table: tuple(map(table.printed, differing))):
        table = rule.paytables[names[0]]
        yield _row(_named(rule, names), *map(table.printed, differing))
    yield from ("", _row("stake", "meters", "envy", "house edge of the paytables"), _rule(4))
    for names in _kinds(rule, _conditions):
        edges = "; ".join(_edges(rule, name, rule.paytables[name]) for name in names)
        yield _row(*_conditions(rule.paytables[names[0]]), edges)


def _kinds(rule: Wager, kind: Callable[[Paytable], Hashable]) -> list[list[str]]:
    """The names of the paytables of each kind, in order."""
    found: dict[Hashable, list[str]] = {}
    for name, table in rule.paytables.items():
        found.setdefault(kind(table), []).append(name)
    return list(found.values())


def _named(rule: Wager, names: list[str]) -> str:
    """The names as `P2, P7 to P11`; those that differ by their stake alone are one: `P10-$1` and `P10-$5`."""
    order, chosen = list(dict.fromkeys(map(_without_stake, rule.paytables))), set(map(_without_stake, names))
    runs = [list(run) for of_these, run in groupby(order, chosen.__contains__) if of_these]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _without_stake(name: str) -> str:
    return name.partition("-$")[0]


def _conditions(table: Paytable) -> tuple[str, str, str]:
    """The stakes, the meters and the envy of a paytable."""
    stakes = " or ".join(f"${dollars(each)}" for each in table.denominations)
    envy = ", ".join(f"{line.replace('_', ' ')} ${dollars(cents)}" for line, cents in table.envy.items())
    return stakes, "; ".join(map(_meter, table.meters)), envy or "none"


def _bonus(rule: Wager) -> Iterator[str]:
    """What a line pays besides under an option that a table may file."""
    if rule.bonus is not None:
        yield from (
            "",
            f"Bonus by the option `{rule.bonus.option}`, on ${dollars(rule.bonus.least_stake_cents)} or more:",
            "",
        )
        for name, lines in rule.bonus.pays.items():
            yield f"* {name}: " + ", ".join(f"{_line(rule, line)} ${dollars(cents)}" for line, cents in lines.items())


def _alternatives(rule: Wager) -> Iterator[str]:
    """The house edges under what a wager's figures may assume instead."""
    if rule.alternatives:
        yield from ("", "House edges otherwise:", "")
    for no, assumed in enumerate(rule.alternatives):
        edges = "; ".join(f"{name}: {_otherwise(rule, name, table, no)}" for name, table in rule.paytables.items())
        yield f"* {assumed}: {edges}"


def _otherwise(rule: Wager, name: str, paytable: Paytable, no: int) -> str:
    edges = []
    for setting in settings_of(rule, paytable):
        edge = Fraction(analyse(rule.code, name, setting)["alternatives"][no]["house_edge"])
        edges.append(f"{percent_text(edge, 4)} ({_words(setting)})")
    return ", ".join(edges)


def _heading(rule: Wager) -> str:
    return f"{rule.section} {rule.title} {rule.code}"


def _anchor(rule: Wager) -> str:
    """The name under which the usual readers of Markdown find the heading."""
    kept = "".join(each for each in _heading(rule).lower() if each.isalnum() or each in " -_")
    return kept.replace(" ", "-")


def _said(rule: Wager) -> Iterator[str]:
    """What the section says besides the paytables, a sentence each."""
    yield f"`{rule.code}`, {rule.game}."
    if rule.needs:
        yield f"Needs {' or '.join(f'`{code}`' for code in rule.needs)} at the same seat."
    for name, table in () if _many(rule) else rule.paytables.items():
        limits = [*map(_words, table.decks), *map(_words, table.wheels)]
        if limits:
            yield f"Paytable {name}: {' or '.join(limits)}."
    yield from _limits(rule)
    if rule.options:
        yield f"Options: {', '.join(f'`{name}`' for name in rule.options)}."
    if assumed := analyse(rule.code, *_first(rule))["assumes"]:
        yield f"Figures assume: {assumed}."


def _limits(rule: Wager) -> Iterator[str]:
    if rule.denominations:
        yield f"Stakes of {' or '.join(f'${dollars(each)}' for each in rule.denominations)}."
    if rule.minimum_cents:
        yield f"At least ${dollars(rule.minimum_cents)}."
    if rule.lock != "no_more_bets":
        yield f"Placed until {rule.lock.replace('_', ' ')}."
    if rule.table_kinds != KINDS:
        yield f"Only on {' and '.join(each.replace('_', ' ') for each in rule.table_kinds)} tables."
    if rule.effective or rule.expires:
        yield f"In force {rule.period()}."


def _first(rule: Wager) -> tuple[str, Setting]:
    name, table = next(iter(rule.paytables.items()))
    return name, settings_of(rule, table)[0]


def _envy(paytable: Paytable, line: str) -> str:
    return f", envy ${dollars(paytable.envy[line])}" if line in paytable.envy else ""


def _meters(rule: Wager) -> Iterator[str]:
    if rule.meters:
        yield from ("", "Meters:", "")
        for name in rule.paytables:
            yield from (f"* paytable {name}: {_meter(each)}" for each in rule.meters_of(name))


def _mysteries(rule: Wager) -> Iterator[str]:
    if rule.mysteries:
        yield from ("", f"Mystery bonus ({rule.mysteries[0].section or rule.section}):", "")
        yield from (f"* {_mystery(each)}" for each in rule.mysteries)


def _meter(meter: Meter) -> str:
    seed = f"{'at least ' if meter.minimum_seed else ''}${dollars(meter.seed_cents)}"
    rate = "the rate that the Rules Submission states" if meter.increment_rate is None else _rate(meter.increment_rate)
    return f"{meter.level}, seed {seed}, {rate}" + (
        f", reserve {_rate(meter.reserve_rate)}" if meter.reserve_rate else ""
    )


def _mystery(mystery: Mystery) -> str:
    least, most = dollars(mystery.minimum_cents), dollars(mystery.maximum_cents)
    stake = f" for at least ${dollars(mystery.denomination_cents)}" if mystery.denomination_cents else ""
    return f"{mystery.name}{stake}: from ${least} up to ${most}, {_rate(mystery.increment_rate)}"


def _rate(rate: int) -> str:
    return percent_text(Fraction(rate, 10_000), 2)


def _rule(columns: int) -> str:
    return "|---" * columns + "|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    save()
