-- Makes a key the signing key from now on. Each key but the first is announced by a note that its predecessor signed.
-- Returns whether `after` was the newest key until now (null: there was none).
CREATE FUNCTION codille.announce_key(key bytea, after bytea, note bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('codille.checkpoint'));
    INSERT INTO codille.signing_key (number, public, since, announcement)
    SELECT
        (SELECT count(*) + 1 FROM codille.signing_key),
        key,
        (SELECT coalesce(max(c.size), 0) FROM codille.checkpoint c),
        note
    WHERE after IS NOT DISTINCT FROM (SELECT k.public FROM codille.signing_key k ORDER BY k.number DESC LIMIT 1)
    ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$$;
