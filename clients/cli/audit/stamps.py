"""Every round's stamp found again: the Rules Submission in force at its table when its gaming day was opened."""

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import BETTING, History, name_of

OPENINGS = ("round_opened", *BETTING)


def check_stamps(history: History) -> Findings:
    """Compares the submission that each round names with the one that the submissions feed gives."""
    findings = Findings("audit: stamps of rounds found anew")
    approved = [(position, body) for position, _, body in history.bodies("submissions", "approved")]
    opened: dict[str, int] = {}
    known: dict[tuple[str, str], str] = {}
    for position, kind, body in history.bodies("rounds", "day_opened", *OPENINGS):
        if kind == "day_opened":
            findings.expect(body.gaming_day in opened, False, f"day {body.gaming_day} opened before {position}")
            opened[body.gaming_day] = body.submissions_position
            continue
        place = body.key.gaming_day, body.key.table_id
        if place not in known:
            known[place] = _in_force(approved, *place, opened.get(body.key.gaming_day, 0))
        findings.expect(body.submission_id, known[place], f"stamp of round {name_of(body.key)} at {position}")
    return findings


def _in_force(approved: list[tuple[int, settlement.Submission]], day: str, table_id: str, through: int) -> str:
    """The latest submission by its first day, then by its position, among those there when the day was opened."""
    found = [
        (body.effective_from, position, body.submission_id)
        for position, body in approved
        if position <= through and body.effective_from <= day and table_id in [each.table_id for each in body.tables]
    ]
    return max(found)[2] if found else ""
