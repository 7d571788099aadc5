-- What registers and the journal need beside sums: states of jackpots, decisions, links and submissions with who made them
-- when, and the movements of meters one by one. Progressives and submissions are followed anew from their beginning, so
-- that these have what was followed before.

-- Projection: a state of a jackpot. `gaming_day` is the one under way at the hit, `round_day` the round's; cents, `percent`
-- in hundredths of a percent of the reading in micro-dollars. `actor`, `rank`, `at`: who brought it to the state.
CREATE TABLE jackpot_record (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    gaming_day date NOT NULL,
    jackpot_id text NOT NULL,
    hit_id text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    round_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    seat integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    stake_cents bigint NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    percent integer NOT NULL,
    reading_micros bigint NOT NULL,
    state text NOT NULL,
    paid_from text NOT NULL,
    actor text NOT NULL,
    rank text NOT NULL,
    at timestamptz,
    slip_no text NOT NULL,
    paid_through text NOT NULL,
    reportable boolean NOT NULL,
    withheld_cents bigint NOT NULL,
    decision_id text NOT NULL,
    PRIMARY KEY (property_id, position)
);
CREATE INDEX jackpot_record_jackpot ON jackpot_record (property_id, jackpot_id, position);

-- Projection: a state of what two people decide; amounts in micro-dollars, of a jackpot in cents. `heirs`: of a retirement
-- the level, link and level of each, of a transfer that of the meter it goes to. `gaming_day` is the one under way.
CREATE TABLE decision_record (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    gaming_day date NOT NULL,
    decision_id text NOT NULL,
    state text NOT NULL,
    subject text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    heirs text[] NOT NULL,
    amount bigint NOT NULL,
    jackpot_id text NOT NULL,
    action text NOT NULL,
    reason text NOT NULL,
    regulator_reference text NOT NULL,
    note text NOT NULL,
    proposed_by text NOT NULL,
    decided_by text NOT NULL,
    decided_at timestamptz,
    PRIMARY KEY (property_id, position)
);
CREATE INDEX decision_record_decision ON decision_record (property_id, decision_id, position);

-- Projection: a state of a link's version, one that is not in force included; of its levels, in their order: seeds and
-- limits in cents (limit 0: none), rates in hundredths of a percent of the stake, mystery configurations.
CREATE TABLE link_record (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    title text NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    table_ids text[] NOT NULL,
    levels text[] NOT NULL,
    seeds_cents bigint[] NOT NULL,
    increment_rates integer[] NOT NULL,
    reserve_rates integer[] NOT NULL,
    limits_cents bigint[] NOT NULL,
    mysteries text[] NOT NULL,
    effective_from text NOT NULL,
    proposed_by text NOT NULL,
    approved_by text NOT NULL,
    changed_by text NOT NULL,
    reason text NOT NULL,
    at timestamptz,
    PRIMARY KEY (property_id, position)
);

-- Projection: an approved Rules Submission with who proposed and who approved it.
CREATE TABLE submission_record (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    submission_id text NOT NULL,
    title text NOT NULL,
    effective_from date NOT NULL,
    proposed_by text NOT NULL,
    approved_by text NOT NULL,
    approved_at timestamptz,
    PRIMARY KEY (property_id, position)
);

-- Projection: a movement of a meter that no wager's contribution made, on the day under way; micro-dollars, of the reserve
-- for the cause 'reserve', else of the reading.
CREATE TABLE meter_event (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    gaming_day date NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    cause text NOT NULL,
    amount_micros bigint NOT NULL,
    reading_micros bigint NOT NULL,
    reserve_micros bigint NOT NULL,
    link_version integer NOT NULL,
    table_id text NOT NULL,
    round_no integer NOT NULL,
    hit_id text NOT NULL,
    jackpot_id text NOT NULL,
    decision_id text NOT NULL,
    PRIMARY KEY (property_id, position)
);

GRANT SELECT, INSERT, UPDATE ON jackpot_record, decision_record, link_record, submission_record, meter_event
    TO casino_reporting;

DELETE FROM table_terms;
DELETE FROM contribution_sum;
DELETE FROM movement_sum;
DELETE FROM day_reading;
DELETE FROM meter_sum;
DELETE FROM house_seed;
DELETE FROM link_state;
DELETE FROM question;
DELETE FROM exception_sum WHERE source = 'progressives';
DELETE FROM reach WHERE feed = 'progressives';
UPDATE cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed IN ('progressives', 'submissions');
