-- What every service keeps for its feeds, cursors, repeated requests and seals. Applied in each service's schema.

-- Head: one row per (property, feed); raised first in the writing transaction.
CREATE TABLE feed_head (
    property_id text NOT NULL,
    feed text NOT NULL,
    position bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (property_id, feed)
);

-- Head: how far this service has come in a feed that it follows, with the hash it saw there.
CREATE TABLE cursor (
    property_id text NOT NULL,
    feed text NOT NULL,
    position bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (property_id, feed)
);

-- Fact: the stored answer of a unary write.
CREATE TABLE request (
    property_id text NOT NULL,
    request_id text NOT NULL,
    method text NOT NULL,
    digest bytea NOT NULL,
    answer bytea NOT NULL,
    principal text NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, request_id)
);
CALL append_only('request');

-- Fact: a head, signed.
CREATE TABLE seal (
    property_id text NOT NULL,
    feed text NOT NULL,
    position bigint NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamptz NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (property_id, feed, position, sealed_at)
);
CALL append_only('seal');

-- Makes the entry table of one feed: facts, partitioned by the month of the gaming day.
-- `commit` is the commit's own bytes, on the first entry of each commit.
CREATE FUNCTION create_entry_table(name text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format(
        'CREATE TABLE %I (
            property_id text NOT NULL,
            position bigint NOT NULL,
            gaming_day date NOT NULL,
            kind smallint NOT NULL,
            entry bytea NOT NULL,
            hash bytea NOT NULL,
            commit bytea,
            PRIMARY KEY (property_id, position, gaming_day)
        ) PARTITION BY RANGE (gaming_day)', name);
    CALL append_only(name::regclass);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO %I', name, 'casino_' || current_schema());
    PERFORM ensure_partitions(name, '2026-01-01', 13);
END $$;

REVOKE EXECUTE ON FUNCTION create_entry_table(text) FROM public;

DO $$
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON feed_head, cursor TO %I', 'casino_' || current_schema());
    EXECUTE format('GRANT SELECT, INSERT ON request, seal TO %I', 'casino_' || current_schema());
END $$;
