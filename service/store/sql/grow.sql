-- Stores subtrees of the log's tree. A stored subtree must be the same: another hash means that the log was altered.
CREATE FUNCTION codille.grow(levels smallint[], indexes bigint[], hashes bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO codille.subtree (level, index, hash)
    SELECT g.level, g.index, g.hash FROM unnest(levels, indexes, hashes) AS g (level, index, hash)
    ORDER BY g.level, g.index
    ON CONFLICT DO NOTHING;
    IF EXISTS (
        SELECT FROM unnest(levels, indexes, hashes) AS g (level, index, hash)
        JOIN codille.subtree s ON s.level = g.level AND s.index = g.index
        WHERE s.hash <> g.hash
    ) THEN
        RAISE EXCEPTION 'the log differs from the tree that was kept of it' USING ERRCODE = 'data_corrupted';
    END IF;
END
$$;
