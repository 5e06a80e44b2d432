-- Adds a token to a player, as `grant_token` does. Scopes beyond play need the secret of a token that has them: the
-- service's role knows only hashes, so it cannot make anybody an arbiter. The new token expires no later than that one.
--
-- `by_token`, the id of the token in use, must still be valid: a recovery may have revoked it just before. The operator
-- passes null.
CREATE FUNCTION codille.add_token(
    of_player uuid, new_token uuid, new_hash bytea, new_scopes text[], new_name text, new_expiry timestamptz,
    moment timestamptz, key_scope bytea, key_digest bytea, secret text, by_token uuid
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    -- Serializes with a recovery of the player.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player FOR SHARE;
    IF by_token IS NOT NULL AND NOT EXISTS (
        SELECT FROM codille.token t
        WHERE t.id = by_token AND t.player_id = of_player AND t.client IS NULL AND codille.is_valid(t, moment)
    ) THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::text;
        RETURN;
    END IF;
    IF NOT new_scopes <@ '{play}' AND NOT EXISTS (
        SELECT FROM codille.token t
        WHERE t.hash = sha256(convert_to(secret, 'UTF8')) AND t.player_id = of_player
            AND codille.may_give(t, new_scopes, new_expiry, moment)
    ) THEN
        RAISE EXCEPTION 'scopes beyond play are given by the owner alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY SELECT * FROM codille.grant_token(
        of_player, new_token, new_hash, new_scopes, new_name, new_expiry, moment, key_scope, key_digest,
        by_token IS NOT NULL, by_token
    );
END
$$;
