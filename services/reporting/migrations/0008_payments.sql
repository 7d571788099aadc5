-- What progressive jackpot slips paid counts on the day of the payment, not of the hit. The progressives are followed anew
-- from their beginning, so that the payments have what was followed before.

-- Projection: every state of a jackpot, by its position in the progressives feed, with what of it stands as paid by slip,
-- whole cents; `gaming_day` is that of the hit. `at` is missing for the hit itself.
CREATE TABLE jackpot_step (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    jackpot_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    standing_cents bigint NOT NULL CHECK (standing_cents >= 0),
    at timestamptz,
    PRIMARY KEY (property_id, position)
);

-- Whose tax rates and thresholds hold; empty: those of Pennsylvania.
ALTER TABLE property_setting ADD COLUMN jurisdiction text NOT NULL DEFAULT '';

GRANT SELECT, INSERT, UPDATE ON jackpot_step TO casino_reporting;

DELETE FROM contribution_sum;
DELETE FROM movement_sum;
DELETE FROM day_reading;
DELETE FROM meter_sum;
DELETE FROM house_seed;
DELETE FROM link_state;
DELETE FROM question;
DELETE FROM exception_sum WHERE source = 'progressives';
DELETE FROM reach WHERE feed = 'progressives';
UPDATE cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed = 'progressives';
