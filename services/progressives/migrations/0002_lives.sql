-- The whole life of links and jackpots: amendments and suspensions, limits with overflow, mystery triggers, decisions by
-- two people, payees, signs and alerts.

-- Names of mystery configurations, in the order of the levels; empty where a meter is none.
ALTER TABLE link ADD COLUMN mysteries text[] NOT NULL DEFAULT '{}',
    ADD COLUMN changed_by text NOT NULL DEFAULT '',
    ADD COLUMN changed_at timestamptz,
    ADD COLUMN reason text NOT NULL DEFAULT '';

-- What is counted of a meter beside its money: cents and counts. `last_hit` is the position of the feed that last paid or
-- reset it.
ALTER TABLE meter ADD COLUMN hits bigint NOT NULL DEFAULT 0,
    ADD COLUMN wagers bigint NOT NULL DEFAULT 0,
    ADD COLUMN handle_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN paid_by_device_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN paid_by_attendant_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN last_hit bigint NOT NULL DEFAULT 0;

-- Meters that moved before these were counted.
UPDATE meter AS m SET
    wagers = coalesce((SELECT count(*) FROM contribution AS c
        WHERE c.property_id = m.property_id AND c.link_id = m.link_id), 0),
    handle_cents = coalesce((SELECT sum(c.stake_cents) FROM contribution AS c
        WHERE c.property_id = m.property_id AND c.link_id = m.link_id), 0),
    hits = coalesce((SELECT count(DISTINCT j.hit_id) FROM jackpot AS j
        WHERE j.property_id = m.property_id AND j.link_id = m.link_id AND j.level = m.level), 0),
    last_hit = coalesce((SELECT max(v.position) FROM movement AS v
        WHERE v.property_id = m.property_id AND v.link_id = m.link_id AND v.level = m.level), 0);

-- What of each amount the limit kept off the reading; null where nothing was.
ALTER TABLE contribution ADD COLUMN overflows bigint[];

-- An amended wager may go to another link, and contributes there once.
DO $$
DECLARE name text;
BEGIN
    SELECT conname INTO name FROM pg_constraint WHERE conrelid = 'contribution'::regclass AND contype = 'u';
    EXECUTE format('ALTER TABLE contribution DROP CONSTRAINT %I', name);
    FOR name IN SELECT conname FROM pg_constraint
        WHERE conrelid = 'movement'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) ~ 'cause|reading_after'
    LOOP
        EXECUTE format('ALTER TABLE movement DROP CONSTRAINT %I', name);
    END LOOP;
    FOR name IN SELECT conname FROM pg_constraint
        WHERE conrelid = 'jackpot'::regclass AND (contype = 'u' OR contype = 'c' AND pg_get_constraintdef(oid) ~ 'state')
    LOOP
        EXECUTE format('ALTER TABLE jackpot DROP CONSTRAINT %I', name);
    END LOOP;
END $$;
ALTER TABLE contribution ADD CONSTRAINT a_wager_contributes_once
    UNIQUE (property_id, gaming_day, table_id, shoe, round_no, wager_no, roll, link_id);

-- A correction takes back of contributions and reserve; people's decisions name themselves.
-- `round_day` is the gaming day of the round where the movement has another one; null before it was kept apart.
ALTER TABLE movement ADD COLUMN decision_id text NOT NULL DEFAULT '',
    ADD COLUMN round_day date,
    ADD CONSTRAINT cause_is_known CHECK (cause IN ('seed_house', 'seed_reserve', 'contribution', 'reserved', 'award',
        'house_excess', 'overflow', 'transfer_in', 'transfer_out', 'adjustment')),
    ADD CONSTRAINT reading_moves_by_the_amount CHECK (
        reading_after = reading_before + CASE cause WHEN 'reserved' THEN 0 ELSE amount END),
    ADD CONSTRAINT reserve_moves_by_the_amount CHECK (
        reserve_after = reserve_before
            + CASE cause WHEN 'seed_reserve' THEN -amount WHEN 'reserved' THEN amount ELSE 0 END);
-- What has come back of a corrected round, and what a hit has caused, are asked for by round.
CREATE INDEX movement_round ON movement (property_id, table_id, shoe, round_no) WHERE table_id IS NOT NULL;

-- Exceptions (kind 5) are asked for when their round is corrected.
CREATE INDEX progressives_exception ON progressives_entry (property_id, gaming_day) WHERE kind = 5;

ALTER TABLE jackpot ADD COLUMN stake_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN occurred_at timestamptz,
    ADD COLUMN source text NOT NULL DEFAULT '',
    ADD COLUMN actor text NOT NULL DEFAULT '',
    ADD COLUMN rank text NOT NULL DEFAULT '',
    ADD COLUMN at timestamptz,
    ADD COLUMN evaluated bigint NOT NULL DEFAULT 0,
    ADD COLUMN evaluated_sha256 bytea NOT NULL DEFAULT '',
    ADD COLUMN slip_no text NOT NULL DEFAULT '',
    ADD COLUMN paid_through text NOT NULL DEFAULT '' CHECK (paid_through IN ('', 'attendant', 'device')),
    ADD COLUMN reportable boolean NOT NULL DEFAULT false,
    ADD COLUMN withheld_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN payee_sha256 bytea NOT NULL DEFAULT '',
    ADD COLUMN decision_id text NOT NULL DEFAULT '',
    ADD CONSTRAINT state_is_known CHECK (
        state IN ('hit', 'claimed', 'verified', 'paid', 'voided', 'unpriced', 'held'));
-- The latest state of a jackpot is asked for by its id, those of a round by its key.
CREATE INDEX jackpot_states ON jackpot (property_id, jackpot_id, position);
CREATE INDEX jackpot_round ON jackpot (property_id, table_id, shoe, round_no);
-- A slip number stands on one jackpot.
CREATE UNIQUE INDEX jackpot_slip ON jackpot (property_id, slip_no) WHERE state = 'paid' AND slip_no <> '';

-- Fact: one row per state of what two people decide; `subject` in JSON, by its kind.
CREATE TABLE decision (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    decision_id text NOT NULL CHECK (decision_id <> ''),
    state text NOT NULL CHECK (state IN ('open', 'proposed', 'approved', 'rejected', 'done')),
    kind text NOT NULL CHECK (kind IN ('adjustment', 'transfer', 'retirement', 'jackpot')),
    subject text NOT NULL,
    reason text NOT NULL,
    regulator_reference text NOT NULL,
    note text NOT NULL,
    proposed_by text NOT NULL,
    proposed_at timestamptz,
    decided_by text NOT NULL CHECK (decided_by = '' OR state NOT IN ('approved', 'done') OR decided_by <> proposed_by),
    decided_at timestamptz,
    table_id text,
    shoe integer,
    round_no integer,
    roll integer,
    wager_no integer NOT NULL,
    round_day date,
    gaming_day date NOT NULL,
    rounds_position bigint NOT NULL,
    PRIMARY KEY (property_id, position)
);
CALL append_only('decision');

-- Fact: a mystery meter's trigger, sealed while it is hidden (AES-256-GCM, the key lies in a file), in the open once met.
CREATE TABLE trigger (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    link_id text NOT NULL,
    link_version integer NOT NULL,
    level text NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    opened boolean NOT NULL,
    commitment bytea NOT NULL CHECK (octet_length(commitment) = 32),
    trigger_cents bigint NOT NULL CHECK (opened OR trigger_cents = 0),
    salt bytea NOT NULL CHECK (opened OR salt = ''),
    -- Empty once opened.
    sealed bytea NOT NULL CHECK (opened = (sealed = '')),
    jackpot_id text NOT NULL,
    gaming_day date NOT NULL,
    rounds_position bigint NOT NULL,
    PRIMARY KEY (property_id, position),
    UNIQUE (property_id, link_id, level, number, opened)
);
CALL append_only('trigger');

-- Fact: one row per state of an alert.
CREATE TABLE alert (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    alert_id text NOT NULL CHECK (alert_id <> ''),
    kind text NOT NULL CHECK (kind IN ('unclaimed', 'sign_differs', 'sign_silent')),
    state text NOT NULL CHECK (state IN ('raised', 'cleared', 'acknowledged')),
    message text NOT NULL,
    link_id text NOT NULL,
    level text NOT NULL,
    jackpot_id text NOT NULL,
    round_day date,
    table_id text,
    shoe integer,
    round_no integer,
    roll integer,
    seat integer NOT NULL,
    sign_id text NOT NULL,
    shown_cents bigint NOT NULL,
    expected_cents bigint NOT NULL,
    rounds_played integer NOT NULL,
    actor text NOT NULL,
    at timestamptz NOT NULL,
    gaming_day date NOT NULL,
    PRIMARY KEY (property_id, position)
);
CALL append_only('alert');

-- Fact: a sign that has told what it shows.
CREATE TABLE sign (
    property_id text NOT NULL,
    sign_id text NOT NULL CHECK (sign_id <> ''),
    link_id text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, sign_id, link_id)
);
CALL append_only('sign');

-- Fact: who was paid, encrypted (AES-256-GCM, the key lies in a file). The feed has the digest of these bytes.
CREATE TABLE payee (
    property_id text NOT NULL,
    jackpot_id text NOT NULL,
    sealed bytea NOT NULL,
    sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
    paid_on date NOT NULL,
    -- A jackpot that was paid, voided and set again is paid to somebody a second time.
    PRIMARY KEY (property_id, jackpot_id, sha256)
);
CALL append_only('payee');

-- Facts: gaming days as they were opened, and what holds for the property: within how many minutes a jackpot is to be
-- claimed, and the time zone in which it is paid.
CREATE TABLE opened_day (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    rounds_position bigint NOT NULL,
    submissions_position bigint NOT NULL,
    PRIMARY KEY (property_id, gaming_day)
);
CALL append_only('opened_day');
CREATE TABLE property_set (
    property_id text NOT NULL,
    rounds_position bigint NOT NULL,
    claim_minutes integer NOT NULL CHECK (claim_minutes > 0),
    time_zone text NOT NULL,
    PRIMARY KEY (property_id, rounds_position)
);
CALL append_only('property_set');

GRANT SELECT, INSERT ON decision, trigger, alert, sign, payee, opened_day, property_set TO casino_progressives;
