"""Which Rules Submission is in force at a table on a gaming day."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from services.games.terms import Terms, digest
from services.kernel import errors
from services.rounds.frames import Head


class Submission(NamedTuple):
    """An approved submission as received; `position` in the submissions feed."""

    position: int
    submission_id: str
    effective_from: date
    tables: Mapping[str, Terms]


class Fit(NamedTuple):
    """A wager that an offer lets in: its seat and code, and those any one of which it needs beside it.

    Each is one text, for a text keeps its hash.
    """

    place: str
    bases: frozenset[str]


class Stamp(NamedTuple):
    """What a round is stamped with; `usual` keeps here what it has made of it: the beginnings of entries by shift, and
    by their bytes the wagers that the offer lets in.
    """

    submission_id: str
    terms: Terms
    digest: str
    heads: dict[int, Head]
    fits: dict[bytes, Fit]


class Stamps:
    """Pins each (table, day) to the submission in force when the day was opened."""

    def __init__(self, submissions: list[Submission], days: dict[date, int]) -> None:
        self.days = days
        self._submissions = sorted(submissions)
        self._cache: dict[tuple[str, date], Stamp] = {}
        # By the offer's digest: tables that offer the same let the same wagers in.
        self._fits: dict[str, dict[bytes, Fit]] = {}

    @property
    def position(self) -> int:
        """Position of the newest submission received."""
        return self._submissions[-1].position if self._submissions else 0

    def receive(self, submission: Submission) -> None:
        """Takes a newly approved submission in; days already open keep theirs."""
        self._submissions.append(submission)
        self._cache = {key: stamp for key, stamp in self._cache.items() if key[1] in self.days}

    def open_day(self, day: date, submissions_position: int) -> None:
        """Fixes the submissions of a day."""
        self.days[day] = submissions_position

    def on(self, table_id: str, day: date) -> Stamp:
        """The stamp of a table on a day: for a day not open yet, what it would be now. NoSubmission."""
        stamp = self._cache.get((table_id, day))
        if stamp is None:
            stamp = self._cache[table_id, day] = self._find(table_id, day)
        return stamp

    def _find(self, table_id: str, day: date) -> Stamp:
        through = self.days.get(day, self.position)
        candidates = [
            (submission.effective_from, submission.position, submission)
            for submission in self._submissions
            if submission.position <= through and submission.effective_from <= day and table_id in submission.tables
        ]
        if not candidates:
            raise errors.NoSubmission(
                f"Expected an approved Rules Submission for {table_id} when {day} was opened; there was none."
            )
        submission = max(candidates, key=lambda candidate: candidate[:2])[2]
        terms = submission.tables[table_id]
        offer = digest(terms)
        return Stamp(submission.submission_id, terms, offer, {}, self._fits.setdefault(offer, {}))
