"""Seals: signatures checked with public keys from files, and the sealed hash with what the rows give today."""

from datetime import UTC
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.findings import Findings

SEALS = "reader: seals checked with public keys"


def seal_text(seal: feeds_pb2.Seal) -> bytes:
    """What was signed: one line of plain text."""
    sealed_at = seal.sealed_at.ToDatetime(UTC).isoformat(timespec="microseconds")
    parts = (
        "casino seal v1", seal.property_id, seal.feed, str(seal.position), seal.hash.hex(), sealed_at
    )  # fmt: skip
    return "|".join(parts).encode()


def check_seals(findings: Findings, folder: Path, service: str, told: feeds_pb2.Verification) -> None:
    """Checks the seals that a service handed over with `$CASINO_HOME/keys/<service>.pub`."""
    if not told.seals:
        return
    path = folder / "keys" / f"{service}.pub"
    if not path.exists():
        findings.differs(f"{service}: expected its public key in {path}, there is none")
        return
    key = Ed25519PublicKey.from_public_bytes(path.read_bytes())
    if len(told.sealed_hashes) != len(told.seals):
        findings.differs(f"{service}: {len(told.seals)} seals with {len(told.sealed_hashes)} hashes")
    for seal, today in zip(told.seals, told.sealed_hashes, strict=False):
        what = f"{service}: seal of {seal.feed} at {seal.position}"
        findings.expect(today.hex(), seal.hash.hex(), what)
        try:
            key.verify(seal.signature, seal_text(seal))
        except InvalidSignature:
            findings.differs(f"{what}: the signature is not of {path.name}")
