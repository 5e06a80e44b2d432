-- Registers a player with a first token, whose scope is at most play, and with a recovery secret. Returns issued, or
-- the outcome of `reissue` for a key used before; a reissue replaces the recovery secret too.
CREATE FUNCTION codille.register(
    new_player uuid, new_name text, new_token uuid, new_hash bytea, new_scopes text[], new_recovery bytea,
    moment timestamptz, key_scope bytea, key_digest bytea, renewable boolean, new_look bytea DEFAULT NULL
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    again record;
BEGIN
    IF NOT new_scopes <@ '{play}' THEN
        RAISE EXCEPTION 'scopes beyond play are given by the owner alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF key_scope IS NOT NULL THEN
        INSERT INTO codille.issue (scope, digest, token_id, at) VALUES (key_scope, key_digest, new_token, moment)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            SELECT * INTO again
            FROM codille.reissue(key_scope, key_digest, new_hash, new_scopes, NULL, moment, renewable);
            UPDATE codille.player p SET recovery_hash = new_recovery
            WHERE again.outcome = 'reissued' AND p.id = again.player_id::uuid;
            RETURN QUERY SELECT again.outcome, again.player_id, again.token_id;
            RETURN;
        END IF;
    END IF;
    INSERT INTO codille.player (id, name, look, created_at, recovery_hash)
    VALUES (new_player, new_name, new_look, moment, new_recovery);
    INSERT INTO codille.token (id, hash, player_id, scopes, created_at, added, consents)
    VALUES (new_token, new_hash, new_player, new_scopes, moment, false, true);
    RETURN QUERY SELECT 'issued', new_player::text, new_token::text;
END
$$;
