-- The Rules Submissions, the settlement of every wager, and the two feeds that tell of them.

SELECT create_entry_table('submissions_entry');
SELECT create_entry_table('settlements_entry');

-- Fact: a Rules Submission as proposed. `tables` is a list of {table_id, terms}, the terms in canonical form.
CREATE TABLE submission (
    property_id text NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    submission_id text NOT NULL,
    title text NOT NULL,
    certificate_holder text NOT NULL,
    effective_from date NOT NULL,
    tables jsonb NOT NULL,
    proposed_by text NOT NULL CHECK (proposed_by <> ''),
    proposed_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, submission_id),
    UNIQUE (property_id, number)
);
CALL append_only('submission');

-- Fact: its approval, at its position in the submissions feed.
CREATE TABLE approval (
    property_id text NOT NULL,
    submission_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    approved_by text NOT NULL CHECK (approved_by <> ''),
    approved_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, submission_id),
    FOREIGN KEY (property_id, submission_id) REFERENCES submission
);
CALL append_only('approval');

-- Fact: one settlement of a round. It gives the position of the round's entry, and stands for a round without wagers.
CREATE TABLE settled_round (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    revision integer NOT NULL CHECK (revision >= 0),
    position bigint NOT NULL,
    rounds_position bigint NOT NULL,
    wagers integer NOT NULL CHECK (wagers >= 0),
    PRIMARY KEY (property_id, gaming_day, table_id, shoe, round_no, roll, revision)
) PARTITION BY RANGE (gaming_day);
CALL append_only('settled_round');
SELECT ensure_partitions('settled_round', '2026-01-01', 13);

-- Fact: one settled wager. `outcome` is the number that the wire gives it: win, lose, push, void, pending.
CREATE TABLE wager (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    revision integer NOT NULL,
    position bigint NOT NULL,
    shift integer NOT NULL,
    pit text NOT NULL,
    dealer text NOT NULL,
    submission_id text NOT NULL,
    decks integer NOT NULL,
    wager_no integer NOT NULL,
    seat integer NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    stake_cents bigint NOT NULL CHECK (stake_cents > 0),
    outcome smallint NOT NULL CHECK (outcome BETWEEN 1 AND 5),
    line text NOT NULL,
    payout_cents bigint NOT NULL CHECK (payout_cents >= 0),
    inventory_cents bigint NOT NULL CHECK (inventory_cents BETWEEN 0 AND payout_cents),
    breakage_micros bigint NOT NULL CHECK (breakage_micros BETWEEN 0 AND 9999),
    PRIMARY KEY (property_id, gaming_day, table_id, shoe, round_no, roll, wager_no, revision)
) PARTITION BY RANGE (gaming_day);
CALL append_only('wager');
SELECT ensure_partitions('wager', '2026-01-01', 13);

-- Fact: an award of a kind other than odds; `ordinal` counts the awards of one wager from 0.
CREATE TABLE award (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    shoe integer NOT NULL,
    round_no integer NOT NULL,
    roll integer NOT NULL,
    revision integer NOT NULL,
    position bigint NOT NULL,
    wager_no integer NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    kind text NOT NULL,
    paid_from text NOT NULL,
    cents bigint NOT NULL CHECK (cents >= 0),
    level text NOT NULL,
    percent integer NOT NULL CHECK (percent BETWEEN 0 AND 10000),
    jackpot_id text NOT NULL,
    PRIMARY KEY (property_id, gaming_day, table_id, shoe, round_no, roll, wager_no, ordinal, revision)
) PARTITION BY RANGE (gaming_day);
CALL append_only('award');
SELECT ensure_partitions('award', '2026-01-01', 13);

GRANT SELECT, INSERT ON submission, approval, settled_round, wager, award TO casino_settlement;
