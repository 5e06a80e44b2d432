-- Adds a token with any scopes to a player; `by_another` says whether another token was used for it, and `by_token`
-- which one: the new token ends with it. Only the owner may call it, and the owner's functions. Returns issued, unknown
-- (no such player, or erased), or the outcome of `reissue` for a key used before.
CREATE FUNCTION codille.grant_token(
    of_player uuid, new_token uuid, new_hash bytea, new_scopes text[], new_name text, new_expiry timestamptz,
    moment timestamptz, key_scope bytea, key_digest bytea, by_another boolean,
    by_token uuid DEFAULT NULL
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    -- The lock prevents a concurrent erasure of the player.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::text;
        RETURN;
    END IF;
    IF key_scope IS NOT NULL THEN
        INSERT INTO codille.issue (scope, digest, token_id, at) VALUES (key_scope, key_digest, new_token, moment)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RETURN QUERY SELECT * FROM codille.reissue(
                key_scope, key_digest, new_hash, new_scopes, new_expiry, moment, true
            );
            UPDATE codille.token t SET made_by = by_token WHERE t.hash = new_hash;
            RETURN;
        END IF;
    END IF;
    INSERT INTO codille.token (id, hash, player_id, scopes, name, expires_at, created_at, added, made_by)
    SELECT
        new_token, new_hash, of_player, new_scopes, new_name, least(new_expiry, m.expires_at), moment, by_another, by_token
    FROM (SELECT) always LEFT JOIN codille.token m ON m.id = by_token;
    RETURN QUERY SELECT 'issued', of_player::text, new_token::text;
END
$$;
