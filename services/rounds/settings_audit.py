"""The service reads again what stands beside the rounds: settings, opened days, received submissions."""

from datetime import date

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2 as entries
from services.rounds import settings, store, wire
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow
from services.runtime.verification import Findings, entry_pages

Row = tuple[object, ...]
KINDS = {wire.PROPERTY_SET: "property_setting", wire.TABLE_SET: "table_setting", wire.DAY_OPENED: "opened_day"}
COLUMNS = {
    "property_setting": "effective_from, title, time_zone, cut_over, shift_starts, house_edge_from, house_edge_to,"
    " claim_within_minutes, jurisdiction, principal",
    "table_setting": "effective_from, table_id, pit, game, principal",
    "opened_day": "gaming_day, submissions_position",
}


async def setting_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Rows of settings and opened days against entries, both ways: who set them by the commit's own bytes."""
    findings = Findings("rounds: settings and opened days compared with entries")
    rows = await _rows(connection, feed.property_id, findings)
    async for page in entry_pages(connection, feed, list(KINDS)):
        for entry in page:
            if entry.kind in KINDS:
                name = KINDS[entry.kind]
                given, wanted = rows.pop((name, entry.position), None), _wanted(name, entry)
                findings.expect(
                    given == wanted, f"{name} at position {entry.position}: expected {wanted}, given {given}"
                )
    for name, position in rows:
        findings.differs(f"{name} at position {position} has no entry")
    return findings.message()


async def _rows(connection: Connection, property_id: str, findings: Findings) -> dict[tuple[str, int], Row]:
    """What the tables say, by table and position; two rows at one position are a difference."""
    found: dict[tuple[str, int], Row] = {}
    for name, columns in COLUMNS.items():
        for position, *row in await store.rows_by_position(connection, property_id, name, columns):
            if (name, position) in found:
                findings.differs(f"{name} at position {position} has more rows than its entry")
            found[name, position] = tuple(tuple(each) if isinstance(each, list) else each for each in row)
    return found


def _wanted(name: str, entry: EntryRow) -> Row:
    """What the entry says its row is."""
    said = entries.Entry.FromString(entry.entry)
    if name == "opened_day":
        return date.fromisoformat(said.day_opened.gaming_day), said.day_opened.submissions_position
    by = feeds_pb2.Commit.FromString(entry.commit or b"").actor
    if name == "table_setting":
        table = settings.read_table(said.table_set)
        return table.effective_from, table.table_id, table.pit, table.game, by
    setting = settings.read_property(said.property_set)
    # All but the position, which is the entry's own.
    return setting.effective_from, *setting[2:], by


async def submission_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """The columns of every received submission against the bytes as they came."""
    findings = Findings("rounds: submissions received compared with their bytes")
    columns = "submission_id, effective_from, content"
    for row in await store.rows_by_position(connection, feed.property_id, "submission", columns):
        position, name, effective_from, content = row
        read = wire.read_submission(position, content)
        findings.expect(
            (name, effective_from) == (read.submission_id, read.effective_from),
            f"submission at position {position}: the bytes are of {read.submission_id} from {read.effective_from},"
            f" the row says {name} from {effective_from}",
        )
    return findings.message()
