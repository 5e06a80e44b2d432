-- Erases a player's profile with the recovery secret, revokes all of the player's tokens and removes the player's
-- webhooks. Answers whether there was a profile to erase.
CREATE FUNCTION codille.erase(of_player uuid, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE codille.player p SET name = NULL, erased_at = moment, recovery_hash = NULL, former_recovery_hash = NULL
    WHERE p.id = of_player AND p.erased_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM codille.revoke(t.id, of_player, moment)
    FROM codille.token t WHERE t.player_id = of_player AND t.revoked_at IS NULL
    ORDER BY t.id;
    DELETE FROM codille.webhook w WHERE w.player_id = of_player;
    RETURN true;
END
$$;
