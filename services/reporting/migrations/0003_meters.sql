-- Meters by the gaming day under way, states of links, what people still have to decide. Rounds and progressives are
-- followed anew from their beginning, so that these have what was followed before.

-- Projection: gaming days by the position of the rounds feed at which they were opened.
CREATE TABLE opened_day (
    property_id text NOT NULL,
    rounds_position bigint NOT NULL CHECK (rounds_position > 0),
    gaming_day date NOT NULL,
    PRIMARY KEY (property_id, rounds_position)
);

-- Projection: every movement of a meter by the gaming day that was under way, its cause, and what made it; micro-dollars,
-- signed, of the reserve for the cause 'reserve', else of the reading. `decrease_micros` sums those below zero alone.
CREATE TABLE meter_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    cause text NOT NULL,
    made_by text NOT NULL CHECK (made_by IN ('wager', 'correction', 'hit', 'decision', 'seed')),
    times bigint NOT NULL,
    amount_micros bigint NOT NULL,
    decrease_micros bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day, link_id, level, cause, made_by)
);

-- Projection: what the house put on a meter when it was seeded or reset, less what came back when the hit was undone;
-- micro-dollars. `hit_id` is empty for the first seed.
CREATE TABLE house_seed (
    property_id text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    hit_id text NOT NULL,
    position bigint NOT NULL,
    gaming_day date NOT NULL,
    house_micros bigint NOT NULL,
    undone boolean NOT NULL,
    PRIMARY KEY (property_id, link_id, level, hit_id)
);

-- Projection: one row per state of a link that is or was in force; lists in the order of the levels, rates in hundredths
-- of a percent of the stake.
CREATE TABLE link_state (
    property_id text NOT NULL,
    position bigint NOT NULL,
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    levels text[] NOT NULL,
    increment_rates integer[] NOT NULL,
    reserve_rates integer[] NOT NULL,
    table_ids text[] NOT NULL,
    changed_by text NOT NULL,
    PRIMARY KEY (property_id, position)
);

-- Projection: a decision or an alert of progressives in its latest state; open ones are exceptions of their day.
CREATE TABLE question (
    property_id text NOT NULL,
    name text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    reason text NOT NULL,
    open boolean NOT NULL,
    PRIMARY KEY (property_id, name)
);
CREATE INDEX question_open ON question (property_id, gaming_day) WHERE open;

GRANT SELECT, INSERT, UPDATE ON opened_day, meter_sum, house_seed, link_state, question TO casino_reporting;

DELETE FROM contribution_sum;
DELETE FROM movement_sum;
DELETE FROM day_reading;
DELETE FROM exception_sum WHERE source IN ('rounds', 'progressives');
DELETE FROM reach WHERE feed IN ('rounds', 'progressives');
UPDATE cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed IN ('rounds', 'progressives');
