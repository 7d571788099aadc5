-- What of a meter is unearned seed follows from its movements, for every report in the same way: no table of its own.
DROP TABLE house_seed;

-- Who set a property or a table, and when, by the commit at this position of the rounds feed. That feed is followed anew from
-- its beginning, so that what was set before has it too.
ALTER TABLE property_setting
    ADD COLUMN set_by text NOT NULL DEFAULT '', ADD COLUMN set_at timestamptz, ADD COLUMN position bigint NOT NULL DEFAULT 0;
ALTER TABLE table_setting
    ADD COLUMN set_by text NOT NULL DEFAULT '', ADD COLUMN set_at timestamptz, ADD COLUMN position bigint NOT NULL DEFAULT 0;

DELETE FROM opened_day;
DELETE FROM exception_sum WHERE source = 'rounds';
DELETE FROM reach WHERE feed = 'rounds';
UPDATE cursor SET position = 0, hash = decode(repeat('00', 32), 'hex') WHERE feed = 'rounds';
