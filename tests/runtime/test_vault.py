"""The vault: content opens with its own key, in its own context, unchanged, and not otherwise."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.vault import Vault, VaultBroken

CONTENT = b"a name, an address and a tax number"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path, "progressives")


def test_what_is_sealed_opens_after_a_restart(vault: Vault, tmp_path: Path) -> None:
    """The second start opens with the key of the first, and the content is not to be read from what is kept."""
    sealed = vault.seal(CONTENT, "payee J-1")
    assert CONTENT not in sealed
    assert len(sealed) == len(CONTENT) + 12 + 16
    assert Vault(tmp_path, "progressives").open(sealed, "payee J-1") == CONTENT


@given(st.binary(max_size=200), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_content_opens_in_its_context(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, context: str
) -> None:
    """Empty content and empty contexts are content and contexts too."""
    vault = Vault(tmp_path_factory.getbasetemp() / "any", "progressives")
    assert vault.open(vault.seal(content, context), context) == content


def test_the_same_content_is_never_sealed_alike(vault: Vault) -> None:
    """Each seal takes a fresh nonce, so that nobody sees that two rows say the same."""
    sealed = [vault.seal(CONTENT, "payee J-1") for _ in range(100)]
    assert len({each[:12] for each in sealed}) == 100


def test_a_row_moved_elsewhere_does_not_open(vault: Vault) -> None:
    """The context is authenticated, and the error names the one that was asked for."""
    sealed = vault.seal(CONTENT, "payee J-1")
    with pytest.raises(VaultBroken, match="payee J-2: expected what this home's key sealed in this context"):
        vault.open(sealed, "payee J-2")


def test_no_byte_may_change(vault: Vault) -> None:
    """One flipped bit anywhere, in nonce, ciphertext or tag, and the content does not open."""
    sealed = vault.seal(CONTENT, "payee J-1")
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(VaultBroken):
            vault.open(bytes(changed), "payee J-1")


@pytest.mark.parametrize("length", [0, 5, 12, 27, 50])
def test_no_byte_may_lack(vault: Vault, length: int) -> None:
    """What was cut short does not open, whether or not it still holds a nonce."""
    with pytest.raises(VaultBroken, match=f"given {length} bytes"):
        vault.open(vault.seal(CONTENT, "payee J-1")[:length], "payee J-1")


def test_another_key_does_not_open(vault: Vault, tmp_path: Path) -> None:
    """Neither another service's key nor another home's opens what was sealed."""
    sealed = vault.seal(CONTENT, "payee J-1")
    for other in (Vault(tmp_path, "settlement"), Vault(tmp_path / "elsewhere", "progressives")):
        with pytest.raises(VaultBroken) as refused:
            other.open(sealed, "payee J-1")
        assert CONTENT.decode() not in str(refused.value)


def test_only_the_service_reads_its_key(vault: Vault, tmp_path: Path) -> None:
    """The key is 32 bytes that only their owner reads, in a folder that only its owner enters."""
    secrets = tmp_path / "secrets"
    assert (secrets / "progressives.vault").stat().st_mode & 0o777 == 0o600
    assert secrets.stat().st_mode & 0o777 == 0o700
    assert len((secrets / "progressives.vault").read_bytes()) == 32
    assert [path.name for path in secrets.iterdir()] == ["progressives.vault"]


def test_a_start_killed_while_it_made_its_key_is_made_good(tmp_path: Path) -> None:
    """Half a file beside the key, readable by all, ends neither as the key nor in its mode."""
    (tmp_path / "secrets").mkdir()
    half = tmp_path / "secrets" / "progressives.vault.new"
    half.write_bytes(b"half")
    half.chmod(0o644)
    vault = Vault(tmp_path, "progressives")
    assert vault.open(vault.seal(CONTENT, ""), "") == CONTENT
    assert (tmp_path / "secrets" / "progressives.vault").stat().st_mode & 0o777 == 0o600
    assert not half.exists()


def test_a_key_of_another_length_is_refused(tmp_path: Path) -> None:
    """A key file cut short is never taken for a shorter key, and is not replaced either."""
    (tmp_path / "secrets").mkdir()
    path = tmp_path / "secrets" / "progressives.vault"
    path.write_bytes(os.urandom(16))
    with pytest.raises(VaultBroken, match=r"progressives\.vault: expected a key of 32 bytes, given a file of 16"):
        Vault(tmp_path, "progressives")
    assert len(path.read_bytes()) == 16
