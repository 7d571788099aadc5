"""Unary writes happen once: a repeat under the same request_id gets the stored answer."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeVar

from google.protobuf.message import Message

from services.kernel import errors
from services.runtime import store
from services.runtime.principals import current_principal
from services.runtime.store import Connection, StoredAnswer

Answer = TypeVar("Answer", bound=Message)


class Write:
    """A unary write: its identity and the content that a repeat must have."""

    def __init__(self, property_id: str, request: Any) -> None:
        self.property_id = property_id
        self.request_id = str(request.request_id)
        self.method = request.DESCRIPTOR.full_name
        self.digest = sha256(request.SerializeToString(deterministic=True)).digest()
        if not self.request_id or not property_id:
            raise errors.InvalidRequest(
                f"{self.method} needs a request_id of the caller's choice and a property_id;"
                f" got {self.request_id!r} and {property_id!r}."
            )

    async def stored(self, connection: Connection, answer: type[Answer]) -> Answer | None:
        """The answer given before. Raises RequestIdTaken if the id was used for something else."""
        known = await store.stored_answer(connection, self.property_id, self.request_id)
        if known is None:
            return None
        if (known.method, known.digest) != (self.method, self.digest):
            raise errors.RequestIdTaken(
                f"request_id {self.request_id} was used for another {known.method}; choose a new one."
            )
        return answer.FromString(known.answer)

    async def keep(self, connection: Connection, answer: Message, at: datetime) -> None:
        """Stores the answer, in the transaction that did the work."""
        stored = StoredAnswer(self.method, self.digest, answer.SerializeToString(deterministic=True))
        first = await store.add_answer(connection, self.property_id, self.request_id, stored, current_principal(), at)
        if not first:
            raise errors.Busy(f"request_id {self.request_id} is being worked on; send the same request again.")


async def once(
    connection: Connection,
    write: Write,
    answer: type[Answer],
    at: datetime,
    work: Callable[[], Awaitable[Answer]],
) -> Answer:
    """The stored answer, or `work` done and its answer stored, in the caller's transaction."""
    known = await write.stored(connection, answer)
    if known is not None:
        return known
    result = await work()
    await write.keep(connection, result, at)
    return result
