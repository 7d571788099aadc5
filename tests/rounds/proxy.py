"""A way to the database that can be cut, as if the server had stopped."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit, urlunsplit

PIECE = 1 << 16


class Way:
    """Connections to the database pass here while it is open."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._open = True
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """The server has stopped: what is connected breaks, nothing new is served."""
        self._open = False
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        """The server is back."""
        self._open = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        if not self._open:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(self._host, self._port)
        self._writers |= {writer, back}
        await asyncio.gather(_pump(reader, back), _pump(there, writer))
        self._writers -= {writer, back}


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(PIECE):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def way_to(url: str) -> AsyncIterator[tuple[Way, str]]:
    """The way, and the url that goes by it."""
    parts = urlsplit(url)
    way = Way(parts.hostname or "", parts.port or 5432)
    server = await asyncio.start_server(way.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    login = parts.netloc.rpartition("@")[0]
    try:
        yield way, urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{port}"))
    finally:
        way.cut()
        server.close()
