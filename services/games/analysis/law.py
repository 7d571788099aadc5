"""How likely each line of a paytable is: counted over a sample, or an exact distribution of lines."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.games.paytables import NOT_PAID, Paytable
from services.games.results import GAMES
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Setting, Wager
from services.kernel.errors import InvalidRequest, PaytableUnknown

LOSE = "lose"
DECKS = (6, 8)
"""The deck counts of a paytable that names none."""

Ways = Mapping[Line, int | Fraction]
"""The ways of each line, the losing one last: whole numbers of cases, or fractions of 1."""

Law = tuple[tuple[Line, Fraction], ...]
"""The probability of each line, the losing one last; they sum to 1."""


def paytable_of(rule: Wager, name: str) -> Paytable:
    """The wager's paytable of that name. Raises PaytableUnknown."""
    paytable = rule.paytables.get(name)
    if paytable is None:
        raise PaytableUnknown(f"expected paytable {' or '.join(rule.paytables)} of {rule.code}, given {name!r}")
    return paytable


def settings_of(rule: Wager, paytable: Paytable) -> tuple[Setting, ...]:
    """What the figures of a paytable are kept for: its decks or wheels, those of its game, or None alone."""
    game = GAMES[rule.game]
    if game.wheels:
        return paytable.wheels or game.wheels
    return (None,) if game.fewest_decks is None else paytable.decks or rule.kept_for or DECKS


def check_setting(rule: Wager, setting: Setting) -> None:
    """Holds a setting against the game. Raises InvalidRequest."""
    game = GAMES[rule.game]
    if game.wheels:
        right, expected = setting in game.wheels, f"a wheel, {' or '.join(game.wheels)}"
    elif game.fewest_decks is None:
        right, expected = setting is None, f"neither decks nor a wheel in {game.name}"
    else:
        right, expected = isinstance(setting, int) and setting >= 1, "at least one deck"
    if not right:
        raise InvalidRequest(f"expected {expected}, given {'none' if setting is None else setting}")


def terms_for(rule: Wager, name: str, setting: Setting, stake_cents: int) -> Terms:
    """Terms of a table that offers this one wager, with the options its figures assume."""
    offer = Offer(rule.code, name, stake_cents, options=tuple(sorted(rule.assumed.items())))
    decks, wheel = (setting, "") if isinstance(setting, int) else (0, setting or "")
    return Terms("", rule.game, rule.table_kinds[0], decks, 1, {rule.code: offer}, wheel)


def count(rule: Wager, name: str, setting: Setting, stake_cents: int) -> dict[Line, int | Fraction]:
    """The ways of every line in the paytable's order, the losing one last; a line printed N/A counts as lost, lines
    of which one is drawn count as their event.
    """
    paytable, found = rule.paytables[name], _found(rule, name, setting, stake_cents)
    events = {line: event for event, lines in rule.drawn.items() for line in lines}
    ways: dict[Line, int | Fraction] = {}
    for line, cell in paytable.lines.items():
        if cell is not NOT_PAID:
            event = events.get(line, line)
            ways[event] = ways.get(event, 0) + found.get(line, 0)
    for event in rule.drawn:
        ways[event] += found.get(event, 0)
    total: int | Fraction = sum(found.values())
    ways[LOSE] = total - sum(ways.values())
    return ways


def _found(rule: Wager, name: str, setting: Setting, stake_cents: int) -> dict[Any, int | Fraction]:
    if rule.distribution is not None:
        return dict(rule.distribution(name, setting))
    if rule.sample is None:
        raise InvalidRequest(f"expected a wager whose lines can be counted, given {rule.code}")
    terms = terms_for(rule, name, setting, stake_cents)
    found: dict[Any, int | Fraction] = dict.fromkeys([*rule.paytables[name].lines, None], 0)
    for case in rule.sample.cases(setting):
        found[rule.classify(case.history, rule.sample.placement, terms)] += case.ways
    return found


def law_of(ways: Ways) -> Law:
    """The probability of each line."""
    total = sum(ways.values())
    return tuple((line, Fraction(number) / total) for line, number in ways.items())


def share(number: int | Fraction, total: int | Fraction) -> str:
    """Ways over all ways as they were counted, or a fraction of 1, reduced."""
    if isinstance(number, int) and isinstance(total, int):
        return f"{number}/{total}"
    return text(Fraction(number) / total)


def text(value: Fraction) -> str:
    """A fraction as `n/d`, reduced."""
    return f"{value.numerator}/{value.denominator}"
