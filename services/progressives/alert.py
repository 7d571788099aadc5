"""An alert: something on the floor that a person has to look at."""

from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from services.kernel import errors
from services.kernel.ids import RoundKey


class AlertKind(StrEnum):
    """What is wrong."""

    UNCLAIMED = "unclaimed"
    SIGN_DIFFERS = "sign_differs"
    SIGN_SILENT = "sign_silent"


class AlertState(StrEnum):
    """Where an alert stands; its latest fact says."""

    RAISED = "raised"
    CLEARED = "cleared"
    ACKNOWLEDGED = "acknowledged"


STANDING = (AlertState.RAISED, AlertState.ACKNOWLEDGED)
"""States of an alert whose cause lasts. One that is acknowledged is no longer open, and is still to be cleared."""


class Alert(NamedTuple):
    """A state of an alert: cents; `rounds_played` on the meter while a sign was wrong or silent."""

    alert_id: str
    kind: AlertKind
    state: AlertState
    message: str
    link_id: str
    level: str
    jackpot_id: str
    key: RoundKey | None
    seat: int
    sign_id: str
    shown_cents: int
    expected_cents: int
    rounds_played: int
    actor: str
    at: datetime
    gaming_day: date


def acknowledge(alert: Alert, by: str, at: datetime, day: date) -> Alert:
    """The alert once a person has seen it; its cause may last. AlreadyDecided unless it is raised."""
    if alert.state is not AlertState.RAISED:
        raise errors.AlreadyDecided(
            f"expected a raised alert, {alert.alert_id} is {alert.state} by {alert.actor} since {alert.at.isoformat()}"
        )
    return alert._replace(state=AlertState.ACKNOWLEDGED, actor=by, at=at, gaming_day=day)


def clear(alert: Alert, by: str, at: datetime, day: date, rounds_played: int = 0) -> Alert:
    """The alert once its cause is over, with the rounds played since it was raised beside those before."""
    total = alert.rounds_played + rounds_played
    return alert._replace(state=AlertState.CLEARED, actor=by, at=at, gaming_day=day, rounds_played=total)
