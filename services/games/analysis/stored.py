"""The analyses kept with the code, so that nobody waits for them; a test counts them all anew.

Written by `python -c "from services.games.analysis import stored; stored.save()"` after a wager came or
changed.
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from services.games.analysis.figures import Theory, compute, theory
from services.games.analysis.law import check_setting, paytable_of, settings_of
from services.games.catalogue import catalogue, wager
from services.games.wagers import Setting

STORED = Path(__file__).with_name("stored")
"""A folder with one file a game."""

Key = tuple[str, str, Setting]


def analyse(code: str, paytable: str, setting: Setting, *, recompute: bool = False) -> dict[str, Any]:
    """The analysis of a wager at any deck count, or for a wheel: as stored if it is, else counted. Raises
    WagerUnknown, PaytableUnknown, InvalidRequest.

    Keys: section, wager (the code), title, paytable, decks and wheel (null where the game has none), assumes,
    depends_on, sample, lines (line, probability unreduced where cases were counted, pays), house_edge (12 digits or
    null), hit_frequency, variance; a progressive also at, fixed_return, return_per_meter_dollar,
    break_even_meter_cents; a wager whose price is drawn also break_even_mean.
    """
    kept = None if recompute else _stored().get((code, paytable, setting))
    return _as_kept(compute(code, paytable, setting)) if kept is None else kept


def _as_kept(found: dict[str, Any]) -> dict[str, Any]:
    """An analysis in the form in which it is read back: the same figures, the same bytes however they are written."""
    ordered: dict[str, Any] = json.loads(json.dumps(found, sort_keys=True))
    return ordered


def keys() -> list[Key]:
    """Every wager, paytable and setting that is kept, in the order of code, paytable, setting."""
    return sorted(
        (code, name, setting)
        for code, rule in catalogue().items()
        for name, paytable in rule.paytables.items()
        for setting in settings_of(rule, paytable)
    )


def analyses(*, recompute: bool = False) -> list[dict[str, Any]]:
    """The analyses of every wager, paytable and setting that is kept, in order."""
    return [analyse(*key, recompute=recompute) for key in keys()]


@cache
def theoretical(code: str, paytable: str, setting: Setting) -> Theory:
    """House edge and variance per unit of stake, exact, None where none follows; for a progressive on the basis
    `Theory` states. Raises WagerUnknown, PaytableUnknown, InvalidRequest.
    """
    rule = wager(code)
    paytable_of(rule, paytable)
    check_setting(rule, setting)
    lines = analyse(code, paytable, setting)["lines"]
    return theory(rule, paytable, tuple((each["line"], Fraction(each["probability"])) for each in lines))


def as_text(found: list[dict[str, Any]]) -> str:
    """Analyses as the one JSON text they are stored as: the same figures always give the same bytes."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def texts() -> dict[str, str]:
    """What the file of each game holds, counted anew."""
    found: dict[str, list[dict[str, Any]]] = {}
    for each in analyses(recompute=True):
        found.setdefault(wager(each["wager"]).game, []).append(each)
    return {f"{game}.json": as_text(listed) for game, listed in sorted(found.items())}


def save(folder: Path = STORED) -> None:
    """Counts every analysis anew and writes them to the files of the folder, one a game."""
    folder.mkdir(exist_ok=True)
    for name, text in texts().items():
        (folder / name).write_text(text, encoding="utf-8")


@cache
def _stored() -> dict[Key, dict[str, Any]]:
    found = [each for path in sorted(STORED.glob("*.json")) for each in json.loads(path.read_text(encoding="utf-8"))]
    return {(each["wager"], each["paytable"], each["wheel"] or each["decks"]): each for each in found}
