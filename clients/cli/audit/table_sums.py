"""What the settlements say of one table and day, summed as they come."""

from dataclasses import dataclass

from casino.settlement.v1 import entries_pb2 as settlement

VOID = settlement.OUTCOME_VOID
UNCOUNTED = (VOID, settlement.OUTCOME_PENDING)
"""Outcomes of wagers that count for nothing."""


@dataclass(slots=True)
class TableSum:
    """Rounds that are not void, wagers that are neither void nor pending, and their money in cents.

    `standing`: wagers that are not void.
    """

    rounds: int = 0
    wagers: int = 0
    standing: int = 0
    handle: int = 0
    payout: int = 0
    inventory: int = 0

    def add(self, told: settlement.SettledRound) -> None:
        """One more settled round. ValueError where its lists differ in length."""
        self.rounds += told.key.roll <= 1 and not told.void
        columns = told.outcome, told.stake_cents, told.payout_cents, told.inventory_cents
        for outcome, stake, payout, inventory in zip(*columns, strict=True):
            self.standing += outcome != VOID
            if outcome not in UNCOUNTED:
                self.wagers += 1
                self.handle += stake
                self.payout += payout
                self.inventory += inventory
