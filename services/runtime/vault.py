"""The vault: what nobody may read in the database is kept there encrypted (AES-256-GCM).

The key lies in `$CASINO_HOME/secrets/<service>.vault` and nowhere else: whoever has the database alone reads
nothing, and whoever loses the key has lost what it sealed.
"""

import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.runtime.keys import write_key

KEY_BYTES = 32
NONCE_BYTES = 12
"""The nonce's length that GCM is specified for (NIST SP 800-38D, 5.2.1.1)."""


class VaultBroken(Exception):
    """The key or the content is not the one that was sealed: a fault of the installation, not of a request."""


class Vault:
    """Seals and opens with the service's key, which is made on first use."""

    def __init__(self, home: Path, service: str) -> None:
        self._cipher = AESGCM(_key(home / "secrets" / f"{service}.vault"))

    def seal(self, content: bytes, context: str) -> bytes:
        """A fresh nonce (12 bytes), then the ciphertext with its tag: 28 bytes more than the content.

        `context` says whose row this is; it is authenticated and not kept, so that a row moved elsewhere does
        not open.
        """
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, _associated(context))

    def open(self, sealed: bytes, context: str) -> bytes:
        """What was sealed in this context. Raises VaultBroken."""
        nonce, ciphertext = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, ciphertext, _associated(context))
        except (InvalidTag, ValueError) as problem:
            # ValueError: too short to hold a nonce. Neither message may quote what was given.
            expected = "expected what this home's key sealed in this context"
            raise VaultBroken(f"{context}: {expected}, given {len(sealed)} bytes that do not open") from problem


def _key(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        write_key(path, AESGCM.generate_key(bit_length=8 * KEY_BYTES), 0o600)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise VaultBroken(f"{path.name}: expected a key of {KEY_BYTES} bytes, given a file of {len(key)}")
    return key


def _associated(context: str) -> bytes:
    return f"casino vault v1|{context}".encode()
