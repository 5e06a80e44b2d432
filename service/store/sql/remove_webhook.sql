-- Removes a player's webhook with its secrets and messages. Returns whether there was one.
CREATE FUNCTION codille.remove_webhook(of_player uuid, hook uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player;
    RETURN FOUND;
END
$$;
