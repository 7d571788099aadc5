"""The laboratory of a file's tests."""

from collections.abc import Iterator

import pytest

from tests.databases import Templates
from tests.tampering.laboratory import Laboratory


@pytest.fixture(scope="module")
def laboratory(templates: Templates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """A prepared database with four services on it."""
    database = templates.clone()
    found = Laboratory(database, tmp_path_factory.mktemp("home"))
    yield found
    found.close()
    templates.drop(database)
