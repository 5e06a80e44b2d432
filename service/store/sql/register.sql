-- Registers a player with a first token, whose scope is play at most. Answers issued, or the answer of `reissue` for a
-- key used before.
CREATE FUNCTION codille.register(
    new_player uuid, new_name text, new_token uuid, new_hash bytea, new_scopes text[], moment timestamptz,
    key_scope bytea, key_digest bytea, renewable boolean
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    IF NOT new_scopes <@ '{play}' THEN
        RAISE EXCEPTION 'scopes beyond play are given by the owner alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF key_scope IS NOT NULL THEN
        INSERT INTO codille.issue (scope, digest, token_id, at) VALUES (key_scope, key_digest, new_token, moment)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RETURN QUERY SELECT * FROM codille.reissue(key_scope, key_digest, new_hash, new_scopes, moment, renewable);
            RETURN;
        END IF;
    END IF;
    INSERT INTO codille.player (id, name, created_at) VALUES (new_player, new_name, moment);
    INSERT INTO codille.token (id, hash, player_id, scopes, created_at)
    VALUES (new_token, new_hash, new_player, new_scopes, moment);
    RETURN QUERY SELECT 'issued', new_player::text, new_token::text;
END
$$;
