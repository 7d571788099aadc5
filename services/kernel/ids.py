"""Identities: how a round, a wager and what follows from them are named."""

import hashlib
from datetime import date
from typing import NamedTuple


class RoundKey(NamedTuple):
    """Business key of a round within its property: shoe 0 where there is none, roll 0 where a round has one result."""

    gaming_day: date
    table_id: str
    shoe: int
    round_no: int
    roll: int = 0

    def __str__(self) -> str:
        text = f"{self.gaming_day}/{self.table_id}/{self.shoe}/{self.round_no}"
        return f"{text}/{self.roll}" if self.roll else text


def jackpot_id(key: RoundKey, wager_no: int, level: str, ordinal: int = 0) -> str:
    """The id of the one jackpot of a winning wager and level: derived, so that every service names it alike."""
    return f"J-{_digest(key, wager_no, level, ordinal)}"


def hit_id(link_id: str, level: str, position: int, wager_no: int = 0) -> str:
    """The id shared by the jackpots that one hit of a meter opens, at a position of the rounds feed.

    A mystery meter is hit by one wager, so its number is a part: a round may hit the meter again after its reset.
    """
    return f"H-{_digest(link_id, level, position, *([wager_no] if wager_no else []))}"


def decision_id(*parts: object) -> str:
    """The id of what two people decide, derived from what it is about or from the request that proposes it."""
    return f"D-{_digest(*parts)}"


def alert_id(*parts: object) -> str:
    """The id of an alert, derived from what it is about."""
    return f"A-{_digest(*parts)}"


def _digest(*parts: object) -> str:
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:20]
