"""The use-cases, one transaction each. Everything of one property goes through its Ledger."""

from services.progressives.operations.decisions import (
    approve_decision,
    decisions_of,
    propose_decision,
    reject_decision,
)
from services.progressives.operations.explaining import explain_meter, prove_jackpot
from services.progressives.operations.following import RoundsIntake, apply_rounds, apply_submissions
from services.progressives.operations.jackpots import (
    claim_jackpot,
    jackpot_slip,
    jackpots_of,
    pay_jackpot,
    verify_jackpot,
    winnings_forms,
)
from services.progressives.operations.ledger import FEED, PARTITIONED, ROUNDS, SUBMISSIONS, Ledger
from services.progressives.operations.links import (
    approve_link,
    propose_link,
    resume_link,
    suspend_link,
    waiting_for,
    withdraw_link,
)
from services.progressives.operations.signs import Watch, acknowledge_alert, alerts_of, echo_meters, look_for_ever

__all__ = [
    "FEED",
    "PARTITIONED",
    "ROUNDS",
    "SUBMISSIONS",
    "Ledger",
    "RoundsIntake",
    "Watch",
    "acknowledge_alert",
    "alerts_of",
    "apply_rounds",
    "apply_submissions",
    "approve_decision",
    "approve_link",
    "claim_jackpot",
    "decisions_of",
    "echo_meters",
    "explain_meter",
    "jackpot_slip",
    "jackpots_of",
    "look_for_ever",
    "pay_jackpot",
    "propose_decision",
    "propose_link",
    "prove_jackpot",
    "reject_decision",
    "resume_link",
    "suspend_link",
    "verify_jackpot",
    "waiting_for",
    "winnings_forms",
    "withdraw_link",
]
