"""The hidden trigger of a mystery meter: drawn and committed to at the reset, opened after the hit (ruling J6).

The commitment is published while the trigger is secret; once the trigger is opened with its salt, anybody can see
that it was the one from the beginning (docs/verify_commitment.py does, and shares no code with this file).
"""

import hashlib
import json
import secrets
from typing import NamedTuple, Protocol

from services.kernel.errors import LinkContradictsRules
from services.kernel.money import dollars

SALT_BYTES = 32
"""Without a salt the few thousand possible triggers could be tried against the commitment."""


class Random(Protocol):
    """Where random numbers come from."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely; n is above zero."""

    def token(self) -> bytes:
        """32 bytes that nobody can guess."""


class _System:
    """The operating system's cryptographically secure source."""

    def below(self, n: int) -> int:
        return secrets.randbelow(n)

    def token(self) -> bytes:
        return secrets.token_bytes(SALT_BYTES)


SYSTEM: Random = _System()


class Seeded:
    """The same numbers for the same seed, in every version: SHA-256 over the seed and a counter.

    For temporary homes only: whoever knows the seed knows every trigger.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._count = 0

    def below(self, n: int) -> int:
        """A remainder of the largest multiple of n under 2**256; what lies above it would favour small numbers."""
        fair = 2**256 // n * n
        while (drawn := int.from_bytes(self.token())) >= fair:
            continue
        return drawn % n

    def token(self) -> bytes:
        """The next 32 bytes."""
        self._count += 1
        return hashlib.sha256(f"casino seeded v1|{self._seed}|{self._count}".encode()).digest()


class Trigger(NamedTuple):
    """The hidden amount of one meter between two resets: whole cents, and the salt of its commitment.

    `number` is 1 for the meter's first and one more at each reset.
    """

    property_id: str
    link_id: str
    level: str
    number: int
    cents: int
    salt: bytes

    def __repr__(self) -> str:
        """Without amount and salt: no log and no traceback shows what is still hidden."""
        return f"Trigger({self.property_id!r}, {self.link_id!r}, {self.level!r}, {self.number})"

    @property
    def commitment(self) -> bytes:
        """SHA-256 over the trigger's text, 32 bytes."""
        return hashlib.sha256(text(self)).digest()


def draw(
    property_id: str,
    link_id: str,
    level: str,
    number: int,
    minimum_cents: int,
    maximum_cents: int,
    random: Random,
) -> Trigger:
    """A trigger uniform on the whole cents from the minimum up to, not including, the maximum (ruling J6).

    Raises LinkContradictsRules where no cent lies between them.
    """
    width = maximum_cents - minimum_cents
    if minimum_cents < 0 or width <= 0:
        given = f"${dollars(minimum_cents)} and ${dollars(maximum_cents)}"
        raise LinkContradictsRules(f"link {link_id}, {level}: expected a maximum above its minimum, given {given}")
    return Trigger(property_id, link_id, level, number, minimum_cents + random.below(width), random.token())


def text(trigger: Trigger) -> bytes:
    """What the commitment is made over: one line of plain text, the salt in hexadecimal at its end."""
    _, _, _, number, cents, salt = trigger
    name = f"{trigger.property_id}|{trigger.link_id}|{trigger.level}"
    return f"casino mystery v1|{name}|{number}|{cents}|{salt.hex()}".encode()


def sealed(trigger: Trigger) -> bytes:
    """The trigger as bytes for the vault, which encrypts them."""
    return json.dumps({**trigger._asdict(), "salt": trigger.salt.hex()}).encode()


def unsealed(content: bytes) -> Trigger:
    """The trigger that `sealed` wrote."""
    fields = json.loads(content)
    return Trigger(**{**fields, "salt": bytes.fromhex(fields["salt"])})
