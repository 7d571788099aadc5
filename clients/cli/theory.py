"""The catalogue and the exact figures of its wagers: `casino wagers`, `casino analyze`."""

from typing import Annotated, Any

import typer

from clients.cli.output import as_json, columns
from services.games.analysis import analyse, analyses
from services.games.analysis.stored import DECKS
from services.games.catalogue import catalogue, wager
from services.games.wagers import Meter, Wager
from services.kernel.errors import InvalidRequest, PaytableUnknown
from services.kernel.money import dollars


def wagers(json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False) -> None:
    """The catalogue: every wager there is, with its section and paytables."""
    found = [described(rule) for rule in catalogue().values()]
    if json:
        return as_json(found)
    rows = [(each["code"], each["section"], each["title"], " ".join(each["paytables"])) for each in found]
    return print(columns(("code", "section", "title", "paytables"), rows))


def analyze(
    code: Annotated[str | None, typer.Argument(help="A wager's code, for example baccarat.tie.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every wager, paytable and deck count.")] = False,
    paytable: Annotated[str | None, typer.Option(help="One paytable of the wager.")] = None,
    decks: Annotated[int | None, typer.Option(min=1, help="A deck count, permitted or not.")] = None,
    recompute: Annotated[bool, typer.Option(help="Count anew instead of reading what is stored.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Exact figures of a wager, counted from the function that settles it."""
    if every == (code is not None):
        raise InvalidRequest("expected a wager's code or --all, given " + ("both" if every else "neither"))
    if code is None:
        found = _all(paytable, decks, recompute=recompute)
    else:
        found = _one(code, paytable, decks, recompute=recompute)
    return as_json(found) if json else print(_table(found))


def described(rule: Wager) -> dict[str, Any]:
    """A wager of the catalogue as JSON values; money in cents, rates in hundredths of a percent."""
    paytables = {
        name: {
            "decks": list(table.decks),
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
    }


def _meter(meter: Meter) -> dict[str, Any]:
    return dict(meter._asdict())


def _all(paytable: str | None, decks: int | None, *, recompute: bool) -> list[dict[str, Any]]:
    if paytable is not None:
        raise InvalidRequest(f"expected --paytable with one wager's code, given --all and {paytable}")
    if decks is None:
        return analyses(recompute=recompute)
    return [each for code in catalogue() for each in _one(code, None, decks, recompute=recompute)]


def _one(code: str, paytable: str | None, decks: int | None, *, recompute: bool) -> list[dict[str, Any]]:
    rule = wager(code)
    if paytable is not None and paytable not in rule.paytables:
        raise PaytableUnknown(f"expected paytable {' or '.join(rule.paytables)} of {code}, given {paytable!r}")
    return [
        analyse(code, name, count, recompute=recompute)
        for name in sorted(rule.paytables)
        if paytable in (None, name)
        for count in ((decks,) if decks else rule.paytables[name].decks or DECKS)
    ]


def _table(found: list[dict[str, Any]]) -> str:
    titles = ("wager", "paytable", "decks", "line", "probability", "pays", "house edge")
    rows: list[tuple[object, ...]] = []
    for each in found:
        edge = each["house_edge"] or f"depends on {each['depends_on']}"
        for place, line in enumerate(each["lines"]):
            lead = (each["wager"], each["paytable"], each["decks"]) if place == 0 else ("", "", "")
            tail = edge + _at(each) if place == 0 else ""
            rows.append((*lead, line["line"], line["probability"], line["pays"], tail))
    return columns(titles, rows, right=(2, 4))


def _at(each: dict[str, Any]) -> str:
    at = each.get("at")
    if not at:
        return ""
    return f" at a meter of ${dollars(at['meter_cents'])}" if "meter_cents" in at else " at the seed"
