"""The hash chain of a feed: h = SHA-256(previous hash, bytes), commit first, then each entry."""

from collections.abc import Sequence
from hashlib import sha256

GENESIS = bytes(32)


def link(previous: bytes, data: bytes) -> bytes:
    """The hash after `data`."""
    return sha256(previous + data).digest()


def fold(start: bytes, commit: bytes, entries: Sequence[bytes]) -> list[bytes]:
    """The hash after each entry of a commit; `commit` is empty where the batch starts inside one."""
    current = link(start, commit) if commit else start
    hashes = []
    for entry in entries:
        current = sha256(current + entry).digest()
        hashes.append(current)
    return hashes
