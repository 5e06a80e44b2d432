-- Empties the archive, to be built from the log by this version of the fold. Until the checkpoint is at `complete`, the
-- end of the log now, it lacks deals. Changes nothing if the checkpoint is not the expected one, or if the archive was
-- folded by a later version.
CREATE FUNCTION archive.restart_archive(of_position bigint, of_hash bytea, by_fold integer, complete bigint)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE archive.checkpoint c
    SET position = 0, hash = decode(repeat('00', 32), 'hex'), fold = by_fold, complete_at = complete
    WHERE c.position = of_position AND c.hash = of_hash AND c.fold <= by_fold;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    TRUNCATE archive.deal, archive.tally, archive.played_table, archive.aside;
    RETURN true;
END
$$;
