-- Stores a signed checkpoint, if it is larger than the newest and signed by the newest key. Returns whether it was
-- stored. Calls run one at a time, so of two concurrent signers one gets false.
CREATE FUNCTION codille.keep_checkpoint(of_size bigint, with_root bytea, signed bytea, by_key bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('codille.checkpoint'));
    INSERT INTO codille.checkpoint (size, root, note)
    SELECT of_size, with_root, signed
    WHERE of_size > (SELECT coalesce(max(c.size), -1) FROM codille.checkpoint c)
        AND by_key = (SELECT k.public FROM codille.signing_key k ORDER BY k.number DESC LIMIT 1);
    RETURN FOUND;
END
$$;
