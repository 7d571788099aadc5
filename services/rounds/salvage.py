"""What is done when a commit fails and fails again: its jobs one by one, and of a job that fails its events.

The event that alone makes a commit fail is kept outside the feed, so that it ends no stream, its own included.
"""

from collections.abc import Awaitable, Callable, Sequence

import asyncpg

from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.kernel import errors
from services.rounds.answers import GAP
from services.rounds.waiting import Job
from services.runtime.feeds import HeadMoved
from services.runtime.logs import Log
from services.runtime.principals import as_refusal

Outcome = rpc.StreamRoundsResponse | errors.Refusal
Commit = Callable[[Sequence[Job], errors.Refusal | None, bool], Awaitable[list[Outcome]]]
"""Commits jobs with everything looked up. With a refusal their one event is kept with it, under its round's key or
without one.
"""


def is_of_the_moment(problem: Exception) -> bool:
    """Whether a failure says nothing of the events: the same may succeed later."""
    passing = isinstance(problem, (HeadMoved, asyncpg.TransactionRollbackError))
    return passing or as_refusal(problem) is not None


class Salvage:
    """Of one writer."""

    def __init__(self, commit: Commit, log: Log) -> None:
        self._commit, self._log = commit, log

    async def jobs(self, jobs: Sequence[Job], problem: Exception) -> list[Outcome]:
        """The answers of jobs that failed together.

        Raises what is of the moment, and `problem` where one job without events fails alone.
        """
        if len(jobs) == 1:
            return [await self._events(jobs[0], problem)]
        return [await self._job(job) for job in jobs]

    async def _job(self, job: Job) -> Outcome:
        try:
            (outcome,) = await self._commit([job], None, True)
        except Exception as problem:
            if is_of_the_moment(problem):
                raise
            return await self._events(job, problem)
        return outcome

    async def _events(self, job: Job, problem: Exception) -> Outcome:
        """A job's answer, event by event, up to a gap or a refusal of the whole job."""
        if not job.events:
            raise problem
        found = rpc.StreamRoundsResponse()
        for sequence, event in enumerate(job.events, job.first_sequence):
            outcome = await self._event(job._replace(first_sequence=sequence, events=(event,)), problem)
            if isinstance(outcome, errors.Refusal):
                return outcome
            found.durable_through_sequence = outcome.durable_through_sequence
            found.answers.extend(outcome.answers)
            if any(answer.kind == GAP for answer in outcome.answers):
                break
        return found

    async def _event(self, job: Job, problem: Exception) -> Outcome:
        try:
            (outcome,) = await self._commit([job], None, True)
        except Exception as again:
            if is_of_the_moment(again):
                raise
            return await self._keep(job, again)
        return outcome

    async def _keep(self, job: Job, problem: Exception) -> Outcome:
        """Keeps the one event of a job, under its round's key if that can be written."""
        where = {"source_id": job.source_id, "epoch": job.epoch, "sequence": job.first_sequence}
        self._log.error("event could not be taken in; it is kept outside the feed", exc_info=problem, **where)
        refusal = errors.NotTakenIn(
            f"Expected an event that can be taken in, got one that fails with {type(problem).__name__}; it was logged."
        )
        try:
            (outcome,) = await self._commit([job], refusal, True)
        except Exception as again:
            if is_of_the_moment(again):
                raise
            self._log.error("event could not be kept under its key", exc_info=again, **where)
            (outcome,) = await self._commit([job], refusal, False)
        return outcome
