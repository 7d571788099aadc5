"""Named steps of the services' work, at which a test can delay, fail or end it. Otherwise nothing happens there.

A process arms one by CASINO_FAULT, `<step>:<n>:kill`: at the n-th time that the step is reached it ends at once, as
if the machine had stopped. Only a temporary home may have it.
"""

import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

Handler = Callable[[str], Awaitable[None]]
"""Told the name of each step that is reached."""


class Fault(NamedTuple):
    """The n-th time that a step is reached the process ends."""

    step: str
    number: int


class _Steps:
    """What happens at steps in this process."""

    def __init__(self) -> None:
        self.handler: Handler | None = None


_steps = _Steps()


async def reached(step: str) -> None:
    """Tells whoever waits for this step."""
    if _steps.handler is not None:
        await _steps.handler(step)


def on_step(handler: Handler | None) -> None:
    """From here on `handler` is told of every step; None: nobody is."""
    _steps.handler = handler


def arm(fault: Fault) -> None:
    """The process ends at this fault, without a farewell."""
    counted: Counter[str] = Counter()

    async def end(step: str) -> None:
        counted[step] += 1
        if step == fault.step and counted[step] == fault.number:
            os.kill(os.getpid(), signal.SIGKILL)

    on_step(end)
