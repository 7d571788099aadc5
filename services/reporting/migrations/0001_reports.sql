-- Table documents as facts, and sums of the other services' feeds as projections.

SELECT create_entry_table('documents_entry');

-- Fact: a document of the floor or the cage. One serial number for a property, whatever the day; hence no partitions.
-- Amounts in whole cents. `shift` 0 = the whole day.
CREATE TABLE document (
    property_id text NOT NULL,
    document_id text NOT NULL CHECK (document_id <> ''),
    position bigint NOT NULL CHECK (position > 0),
    kind text NOT NULL CHECK (kind IN ('opener', 'fill', 'credit', 'counter_check', 'count', 'closer')),
    gaming_day date NOT NULL,
    shift integer NOT NULL CHECK (shift >= 0),
    table_id text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    currency_cents bigint NOT NULL CHECK (currency_cents >= 0),
    counter_checks_cents bigint NOT NULL CHECK (counter_checks_cents >= 0),
    occurred_at timestamptz,
    posted_by text NOT NULL CHECK (posted_by <> ''),
    posted_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, document_id),
    UNIQUE (property_id, position),
    CONSTRAINT count_is_currency_and_checks
        CHECK (currency_cents + counter_checks_cents = CASE WHEN kind = 'count' THEN amount_cents ELSE 0 END)
);
CALL append_only('document');
-- Reports and lists ask by the day.
CREATE INDEX document_day ON document (property_id, gaming_day, table_id);

-- Head: how far along the rounds feed the entries applied from a feed reach.
CREATE TABLE reach (
    property_id text NOT NULL,
    feed text NOT NULL,
    rounds_position bigint NOT NULL CHECK (rounds_position >= 0),
    PRIMARY KEY (property_id, feed)
);

-- Projection: settings, effective-dated.
CREATE TABLE property_setting (
    property_id text NOT NULL,
    effective_from date NOT NULL,
    title text NOT NULL,
    time_zone text NOT NULL,
    cut_over text NOT NULL,
    shift_starts text[] NOT NULL,
    -- The house-edge band, hundredths of a percent.
    house_edge_from integer NOT NULL,
    house_edge_to integer NOT NULL,
    PRIMARY KEY (property_id, effective_from)
);
CREATE TABLE table_setting (
    property_id text NOT NULL,
    table_id text NOT NULL,
    effective_from date NOT NULL,
    pit text NOT NULL,
    game text NOT NULL,
    PRIMARY KEY (property_id, table_id, effective_from)
);

-- Projection: settled wagers, summed; superseded settlements taken out. Void wagers count nowhere, pending ones apart.
-- No CHECK on the sums of this table and the next: what a batch adds may be negative, and is checked before it is added.
CREATE TABLE wager_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    shift integer NOT NULL,
    table_id text NOT NULL,
    dealer text NOT NULL,
    submission_id text NOT NULL,
    decks integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    wagers bigint NOT NULL,
    handle_cents bigint NOT NULL,
    payout_cents bigint NOT NULL,
    inventory_cents bigint NOT NULL,
    breakage_micros bigint NOT NULL,
    pending bigint NOT NULL,
    pending_cents bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, shift, table_id, dealer, submission_id, decks, code, paytable)
);

-- Projection: settled rounds that are not void.
CREATE TABLE round_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    shift integer NOT NULL,
    table_id text NOT NULL,
    rounds bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, shift, table_id)
);

-- Projection: a link in its latest state, one row a version; its levels in the link's order.
CREATE TABLE link_version (
    property_id text NOT NULL,
    link_id text NOT NULL,
    version integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    levels text[] NOT NULL,
    PRIMARY KEY (property_id, link_id, version)
);

-- Projection: contributions to meter and reserve, in micro-dollars; `wagers` made them.
CREATE TABLE contribution_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    submission_id text NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    wagers bigint NOT NULL,
    amount_micros bigint NOT NULL,
    reserve_micros bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, table_id, submission_id, code, paytable, link_id, level)
);

-- Projection: every other movement of a meter, signed, by cause.
CREATE TABLE movement_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    cause text NOT NULL,
    amount_micros bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, link_id, level, cause)
);

-- Projection: the last reading stamped with a day, and the position of the progressives feed that made it.
CREATE TABLE day_reading (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    position bigint NOT NULL,
    reading_micros bigint NOT NULL,
    reserve_micros bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, link_id, level)
);

-- Projection: a jackpot in its latest state.
CREATE TABLE jackpot (
    property_id text NOT NULL,
    jackpot_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    hit_id text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    paid_from text NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (property_id, jackpot_id)
);
CREATE INDEX jackpot_day ON jackpot (property_id, gaming_day);

-- Projection: exceptions by the service that named them.
CREATE TABLE exception_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    source text NOT NULL,
    reason text NOT NULL,
    exceptions bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, table_id, source, reason)
);

GRANT SELECT, INSERT ON document TO casino_reporting;
GRANT SELECT, INSERT, UPDATE ON reach, property_setting, table_setting, wager_sum, round_sum, link_version,
    contribution_sum, movement_sum, day_reading, jackpot, exception_sum TO casino_reporting;
