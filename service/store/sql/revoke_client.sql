-- Revokes a client's token by the hash of its secret, and ends what it made (see `end_made`). A client that names itself
-- ends its own token alone (RFC 7009, 2.1). Returns the player; null if there is no such valid token.
CREATE FUNCTION codille.revoke_client(of_hash bytea, of_client text, moment timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own codille.token;
BEGIN
    SELECT * INTO own FROM codille.token t WHERE t.hash = of_hash AND t.client = of_client;
    IF NOT FOUND OR codille.revoke(own.id, own.player_id, moment, NULL) <> 'revoked' THEN
        RETURN NULL;
    END IF;
    RETURN own.player_id::text;
END
$$;
