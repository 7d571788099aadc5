"""The chart of accounts: one file of data, its names filled in with tables, links and levels."""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

CHART = Path(__file__).parents[1] / "data" / "accounts.json"
_UNFIT = re.compile(r"[^A-Za-z0-9-]+")


class Account(NamedTuple):
    """An account by the name that stands in the journal, parts apart by colons, and its title."""

    name: str
    title: str


class Chart(NamedTuple):
    """The currency and, by their keys, names and titles of accounts; `{}` stands for a table, a link or a level."""

    currency: str
    accounts: dict[str, Account]


@cache
def chart() -> Chart:
    """The chart of the data."""
    data = json.loads(CHART.read_text(encoding="utf-8"))
    accounts = {key: Account(each["account"], each["title"]) for key, each in data["accounts"].items()}
    return Chart(data["currency"], accounts)


@lru_cache(maxsize=4096)
def account(key: str, *parts: str) -> Account:
    """The account of a key, for a table or for a link and a level. Raises KeyError where the chart has none."""
    name, title = chart().accounts[key]
    return Account(name.format(*map(component, parts)), title)


def component(text: str) -> str:
    """A name as a part of an account's: a capital or a digit first, then letters, digits and hyphens alone."""
    fit = _UNFIT.sub("-", text).strip("-") or "X"
    return fit[0].upper() + fit[1:]
