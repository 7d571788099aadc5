-- Links, the meters with their journal, jackpots, and the pins of open rounds.

SELECT create_entry_table('progressives_entry');

-- Fact: one row per state of a link. The lists of a link's meters are of equal length, in the link's order.
CREATE TABLE link (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    link_id text NOT NULL CHECK (link_id <> ''),
    version integer NOT NULL CHECK (version > 0),
    state text NOT NULL CHECK (state IN ('proposed', 'approved', 'live', 'suspended', 'retired')),
    title text NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    levels text[] NOT NULL CHECK (cardinality(levels) > 0),
    seed_cents bigint[] NOT NULL CHECK (cardinality(seed_cents) = cardinality(levels)),
    increment_rates integer[] NOT NULL CHECK (cardinality(increment_rates) = cardinality(levels)),
    reserve_rates integer[] NOT NULL CHECK (cardinality(reserve_rates) = cardinality(levels)),
    limit_cents bigint[] NOT NULL CHECK (cardinality(limit_cents) = cardinality(levels)),
    table_ids text[] NOT NULL CHECK (cardinality(table_ids) > 0),
    effective_from date NOT NULL,
    proposed_by text NOT NULL CHECK (proposed_by <> ''),
    proposed_at timestamptz NOT NULL,
    approved_by text CHECK (approved_by <> proposed_by),
    approved_at timestamptz CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
    rounds_position bigint NOT NULL CHECK (rounds_position >= 0),
    CHECK (state = 'proposed' OR approved_by IS NOT NULL),
    PRIMARY KEY (property_id, position)
);
CALL append_only('link');

-- Head: where a meter stands, with the total of each of its causes, micro-dollars. `revision` is the position of the
-- feed that last moved it.
CREATE TABLE meter (
    property_id text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    revision bigint NOT NULL,
    reading bigint NOT NULL CHECK (reading >= 0),
    reserve bigint NOT NULL CHECK (reserve >= 0),
    seed_house bigint NOT NULL,
    seed_reserve bigint NOT NULL,
    contribution bigint NOT NULL,
    reserved bigint NOT NULL,
    award bigint NOT NULL,
    house_excess bigint NOT NULL,
    overflow bigint NOT NULL,
    transfer_in bigint NOT NULL,
    transfer_out bigint NOT NULL,
    adjustment bigint NOT NULL,
    PRIMARY KEY (property_id, link_id, level),
    CONSTRAINT reading_is_the_sum_of_its_causes CHECK (
        reading = seed_house + seed_reserve + contribution + award + house_excess + overflow + transfer_in
                  + transfer_out + adjustment),
    CONSTRAINT reserve_is_the_sum_of_its_causes CHECK (reserve = reserved - seed_reserve)
);

-- Fact, one half of the journal: one row per contributing wager. Amounts and what stands after, micro-dollars per level
-- in the link's order.
CREATE TABLE contribution (
    property_id text NOT NULL,
    position bigint NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    shift integer NOT NULL,
    wager_no integer NOT NULL,
    seat integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    submission_id text NOT NULL,
    stake_cents bigint NOT NULL CHECK (stake_cents > 0),
    link_id text NOT NULL,
    link_version integer NOT NULL,
    amounts bigint[] NOT NULL CHECK (cardinality(amounts) > 0 AND 0 <= ALL (amounts)),
    readings bigint[] NOT NULL CHECK (cardinality(readings) = cardinality(amounts)),
    reserve_amounts bigint[] NOT NULL CHECK (cardinality(reserve_amounts) = cardinality(amounts)
                                             AND 0 <= ALL (reserve_amounts)),
    reserves bigint[] NOT NULL CHECK (cardinality(reserves) = cardinality(amounts)),
    rounds_position bigint NOT NULL,
    PRIMARY KEY (property_id, position, gaming_day),
    -- A wager contributes once.
    UNIQUE (property_id, gaming_day, table_id, shoe, round_no, wager_no, roll)
) PARTITION BY RANGE (gaming_day);
CALL append_only('contribution');
SELECT ensure_partitions('contribution', '2026-01-01', 13);

-- Fact, the other half: one row per level for every other cause, micro-dollars. The round is null where none caused it.
CREATE TABLE movement (
    property_id text NOT NULL,
    position bigint NOT NULL,
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    link_version integer NOT NULL,
    level text NOT NULL,
    cause text NOT NULL CHECK (cause IN ('seed_house', 'seed_reserve', 'award', 'house_excess', 'overflow',
                                         'transfer_in', 'transfer_out', 'adjustment')),
    amount bigint NOT NULL,
    reading_before bigint NOT NULL,
    reading_after bigint NOT NULL CHECK (reading_after = reading_before + amount),
    reserve_before bigint NOT NULL,
    reserve_after bigint NOT NULL CHECK (
        reserve_after = reserve_before - CASE cause WHEN 'seed_reserve' THEN amount ELSE 0 END),
    table_id text,
    shoe integer,
    round_no integer,
    roll integer,
    wager_no integer NOT NULL,
    hit_id text NOT NULL,
    jackpot_id text NOT NULL,
    rounds_position bigint NOT NULL,
    PRIMARY KEY (property_id, position, gaming_day)
) PARTITION BY RANGE (gaming_day);
CALL append_only('movement');
SELECT ensure_partitions('movement', '2026-01-01', 13);

-- Fact: one row per state of a jackpot. An unpriced one has neither link nor hit.
CREATE TABLE jackpot (
    property_id text NOT NULL,
    position bigint NOT NULL,
    jackpot_id text NOT NULL CHECK (jackpot_id <> ''),
    hit_id text NOT NULL,
    link_id text NOT NULL,
    link_version integer NOT NULL,
    level text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    shift integer NOT NULL,
    wager_no integer NOT NULL,
    seat integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    percent integer NOT NULL CHECK (percent BETWEEN 1 AND 10000),
    reading bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('hit', 'claimed', 'verified', 'paid', 'voided', 'unpriced')),
    rounds_position bigint NOT NULL,
    paid_from text NOT NULL,
    PRIMARY KEY (property_id, position),
    -- The latest state of a jackpot is asked for by its id, and each state is entered once.
    UNIQUE (property_id, jackpot_id, state)
);
CALL append_only('jackpot');

-- Fact: an approved Rules Submission as it came from its feed.
CREATE TABLE submission (
    property_id text NOT NULL,
    submission_id text NOT NULL,
    position bigint NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (property_id, submission_id)
);
CALL append_only('submission');

-- Head: the rounds that are open, each wager code with the link it was pinned to when betting closed; null where none
-- was live. Rows go with the round's last result.
CREATE TABLE pin (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    link_id text,
    link_version integer CHECK ((link_version IS NULL) = (link_id IS NULL)),
    PRIMARY KEY (property_id, gaming_day, table_id, shoe, round_no, code, paytable)
);

GRANT SELECT, INSERT ON link, contribution, movement, jackpot, submission TO casino_progressives;
GRANT SELECT, INSERT, UPDATE ON meter TO casino_progressives;
GRANT SELECT, INSERT, DELETE ON pin TO casino_progressives;
