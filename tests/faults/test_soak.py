"""Two minutes of the soak."""

import pytest

from tests.faults.soak import run

MINUTES = 2
MOST_GROWTH_MIB = 200


@pytest.mark.slow
@pytest.mark.floor
async def test_kills_every_twenty_seconds_lose_and_double_nothing() -> None:
    """Every round sent is there once, settled once and verified, and no process grows without end."""
    found = await run(MINUTES, None)
    print(found)
    assert (found["lost"], found["doubled"], found["verify"]) == (0, 0, "clean"), found
    assert sum(found["kills"].values()) >= 3, found
    for memory in found["memory"].values():
        assert memory.get("last_mib", 0) - memory.get("first_mib", 0) < MOST_GROWTH_MIB, found
