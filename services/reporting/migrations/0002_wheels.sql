-- Sums are told apart by the wheel too: the theory of a wager on a wheel is that wheel's. Empty where there is none.

ALTER TABLE wager_sum
    ADD COLUMN wheel text NOT NULL DEFAULT '',
    DROP CONSTRAINT wager_sum_pkey,
    ADD PRIMARY KEY (property_id, gaming_day, shift, table_id, dealer, submission_id, decks, wheel, code, paytable);
