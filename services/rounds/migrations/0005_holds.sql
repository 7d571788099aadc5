-- Facts outside the feed are looked for by day, and openings with another offer than the one in force whenever the
-- writer reads its book.
CREATE INDEX held_fact_day ON held_fact (property_id, gaming_day);
CREATE INDEX held_fact_offer ON held_fact (property_id) WHERE reason = 'DIGEST_UNKNOWN' AND gaming_day IS NULL;
