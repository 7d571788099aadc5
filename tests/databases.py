"""The databases of a test session: one migrated template, and a clone of it for each test that asks."""

import asyncio
import itertools
import os
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from services.runtime.migrations import migrate

T = TypeVar("T")


@dataclass(frozen=True)
class Database:
    """One database: its name, the owner's url and each service's url."""

    name: str
    owner_url: str
    urls: Mapping[str, str]

    def url(self, service: str) -> str:
        """The url of the service's own login."""
        return self.urls[service]


@dataclass
class Templates:
    """Makes the template on first use and clones it; `server_url` is the owner's url of the server."""

    server_url: str
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    template: Database | None = None

    def clone(self) -> Database:
        """A database of its own with every migration applied."""
        template = self.template = self.template or self.migrated()
        return self._made(f'create database "{{}}" template "{template.name}" strategy file_copy', template.urls)

    def migrated(self) -> Database:
        """A new database, migrated from nothing."""
        empty = self.empty()
        return Database(empty.name, empty.owner_url, finished(migrate(empty.owner_url)))

    def empty(self) -> Database:
        """A new database with nothing in it."""
        return self._made('create database "{}"', {})

    def drop(self, database: Database) -> None:
        """Remove the database, whoever is still connected to it."""
        finished(run(self.server_url, f'drop database if exists "{database.name}" with (force)'))

    def restore_logins(self) -> None:
        """Logins belong to the server: a test that migrates on its own has given them other passwords."""
        for service, url in (self.template.urls if self.template else {}).items():
            word = unquote(urlsplit(url).password or "")
            finished(run(self.server_url, f"alter role casino_{service} login password '{word}'"))

    def drop_template(self) -> None:
        """The end of the session."""
        if self.template:
            self.drop(self.template)

    def _made(self, statement: str, urls: Mapping[str, str]) -> Database:
        name = f"casino_test_{os.getpid()}_{next(self.numbers)}"
        finished(run(self.server_url, statement.format(name)))
        return Database(name, at(self.server_url, name), {service: at(url, name) for service, url in urls.items()})


def at(url: str, database: str) -> str:
    """The url with another database name."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


async def run(url: str, statement: str) -> None:
    """Run one statement on a connection of its own."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, run in a thread so that it does not touch the test's own event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
