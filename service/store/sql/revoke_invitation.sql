-- Revokes an invitation to a table, identified by the first half of its hash, and notifies every process; with
-- `by_player`, only one that this player made. Returns whether there was one.
CREATE FUNCTION codille.revoke_invitation(of_table uuid, invitation uuid, by_player uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    revoked bytea;
BEGIN
    DELETE FROM codille.invitation i
    WHERE i.table_id = of_table AND substring(i.hash FOR 16) = uuid_send(invitation)
        AND (by_player IS NULL OR i.player_id = by_player)
    RETURNING i.hash INTO revoked;
    PERFORM pg_notify('codille_revoked', encode(revoked, 'hex')) WHERE revoked IS NOT NULL;
    RETURN revoked IS NOT NULL;
END
$$;
