-- Trades a code for a token with the scope play, which counts as added by the token that the code was asked for with,
-- ends no later, and lets clients in if that one does. `secret` is the slow hash of the code, and `called` the name in it.
--
-- A code is void when it is used, when `most` wrong ones with its name were tried, and when that token is not valid any
-- more. Returns unknown for a wrong code and for none alike, and otherwise the outcome of `grant_token`: a key used
-- before gives the token another secret while it is unused.
CREATE FUNCTION codille.claim_handover(
    called text, secret bytea, most integer, new_token uuid, new_hash bytea, moment timestamptz,
    key_scope bytea, key_digest bytea
) RETURNS TABLE (outcome text, player_id text, token_id text, expires_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    offered codille.handover;
    kept codille.token;
    given codille.token;
BEGIN
    SELECT t.* INTO kept FROM codille.token t, codille.issue i WHERE i.scope = key_scope AND t.id = i.token_id;
    IF FOUND THEN
        RETURN QUERY
        SELECT r.*, kept.expires_at
        FROM codille.reissue(key_scope, key_digest, new_hash, '{play}', kept.expires_at, moment, true) r;
        RETURN;
    END IF;
    -- Tries of one code wait for each other, so that none is left uncounted, and for a recovery of the player.
    PERFORM 1 FROM codille.player p, codille.handover h WHERE h.name = called AND p.id = h.player_id FOR UPDATE OF p;
    SELECT * INTO offered FROM codille.handover h WHERE h.name = called FOR UPDATE;
    IF offered.hash = sha256(secret) AND offered.expires_at > moment THEN
        DELETE FROM codille.handover h WHERE h.name = called;
        SELECT * INTO given FROM codille.token t WHERE t.id = offered.token_id;
        IF codille.is_valid(given, moment) THEN
            RETURN QUERY
            SELECT g.*, given.expires_at
            FROM codille.grant_token(
                offered.player_id, new_token, new_hash, '{play}', NULL, given.expires_at, moment, key_scope,
                key_digest, true, given.id
            ) g;
            UPDATE codille.token t SET consents = given.consents WHERE t.id = new_token;
            RETURN;
        END IF;
    ELSE
        UPDATE codille.handover h SET tries = h.tries + 1 WHERE h.name = called;
        DELETE FROM codille.handover h WHERE h.name = called AND (h.tries >= most OR h.expires_at <= moment);
    END IF;
    RETURN QUERY SELECT 'unknown', NULL::text, NULL::text, NULL::timestamptz;
END
$$;
