"""The catalogue as a page for readers: `python -m services.games.analysis.catalogue_page` writes `docs/wagers.md`.

First a line for each wager, by section, with the exact house edge of every paytable; then what each paytable pays.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from services.games.analysis.bands import warnings
from services.games.analysis.law import settings_of
from services.games.analysis.stored import analyse
from services.games.catalogue import catalogue
from services.games.paytables import Paytable
from services.games.procedures import procedures
from services.games.results import GAMES
from services.games.wagers import KINDS, Meter, Mystery, Setting, Wager
from services.kernel.money import dollars, percent_text

PAGE = Path(__file__).parents[3] / "docs" / "wagers.md"
HEAD = """# Wagers

Written by `python -m services.games.analysis.catalogue_page` from the declarations that settle the wagers; a test holds
this page to them. House edges are exact and counted from the same functions, rounded here to four digits of a percent:
by decks for cards, by wheel for Roulette. Those of progressives are taken at the least seeds, the stake not returned.
`casino analyze CODE` has every probability. 617a, 623a, 627a, 629a and 631a are the games themselves.

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
            edges = "; ".join(_edges(rule, name, table) for name, table in rule.paytables.items())
            link = f"[`{rule.code}`](#{_anchor(rule)})"
            yield _row(rule.section, rule.title, link, edges)
            for section in sorted({each.section for each in rule.mysteries} - {"", rule.section}):
                yield _row(section, f"Mystery bonus of {rule.title}", link, "")


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
    return {"rng_weights": "by the weights drawn"}.get(found["depends_on"], "by play")


def _to_one(mean: str) -> str:
    value = Fraction(mean)
    return f"{value.numerator if value.denominator == 1 else mean} to 1"


def _words(setting: Setting) -> str:
    return setting.replace("_", " ") if isinstance(setting, str) else f"{setting} decks"


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
        yield _row("line", *(f"paytable {name}" for name in rule.paytables))
        yield "|---" * (1 + len(rule.paytables)) + "|"
        for line in next(iter(rule.paytables.values())).lines:
            pays = [table.printed(line) + _envy(table, line) for table in rule.paytables.values()]
            note = f" ({rule.unreached[line]})" if line in rule.unreached else ""
            yield _row(line.replace("_", " ") + note, *pays)
        yield from _meters(rule)


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
    for name, table in rule.paytables.items():
        limits = [f"{each} decks" for each in table.decks] + [_words(each) for each in table.wheels]
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


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    save()
