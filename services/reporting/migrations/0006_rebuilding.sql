-- Projections are dropped and made anew from the feeds. The service's login deletes nowhere; it asks for one table and
-- property at a time here. Facts refuse it by their own trigger, the heads of feeds and cursors by name.
CREATE FUNCTION clear_projection(projection text, property text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    cleared bigint;
BEGIN
    IF projection IN ('feed_head', 'cursor') OR EXISTS (
        SELECT FROM pg_trigger WHERE tgname = 'refuse_change' AND tgrelid = to_regclass(format('%I', projection)))
    THEN
        RAISE EXCEPTION 'expected a projection of schema %, got %', current_schema(), projection
            USING errcode = 'restrict_violation';
    END IF;
    EXECUTE format('DELETE FROM %I WHERE property_id = $1', projection) USING property;
    GET DIAGNOSTICS cleared = ROW_COUNT;
    RETURN cleared;
END $$;

REVOKE EXECUTE ON FUNCTION clear_projection(text, text) FROM public;
GRANT EXECUTE ON FUNCTION clear_projection(text, text) TO casino_reporting;
