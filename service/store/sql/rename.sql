-- Gives a player another name. Returns whether there was a profile to rename.
CREATE FUNCTION codille.rename(of_player uuid, new_name text, new_look bytea DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE codille.player p SET name = new_name, look = new_look WHERE p.id = of_player AND p.erased_at IS NULL;
    RETURN FOUND;
END
$$;
