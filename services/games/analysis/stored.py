"""The analyses kept with the code, so that nobody waits for them; a test counts them all anew.

Written by `python -c "from services.games.analysis import stored; stored.save()"` after a wager came or
changed.
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from services.games.analysis.figures import Theory, compute, paytable_of, theory
from services.games.catalogue import catalogue, wager

STORED = Path(__file__).with_name("stored.json")
DECKS = (6, 8)
"""The deck counts stored for a paytable that names none."""


def analyse(code: str, paytable: str, decks: int, *, recompute: bool = False) -> dict[str, Any]:
    """The analysis of a wager at any deck count: as stored if it is, else counted. Raises WagerUnknown,
    PaytableUnknown.

    Keys: section, wager (the code), title, paytable, decks, assumes, depends_on, sample, lines (line,
    probability unreduced, pays), house_edge (12 digits), hit_frequency, variance; a progressive also at,
    fixed_return, return_per_meter_dollar, break_even_meter_cents.
    """
    kept = None if recompute else _stored().get((code, paytable, decks))
    return compute(code, paytable, decks) if kept is None else kept


def analyses(*, recompute: bool = False) -> list[dict[str, Any]]:
    """The analyses of every wager and paytable at the stored deck counts, in the order of code, paytable,
    decks.
    """
    wanted = sorted(
        (code, name, decks)
        for code, rule in catalogue().items()
        for name, paytable in rule.paytables.items()
        for decks in paytable.decks or DECKS
    )
    return [analyse(*key, recompute=recompute) for key in wanted]


@cache
def theoretical(code: str, paytable: str, decks: int) -> Theory:
    """House edge and variance per unit of stake, exact; for a progressive on the basis `Theory` states."""
    rule = wager(code)
    found = paytable_of(rule, paytable)
    lines = analyse(code, paytable, decks)["lines"]
    return theory(rule, found, tuple((each["line"], Fraction(each["probability"])) for each in lines))


def as_text(found: list[dict[str, Any]]) -> str:
    """Analyses as the one JSON text they are stored as: the same figures always give the same bytes."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def save(path: Path = STORED) -> None:
    """Counts every analysis anew and writes them to the file."""
    path.write_text(as_text(analyses(recompute=True)), encoding="utf-8")


@cache
def _stored() -> dict[tuple[str, str, int], dict[str, Any]]:
    found = json.loads(STORED.read_text(encoding="utf-8"))
    return {(each["wager"], each["paytable"], each["decks"]): each for each in found}
