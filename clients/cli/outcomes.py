"""What became of the rounds of a file on the platform: settled, refused, held."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date
from functools import lru_cache
from json import loads
from typing import Any, NamedTuple

from casino.rounds.v1 import entries_pb2 as rounds_entries
from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.pricing import refused
from clients.cli.properties import calendar_on
from clients.cli.rounds_file import RoundLine, StakeText
from clients.sdk.client import Casino
from clients.sdk.feeds import read
from clients.sdk.payouts import SettledWager, wagers_of
from clients.sdk.stream import Answered
from services.kernel.clock import Calendar
from services.kernel.errors import WagerNotOffered

DUPLICATE, HELD = rounds_service_pb2.ANSWER_KIND_DUPLICATE, rounds_service_pb2.ANSWER_KIND_HELD
GAP = rounds_service_pb2.ANSWER_KIND_GAP

Key = tuple[str, str, int, int]
"""Gaming day, table, shoe, round number."""


class Line(NamedTuple):
    """A line of the file: its round's name and key, and why it is none if it is none."""

    name: str
    key: Key | None
    error: tuple[str, str] | None


async def offered_paytables(
    casino: Casino, property_id: str, table_id: str, day: date, stakes: Sequence[StakeText]
) -> Mapping[str, str]:
    """The paytable of each wager that the table offers on that day.

    Raises RefusedByServer, and WagerNotOffered for a wager of `stakes` that it does not offer.
    """
    request = rounds_service_pb2.GetOfferRequest(property_id=property_id, table_id=table_id, gaming_day=day.isoformat())
    offer = await casino.call(casino.rounds.GetOffer, request)
    paytables = {each["code"]: each["paytable"] for each in loads(offer.terms_json)["offers"]}
    for stake in stakes:
        if stake.code not in paytables:
            raise WagerNotOffered(f"expected {' or '.join(paytables)} at {table_id}, given {stake.code}")
    return paytables


class FileRounds:
    """The rounds of one file in its order, and what the platform said and made of each."""

    def __init__(self, settings: Sequence[rounds_entries.PropertySettings]) -> None:
        self._settings = list(settings)
        self._calendar = lru_cache(maxsize=8)(self._calendar_on)
        self._lines: list[Line] = []
        self._errors: dict[int, tuple[str, str]] = {}
        self._held: dict[int, list[dict[str, Any]]] = {}
        self._again: set[int] = set()
        self._settled: dict[Key, list[dict[str, Any]]] = {}
        self._exceptions: dict[Key, tuple[str, str]] = {}

    def sent(self, line: RoundLine) -> None:
        """A line that goes to the platform, in the order of the file."""
        refusal = line.refusal
        error = (refusal.reason, refusal.message) if refusal else None
        self._lines.append(Line(line.name, self._key(line), error))

    def answered(self, answers: Iterable[Answered]) -> None:
        """What the platform said of events, numbered as their lines."""
        for number, _, answer, resent in answers:
            if answer.kind == HELD:
                self._hold(number, answer)
            elif answer.kind == DUPLICATE and answer.reason == "DUPLICATE":
                if not resent:
                    self._again.add(number)
            elif answer.kind != GAP:
                if answer.kind == DUPLICATE:
                    self._again.add(number)
                self._errors[number] = (answer.reason, answer.message)

    async def collect(self, casino: Casino, property_id: str) -> None:
        """Reads what settlement made of the file's rounds."""
        wanted = {line.key for line in self._lines}
        async for entry in read(casino, "settlements", property_id):
            body: settlement.SettledRound | settlement.SettlementException = entry.body
            key = (body.key.gaming_day, body.key.table_id, body.key.shoe, body.key.round_no)
            if key not in wanted:
                continue
            if isinstance(body, settlement.SettledRound):
                self._settled[key] = [described(each) for each in wagers_of(body)]
                self._exceptions.pop(key, None)
            else:
                self._exceptions[key] = (body.reason, body.message)

    def objects(self) -> Iterator[dict[str, Any]]:
        """One object a line, in the order of the file, as `casino settle` prints them; wagers that are held
        stand beside those that settled.
        """
        for number, line in enumerate(self._lines, 1):
            error = self._error(number, line)
            if error:
                yield refused(line.name, *error)
                continue
            found: dict[str, Any] = {"round": line.name, "wagers": self._wagers(line)}
            if number in self._held:
                found["held"] = self._held[number]
            yield found

    @property
    def bad(self) -> int:
        """How many lines are refused or have a wager held."""
        wrong = {number for number, line in enumerate(self._lines, 1) if self._error(number, line)}
        return len(wrong | set(self._held))

    def summary(self, milliseconds: int) -> str:
        """Counts in sentences: sent, accepted, known before, refused and held by reason, rounds a second."""
        errors = [self._error(number, line) for number, line in enumerate(self._lines, 1)]
        reasons = Counter(error[0] for error in errors if error)
        held = Counter(each["reason"] for some in self._held.values() for each in some)
        known = sum(not errors[number - 1] for number in self._again)
        sent, refusals = len(self._lines), reasons.total()
        said = (
            f"{sent} rounds sent, {sent * 1_000 // max(milliseconds, 1)} a second:"
            f" {sent - known - refusals} accepted, {known} known before,"
            f" {refusals} refused, {held.total()} wagers held."
        )
        named = [f"  {reason}: {count}" for reason, count in sorted((reasons + held).items())]
        return "\n".join([said, *named])

    def _error(self, number: int, line: Line) -> tuple[str, str] | None:
        # What this program could not read it says itself; the platform only saw bytes that are no event.
        found = line.error or self._errors.get(number)
        return found or (self._exceptions.get(line.key) if line.key else None)

    def _wagers(self, line: Line) -> list[dict[str, Any]]:
        return self._settled.get(line.key, []) if line.key else []

    def _hold(self, number: int, answer: rounds_service_pb2.Answer) -> None:
        held = {"wager_no": answer.wager_no, "reason": answer.reason, "message": answer.message}
        self._held.setdefault(number, []).append(held)

    def _key(self, line: RoundLine) -> Key | None:
        if line.round is None:
            return None
        opened = line.round.opened_at.ToDatetime(UTC)
        day = self._calendar(opened.date()).day_of(opened)
        return day.isoformat(), line.round.table_id, line.round.shoe, line.round.round_no

    def _calendar_on(self, day: date) -> Calendar:
        return calendar_on(self._settings, day)


def described(wager: SettledWager) -> dict[str, Any]:
    """A settled wager as `casino settle` prints it; money in cents."""
    return {
        "wager": wager.code,
        "paytable": wager.paytable,
        "seat": wager.seat,
        "stake_cents": wager.stake_cents,
        "outcome": wager.outcome,
        "line": wager.line or None,
        "payout_cents": wager.payout_cents,
        "net_cents": wager.payout_cents - wager.stake_cents,
        "awards": [_award(each) for each in wager.awards],
    }


def _award(award: settlement.Award) -> dict[str, Any]:
    return {
        "kind": award.kind,
        "paid_from": award.paid_from,
        "cents": award.cents,
        "level": award.level,
        "percent": award.percent,
    }
