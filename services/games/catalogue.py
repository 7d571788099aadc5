"""The wagers there are: every module under `services/games/<game>/wagers` that exports `WAGERS`."""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType

import services.games
from services.games.wagers import Wager
from services.kernel.errors import Taken, WagerUnknown


@cache
def catalogue() -> Mapping[str, Wager]:
    """Every wager by its code, sorted; found once: a module added later needs `catalogue.cache_clear()`."""
    return collect(_modules())


def wager(code: str) -> Wager:
    """The wager of that code. Raises WagerUnknown."""
    found = catalogue().get(code)
    if found is None:
        raise WagerUnknown(f"expected a wager of the catalogue, given {code!r}")
    return found


def collect(modules: Iterable[ModuleType]) -> Mapping[str, Wager]:
    """The wagers of these modules by their code, sorted. Raises Taken where two have one code."""
    found: dict[str, Wager] = {}
    for module in modules:
        for declared in module.WAGERS:
            if declared.code in found:
                raise Taken(f"expected one wager of code {declared.code}, given another in {module.__name__}")
            found[declared.code] = declared
    return MappingProxyType(dict(sorted(found.items())))


def _modules() -> Iterator[ModuleType]:
    inner = [folder for game in _packages(services.games) for folder in _packages(game)]
    for folder in [each for each in inner if each.__name__.endswith(".wagers")]:
        names = sorted(info.name for info in pkgutil.iter_modules(folder.__path__))
        yield from (import_module(f"{folder.__name__}.{name}") for name in names)


def _packages(parent: ModuleType) -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(parent.__path__):
        if info.ispkg:
            yield import_module(f"{parent.__name__}.{info.name}")
