-- What the regulation wants on documents beside their amounts; the states of gaming days; reports as filed.

-- Amounts by denomination are pairs of value and amount, whole cents. A count by one person is the currency, the counter
-- checks, the coupons and the promotional amounts it found, whole cents; without a counter it was not made. Signatures
-- are triples of role, name and instant, the last one empty where the document does not say it. Document numbers end in
-- the number within their series; one without has no series.
ALTER TABLE document
    DROP CONSTRAINT document_kind_check,
    ADD CONSTRAINT document_kind_check CHECK (kind IN ('opener', 'fill', 'credit', 'counter_check', 'count', 'closer',
        'drop', 'vigorish_uncollected', 'vigorish_recovered', 'counter_check_redeemed', 'jackpot_slip',
        'error_notification', 'meter_reading', 'estimate')),
    ADD COLUMN denominations bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN first_counted_by text NOT NULL DEFAULT '',
    ADD COLUMN first_amounts bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN first_denominations bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN second_counted_by text NOT NULL DEFAULT '',
    ADD COLUMN second_amounts bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN second_denominations bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN coupons_cents bigint NOT NULL DEFAULT 0 CHECK (coupons_cents >= 0),
    ADD COLUMN promotional_cents bigint NOT NULL DEFAULT 0 CHECK (promotional_cents >= 0),
    ADD COLUMN box_serial text NOT NULL DEFAULT '',
    ADD COLUMN signatures text[] NOT NULL DEFAULT '{}',
    ADD COLUMN corrects text NOT NULL DEFAULT '',
    ADD COLUMN reason text NOT NULL DEFAULT '',
    ADD COLUMN jackpot_id text NOT NULL DEFAULT '',
    ADD COLUMN about text[] NOT NULL DEFAULT '{}',
    ADD COLUMN wagers_cents bigint NOT NULL DEFAULT 0 CHECK (wagers_cents >= 0),
    ADD COLUMN payouts_cents bigint NOT NULL DEFAULT 0 CHECK (payouts_cents >= 0),
    ADD COLUMN series text NOT NULL GENERATED ALWAYS AS (regexp_replace(document_id, '[0-9]{1,15}$', '')) STORED,
    ADD COLUMN number bigint GENERATED ALWAYS AS (substring(document_id FROM '[0-9]{1,15}$')::bigint) STORED,
    ADD CONSTRAINT correction_has_a_reason CHECK (corrects = '' OR reason <> '');
-- A document is corrected once; what is wrong with the correction is corrected on that.
CREATE UNIQUE INDEX document_corrected ON document (property_id, corrects) WHERE corrects <> '';
-- The number before one of the same series.
CREATE INDEX document_series ON document (property_id, series, number) WHERE number IS NOT NULL;
-- What an earlier day left at a table.
CREATE INDEX document_closer ON document (property_id, table_id, gaming_day) WHERE kind = 'closer';

-- Fact: a gaming day came to a state, the latest of which holds. `version` is that of the filed reports.
CREATE TABLE day_state (
    property_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    gaming_day date NOT NULL,
    state text NOT NULL CHECK (state IN ('counted', 'audited', 'filed', 'restatement_proposed', 'restated')),
    version integer NOT NULL CHECK ((version > 0) = (state IN ('filed', 'restatement_proposed', 'restated'))),
    reason text NOT NULL CHECK ((reason <> '') = (state IN ('restatement_proposed', 'restated'))),
    changed_by text NOT NULL CHECK (changed_by <> ''),
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, position)
);
CALL append_only('day_state');
CREATE INDEX day_state_day ON day_state (property_id, gaming_day);

-- Fact: a report as filed: the bytes of the serialised message with their SHA-256, and the feed positions they stand on.
CREATE TABLE filed_report (
    property_id text NOT NULL,
    gaming_day date NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    version integer NOT NULL CHECK (version > 0),
    position bigint NOT NULL CHECK (position > 0),
    bytes bytea NOT NULL,
    sha256 bytea NOT NULL CHECK (sha256 = sha256(bytes)),
    feeds text[] NOT NULL,
    feed_positions bigint[] NOT NULL CHECK (cardinality(feed_positions) = cardinality(feeds)),
    filed_by text NOT NULL CHECK (filed_by <> ''),
    approved_by text NOT NULL CHECK (approved_by <> ''),
    filed_at timestamptz NOT NULL,
    PRIMARY KEY (property_id, gaming_day, name, version),
    UNIQUE (property_id, position)
);
CALL append_only('filed_report');

GRANT SELECT, INSERT ON day_state, filed_report TO casino_reporting;
