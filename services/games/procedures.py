"""Sections that state a procedure at the table and no wager: recorded, so that no section is passed over."""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import services.games


class Procedure(NamedTuple):
    """What a section has the table do, in a sentence or two; nothing is settled by it."""

    section: str
    title: str
    text: str


@cache
def procedures() -> tuple[Procedure, ...]:
    """Every `PROCEDURES` of a game's `procedures` module, by section."""
    return tuple(sorted(each for module in _modules() for each in module.PROCEDURES))


def _modules() -> list[ModuleType]:
    games = [info.name for info in pkgutil.iter_modules(services.games.__path__, "services.games.") if info.ispkg]
    packages = [import_module(name) for name in games]
    return [
        import_module(f"{package.__name__}.procedures")
        for package in packages
        if any(info.name == "procedures" for info in pkgutil.iter_modules(package.__path__))
    ]
