"""A rebuild as it is asked for."""

from dataclasses import dataclass
from datetime import datetime

from services.kernel.errors import Forbidden, InvalidRequest
from services.runtime.requests import Write

SERVICE = "service:"
"""What the principal of a service begins with."""


@dataclass(frozen=True, slots=True)
class Request:
    """Who wants the projections of a property made anew, why, and when."""

    write: Write
    reason: str
    by: str
    now: datetime

    def check(self) -> None:
        """Raises Forbidden (a service), InvalidRequest (no reason)."""
        if self.by.startswith(SERVICE):
            raise Forbidden(f"expected an administrator by name to have projections made anew, given {self.by}")
        if not self.reason.strip():
            raise InvalidRequest("expected a reason for which projections are made anew, given none")
