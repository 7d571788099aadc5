-- The rounds of a gaming day are listed, and every row is held against its entry, in the order of the feed.
-- The day is not among the columns: on tables that nobody analysed a look-up by key would take this index for its own.
CREATE INDEX round_event_position ON round_event (property_id, position);
