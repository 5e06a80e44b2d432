-- Replaces the secret of a player's token, and its expiry if `new_expiry` is given. Notifies every process. Returns
-- issued; reissued (a repetition whose first secret is unused); spent (it was used); key-reused; unknown if the player
-- has no such valid token, or `by_token`, the token in use, is no longer valid; lesser if that token may not (see
-- `may_end`).
--
-- A token that another one rotates ends with that one from then on, and lets clients in only if that one does. Clients'
-- tokens are not rotated. Scopes beyond play need the secret of a token that
-- has them, as for `add_token`.
CREATE FUNCTION codille.rotate(
    of_token uuid, of_player uuid, new_hash bytea, new_expiry timestamptz, moment timestamptz,
    key_scope bytea, key_digest bytea, secret text, by_token uuid
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    own codille.token;
    used codille.token;
    kept codille.issue;
BEGIN
    -- Serializes with a recovery of the player, and with what the token makes.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player FOR UPDATE;
    SELECT * INTO own FROM codille.token t
    WHERE t.id = of_token AND t.player_id = of_player AND t.client IS NULL FOR UPDATE;
    IF NOT FOUND OR NOT codille.is_valid(own, moment) THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::text;
        RETURN;
    END IF;
    SELECT * INTO used FROM codille.token t WHERE t.id = by_token AND t.player_id = of_player;
    IF NOT FOUND OR NOT codille.is_valid(used, moment) THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::text;
        RETURN;
    ELSIF NOT codille.may_end(used, own) THEN
        RETURN QUERY SELECT 'lesser', NULL::text, NULL::text;
        RETURN;
    END IF;
    IF NOT own.scopes <@ '{play}' AND NOT EXISTS (
        SELECT FROM codille.token t
        WHERE t.hash = sha256(convert_to(secret, 'UTF8')) AND t.player_id = of_player
            AND codille.may_give(t, own.scopes, coalesce(new_expiry, own.expires_at), moment)
    ) THEN
        RAISE EXCEPTION 'scopes beyond play are given by the owner alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO kept FROM codille.issue i WHERE i.scope = key_scope;
    IF kept.digest <> key_digest THEN
        RETURN QUERY SELECT 'key-reused', NULL::text, NULL::text;
        RETURN;
    ELSIF kept.scope IS NOT NULL AND own.first_used_at IS NOT NULL THEN
        RETURN QUERY SELECT 'spent', of_player::text, of_token::text;
        RETURN;
    END IF;
    -- Marked as never used, so that the first use of the new secret is recorded. Who gave the new secret has it.
    UPDATE codille.token t
    SET hash = new_hash, expires_at = coalesce(new_expiry, t.expires_at), rotated_at = moment,
        first_used_at = NULL, last_used_at = NULL, made_by = CASE t.id WHEN by_token THEN t.made_by ELSE by_token END,
        consents = t.consents AND used.consents
    WHERE t.id = of_token;
    IF new_expiry IS NOT NULL THEN
        PERFORM codille.limit_made(of_token, new_expiry);
    END IF;
    INSERT INTO codille.issue (scope, digest, token_id, at)
    SELECT key_scope, key_digest, of_token, moment WHERE key_scope IS NOT NULL
    ON CONFLICT DO NOTHING;
    PERFORM pg_notify('codille_revoked', encode(own.hash, 'hex'));
    RETURN QUERY SELECT CASE WHEN kept.scope IS NULL THEN 'issued' ELSE 'reissued' END, of_player::text, of_token::text;
END
$$;
