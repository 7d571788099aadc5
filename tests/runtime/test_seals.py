"""The keys that seal: made once, whole, the private one last."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.runtime.seals import Sealer


def keys(home: Path) -> tuple[bytes, bytes]:
    """Private and public key of the one service."""
    return (home / "secrets" / "rounds.seal").read_bytes(), (home / "keys" / "rounds.pub").read_bytes()


def test_a_home_keeps_its_keys(tmp_path: Path) -> None:
    """The second start seals with the key of the first; the public one belongs to it; nobody else reads the private."""
    Sealer(tmp_path, "rounds")
    private, public = made = keys(tmp_path)
    Sealer(tmp_path, "rounds")
    assert keys(tmp_path) == made
    assert Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw() == public
    assert (tmp_path / "secrets" / "rounds.seal").stat().st_mode & 0o777 == 0o600


def test_a_start_killed_while_it_made_its_keys_is_made_good(tmp_path: Path) -> None:
    """Half a file beside the key and a public key without a private one: the next start makes a whole pair."""
    for folder in ("secrets", "keys"):
        (tmp_path / folder).mkdir()
    (tmp_path / "secrets" / "rounds.seal.new").write_bytes(b"half")
    (tmp_path / "keys" / "rounds.pub").write_bytes(b"of a key that was never kept")
    Sealer(tmp_path, "rounds")
    private, public = keys(tmp_path)
    assert Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw() == public
