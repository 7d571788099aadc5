"""Seals: a service signs the heads of its feeds (Ed25519), so that a rewritten chain is seen.

The private key lies in `$CASINO_HOME/secrets/<service>.seal`, the public one in `$CASINO_HOME/keys/<service>.pub`;
a verifier takes the public key from a file, never from the database.
"""

import hmac
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from services.runtime import store
from services.runtime.feeds import Feed
from services.runtime.keys import write_key
from services.runtime.store import Connection, SealRow

RECORDS = "records"
"""The name under which the chain of records is sealed."""


def seal_text(property_id: str, feed: str, position: int, hash_: bytes, sealed_at: datetime) -> bytes:
    """What is signed: one line of plain text."""
    instant = sealed_at.astimezone(UTC).isoformat(timespec="microseconds")
    return f"casino seal v1|{property_id}|{feed}|{position}|{hash_.hex()}|{instant}".encode()


class Sealer:
    """Signs heads with the service's key, which is made on first use."""

    def __init__(self, home: Path, service: str) -> None:
        self._private = home / "secrets" / f"{service}.seal"
        self._public = home / "keys" / f"{service}.pub"
        self._key = self._load()
        raw = self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        self._marking = hmac.digest(raw, b"casino mark v1", "sha256")
        self._sealed: dict[tuple[str, str], int] = {}

    def _load(self) -> Ed25519PrivateKey:
        if self._private.exists():
            return Ed25519PrivateKey.from_private_bytes(self._private.read_bytes())
        key = Ed25519PrivateKey.generate()
        for path in (self._private, self._public):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._private.parent.chmod(0o700)
        # The private key last: once it stands, its public key does.
        write_key(self._public, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), 0o644)
        write_key(self._private, key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()), 0o600)
        return key

    async def seal(self, connection: Connection, feed: Feed, at: datetime) -> None:
        """Seals a head that has moved since the last seal, and the last record of the property."""
        await self._seal(connection, feed.property_id, feed.name, (feed.position, feed.hash), at)
        records = await store.records_head(connection, feed.property_id)
        await self._seal(connection, feed.property_id, RECORDS, records, at)

    async def _seal(
        self, connection: Connection, property_id: str, name: str, head: tuple[int, bytes], at: datetime
    ) -> None:
        position, hash_ = head
        if position == 0 or self._sealed.get((property_id, name)) == position:
            return
        signature = self._key.sign(seal_text(property_id, name, position, hash_, at))
        await store.add_seal(connection, property_id, SealRow(name, position, hash_, at, signature))
        self._sealed[property_id, name] = position

    def mark(self, text: str) -> bytes:
        """A mark that only this service can make: HMAC-SHA256 under a key that follows from its private one."""
        return hmac.digest(self._marking, text.encode(), "sha256")
