"""The progressive jackpot slip as people sign it. No payee stands on it."""

from casino.progressives.v1 import entries_pb2 as entries
from casino.progressives.v1 import progressives_service_pb2 as progressives
from services.kernel.money import dollars

WIDTH = 72
LABEL = 14
STATES = {
    entries.JACKPOT_STATE_CLAIMED: "Claimed by",
    entries.JACKPOT_STATE_VERIFIED: "Verified by",
    entries.JACKPOT_STATE_PAID: "Paid by",
    entries.JACKPOT_STATE_VOIDED: "Voided by",
}
SIGNATURES = ("Floorperson or above", "Cage cashier", "Patron")


Lines = list[tuple[str, str]]
"""What a slip states: a label and its text."""


def heading(slip: progressives.JackpotSlip) -> Lines:
    """Number and property; a slip whose payment was voided says so."""
    return [("Slip", slip.slip_no + (" VOID" if slip.voided else "")), ("Property", slip.property_id)]


def won(slip: progressives.JackpotSlip) -> Lines:
    """What was won where."""
    jackpot, key = slip.jackpot, slip.jackpot.key
    return [
        ("Link", f"{jackpot.link_id} {slip.link_title}".strip()),
        ("Meter", f"{jackpot.level}, {percent_of_meter(jackpot.percent)} of it"),
        ("Table", f"{key.table_id}, seat {jackpot.seat}"),
        ("Round", f"{key.gaming_day}, shoe {key.shoe}, round {key.round_no}, wager {jackpot.wager_no}"),
        ("Wager", f"{jackpot.code} {jackpot.paytable}, ${dollars(jackpot.stake_cents)}"),
        ("Jackpot", jackpot.jackpot_id),
    ]


def amounts(slip: progressives.JackpotSlip) -> Lines:
    """The amount, what was withheld of it, and what the patron received."""
    form = " (Form W-2G)" if slip.jackpot.reportable else ""
    return [
        ("Amount", f"${dollars(slip.amount_cents)}"),
        ("Withheld", f"${dollars(slip.withheld_cents)}{form}"),
        ("Paid", f"${dollars(slip.paid_cents)}"),
    ]


def course(slip: progressives.JackpotSlip) -> Lines:
    """Who brought it from one state to the next, and when."""
    return [(STATES[each.state], _by(each)) for each in slip.states if each.state in STATES]


def slip_text(slip: progressives.JackpotSlip) -> str:
    """The slip as text, a line for each thing that it states."""
    lines = [*heading(slip), *won(slip), *amounts(slip), *course(slip)]
    stated = [f"{label:<{LABEL}}{value}" for label, value in lines]
    signed = [f"{who + ' ':_<{WIDTH}}" for who in SIGNATURES]
    return "\n".join([slip.title.upper(), "=" * WIDTH, *stated, "", *[line for each in signed for line in (each, "")]])


def percent_of_meter(percent: int) -> str:
    """Hundredths of a percent for a reader."""
    whole, rest = divmod(percent, 100)
    return f"{whole}.{rest:02d}%" if rest else f"{whole}%"


def _by(state: entries.Jackpot) -> str:
    rank = f", {state.rank.replace('_', ' ')}" if state.rank else ""
    return f"{state.actor}{rank}, {state.at.ToJsonString()}"
