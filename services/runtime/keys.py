"""Key files of a home: written whole, readable by whom the mode names from their first byte."""

import os
from pathlib import Path


def write_key(path: Path, content: bytes, mode: int) -> None:
    """Written aside and renamed: a process killed meanwhile leaves no half of a key.

    The folder is synced too, for what a key has sealed may be committed the moment after.
    """
    fresh = path.with_name(f"{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as file:
        # A file that a killed process left has the mode it had.
        os.fchmod(descriptor, mode)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    fresh.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
