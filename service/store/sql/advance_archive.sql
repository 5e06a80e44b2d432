-- Takes rows into the archive that follow from the events after its checkpoint up to `upto`, and moves the checkpoint
-- there. Changes nothing, and returns false, if the checkpoint is not the expected one: another process was first.
CREATE FUNCTION archive.advance_archive(
    after bigint, after_hash bytea, by_fold integer, upto bigint, upto_hash bytea,
    tables jsonb, deals jsonb, bookings jsonb, unreadable jsonb
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    were archive.deal[];
    are archive.deal[];
BEGIN
    IF upto <= after THEN
        RAISE EXCEPTION 'the archive goes forward alone' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE archive.checkpoint c SET position = upto, hash = upto_hash
    WHERE c.position = after AND c.hash = after_hash AND c.fold = by_fold;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO archive.aside SELECT * FROM jsonb_populate_recordset(NULL::archive.aside, unreadable)
    ON CONFLICT DO NOTHING;
    INSERT INTO archive.played_table SELECT * FROM jsonb_populate_recordset(NULL::archive.played_table, tables)
    ON CONFLICT (table_id) DO UPDATE SET
        players = excluded.players, bots = excluded.bots, status = excluded.status, changed = excluded.changed,
        finished_at = excluded.finished_at, finished = excluded.finished, erased = excluded.erased;
    WITH scored AS (
        INSERT INTO archive.deal AS d SELECT * FROM jsonb_populate_recordset(NULL::archive.deal, deals)
        RETURNING d
    )
    SELECT array_agg(s.d) INTO are FROM scored s;
    PERFORM archive.count_deals(NULL, are);
    SELECT array_agg(d) INTO were
    FROM jsonb_populate_recordset(NULL::archive.deal, bookings) b
    JOIN archive.deal d ON d.table_id = b.table_id AND d.deal = b.deal;
    IF were IS NOT NULL THEN
        WITH changed AS (
            UPDATE archive.deal d SET
                results = b.results, amount = b.amount, rules = b.rules, disputed = b.disputed, corrected = b.corrected
            FROM jsonb_populate_recordset(NULL::archive.deal, bookings) b
            WHERE d.table_id = b.table_id AND d.deal = b.deal
            RETURNING d
        )
        SELECT array_agg(c.d) INTO are FROM changed c;
        PERFORM archive.count_deals(were, are);
    END IF;
    RETURN true;
END
$$;
