-- Facts that no feed tells, or not in full, are entered as they were inserted in a chain of their own: h = SHA-256(previous
-- hash, "<table>|<row as JSON>"), 32 zero bytes before the first. A trigger enters them, in the transaction that inserts
-- them; no login of a service can insert here. The service seals the last hash as it seals the heads of its feeds.
CREATE TABLE record (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    fact text NOT NULL,
    content text NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (property_id, position)
);
CALL append_only('record');
CREATE INDEX record_fact ON record (property_id, fact);

-- A lock for each property gives positions without gaps, in the order of the commits; it is taken after the heads'.
CREATE FUNCTION enter_record(property text, fact text, content text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    last_position bigint;
    last_hash bytea;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '.record.' || property, 0));
    SELECT r.position, r.hash INTO last_position, last_hash
      FROM record AS r WHERE r.property_id = property ORDER BY r.position DESC LIMIT 1;
    INSERT INTO record (property_id, position, fact, content, hash) VALUES (
        property, coalesce(last_position, 0) + 1, fact, content,
        sha256(coalesce(last_hash, decode(repeat('00', 32), 'hex')) || convert_to(fact || '|' || content, 'UTF8')));
END $$;

-- The trigger of a table; its argument is the table's name, since a partition goes by another. Time zone and form of
-- bytes are fixed, so that a row gives the same JSON to everybody.
CREATE FUNCTION enter_fact() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    PERFORM enter_record(NEW.property_id, TG_ARGV[0], to_jsonb(NEW)::text);
    RETURN NULL;
END $$;

-- From here on every row of a table is entered; `which` limits it to some. The rows that stand there are entered now.
CREATE PROCEDURE recorded(fact text, which text DEFAULT 'true') LANGUAGE plpgsql SET search_path FROM CURRENT
    SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER enter_fact AFTER INSERT ON %I FOR EACH ROW WHEN (%s) EXECUTE FUNCTION enter_fact(%L)',
                   fact, CASE which WHEN 'true' THEN 'true' ELSE 'NEW.' || which END, fact);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER enter_fact', fact);
    EXECUTE format('SELECT enter_record(t.property_id, %L, to_jsonb(t)::text) FROM %I AS t WHERE %s', fact, fact,
                   CASE which WHEN 'true' THEN 'true' ELSE 't.' || which END);
END $$;

REVOKE EXECUTE ON FUNCTION enter_record(text, text, text), enter_fact() FROM public;
REVOKE EXECUTE ON PROCEDURE recorded(text, text) FROM public;

DO $$
BEGIN
    EXECUTE format('GRANT SELECT ON record TO %I', 'casino_' || current_schema());
END $$;
CALL recorded('request');
