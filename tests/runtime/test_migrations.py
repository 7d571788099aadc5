"""Schemas, logins and files: what a migrated database allows and what it refuses."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from services.runtime.migrations import (
    SERVICES,
    MigrationChanged,
    MigrationMisnamed,
    MigrationMissing,
    MigrationOutOfOrder,
    migrate,
    password,
)
from tests.databases import Database

FACTS = """
create table fact (property_id bigint, gaming_day date not null, word text) partition by range (gaming_day);
create table head (property_id bigint primary key, position bigint not null);
call append_only('fact');
select ensure_partitions('fact', '2026-01-01', 2);
grant select, insert on fact to casino_rounds;
grant select, insert, update on head to casino_rounds;
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of services in which `rounds` has one migration."""
    write(tmp_path, "0001_facts.sql", FACTS)
    return tmp_path


def write(root: Path, name: str, sql: str) -> Path:
    file = root / "rounds" / "migrations" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(sql)
    return file


async def rounds(database: Database, root: Path) -> asyncpg.Connection:
    urls = await migrate(database.owner_url, ("rounds",), root=root)
    connection: asyncpg.Connection = await asyncpg.connect(urls["rounds"])
    await connection.execute("insert into fact values (1, '2026-01-31', 'kept')")
    return connection


async def owner(database: Database) -> asyncpg.Connection:
    connection: asyncpg.Connection = await asyncpg.connect(database.owner_url)
    return connection


@pytest.mark.parametrize("change", ["update fact set word = 'other'", "delete from fact", "truncate fact"])
async def test_a_service_cannot_change_its_facts(empty_database: Database, root: Path, change: str) -> None:
    """The login that writes facts may not change them."""
    connection = await rounds(empty_database, root)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute(change)
    await connection.close()


@pytest.mark.parametrize("table", ["fact", "fact_202601"])
@pytest.mark.parametrize("change", ["update {} set word = 'other'", "delete from {}", "truncate {}"])
@pytest.mark.parametrize("role", ["origin", "replica"])
async def test_the_owner_cannot_change_facts(
    empty_database: Database, root: Path, table: str, change: str, role: str
) -> None:
    """The trigger holds for the owner, on the table as on each month's partition, in replica mode as well."""
    await (await rounds(empty_database, root)).close()
    connection = await owner(empty_database)
    await connection.execute(f"set session_replication_role = {role}")
    with pytest.raises(asyncpg.RestrictViolationError, match="append-only table fact"):
        await connection.execute(change.format(f"rounds.{table}"))
    assert await connection.fetchval("select word from rounds.fact") == "kept"
    await connection.close()


async def test_a_head_may_be_raised(empty_database: Database, root: Path) -> None:
    """A table that is no fact table allows what its migration grants, and no more."""
    connection = await rounds(empty_database, root)
    await connection.execute("insert into head values (1, 1)")
    await connection.execute("update head set position = 2")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute("delete from head")
    await connection.close()


async def test_a_writer_makes_the_missing_month(empty_database: Database, root: Path) -> None:
    """A missing month is made by the login through the owner's function, once, and is append-only."""
    connection = await rounds(empty_database, root)
    with pytest.raises(asyncpg.CheckViolationError, match="no partition"):
        await connection.execute("insert into fact values (1, '2027-05-09', 'later')")
    assert await connection.fetchval("select ensure_partition('fact', '2027-05-09')") is True
    assert await connection.fetchval("select ensure_partition('fact', '2027-05-31')") is False
    await connection.execute("insert into fact values (1, '2027-05-09', 'later')")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.fetch("select * from fact_202705")
    await connection.close()
    above = await owner(empty_database)
    for change in ("delete from rounds.fact_202705", "truncate rounds.fact_202705"):
        with pytest.raises(asyncpg.RestrictViolationError):
            await above.execute(change)
    await above.close()


async def test_writers_that_miss_together_make_one_partition(empty_database: Database, root: Path) -> None:
    """Of several writers that miss a month at once one makes it and the others find it."""
    connections = [await rounds(empty_database, root)]
    url = (await migrate(empty_database.owner_url, ("rounds",), root=root))["rounds"]
    connections += [await asyncpg.connect(url) for _ in range(3)]
    made = await asyncio.gather(
        *(each.fetchval("select ensure_partition('fact', '2028-02-29')") for each in connections)
    )
    assert sorted(made) == [False, False, False, True]
    for each in connections:
        await each.close()


async def test_only_a_partitioned_table_of_the_schema_gets_partitions(empty_database: Database, root: Path) -> None:
    """The owner's function works on nothing but the service's own partitioned tables."""
    connection = await rounds(empty_database, root)
    for name in ("head", "pg_class", "fact; drop table fact"):
        with pytest.raises(asyncpg.UndefinedTableError, match="expected a partitioned table of schema rounds"):
            await connection.fetchval("select ensure_partition($1, '2026-05-01')", name)
    await connection.close()


async def test_each_login_sees_its_own_schema_alone(database: Database) -> None:
    """A service's search path is its schema; it makes nothing there, and the others are closed to it."""
    for service in SERVICES:
        connection = await asyncpg.connect(database.url(service))
        assert await connection.fetchval("select current_schemas(false)") == [service]
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("create table own (n integer)")
        for other in set(SERVICES) - {service}:
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match=f"schema {other}"):
                await connection.execute(f"select * from {other}.migration")
        await connection.close()


async def test_an_applied_file_is_never_edited(empty_database: Database, root: Path) -> None:
    """A file whose bytes differ from those applied is refused by name."""
    await migrate(empty_database.owner_url, ("rounds",), root=root)
    write(root, "0001_facts.sql", FACTS + "-- a word more\n")
    with pytest.raises(MigrationChanged, match="rounds/0001_facts"):
        await migrate(empty_database.owner_url, ("rounds",), root=root)


async def test_older_software_is_refused(empty_database: Database, root: Path) -> None:
    """A database with a migration that the software lacks is not touched."""
    await migrate(empty_database.owner_url, ("rounds",), root=root)
    (root / "rounds" / "migrations" / "0001_facts.sql").unlink()
    with pytest.raises(MigrationMissing, match="rounds/0001_facts"):
        await migrate(empty_database.owner_url, ("rounds",), root=root)


async def test_files_are_added_at_the_end(empty_database: Database, root: Path) -> None:
    """A number before one already applied is refused; one behind it is applied."""
    write(root, "0005_more.sql", "create table more (n integer)")
    await migrate(empty_database.owner_url, ("rounds",), root=root)
    late = write(root, "0003_late.sql", "create table late (n integer)")
    with pytest.raises(MigrationOutOfOrder, match="0003_late"):
        await migrate(empty_database.owner_url, ("rounds",), root=root)
    late.rename(late.with_name("0006_late.sql"))
    await migrate(empty_database.owner_url, ("rounds",), root=root)
    connection = await owner(empty_database)
    assert await connection.fetchval("select to_regclass('rounds.late') is not null")
    await connection.close()


async def test_a_failed_file_leaves_nothing(empty_database: Database, root: Path) -> None:
    """A file is one transaction: what fails in the middle is not recorded and leaves no table."""
    broken = write(root, "0002_broken.sql", "create table half (n integer); select 1 / 0;")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(empty_database.owner_url, ("rounds",), root=root)
    connection = await owner(empty_database)
    assert await connection.fetchval("select to_regclass('rounds.half')") is None
    names = await connection.fetch("select name from rounds.migration where name like 'rounds/%'")
    assert [row["name"] for row in names] == ["rounds/0001_facts"]
    await connection.close()
    broken.write_text("create table half (n integer);")
    await migrate(empty_database.owner_url, ("rounds",), root=root)


@pytest.mark.parametrize("name", ["facts.sql", "1_facts.sql", "0001_other.sql"])
async def test_names_give_the_order(empty_database: Database, root: Path, name: str) -> None:
    """A file without a number of four digits, or with one taken, is refused before anything runs."""
    write(root, name, "select 1")
    with pytest.raises(MigrationMisnamed, match=name):
        await migrate(empty_database.owner_url, ("rounds",), root=root)


async def test_four_runners_apply_each_file_once(empty_database: Database, tmp_path: Path, root: Path) -> None:
    """Runners wait for each other: every file runs once, and all learn the same passwords."""
    secrets = tmp_path / "secrets"
    runners = (migrate(empty_database.owner_url, secrets=secrets, root=root) for _ in range(4))
    results = await asyncio.gather(*runners)
    assert all(result == results[0] for result in results)
    connection = await owner(empty_database)
    assert await connection.fetchval("select count(*) from rounds.migration where name like 'rounds/%'") == 1
    await connection.close()
    rounds = await asyncpg.connect(results[0]["rounds"])
    await rounds.close()


def test_passwords_are_closed_to_others(tmp_path: Path) -> None:
    """A password is made once, in a file of mode 0600 in a folder of mode 0700."""
    secrets = tmp_path / "secrets"
    word = password(secrets, "rounds")
    assert len(word) >= 32
    assert password(secrets, "rounds") == word
    assert (secrets / "rounds").stat().st_mode & 0o777 == 0o600
    assert secrets.stat().st_mode & 0o777 == 0o700


async def test_the_operators_own_url_stands(empty_database: Database) -> None:
    """A service given its own url keeps it, and an existing login keeps its password."""
    first = await migrate(empty_database.owner_url, ("rounds",))
    urls = await migrate(empty_database.owner_url, ("rounds",), urls={"rounds": first["rounds"]})
    assert urls == first
    connection = await asyncpg.connect(urls["rounds"])
    await connection.close()
