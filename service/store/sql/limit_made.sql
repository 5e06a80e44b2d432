-- Has the tokens that a token made, and those that these made in turn, expire no later than `last`; the other things
-- that tokens make last as long as these. Notifies every process. The caller has locked the player.
CREATE FUNCTION codille.limit_made(of_token uuid, last timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    makers CONSTANT uuid[] := ARRAY(SELECT codille.descendants(of_token));
    tokens CONSTANT uuid[] := ARRAY(
        -- Locked in the order in which `present` locks them.
        SELECT t.id FROM codille.token t
        WHERE t.id = ANY (makers) AND t.id <> of_token AND (t.expires_at IS NULL OR t.expires_at > last)
        ORDER BY t.id FOR UPDATE
    );
BEGIN
    UPDATE codille.token t SET expires_at = last WHERE t.id = ANY (tokens);
    PERFORM pg_notify('codille_revoked', encode(e.hash, 'hex')) FROM (
        SELECT t.hash FROM codille.token t WHERE t.id = ANY (tokens)
        UNION ALL
        SELECT i.hash FROM codille.invitation i WHERE i.made_by = ANY (makers)
    ) e;
END
$$;
