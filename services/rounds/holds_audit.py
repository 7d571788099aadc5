"""The service reads again what is kept outside the feed: held facts against notices, decisions against entries."""

from collections import Counter

from google.protobuf.message import DecodeError

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.ids import RoundKey
from services.rounds import store, wire
from services.rounds.holds import store as outside
from services.rounds.rows import Decision, HeldRow
from services.rounds.sheet import ON_RECORD
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow
from services.runtime.verification import Findings, entry_pages


async def held_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Every held wager or quarantined event has its notice in the feed, as often, and the other way round.

    The digest of a whole event is that of the bytes kept.
    """
    findings = Findings("rounds: held facts compared with notices")
    noted: Counter[tuple[RoundKey, int, str, str]] = Counter()
    async for page in entry_pages(connection, feed, [wire.EXCEPTION]):
        for entry in page:
            if entry.kind == wire.EXCEPTION and (said := _read(entry)) is not None:
                notice = said.exception
                if notice.reason not in ON_RECORD:
                    noted[wire.read_key(notice.key), notice.wager_no, notice.reason, notice.message] += 1
    kept: Counter[tuple[RoundKey, int, str, str]] = Counter()
    opened = await store.opened_days(connection, feed.property_id)
    for fact, _, decision in await outside.held_facts(connection, feed.property_id):
        # What was quarantined before its day was opened has its notice from then on, unless it was decided by then.
        noticed = fact.gaming_day in opened and (decision is None or decision.position)
        if fact.key and fact.answer != wire.REJECTED and noticed:
            kept[fact.key, fact.wager_no, fact.reason, fact.message] += 1
        if fact.wager_no == 0 and fact.digest != wire.digest_of(fact.content):
            findings.differs(f"held fact {fact.source_id}/{fact.epoch}/{fact.sequence}: its bytes are changed")
    for one in noted | kept:
        findings.expect(
            noted[one] == kept[one],
            f"{one[2]} of round {one[0]}, wager {one[1]}: noticed {noted[one]} times, kept {kept[one]} times",
        )
    return findings.message()


def _read(entry: EntryRow) -> entries.Entry | None:
    """What an entry says; None for bytes that are none, which the chain's check names."""
    try:
        return entries.Entry.FromString(entry.entry)
    except DecodeError:
        return None


async def decision_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Rows of `hold_decision` against the entries that resolve exceptions, both ways; each as somebody proposed it."""
    findings = Findings("rounds: decisions of held facts compared with entries")
    rows: dict[int, tuple[HeldRow, Decision]] = {}
    for fact, _, decision in await outside.held_facts(connection, feed.property_id):
        if decision is not None and decision.position:
            rows[decision.position] = fact, decision
    actor = ""
    async for page in entry_pages(connection, feed, [wire.EXCEPTION_RESOLVED]):
        for entry in page:
            actor = feeds_pb2.Commit.FromString(entry.commit).actor if entry.commit else actor
            if entry.kind == wire.EXCEPTION_RESOLVED:
                said, row = _read(entry), rows.pop(entry.position, None)
                wanted = _resolved(*row) if row else None
                same = said is not None and said.exception_resolved == wanted and wanted.approved_by == actor
                findings.expect(same, f"hold_decision at position {entry.position}: it is not what the entry says")
    for position in rows:
        findings.differs(f"hold_decision at position {position} has no entry")
    return findings.message()


def _resolved(fact: HeldRow, decision: Decision) -> entries.ExceptionResolved:
    """What the entry of a decision says."""
    return entries.ExceptionResolved(
        hold_id=fact.hold_id,
        key=wire.key_message(fact.key) if fact.key else None,
        wager_no=fact.wager_no,
        reason=fact.reason,
        decision=entries.HoldDecision.ValueType(decision.decision),
        proposed_by=decision.proposed_by,
        approved_by=decision.approved_by,
    )
