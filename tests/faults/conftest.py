"""The prepared property of the session."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Templates
from tests.faults.scenarios import Stage


@pytest.fixture(scope="module")
def stage(templates: Templates) -> Iterator[Stage]:
    """Filed once, cloned for every scenario."""
    home = Path(tempfile.mkdtemp(prefix="casino-faults-"))
    made = Stage.prepare(templates, home)
    yield made
    templates.drop(made.prepared)
    shutil.rmtree(home)
