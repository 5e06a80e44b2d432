-- Gives a client's token for a code, once: for the client and the redirect that it was made for, and the verifier whose
-- SHA-256 is `presented`. A wrong redirect or verifier makes the code void. A code that was exchanged ends its token when
-- its client presents it again (RFC 6749, 4.1.2): then the row has the player alone. Returns no row for any other refusal.
CREATE FUNCTION codille.exchange_code(
    of_hash bytea, of_client text, to_uri text, presented bytea, new_token uuid, new_hash bytea, moment timestamptz
) RETURNS TABLE (player_id text, scopes text[], expires_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    code codille.authorization_code;
    used codille.token;
BEGIN
    -- Locked in the order in which a recovery of the player locks; two requests with one code wait for each other.
    PERFORM 1 FROM codille.player p, codille.authorization_code c
    WHERE c.hash = of_hash AND p.id = c.player_id FOR UPDATE OF p;
    SELECT * INTO code FROM codille.authorization_code c WHERE c.hash = of_hash AND c.client = of_client;
    IF NOT FOUND THEN
        RETURN;
    ELSIF code.token_id IS NOT NULL THEN
        PERFORM codille.revoke(code.token_id, code.player_id, moment, NULL);
        RETURN QUERY SELECT code.player_id::text, NULL::text[], NULL::timestamptz;
        RETURN;
    ELSIF code.expires_at <= moment OR code.redirect_uri <> to_uri OR code.challenge <> presented THEN
        DELETE FROM codille.authorization_code c WHERE c.hash = of_hash;
        RETURN;
    END IF;
    SELECT * INTO used FROM codille.token t WHERE t.id = code.made_by AND t.consents AND codille.is_valid(t, moment);
    IF NOT FOUND OR code.token_expires_at <= moment THEN
        DELETE FROM codille.authorization_code c WHERE c.hash = of_hash;
        RETURN;
    END IF;
    UPDATE codille.authorization_code c SET token_id = new_token WHERE c.hash = of_hash;
    RETURN QUERY
    INSERT INTO codille.token (id, hash, player_id, scopes, client, expires_at, created_at, added, made_by)
    VALUES (
        new_token, new_hash, code.player_id, code.scopes, of_client, least(code.token_expires_at, used.expires_at),
        moment, true, code.made_by
    )
    RETURNING player_id::text, scopes, expires_at;
END
$$;
