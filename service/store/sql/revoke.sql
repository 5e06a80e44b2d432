-- Revokes a token of a player and notifies every process. Answers whether the token was valid.
CREATE FUNCTION codille.revoke(of_token uuid, of_player uuid, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    revoked bytea;
BEGIN
    UPDATE codille.token t SET revoked_at = moment
    WHERE t.id = of_token AND t.player_id = of_player AND codille.is_valid(t, moment)
    RETURNING t.hash INTO revoked;
    PERFORM pg_notify('codille_revoked', encode(revoked, 'hex')) WHERE revoked IS NOT NULL;
    RETURN revoked IS NOT NULL;
END
$$;
