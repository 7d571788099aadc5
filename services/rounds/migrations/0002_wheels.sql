-- Head: the last valid spin of each wheel, which the next spin's entry carries.
CREATE TABLE last_spin (
    property_id text NOT NULL,
    table_id text NOT NULL,
    gaming_day date NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (property_id, table_id)
);
GRANT SELECT, INSERT, UPDATE ON last_spin TO casino_rounds;
