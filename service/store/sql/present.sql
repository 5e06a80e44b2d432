-- Recognises players' own tokens, for programs of the version before: they know no clients' scopes, so they find no
-- client's token.
CREATE FUNCTION codille.present(hashes bytea[], moment timestamptz)
RETURNS TABLE (hash bytea, token_id text, player_id text, scopes text[], expires_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    own CONSTANT bytea[] := ARRAY(SELECT t.hash FROM codille.token t WHERE t.hash = ANY (hashes) AND t.client IS NULL);
BEGIN
    RETURN QUERY
    SELECT r.hash, r.token_id, r.player_id, r.scopes, r.expires_at FROM codille.recognise(own, moment) r;
END
$$;
