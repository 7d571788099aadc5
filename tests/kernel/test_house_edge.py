"""The house-edge band."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.analysis.bands import BAND
from services.kernel.errors import InvalidRequest
from services.kernel.house_edge import DEFAULT_BAND, EdgeBand, read_band

ENDS = st.integers(-10_000, 10_000)


def test_a_band_that_is_not_set_is_the_catalogues() -> None:
    """An empty end is the default, 0 or 45 %, and that is the band of the catalogue."""
    assert read_band("", "") == DEFAULT_BAND == (0, 4_500)
    assert DEFAULT_BAND.fractions == BAND
    assert read_band("", "12.5") == (0, 1_250)
    assert read_band("-1.25", "") == (-125, 4_500)


@given(ENDS, ENDS)
def test_a_band_is_read_as_it_is_written(one: int, other: int) -> None:
    """Texts are exact to the hundredth of a percent, below zero too."""
    band = EdgeBand(min(one, other), max(one, other))
    assert read_band(*band.texts) == band
    assert band.fractions == tuple(Fraction(text) / 100 for text in band.texts)


@pytest.mark.parametrize(
    ("lowest", "highest"),
    [
        *(("46", ""), ("", "-0.01"), ("10", "9.99"), ("0", "100.01"), ("-100.01", "0"), ("0", "1000")),
        *(("0.001", "1"), ("0", "45%"), ("0", "4,5"), ("0", "1e1"), ("0", " 45"), (".5", "1"), ("+0", "1")),
        ("0", "٤٥"),
    ],
)
def test_a_band_that_cannot_be_is_refused(lowest: str, highest: str) -> None:
    """The refusal says what was expected and both ends given."""
    with pytest.raises(InvalidRequest) as refusal:
        read_band(lowest, highest)
    assert "expected house_edge_from and house_edge_to as percents from -100 to 100" in refusal.value.message
    assert f"given {lowest or '0'!r} and {highest or '45'!r}" in refusal.value.message
