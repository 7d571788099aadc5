"""Calls without an end of their own end at the connection's age, so that whoever makes them connects anew.

gRPC itself only asks a client at that age to make its next calls on another connection: a call that ends by itself, as
a verification of every round that there is, is given the time that it takes.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

from services.kernel import errors

YOUNGEST = 0.9
"""Part of the connection's age at which the first of them end, so that not all come back at once."""
ENDLESS = "Watch"
"""How the names of the methods begin whose answers have no end."""


def life(age: float) -> float:
    """Seconds for which one such call lives where connections grow `age` seconds old."""
    return age * random.uniform(YOUNGEST, 1)


async def until_aged(responses: AsyncIterator[Any], age: float) -> AsyncIterator[Any]:
    """The responses that come in time; then Busy, which says that the same call may be made again."""
    until = asyncio.get_running_loop().time() + life(age)
    while True:
        try:
            async with asyncio.timeout_at(until) as limit:
                response = await anext(responses)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if not limit.expired():
                raise
            raise errors.Busy(
                f"The call has reached its age of {age} seconds; make it again and go on from there."
            ) from None
        yield response
