"""Mystery triggers: uniform between their bounds, and verifiable by anybody once they are opened."""

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.catalogue import catalogue
from services.kernel.errors import LinkContradictsRules
from services.progressives import mystery
from services.progressives.mystery import SYSTEM, Random, Seeded, Trigger

ROOT = Path(__file__).parents[2]
DRAWS, BINS = 100_000, 100
LEAST_PROBABILITY = 1e-6
"""A fair generator fails the test of uniformity once in a million; the seed is fixed, so it does so always or never."""

BOUNDS = sorted(
    {(each.minimum_cents, each.maximum_cents) for wager in catalogue().values() for each in wager.mysteries}
)
"""Minimum and maximum of every mystery configuration of the catalogue."""


class Fixed(Seeded):
    """Draws one number, and keeps what it was asked for."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number, self.asked = number, 0

    def below(self, n: int) -> int:
        self.asked = n
        return self.number % n


class WithoutLastTenth(Seeded):
    def below(self, n: int) -> int:
        return super().below(n - n // 10)


class RemainderOfSixteenBits(Seeded):
    def below(self, n: int) -> int:
        return int.from_bytes(self.token()[:2]) % n


class Leaning(Seeded):
    """Two draws, the larger one in one case of ten: a slight lean to the top."""

    def below(self, n: int) -> int:
        first, second = super().below(n), super().below(n)
        return max(first, second) if super().below(10) == 0 else first


def drawn(minimum: int, maximum: int, random: Random) -> Trigger:
    return mystery.draw("P1", "heavenly", "mystery", 1, minimum, maximum, random)


def chi_square(minimum: int, maximum: int, random: Random) -> int:
    """Pearson's statistic of 100,000 draws in 100 bins of equal width: a whole number, for each bin expects 1,000."""
    width, rest = divmod(maximum - minimum, BINS)
    assert rest == 0
    counts = Counter((drawn(minimum, maximum, random).cents - minimum) // width for _ in range(DRAWS))
    assert set(counts) <= set(range(BINS))
    expected = DRAWS // BINS
    squares, rest = divmod(sum((counts[place] - expected) ** 2 for place in range(BINS)), expected)
    return squares + (rest > 0)


def upper_tail(statistic: float, degrees: int) -> float:
    """P(chi-square > statistic) for odd degrees of freedom (Abramowitz and Stegun, 26.4.4)."""
    term, total = 1.0, 0.0
    for place in range(1, degrees, 2):
        total += term
        term *= statistic / (place + 2)
    density = math.sqrt(2 * statistic / math.pi) * math.exp(-statistic / 2)
    return math.erfc(math.sqrt(statistic / 2)) + density * total


def opened(trigger: Trigger) -> dict[str, Any]:
    """What is published of a trigger once it is opened."""
    return {
        "property_id": trigger.property_id,
        "link_id": trigger.link_id,
        "level": trigger.level,
        "number": trigger.number,
        "commitment": trigger.commitment.hex(),
        "trigger_cents": trigger.cents,
        "salt": trigger.salt.hex(),
    }


def verify(content: str, *arguments: str) -> tuple[int, list[str]]:
    """Exit code and lines of the script that stands alone: `-I` keeps it from everything of the project."""
    command = [sys.executable, "-I", str(ROOT / "docs" / "verify_commitment.py"), *arguments]
    ran = subprocess.run(command, input=content, capture_output=True, text=True, check=False, timeout=60)
    assert not ran.stderr
    return ran.returncode, ran.stdout.splitlines()


def test_the_tail_of_chi_square_is_the_printed_one() -> None:
    """Critical values of the tables: 3 and 99 degrees of freedom at 5 % and 1 %."""
    for statistic, degrees, probability in (
        (7.815, 3, 0.05),
        (11.345, 3, 0.01),
        (123.225, 99, 0.05),
        (134.642, 99, 0.01),
    ):
        assert upper_tail(statistic, degrees) == pytest.approx(probability, rel=1e-3)


@pytest.mark.parametrize(("minimum", "maximum"), BOUNDS)
def test_triggers_are_uniform(minimum: int, maximum: int) -> None:
    """Ruling J6, for every configuration of the catalogue: no part of the range is drawn more often than another."""
    assert upper_tail(chi_square(minimum, maximum, Seeded(1)), BINS - 1) >= LEAST_PROBABILITY


@pytest.mark.parametrize("biased", [WithoutLastTenth, RemainderOfSixteenBits, Leaning])
def test_a_biased_generator_is_seen(biased: type[Seeded]) -> None:
    """The test of uniformity fails a generator that leaves out, folds or leans."""
    assert upper_tail(chi_square(25_000, 50_000, biased(1)), BINS - 1) < LEAST_PROBABILITY


@pytest.mark.parametrize(("minimum", "maximum"), BOUNDS)
def test_no_trigger_reaches_its_maximum(minimum: int, maximum: int) -> None:
    """The least trigger is the minimum, the greatest one cent under the maximum, and every cent between is possible."""
    least, greatest = Fixed(0), Fixed(-1)
    assert drawn(minimum, maximum, least).cents == minimum
    assert drawn(minimum, maximum, greatest).cents == maximum - 1
    assert least.asked == greatest.asked == maximum - minimum
    assert all(minimum <= drawn(minimum, maximum, SYSTEM).cents < maximum for _ in range(1_000))


@pytest.mark.parametrize("random", [SYSTEM, Seeded(1)], ids=["system", "seeded"])
def test_both_sources_draw_every_number_below(random: Random) -> None:
    """From 0 to n - 1, no other; 32 fresh bytes each time."""
    assert {random.below(3) for _ in range(1_000)} == {0, 1, 2}
    assert random.below(1) == 0
    tokens = {random.token() for _ in range(1_000)}
    assert len(tokens) == 1_000
    assert {len(token) for token in tokens} == {32}


def test_a_remainder_is_never_taken_of_what_would_favour_small_numbers() -> None:
    """Of 2**256 values the last lone one is drawn again where n divides 2**256 - 1."""

    class Scripted(Seeded):
        given = iter([b"\xff" * 32, b"\x00" * 31 + b"\x07"])

        def token(self) -> bytes:
            return next(self.given)

    assert Scripted(0).below(2**256 - 1) == 7


def test_a_seed_draws_the_same_triggers_again() -> None:
    """Two runs of one seed agree, two seeds do not; the first draw of seed 7 is pinned for every version."""
    runs = [[drawn(10_000, 20_000, random) for _ in range(5)] for random in (Seeded(7), Seeded(7), Seeded(8))]
    assert runs[0] == runs[1]
    assert not set(runs[0]) & set(runs[2])
    assert runs[0][0].cents == 13_421


def test_the_commitment_is_over_the_printed_text() -> None:
    """SHA-256 over one line: what it is, property, link, level, number, cents and the salt in hexadecimal."""
    trigger = Trigger("P1", "heavenly", "mystery", 3, 12_345, bytes(range(32)))
    salt = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    assert mystery.text(trigger) == f"casino mystery v1|P1|heavenly|mystery|3|12345|{salt}".encode()
    assert trigger.commitment.hex() == "c3cbd6944a244c687dbf57fecbcba31a54899ec82f8014eacc7711086da40aea"


def test_a_trigger_shows_nothing_that_is_hidden() -> None:
    """Neither amount nor salt is in what a log would show."""
    trigger = Trigger("P1", "heavenly", "mystery", 3, 12_345, b"\xab" * 32)
    assert repr(trigger) == str(trigger) == "Trigger('P1', 'heavenly', 'mystery', 3)"


@given(
    st.text(max_size=9),
    st.text(max_size=9),
    st.text(max_size=9),
    st.integers(1),
    st.integers(0),
    st.binary(min_size=32),
)
def test_a_trigger_comes_out_of_the_vault_as_it_went_in(
    property_id: str, link_id: str, level: str, number: int, cents: int, salt: bytes
) -> None:
    """Sealed and unsealed, it is the same trigger with the same types."""
    trigger = Trigger(property_id, link_id, level, number, cents, salt)
    assert mystery.unsealed(mystery.sealed(trigger)) == trigger


@pytest.mark.parametrize(("minimum", "maximum"), [(20_000, 20_000), (20_000, 10_000), (-1, 10_000)])
def test_bounds_without_a_cent_between_them_are_refused(minimum: int, maximum: int) -> None:
    """A trigger needs a whole cent at or above its minimum and below its maximum."""
    with pytest.raises(LinkContradictsRules, match="link heavenly, mystery: expected a maximum above its minimum"):
        drawn(minimum, maximum, SYSTEM)


def test_anybody_verifies_opened_triggers() -> None:
    """A list or one object a line: what was committed to is verified by code that shares nothing with ours."""
    triggers = [mystery.draw("P1", "heavenly", "mystery", n, 10_000, 20_000, SYSTEM) for n in (1, 2, 3)]
    expected = [f"P1|heavenly|mystery|{n} verified" for n in (1, 2, 3)]
    assert verify(json.dumps([opened(each) for each in triggers], indent=2)) == (0, expected)
    assert verify("\n".join(json.dumps(opened(each)) for each in triggers)) == (0, expected)


def test_opened_triggers_are_verified_from_a_file(tmp_path: Path) -> None:
    """The file's name is the argument."""
    kept = tmp_path / "triggers.jsonl"
    kept.write_text(json.dumps(opened(drawn(10_000, 20_000, SYSTEM))))
    assert verify("", str(kept)) == (0, ["P1|heavenly|mystery|1 verified"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("property_id", "P2"),
        ("link_id", "other"),
        ("level", "mega"),
        ("number", 2),
        ("trigger_cents", 9_999),
        ("salt", "00" * 32),
        ("salt", ""),
        ("commitment", "00" * 32),
        ("commitment", ""),
    ],
)
def test_a_tampered_trigger_differs(field: str, value: object) -> None:
    """Whatever was changed since, the trigger and the exit code say so; the others are still verified."""
    good = opened(drawn(10_000, 20_000, SYSTEM))
    code, lines = verify(json.dumps([good | {field: value}, good]))
    assert code == 1
    assert lines[0].endswith(" DIFFERENT")
    assert lines[1] == "P1|heavenly|mystery|1 verified"


def test_a_trigger_that_is_still_hidden_is_passed_over() -> None:
    """Only its commitment is known yet: said, and no failure."""
    hidden = opened(drawn(10_000, 20_000, SYSTEM)) | {"trigger_cents": 0, "salt": ""}
    assert verify(json.dumps(hidden)) == (0, ["P1|heavenly|mystery|1 not opened yet"])
