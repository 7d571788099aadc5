"""Refusals of events that only the intake of the floor gives."""

from services.kernel.errors import Quarantined


class NotTakenIn(Quarantined):
    """The event could not be taken in; why was logged."""


class TimeAhead(Quarantined):
    """The event's gaming day lies ahead of the service's clock."""
