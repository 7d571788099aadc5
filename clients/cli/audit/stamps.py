"""Every round's stamp found again: the Rules Submission in force at its table when its gaming day was opened."""

from collections.abc import Iterable, Sequence

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import BETTING, Body, History, name_of
from clients.cli.audit.passage import Quiet, pass_through

OPENINGS = ("round_opened", *BETTING)


class Stamps(Quiet):
    """The stamps of rounds as they come, up to a rounds position, beside the submissions that were approved."""

    def __init__(self, submissions: Iterable[Body], through: int) -> None:
        """`submissions`: every entry of an approved one.

        `through`: how far the rounds feed went before they were read; a later day may know later ones.
        """
        self.findings = Findings("audit: stamps of rounds found anew")
        self._approved = [(position, body) for position, _, body in submissions]
        self._through = through
        self._opened: dict[str, int] = {}
        self._known: dict[tuple[str, str], str] = {}

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """Compares the submission that a round names with the one that the submissions feed gives."""
        position, kind, body = entry
        if position > self._through:
            return
        if kind == "day_opened":
            opened = body.gaming_day in self._opened
            self.findings.expect(opened, False, f"day {body.gaming_day} opened before {position}")
            self._opened[body.gaming_day] = body.submissions_position
        elif kind in OPENINGS:
            place = body.key.gaming_day, body.key.table_id
            if place not in self._known:
                self._known[place] = _in_force(self._approved, *place, self._opened.get(place[0], 0))
            known = self._known[place]
            self.findings.checked += 1
            if body.submission_id != known:
                what = f"stamp of round {name_of(body.key)} at {position}"
                self.findings.differs(f"{what}: expected {known}, given {body.submission_id}")


def check_stamps(history: History, through: int) -> Findings:
    """The stamps of the rounds of a history that is kept, up to a rounds position."""
    stamps = Stamps(history.bodies("submissions", "approved"), through)
    pass_through(history, stamps)
    return stamps.findings


def _in_force(approved: list[tuple[int, settlement.Submission]], day: str, table_id: str, through: int) -> str:
    """The latest submission by its first day, then by its position, among those there when the day was opened."""
    found = [
        (body.effective_from, position, body.submission_id)
        for position, body in approved
        if position <= through and body.effective_from <= day and table_id in [each.table_id for each in body.tables]
    ]
    return max(found)[2] if found else ""
