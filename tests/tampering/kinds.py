"""What somebody with every right in the database may do to a row: kinds of direct edits with what verify must say."""

from typing import NamedTuple

from tests.tampering.prepared import PROPERTY, SIGN


class Kind(NamedTuple):
    """An edit: the tables it touches, the statements, and words that each stand in some line of the verification."""

    name: str
    tables: tuple[str, ...]
    sql: str
    words: tuple[str, ...]


def changed(table: str, column: str, value: str, where: str, *words: str) -> Kind:
    """One column of one row has another value."""
    sql = f"UPDATE {table} SET {column} = {value} WHERE property_id = '{PROPERTY}' AND {where}"
    return Kind(f"{table}: {column} changed", (table,), sql, words or (table.partition(".")[2],))


def missing(table: str, where: str, *words: str) -> Kind:
    """Rows are deleted."""
    return Kind(f"{table}: rows missing", (table,), f"DELETE FROM {table} WHERE {where}", words)


def extra(table: str, changes: str, where: str, *words: str) -> Kind:
    """A row that is like another but for some columns."""
    sql = (
        f"CREATE TEMP TABLE extra ON COMMIT DROP AS SELECT * FROM {table} WHERE {where} LIMIT 1;"
        f" UPDATE extra SET {changes}; INSERT INTO {table} SELECT * FROM extra"
    )
    return Kind(f"{table}: row inserted", (table,), sql, words)


def entered(table: str, values: str, *words: str) -> Kind:
    """A row inserted as any row is: the table's trigger enters it in the records too."""
    sql = (
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER enter_fact; INSERT INTO {table} VALUES ('{PROPERTY}', {values});"
        f" ALTER TABLE {table} DISABLE TRIGGER enter_fact"
    )
    return Kind(f"{table}: row entered ({values})", (table, f"{table.partition('.')[0]}.record"), sql, words)


def begun_anew(service: str) -> Kind:
    """A follower of the submissions is sent back to before the first, where the hash is true."""
    sql = f"UPDATE {service}.cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed = 'submissions'"
    words = (f"expected {service} to follow submissions to position",)
    return Kind(f"{service}.cursor: set back in submissions", (f"{service}.cursor",), sql, words)


FLOOR = (
    changed("rounds.source", "description", "'another'", "source_id = 'pit'", "source row pit is changed: description"),
    missing("rounds.source", "source_id = 'pit'", "source row pit is missing"),
    extra("rounds.source", "source_id = 'ghost'", "source_id = 'pit'", "source row ghost is extra"),
    Kind(
        "rounds.source: a row of another property",
        ("rounds.source",),
        "INSERT INTO rounds.source SELECT 'GHOST', source_id, description, principal, recorded_at FROM rounds.source"
        " WHERE source_id = 'pit'",
        ("source: rows of GHOST, which is no property here",),
    ),
    changed(
        "rounds.source_position", "sequence", "sequence + 5", "source_id = 'pit'", "source_position row pit: epoch"
    ),
    changed("rounds.source_position", "sequence", "1", "source_id = 'pit'", "an event was answered at"),
    missing("rounds.source_position", "source_id = 'pit'", "source_position row pit: it stands at (0, 0)"),
    changed("rounds.last_spin", "position", "position - 1", "true", "last_spin row ROU-03"),
    changed(
        "rounds.last_spin",
        "position",
        "(SELECT max(position) FROM rounds.round_event WHERE table_id = 'ROU-03' AND kind = 10)",
        "true",
        "last_spin row ROU-03: expected one of",
    ),
    missing("rounds.last_spin", "true", "last_spin row ROU-03: expected one of"),
    changed("rounds.request", "answer", "'\\x01'", "request_id = 'pit'", "request row pit is changed: answer"),
    changed("rounds.request", "principal", "'eve'", "request_id = 'pit'", "request row pit is changed: principal"),
    missing("rounds.request", "request_id = 'pit'", "request row pit is missing"),
    changed("rounds.property_setting", "title", "'Other'", "true", "property_setting at position 1"),
    changed(
        "rounds.property_setting", "recorded_at", "now()", "true", "property_setting row 1 is changed: recorded_at"
    ),
    changed("rounds.table_setting", "pit", "'P9'", "table_id = 'BAC-01'", "table_setting at position"),
    changed("rounds.opened_day", "submissions_position", "0", "gaming_day = '2026-03-03'", "opened_day at position"),
    entered(
        "rounds.opened_day",
        "'2026-03-20', (SELECT max(position) FROM rounds.opened_day), 1",
        "has more rows than its entry",
    ),
    missing("rounds.opened_day", "gaming_day = '2026-03-03'", "opened_day at position"),
    changed("rounds.submission", "effective_from", "'2026-01-02'", "true", "submission row RS-1 is changed"),
    changed("rounds.submission", "content", "content || '\\x00'", "true", "submission row RS-1 is changed: content"),
    changed("rounds.round_event", "round_no", "99", "round_no = 2 AND shoe = 77", "round_event at position"),
    changed("rounds.round_event", "digest", "sha256('')", "round_no = 2 AND shoe = 77", "round_event at position"),
    missing("rounds.round_event", "round_no = 2 AND shoe = 77", "round_event at position"),
    missing("rounds.round_event", "kind = 12", "round_event at position"),
    changed("rounds.table_event", "occurred_at", "occurred_at + '1 s'", "kind = 5", "table_event at position"),
    changed("rounds.table_event", "source_id", "'eve'", "kind = 5", "table_event row", "source_id is eve, entered as"),
    changed("rounds.table_event", "digest", "sha256('')", "kind = 5", "is changed: digest"),
    extra("rounds.table_event", "occurred_at = occurred_at + '1 s'", "true", "table_event has"),
    changed("rounds.held_fact", "content", "'\\x'", "answer = 2 AND table_id = ''", "held_fact row", "content is"),
    missing("rounds.held_fact", "answer = 2", "held_fact row pit/", "is missing: a record tells of it"),
    changed("rounds.held_fact", "message", "'nothing'", "round_no = 6", "held_fact row", "noticed"),
    changed("rounds.hold_proposal", "proposed_by", "'eve'", "true", "hold_proposal row", "proposed_by is eve"),
    missing("rounds.hold_decision", "true", "hold_decision at position", "hold_decision row"),
    changed("rounds.hold_decision", "reason", "'other'", "true", "hold_decision row", "reason is other"),
    missing(
        "rounds.record", "fact = 'source'", "it does not give the hash that stands beside it", "source row pit is extra"
    ),
    changed("rounds.seal", "hash", "sha256('')", "feed = 'rounds'", "seal of rounds at"),
    changed("rounds.seal", "signature", "signature || '\\x00'", "feed = 'records'", "seal of records at"),
    changed("rounds.cursor", "position", "position + 1", "true", "cursor row of rounds in submissions: it stands at"),
    changed("rounds.cursor", "hash", "sha256('')", "true", "cursor row of rounds in submissions", "hash: expected"),
    begun_anew("rounds"),
    missing(
        "rounds.cursor", "true", "expected rounds to follow submissions", "cursor row of rounds in submissions: it is"
    ),
    changed("rounds.feed_head", "position", "position + 3", "true", "rounds: the head says"),
    changed("rounds.rounds_entry", "kind", "kind - 1", "kind = 12", "kind or gaming day is not what"),
    changed("rounds.rounds_entry", "entry", "'\\x'", "kind = 12", "the entry does not give the hash"),
    missing("rounds.rounds_entry", "kind = 12", "expected position"),
)

SETTLEMENT = (
    changed("settlement.submission", "title", "'Other'", "submission_id = 'RS-1'", "submission row RS-1 is changed"),
    missing("settlement.submission", "submission_id = 'RS-2'", "submission row RS-2 is missing"),
    changed(
        "settlement.submission", "proposed_by", "'eve'", "submission_id = 'RS-2'", "RS-2 is changed: proposed_by is eve"
    ),
    changed("settlement.approval", "approved_by", "'eve'", "true", "approval row RS-1 is changed: approved_by is eve"),
    entered("settlement.approval", "'RS-2', 1, 'eve', now()", "submission: 2 are approved at submissions position 1"),
    changed(
        "settlement.settled_round", "rounds_position", "1", "position = 2", "settled_round row", "rounds_position is 1"
    ),
    missing("settlement.settled_round", "position = 2", "settled_round row", "at position 2 is missing"),
    changed("settlement.wager", "payout_cents", "payout_cents + 1", "position = 2 AND wager_no = 1", "wager row"),
    changed("settlement.wager", "seat", "seat + 1", "position = 2 AND wager_no = 1", "seat is"),
    extra("settlement.wager", "wager_no = 99", "position = 2", "wager_no 99 at position 2 is extra"),
    changed("settlement.award", "percent", "1", "true", "award row", "percent is 1"),
    changed("settlement.submissions_entry", "gaming_day", "'2026-02-02'", "true", "submissions position 1: kind or"),
    changed("settlement.settlements_entry", "hash", "sha256('')", "position = 3", "settlements position 3"),
    changed("settlement.feed_head", "hash", "sha256('')", "feed = 'settlements'", "settlements: the head says"),
    changed("settlement.cursor", "hash", "sha256('')", "true", "cursor row of settlement in rounds", "hash: expected"),
    changed("settlement.request", "method", "'x'", "request_id = 'second'", "request row second is changed: method"),
    missing("settlement.record", "position = 2", "record at position 3: expected position 2"),
    missing("settlement.record", "true", "seal of records at"),
    changed("settlement.seal", "position", "position - 1", "feed = 'settlements'", "seal of settlements at"),
)

JOURNAL = (
    changed(
        "progressives.link", "title", "'Other'", "state = 'live'", "the row of this link is not what the entry says"
    ),
    changed("progressives.meter", "handle_cents", "handle_cents + 1", "level = 'mega'", "'mega'): the head says"),
    missing("progressives.meter", "level = 'mystery'", "'mystery'): the head says None"),
    changed(
        "progressives.contribution",
        "stake_cents",
        "stake_cents + 1",
        "round_no = 1",
        "the row of this contribution is not",
    ),
    missing("progressives.contribution", "round_no = 1", "the row of this contribution is missing"),
    extra(
        "progressives.contribution",
        "wager_no = 99, position = (SELECT max(position) FROM progressives.movement)",
        "true",
        "one entry and the rows contribution, movement",
    ),
    changed("progressives.movement", "hit_id", "'x'", "cause = 'award'", "the row of this movement is not"),
    extra("progressives.movement", "position = 9999", "true", "position 9999: a row without an entry"),
    extra("progressives.jackpot", "position = -1", "state = 'hit'", "position -1: a row without an entry"),
    changed("progressives.jackpot", "amount_cents", "1", "state = 'paid'", "the row of this jackpot is not"),
    changed("progressives.decision", "note", "'x'", "state = 'proposed'", "the row of this decision is not"),
    changed("progressives.trigger", "sealed", "sealed || '\\x00'", "true", "hidden trigger 1 of"),
    changed("progressives.payee", "sealed", "sealed || '\\x00'", "true", "payee row", "sealed is"),
    missing("progressives.payee", "true", "the payee kept is not the one that was paid", "payee row"),
    changed("progressives.alert", "shown_cents", "4", "true", "the row of this alert is not"),
    changed("progressives.sign", "first_seen_at", "now()", "true", f"sign row {SIGN}/", "first_seen_at is"),
    changed("progressives.submission", "content", "'\\x'", "true", "submission row RS-1 is changed: content"),
    missing("progressives.opened_day", "gaming_day = '2026-03-03'", "opened_day row 2026-03-03 is missing"),
    entered("progressives.opened_day", "'2026-03-20', 1, 0", "opened_day row 2026-03-20 is not what the rounds feed"),
    entered(
        "progressives.property_set",
        "1::bigint << 60, 1440, 'UTC'",
        "property_set row 1152921504606846976 is not what the rounds feed tells",
    ),
    entered("progressives.property_set", "2, 1, 'UTC'", "property_set row 2 is not what the rounds feed tells"),
    changed("progressives.property_set", "claim_minutes", "1", "true", "property_set row", "claim_minutes is 1"),
    changed("progressives.pin", "link_id", "'other'", "true", "pin row of round 2026-03-03/BAC-01/77/8"),
    missing("progressives.pin", "true", "pin row of round 2026-03-03/BAC-01/77/8"),
    extra("progressives.pin", "round_no = 2", "true", "pin rows of round 2026-03-03/BAC-01/77/2 are extra"),
    changed("progressives.progressives_entry", "entry", "entry || '\\x00'", "position = 4", "progressives position 4"),
    changed("progressives.feed_head", "hash", "sha256('')", "true", "progressives: the head says"),
    changed("progressives.cursor", "hash", "sha256('')", "feed = 'rounds'", "cursor row of progressives in rounds"),
    begun_anew("progressives"),
    missing(
        "progressives.cursor",
        "feed = 'submissions'",
        "expected progressives to follow submissions to position",
        "cursor row of progressives in submissions: it is missing",
    ),
    changed("progressives.request", "digest", "sha256('')", "request_id = 'pay'", "request row pay is changed: digest"),
    changed("progressives.record", "content", "'{}'", "fact = 'sign'", "of sign: it does not give the hash"),
    changed("progressives.seal", "sealed_at", "sealed_at + '1 s'", "feed = 'records'", "seal of records at"),
)

REPORTS = (
    changed("reporting.document", "amount_cents", "amount_cents + 1", "document_id = 'O-1'", "documents position"),
    missing("reporting.document", "document_id = 'O-1'", "documents position 1: the row is missing"),
    changed(
        "reporting.day_state", "changed_by", "'eve'", "state = 'counted'", "the row is not what the entry's bytes say"
    ),
    Kind(
        "reporting.filed_report: other bytes with their own hash",
        ("reporting.filed_report",),
        "UPDATE reporting.filed_report SET bytes = bytes || '\\x20', sha256 = sha256(bytes || '\\x20')",
        ("documents position", "the row is not what the entry's bytes say"),
    ),
    changed("reporting.documents_entry", "entry", "'\\x'", "position = 2", "documents position 2"),
    changed("reporting.feed_head", "position", "position - 1", "true", "documents: the head says"),
    changed("reporting.cursor", "hash", "sha256('')", "feed = 'settlements'", "cursor row of reporting in settlements"),
    changed("reporting.reach", "rounds_position", "999", "feed = 'settlements'", "reach row settlements: it says 999"),
    changed(
        "reporting.request", "recorded_at", "now()", "request_id = 'O-1'", "request row O-1 is changed: recorded_at"
    ),
    changed("reporting.record", "hash", "sha256('')", "position = 1", "record at position 1"),
    changed("reporting.seal", "hash", "sha256('')", "feed = 'documents'", "seal of documents at"),
    changed("reporting.property_setting", "title", "'x'", "true", "property_setting row", "title is x"),
    changed("reporting.table_setting", "pit", "'x'", "table_id = 'BAC-01'", "table_setting row BAC-01", "pit is x"),
    changed("reporting.wager_sum", "handle_cents", "handle_cents + 1", "code = 'baccarat.player'", "wager_sum row"),
    missing("reporting.wager_sum", "code = 'baccarat.player'", "wager_sum row", "is missing: the feeds give it"),
    changed("reporting.round_sum", "rounds", "rounds + 1", "table_id = 'BAC-01'", "round_sum row"),
    changed("reporting.link_version", "code", "'x'", "true", "link_version row"),
    changed("reporting.jackpot", "amount_cents", "1", "true", "jackpot row", "amount_cents is 1"),
    changed("reporting.contribution_sum", "wagers", "9", "level = 'mega'", "contribution_sum row", "wagers is 9"),
    changed(
        "reporting.movement_sum", "amount_micros", "9", "cause = 'award'", "movement_sum row", "amount_micros is 9"
    ),
    changed("reporting.day_reading", "reading_micros", "9", "level = 'mega'", "day_reading row", "reading_micros is 9"),
    changed("reporting.exception_sum", "exceptions", "9", "true", "exception_sum row", "exceptions is 9"),
    changed("reporting.opened_day", "gaming_day", "'2026-03-09'", "gaming_day = '2026-03-03'", "opened_day row"),
    changed("reporting.meter_sum", "times", "99", "cause = 'award'", "meter_sum row", "times is 99"),
    changed("reporting.link_state", "changed_by", "'eve'", "true", "link_state row", "changed_by is eve"),
    changed("reporting.table_terms", "kind", "'x'", "table_id = 'BAC-01'", "table_terms row", "kind is x"),
    changed("reporting.seat_sum", "seats", "99", "code = 'baccarat.player'", "seat_sum row", "seats is 99"),
    changed("reporting.question", "open", "NOT open", "true", "question row"),
    changed("reporting.jackpot_step", "standing_cents", "9", "true", "jackpot_step row", "standing_cents is 9"),
    changed("reporting.meter_event", "amount_micros", "9", "cause = 'award'", "meter_event row", "amount_micros is 9"),
    missing("reporting.meter_event", "cause = 'award'", "meter_event row", "is missing: the feeds give it"),
    changed("reporting.jackpot_record", "actor", "'eve'", "true", "jackpot_record row", "actor is eve"),
    changed("reporting.decision_record", "decided_by", "'eve'", "true", "decision_record row", "decided_by is eve"),
    changed("reporting.link_record", "approved_by", "'eve'", "true", "link_record row", "approved_by is eve"),
    changed("reporting.submission_record", "proposed_by", "'eve'", "true", "submission_record row"),
)
