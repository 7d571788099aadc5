-- Corrections, and the way out of quarantine and hold: two people decide.

-- The principal whose call brought the fact; empty for those of before.
ALTER TABLE held_fact ADD COLUMN principal text NOT NULL DEFAULT '';

-- Minutes that a jackpot may stay unclaimed before an alarm.
ALTER TABLE property_setting
    ADD COLUMN claim_within_minutes integer NOT NULL DEFAULT 30 CHECK (claim_within_minutes BETWEEN 1 AND 1440);

-- Fact: what one person proposes to do with a fact outside the feed. The latest of a fact holds. `decision` is the
-- HoldDecision: 1 release, 2 reject.
CREATE TABLE hold_proposal (
    property_id text NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    wager_no integer NOT NULL,
    digest bytea NOT NULL,
    ordinal integer NOT NULL CHECK (ordinal > 0),
    decision smallint NOT NULL CHECK (decision IN (1, 2)),
    reason text NOT NULL CHECK (reason <> ''),
    proposed_by text NOT NULL CHECK (proposed_by <> ''),
    proposed_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, source_id, epoch, sequence, wager_no, digest, ordinal),
    FOREIGN KEY (property_id, source_id, epoch, sequence, wager_no, digest) REFERENCES held_fact
);
CALL append_only('hold_proposal');

-- Fact: what two people decided. `position` of the feed's entry that says so; 0 where there was no notice to resolve.
CREATE TABLE hold_decision (
    property_id text NOT NULL,
    source_id text NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    wager_no integer NOT NULL,
    digest bytea NOT NULL,
    position bigint NOT NULL CHECK (position >= 0),
    decision smallint NOT NULL CHECK (decision IN (1, 2)),
    reason text NOT NULL CHECK (reason <> ''),
    proposed_by text NOT NULL CHECK (proposed_by <> ''),
    approved_by text NOT NULL CHECK (approved_by NOT IN ('', proposed_by)),
    approved_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, source_id, epoch, sequence, wager_no, digest),
    FOREIGN KEY (property_id, source_id, epoch, sequence, wager_no, digest) REFERENCES held_fact
);
CALL append_only('hold_decision');

GRANT SELECT, INSERT ON hold_proposal, hold_decision TO casino_rounds;
