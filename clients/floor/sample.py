"""The property that an empty home gets, so that first commands work: `SAMPLE`, BAC-01 to BAC-08."""

from datetime import date

from clients.floor.filing import set_up
from clients.floor.house import House, house
from clients.sdk.client import Casino

PROPERTY = "SAMPLE"
TABLES = 8
FIRST_DAY = date(2026, 3, 2)


def sample() -> House:
    """The sample property: its submission is proposed by `sample-operator`, approved by `sample-approver`."""
    return house(PROPERTY, "Sample Casino", TABLES)


async def seed(casino: Casino) -> None:
    """Make the sample property where it is not there yet; a second run changes nothing.

    Raises RefusedByServer, NotOffered.
    """
    await set_up(casino, sample(), FIRST_DAY)
