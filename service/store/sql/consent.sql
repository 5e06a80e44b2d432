-- Keeps the code of a player who lets a client in, by its hash. `by_token`, the token in use, consents: the client's
-- token ends with it, and no later. Returns consented; unknown if `by_token` is not valid; lesser if it may not let
-- clients in; too-many if the player has `most` clients' tokens and codes.
CREATE FUNCTION codille.consent(
    of_player uuid, new_hash bytea, of_client text, to_uri text, new_challenge bytea, new_scopes text[],
    until timestamptz, token_until timestamptz, moment timestamptz, most integer, by_token uuid
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    used codille.token;
BEGIN
    IF NOT new_scopes <@ '{read,seat,webhooks}' THEN
        RAISE EXCEPTION 'a client has no scope of a player' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM codille.tidy_clients(moment);
    -- Serializes with a recovery of the player, and with the player's other requests.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    IF FOUND THEN
        SELECT * INTO used FROM codille.token t
        WHERE t.id = by_token AND t.player_id = of_player AND codille.is_valid(t, moment);
    END IF;
    IF NOT FOUND THEN
        RETURN 'unknown';
    ELSIF NOT used.consents THEN
        RETURN 'lesser';
    ELSIF most <= (
        SELECT count(*) FROM codille.token t
        WHERE t.player_id = of_player AND t.client IS NOT NULL AND codille.is_valid(t, moment)
    ) + (
        SELECT count(*) FROM codille.authorization_code c
        WHERE c.player_id = of_player AND c.token_id IS NULL AND c.expires_at > moment
    ) THEN
        RETURN 'too-many';
    END IF;
    INSERT INTO codille.authorization_code
        (hash, player_id, client, redirect_uri, challenge, scopes, made_by, expires_at, token_expires_at)
    VALUES (
        new_hash, of_player, of_client, to_uri, new_challenge, new_scopes, by_token, until,
        least(token_until, used.expires_at)
    );
    RETURN 'consented';
END
$$;
