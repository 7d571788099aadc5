"""Free ports for what a test starts."""

import random
import socket

PORTS = range(10_000, 20_000)
"""Below those that outgoing connections take: the next free one of these would often be theirs a moment later."""


def free_port() -> int:
    """A port that nothing listens on now."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
