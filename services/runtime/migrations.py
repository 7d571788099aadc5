"""Schemas, logins and numbered SQL files: forward only, one transaction a file, one runner at a time.

A service's files are `services/<name>/migrations/NNNN_title.sql`; the files of `services/runtime/migrations`
are applied to every schema first. Each runs as the owner with the search path set to the service's schema,
and is recorded in `<schema>.migration` with the SHA-256 of its bytes, so that an edited file is refused.

A file grants what its tables allow to `casino_<service>`: SELECT and INSERT on facts, UPDATE on heads as
well, DELETE on projections as well. `call append_only('table')` makes a table a fact table and `select
ensure_partitions('table', '2026-01-01', 13)` makes the months of one partitioned by range of gaming_day.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets as random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import asyncpg

from services.kernel.errors import Precondition

SERVICES = ("rounds", "settlement", "progressives", "reporting")
LOCK = 0x63_61_73_69_6E_6F
NAME = re.compile(r"(?P<number>\d{4})_[a-z0-9_]+\.sql")

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class MigrationMisnamed(Precondition):
    """A migration is named NNNN_title.sql, and no two of one service have the same number."""


class MigrationChanged(Precondition):
    """A migration that has been applied is never edited."""


class MigrationMissing(Precondition):
    """The database has a migration that this software does not."""


class MigrationOutOfOrder(Precondition):
    """Migrations are only added at the end."""


@dataclass(frozen=True)
class Migration:
    """One SQL file: `name` is `<owner folder>/<file>`, `sha256` the digest of its bytes in hexadecimal."""

    name: str
    sql: str
    sha256: str


async def migrate(
    owner_url: str,
    services: Sequence[str] = SERVICES,
    *,
    secrets: Path | None = None,
    urls: Mapping[str, str] | None = None,
    root: Path | None = None,
) -> dict[str, str]:
    """Bring every schema up to date and return each service's url.

    `secrets` is the folder of the logins' passwords (a file a service, mode 0600; made when missing); None
    makes passwords that live in the returned urls only. A service found in `urls` keeps the url it has there.
    `root` is the folder the services' folders lie in. Raises the refusals of this module; nothing of a
    refused file stays.
    """
    files = {service: migrations(service, root) for service in services}
    connection: Connection = await asyncpg.connect(owner_url)
    try:
        await connection.execute("select pg_advisory_lock($1)", LOCK)
        result = {}
        for service in services:
            result[service] = await _login(connection, service, owner_url, secrets, (urls or {}).get(service))
            await _schema(connection, service)
            await _apply(connection, service, files[service])
        return result
    finally:
        await connection.close()


def migrations(service: str, root: Path | None = None) -> list[Migration]:
    """The service's files in order, the shared ones first; MigrationMisnamed when they have no order."""
    base = root or Path(__file__).resolve().parents[1]
    shared = _read(Path(__file__).resolve().parent / "migrations")
    return shared + _read(base / service / "migrations")


def service_url(owner_url: str, service: str, password: str) -> str:
    """The owner's url with the service's login and password in place of the owner's."""
    parts = urlsplit(owner_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"casino_{service}:{quote(password, safe='')}@{host}"))


def password(secrets: Path, name: str) -> str:
    """The password kept in the file `name` of the folder `secrets`, made on first use, closed to others."""
    secrets.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = secrets / name
    if not kept.exists():
        _keep(kept, random.token_urlsafe(24))
    return kept.read_text().strip()


def _keep(kept: Path, word: str) -> None:
    """Written aside and linked: of two runners both read what the first one wrote, whole."""
    handle, aside = tempfile.mkstemp(dir=kept.parent)
    with os.fdopen(handle, "w") as file:
        file.write(word + "\n")
    try:
        os.link(aside, kept)
    except FileExistsError:
        return
    finally:
        Path(aside).unlink()


def _read(folder: Path) -> list[Migration]:
    files = sorted(folder.glob("*.sql"))
    numbers = [match["number"] for file in files if (match := NAME.fullmatch(file.name))]
    if len(set(numbers)) != len(files):
        names = ", ".join(file.name for file in files)
        raise MigrationMisnamed(f"expected NNNN_title.sql with each number once in {folder.parent.name}, got {names}")
    return [_migration(file) for file in files]


def _migration(file: Path) -> Migration:
    content = file.read_bytes()
    name = f"{file.parent.parent.name}/{file.stem}"
    return Migration(name, content.decode(), hashlib.sha256(content).hexdigest())


async def _login(connection: Connection, service: str, owner_url: str, secrets: Path | None, given: str | None) -> str:
    """Make the login or set its password, and return the service's url.

    A given url is the operator's: its password is used for a new login and an existing one is left alone.
    """
    known = await connection.fetchval("select true from pg_roles where rolname = $1", f"casino_{service}")
    if given is not None:
        word = unquote(urlsplit(given).password or "")
    else:
        word = password(secrets, service) if secrets else random.token_urlsafe(24)
    if not known or given is None:
        await _set_password(connection, f"casino_{service}", word, "alter" if known else "create")
    return given or service_url(owner_url, service, word)


async def _set_password(connection: Connection, login: str, word: str, verb: str) -> None:
    statement = f"select format('{verb} role %I login password %L', $1::text, $2::text)"
    await connection.execute(str(await connection.fetchval(statement, login, word)))


async def _schema(connection: Connection, service: str) -> None:
    """The service's schema is the whole of its login's search path, and times are read and written in UTC."""
    await connection.execute(f"create schema if not exists {service}")
    await connection.execute(f"grant usage on schema {service} to casino_{service}")
    await connection.execute(f"alter role casino_{service} set search_path = {service}")
    await connection.execute(f"alter role casino_{service} set timezone = 'UTC'")
    await connection.execute(
        f"create table if not exists {service}.migration ("
        " name text primary key, sha256 text not null,"
        " applied_at timestamptz not null default clock_timestamp())"
    )


async def _apply(connection: Connection, service: str, files: list[Migration]) -> None:
    rows = await connection.fetch(f"select name, sha256 from {service}.migration")
    applied = {row["name"]: row["sha256"] for row in rows}
    _refuse_drift(service, files, applied)
    for file in files:
        if file.name not in applied:
            await _run(connection, service, file)


def _refuse_drift(service: str, files: list[Migration], applied: Mapping[str, str]) -> None:
    known = {file.name: file.sha256 for file in files}
    for name, sha256 in applied.items():
        if name not in known:
            raise MigrationMissing(f"expected migration {name} of schema {service} among this software's files")
        if known[name] != sha256:
            raise MigrationChanged(f"expected {name} with SHA-256 {sha256} as applied, got {known[name]}")
    last = max((place for place, file in enumerate(files) if file.name in applied), default=-1)
    for file in files[: last + 1]:
        if file.name not in applied and not file.name.startswith("runtime/"):
            raise MigrationOutOfOrder(f"expected {file.name} after {files[last].name}, which is already applied")


async def _run(connection: Connection, service: str, file: Migration) -> None:
    async with connection.transaction():
        await connection.execute(f"set local search_path = {service}, pg_temp")
        await connection.execute(file.sql)
        await connection.execute(
            f"insert into {service}.migration (name, sha256) values ($1, $2)", file.name, file.sha256
        )
