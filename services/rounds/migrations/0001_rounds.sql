-- Properties, tables, sources, the floor's events, and the facts that stay outside the feed.

SELECT create_entry_table('rounds_entry');

-- Fact: what holds for a property from a date on.
CREATE TABLE property_setting (
    property_id text NOT NULL CHECK (property_id <> ''),
    position bigint NOT NULL,
    effective_from date NOT NULL,
    title text NOT NULL,
    time_zone text NOT NULL,
    cut_over time NOT NULL,
    shift_starts time[] NOT NULL,
    -- The house-edge band, hundredths of a percent.
    house_edge_from integer NOT NULL CHECK (house_edge_from BETWEEN -10000 AND house_edge_to),
    house_edge_to integer NOT NULL CHECK (house_edge_to <= 10000),
    principal text NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, position)
);
CALL append_only('property_setting');

-- Fact: what holds for a table from a date on.
CREATE TABLE table_setting (
    property_id text NOT NULL,
    position bigint NOT NULL,
    table_id text NOT NULL CHECK (table_id <> ''),
    effective_from date NOT NULL,
    pit text NOT NULL,
    game text NOT NULL,
    principal text NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, position)
);
CALL append_only('table_setting');

-- Fact: a device or gateway that may send events.
CREATE TABLE source (
    property_id text NOT NULL,
    source_id text NOT NULL CHECK (source_id <> ''),
    description text NOT NULL,
    principal text NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, source_id)
);
CALL append_only('source');

-- Head: how far each source has been answered.
CREATE TABLE source_position (
    property_id text NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL CHECK (epoch > 0),
    sequence bigint NOT NULL CHECK (sequence >= 0),
    PRIMARY KEY (property_id, source_id)
);

-- Fact: a gaming day, with the submissions from which its rounds are stamped.
CREATE TABLE opened_day (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    position bigint NOT NULL,
    submissions_position bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day)
);
CALL append_only('opened_day');

-- Fact: an approved Rules Submission as it came from its feed.
CREATE TABLE submission (
    property_id text NOT NULL,
    submission_id text NOT NULL,
    position bigint NOT NULL,
    effective_from date NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (property_id, submission_id)
);
CALL append_only('submission');

-- Fact: one row per event of a round that is in the feed, under its business key. `kind` is the entry's kind.
-- `slot` is its place in the round: a whole round (kind 11) begins it as its opening (kind 7) does, so that a round
-- known in one form collides with the other, whatever the writer has in memory.
CREATE TABLE round_event (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL CHECK (shoe >= 0),
    round_no integer NOT NULL CHECK (round_no > 0),
    roll integer NOT NULL CHECK (roll >= 0),
    kind smallint NOT NULL,
    slot smallint NOT NULL GENERATED ALWAYS AS (CASE kind WHEN 11 THEN 7 ELSE kind END) STORED,
    item_no integer NOT NULL CHECK (item_no >= 0),
    position bigint NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (property_id, gaming_day, table_id, shoe, round_no, roll, slot, item_no)
) PARTITION BY RANGE (gaming_day);
CALL append_only('round_event');
SELECT ensure_partitions('round_event', '2026-01-01', 13);

-- Fact: one row per table event in the feed (opened, closed, shoe changed).
CREATE TABLE table_event (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    kind smallint NOT NULL,
    occurred_at timestamptz NOT NULL,
    position bigint NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (property_id, gaming_day, table_id, kind, occurred_at)
) PARTITION BY RANGE (gaming_day);
CALL append_only('table_event');
SELECT ensure_partitions('table_event', '2026-01-01', 13);

-- Fact: what stays outside the feed. `answer` is the AnswerKind; wager_no 0 means the whole event.
CREATE TABLE held_fact (
    property_id text NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    wager_no integer NOT NULL,
    answer smallint NOT NULL,
    reason text NOT NULL,
    message text NOT NULL,
    gaming_day date,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    digest bytea NOT NULL,
    content bytea NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, source_id, epoch, sequence, wager_no, digest)
);
CALL append_only('held_fact');
-- What a new epoch sends again is recognised by its content: these rows have no business key.
CREATE INDEX held_fact_digest ON held_fact (property_id, digest);

GRANT SELECT, INSERT ON property_setting, table_setting, source, opened_day, submission, round_event, table_event,
    held_fact TO casino_rounds;
GRANT SELECT, INSERT, UPDATE ON source_position TO casino_rounds;
