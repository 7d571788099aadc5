"""What look-ups cost: the blocks that a statement touches, as the server counts them while it runs it."""

import json
from typing import Any


class Explained:
    """Stands where a store wants a connection; each statement is explained as it runs, and its blocks are added up."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.blocks = 0

    async def fetch(self, query: str, *arguments: object) -> Any:
        """The rows of a statement, after its plan has been run once for the count."""
        plan = await self._connection.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", *arguments)
        top = json.loads(plan)[0]["Plan"]
        self.blocks += top["Shared Hit Blocks"] + top["Shared Read Blocks"]
        return await self._connection.fetch(query, *arguments)
