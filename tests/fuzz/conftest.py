"""The platform that is fuzzed: one for all tests of the folder."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Templates
from tests.fuzz.house import House, running


@pytest.fixture(scope="module")
def house(templates: Templates) -> Iterator[House]:
    """The four services on a database of their own."""
    database, home = templates.clone(), Path(tempfile.mkdtemp(prefix="casino-fuzz-"))
    with running(database, home) as made:
        yield made
        assert made.run(made.verified()) == []
    shutil.rmtree(home)
    templates.drop(database)
