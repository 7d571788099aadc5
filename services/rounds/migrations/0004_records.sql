-- What the feed does not tell in full is entered in the chain of records.
CALL recorded('source');
CALL recorded('submission');
CALL recorded('property_setting');
CALL recorded('table_setting');
CALL recorded('opened_day');
CALL recorded('table_event');
CALL recorded('held_fact');
CALL recorded('hold_proposal');
CALL recorded('hold_decision');
-- The digest of a shooter's hand told again is given by no entry.
CALL recorded('round_event', 'kind = 13');

-- The head that no fact gives again carries a mark made with the service's key; a row of before stands in the records.
SELECT enter_record(property_id, 'source_position', to_jsonb(p)::text) FROM source_position AS p;
ALTER TABLE source_position ADD COLUMN mark bytea NOT NULL DEFAULT '';
