"""What a service knows when it comes up."""

from pathlib import Path

from casino.progressives.v1 import progressives_service_pb2 as pb
from tests.databases import Database
from tests.progressives.conftest import served
from tests.progressives.recorded import PROPERTY, Upstream


async def test_what_was_recorded_is_served_without_rounds(database: Database, home: Path, upstream: Upstream) -> None:
    """A service that comes up while rounds is away has its properties before it answers its first call."""
    async with served(database, home, upstream.port) as before:
        await before.approved()
        links = await before.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))
    await upstream.stop()
    async with served(database, home, upstream.port) as after:
        assert await after.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY)) == links
