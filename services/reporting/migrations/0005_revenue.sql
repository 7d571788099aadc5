-- What periods of revenue need beside sums of wagers: the kinds of tables, and on how many seats what was wagered. The
-- settlements are followed anew from their beginning, so that the seats have what was followed before.

-- Projection: what approved Rules Submissions say of each table; `position` is the submission's in its feed.
CREATE TABLE table_terms (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    table_id text NOT NULL,
    submission_id text NOT NULL,
    effective_from date NOT NULL,
    kind text NOT NULL,
    -- The wagers offered with their paytables, lists of equal length.
    codes text[] NOT NULL,
    paytables text[] NOT NULL CHECK (cardinality(paytables) = cardinality(codes)),
    PRIMARY KEY (property_id, position, table_id)
);

-- Projection: seats that had a wager settled, counted once a settlement, and the sum of the squares of the stakes in
-- cents; superseded settlements taken out. An empty code counts the seats that had any wager at all.
CREATE TABLE seat_sum (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    table_id text NOT NULL,
    submission_id text NOT NULL,
    code text NOT NULL,
    paytable text NOT NULL,
    seats bigint NOT NULL,
    stake_squares numeric NOT NULL,
    PRIMARY KEY (property_id, gaming_day, table_id, submission_id, code, paytable)
);

GRANT SELECT, INSERT, UPDATE ON table_terms, seat_sum TO casino_reporting;

DELETE FROM wager_sum;
DELETE FROM round_sum;
DELETE FROM exception_sum WHERE source = 'settlement';
DELETE FROM reach WHERE feed = 'settlements';
UPDATE cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed = 'settlements';
