-- Looks up presented tokens, players' own and clients', by their hashes and records their use; revoked and expired tokens
-- are left out. The last use is recorded to the hour, so that a busy token is not written on each request.
CREATE FUNCTION codille.recognise(hashes bytea[], moment timestamptz)
RETURNS TABLE (hash bytea, token_id text, player_id text, scopes text[], expires_at timestamptz, client text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    UPDATE codille.token t SET first_used_at = coalesce(t.first_used_at, moment), last_used_at = moment
    FROM (
        SELECT u.id FROM codille.token u
        WHERE u.hash = ANY (hashes) AND codille.is_valid(u, moment)
            AND (u.last_used_at IS NULL OR u.last_used_at < moment - interval '1 hour')
        ORDER BY u.id FOR UPDATE
    ) presented
    WHERE t.id = presented.id;
    RETURN QUERY
    SELECT t.hash, t.id::text, t.player_id::text, t.scopes, t.expires_at, t.client
    FROM codille.token t WHERE t.hash = ANY (hashes) AND codille.is_valid(t, moment);
END
$$;
