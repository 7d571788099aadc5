"""One Postgres server a session, one migrated template, a clone for each test that asks for `database`."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.runtime import logs
from services.runtime.embedded import EmbeddedPostgres
from tests.databases import Database, Templates


def memory() -> str | None:
    """A folder in memory where there is room for databases, for clones cost mostly file creation; else None."""
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 4 << 30
    return str(shared) if roomy else None


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The owner's url of the session's server: the one of CASINO_DATABASE_URL, or an embedded one."""
    if given := os.environ.get("CASINO_DATABASE_URL"):
        yield given
        return
    home = Path(tempfile.mkdtemp(prefix="casino-tests-", dir=memory()))
    server = EmbeddedPostgres(home, settings={"shared_buffers": "256MB", "fsync": "off"})
    server.start()
    yield server.url
    server.stop()
    shutil.rmtree(home)


@pytest.fixture(scope="session")
def templates(server_url: str) -> Iterator[Templates]:
    """Where databases come from."""
    source = Templates(server_url)
    yield source
    source.drop_template()


@pytest.fixture
def database(templates: Templates) -> Iterator[Database]:
    """A migrated database of the test's own, dropped after it."""
    clone = templates.clone()
    yield clone
    templates.drop(clone)


@pytest.fixture
def empty_database(templates: Templates) -> Iterator[Database]:
    """A database without schemas, dropped after the test."""
    empty = templates.empty()
    yield empty
    templates.drop(empty)
    templates.restore_logins()


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder of the test's own, on a path with a space."""
    above = Path(tempfile.mkdtemp(prefix="casino-tests-"))
    above.chmod(0o711)
    yield above / "a home"
    shutil.rmtree(above)


@pytest.fixture(scope="session", autouse=True)
def quiet() -> None:
    """Services in the test's process log what goes wrong and no more."""
    logs.configure("error")
