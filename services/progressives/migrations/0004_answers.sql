-- Links that are withdrawn before they are in force, and proposals that are counted.

DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT conname FROM pg_constraint
        WHERE conrelid = 'link'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) ~ '\mstate\M'
    LOOP
        EXECUTE format('ALTER TABLE link DROP CONSTRAINT %I', name);
    END LOOP;
END $$;
ALTER TABLE link
    ADD CONSTRAINT state_is_known
        CHECK (state IN ('proposed', 'approved', 'live', 'suspended', 'retired', 'withdrawn')),
    ADD CONSTRAINT in_force_once_approved CHECK (state IN ('proposed', 'withdrawn') OR approved_by IS NOT NULL);

-- How many times a decision has been proposed; an approval names the proposal that was seen.
ALTER TABLE decision ADD COLUMN proposal integer NOT NULL DEFAULT 0 CHECK (proposal >= 0);
