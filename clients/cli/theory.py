"""The catalogue and the exact figures of its wagers: `casino wagers`, `casino analyze`."""

import asyncio
from typing import Annotated, Any

import typer

from clients.cli.home import connected
from clients.cli.output import as_json, columns, say
from clients.cli.properties import band_at
from clients.cli.properties import settings_of as property_settings_of
from services.games.analysis import analyse, analyses, warnings
from services.games.analysis.law import settings_of
from services.games.catalogue import catalogue, wager
from services.games.procedures import Procedure, procedures
from services.games.results import GAMES
from services.games.terms import options_of
from services.games.wagers import Meter, Mystery, Setting, Wager
from services.kernel.clock import system_clock
from services.kernel.errors import InvalidRequest, PaytableUnknown
from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
from services.kernel.money import dollars


def wagers(
    property_id: Annotated[
        str | None, typer.Option("--property", help="Warn by this property's house-edge band; needs the platform.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """The catalogue: every wager there is, with its section and paytables, and the sections that are procedures."""
    band = DEFAULT_BAND if property_id is None else asyncio.run(_band_of(property_id))
    found = [described(rule, band) for rule in catalogue().values()]
    found += [procedure_described(each) for each in procedures()]
    if json:
        as_json(found)
        return
    rows = [(each["code"], each["section"], each["title"], " ".join(each["paytables"])) for each in found]
    print(columns(("code", "section", "title", "paytables"), rows))
    for sentence in (said for each in found for said in each["warnings"]):
        say(f"Warning: {sentence}.")


def analyze(
    code: Annotated[str | None, typer.Argument(help="A wager's code, for example baccarat.tie.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every wager, paytable and deck count.")] = False,
    paytable: Annotated[str | None, typer.Option(help="One paytable of the wager.")] = None,
    decks: Annotated[int | None, typer.Option(min=1, help="A deck count, permitted or not.")] = None,
    wheel: Annotated[str | None, typer.Option(help="A wheel of Roulette, for example double_zero.")] = None,
    recompute: Annotated[bool, typer.Option(help="Count anew instead of reading what is stored.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Exact figures of a wager, counted from the function that settles it."""
    if every == (code is not None):
        raise InvalidRequest("expected a wager's code or --all, given " + ("both" if every else "neither"))
    if code is None:
        found = _all(paytable, decks or wheel, recompute=recompute)
    else:
        found = _one(code, paytable, decks or wheel, recompute=recompute)
    return as_json(found) if json else print(_table(found))


async def _band_of(property_id: str) -> EdgeBand:
    """The house-edge band of a property today. Raises RefusedByServer, Unknown."""
    async with connected() as casino:
        return band_at(await property_settings_of(casino, property_id), system_clock())


def described(rule: Wager, band: EdgeBand = DEFAULT_BAND) -> dict[str, Any]:
    """A wager of the catalogue as JSON values; money in cents, rates in hundredths of a percent."""
    paytables = {
        name: {
            "decks": list(table.decks),
            "wheels": list(table.wheels),
            "denominations": list(table.denominations),
            "meters": [_meter(each) for each in rule.meters_of(name)],
            "lines": [{"line": line, "pays": table.printed(line)} for line in table.lines],
        }
        for name, table in rule.paytables.items()
    }
    return {
        "code": rule.code,
        "section": rule.section,
        "title": rule.title,
        "game": rule.game,
        "paytables": paytables,
        "decks": sorted({count for table in rule.paytables.values() for count in table.decks}),
        "needs": list(rule.needs),
        "placements": [place for place in rule.placements if place],
        "minimum_cents": rule.minimum_cents,
        "maximum_cents": rule.maximum_cents,
        "meters": [_meter(each) for each in rule.meters],
        "lock": rule.lock,
        "effective": rule.effective.isoformat() if rule.effective else None,
        "expires": rule.expires.isoformat() if rule.expires else None,
        "table_kinds": list(rule.table_kinds),
        "denominations": list(rule.denominations),
        "options": {name: list(each) if isinstance(each, tuple) else None for name, each in options_of(rule).items()},
        "required_options": list(rule.required_options),
        "mysteries": [_mystery(rule, each) for each in rule.mysteries],
        "warnings": _warnings(rule, band),
        "procedure": None,
    }


def procedure_described(procedure: Procedure) -> dict[str, Any]:
    """A section that states a procedure, in the fields of a wager; its code names no wager."""
    return {
        "code": f"procedure.{procedure.section}",
        "section": procedure.section,
        "title": procedure.title,
        "game": next((game.name for game in GAMES.values() if game.chapter[:3] == procedure.section[:3]), None),
        "paytables": {},
        "decks": [],
        "needs": [],
        "placements": [],
        "minimum_cents": 0,
        "maximum_cents": None,
        "meters": [],
        "lock": None,
        "effective": None,
        "expires": None,
        "table_kinds": [],
        "denominations": [],
        "options": {},
        "required_options": [],
        "mysteries": [],
        "warnings": [],
        "procedure": procedure.text,
    }


def _warnings(rule: Wager, band: EdgeBand) -> list[str]:
    """Where an exact house edge lies outside the band, a sentence for each paytable and setting."""
    return [
        f"{sentence} (paytable {name}{f', {setting}' if setting else ''})"
        for name, table in rule.paytables.items()
        for setting in settings_of(rule, table)
        for sentence in warnings(rule.code, name, setting, band.fractions)
    ]


def _mystery(rule: Wager, mystery: Mystery) -> dict[str, Any]:
    return {**mystery._asdict(), "section": mystery.section or rule.section}


def _meter(meter: Meter) -> dict[str, Any]:
    return dict(meter._asdict())


def _all(paytable: str | None, setting: Setting, *, recompute: bool) -> list[dict[str, Any]]:
    if paytable is not None:
        raise InvalidRequest(f"expected --paytable with one wager's code, given --all and {paytable}")
    if setting is None:
        return analyses(recompute=recompute)
    fitting = [code for code, rule in catalogue().items() if _fits(rule, setting)]
    return [each for code in fitting for each in _one(code, None, setting, recompute=recompute)]


def _fits(rule: Wager, setting: Setting) -> bool:
    """Whether the wager's game is played with such equipment."""
    game = GAMES[rule.game]
    return bool(game.fewest_decks) if isinstance(setting, int) else setting in game.wheels


def _one(code: str, paytable: str | None, setting: Setting, *, recompute: bool) -> list[dict[str, Any]]:
    rule = wager(code)
    if paytable is not None and paytable not in rule.paytables:
        raise PaytableUnknown(f"expected paytable {' or '.join(rule.paytables)} of {code}, given {paytable!r}")
    return [
        analyse(code, name, each, recompute=recompute)
        for name in sorted(rule.paytables)
        if paytable in (None, name)
        for each in ((setting,) if setting else settings_of(rule, rule.paytables[name]))
    ]


def _table(found: list[dict[str, Any]]) -> str:
    titles = ("wager", "paytable", "decks or wheel", "line", "probability", "pays", "house edge")
    rows: list[tuple[object, ...]] = []
    for each in found:
        edge = each["house_edge"] or _open(each)
        for place, line in enumerate(each["lines"]):
            lead = (
                (each["wager"], each["paytable"], each["wheel"] or each["decks"] or "") if place == 0 else ("", "", "")
            )
            tail = edge + _at(each) if place == 0 else ""
            rows.append((*lead, line["line"], line["probability"], line["pays"], tail))
    return columns(titles, rows, right=(2, 4))


def _open(each: dict[str, Any]) -> str:
    """What is said where no house edge follows from the rules."""
    mean = each.get("break_even_mean")
    return f"depends on {each['depends_on']}" + (f"; none at a mean payout of {mean}" if mean else "")


def _at(each: dict[str, Any]) -> str:
    at = each.get("at")
    if not at:
        return ""
    return f" at a meter of ${dollars(at['meter_cents'])}" if "meter_cents" in at else " at the seed"
