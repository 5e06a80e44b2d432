-- Replaces all tokens of a player who presents the recovery secret by a new one with the scope play, and the recovery
-- secret by a new one. What the tokens made ends with them. The old recovery secret works again until the new token is
-- used, since the response may have been lost. Returns issued, reissued (for a key used before), spent (its token has
-- been used), key-reused, or unknown if no player has this id and this secret.
CREATE FUNCTION codille.recover(
    of_player uuid, secret text, new_token uuid, new_hash bytea, new_recovery bytea, moment timestamptz,
    key_scope bytea, key_digest bytea
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    presented CONSTANT bytea := sha256(convert_to(secret, 'UTF8'));
    known codille.player;
    kept codille.issue;
BEGIN
    -- Serializes concurrent recoveries, and prevents a concurrent erasure.
    SELECT * INTO known FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    SELECT * INTO kept FROM codille.issue i WHERE i.scope = key_scope;
    IF kept.digest <> key_digest THEN
        RETURN QUERY SELECT 'key-reused', NULL::text, NULL::text;
        RETURN;
    ELSIF known.recovery_hash = presented OR known.former_recovery_hash = presented AND EXISTS (
        SELECT FROM codille.token t
        WHERE t.id = known.recovered_token AND t.first_used_at IS NULL AND t.revoked_at IS NULL
    ) THEN
        NULL;
    ELSIF kept.scope IS NOT NULL THEN
        RETURN QUERY SELECT 'spent', of_player::text, kept.token_id::text;
        RETURN;
    ELSE
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::text;
        RETURN;
    END IF;
    PERFORM codille.end_made(of_player, NULL, moment);
    INSERT INTO codille.token (id, hash, player_id, scopes, created_at, added, consents)
    VALUES (new_token, new_hash, of_player, '{play}', moment, false, true);
    UPDATE codille.player p
    SET recovery_hash = new_recovery, former_recovery_hash = presented, recovered_token = new_token
    WHERE p.id = of_player;
    INSERT INTO codille.issue (scope, digest, token_id, at)
    SELECT key_scope, key_digest, new_token, moment WHERE key_scope IS NOT NULL
    ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT CASE WHEN kept.scope IS NULL THEN 'issued' ELSE 'reissued' END, of_player::text, new_token::text;
END
$$;
