-- The rounds of a gaming day are listed, and every row is held against its entry, in the order of the feed.
CREATE INDEX round_event_position ON round_event (property_id, gaming_day, position);
