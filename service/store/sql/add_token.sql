-- Adds a token to a player, as `grant_token` does. Scopes beyond play need the secret of a token that has them, since the
-- service's role knows no more than the hashes: with it alone, nobody becomes an arbiter.
CREATE FUNCTION codille.add_token(
    of_player uuid, new_token uuid, new_hash bytea, new_scopes text[], moment timestamptz,
    key_scope bytea, key_digest bytea, secret text
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT new_scopes <@ '{play}' AND NOT EXISTS (
        SELECT FROM codille.token t
        WHERE t.hash = sha256(convert_to(secret, 'UTF8')) AND t.player_id = of_player AND t.revoked_at IS NULL
            AND new_scopes <@ t.scopes
    ) THEN
        RAISE EXCEPTION 'scopes beyond play are given by the owner alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY SELECT * FROM codille.grant_token(
        of_player, new_token, new_hash, new_scopes, moment, key_scope, key_digest
    );
END
$$;
