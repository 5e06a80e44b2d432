-- Notes what the names of players look like, where it is not known yet and the player still has this name.
CREATE FUNCTION codille.note_looks(of_players uuid[], names text[], looks bytea[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE codille.player p SET look = n.look
    FROM unnest(of_players, names, looks) n (id, name, look)
    WHERE p.id = n.id AND p.name = n.name AND p.look IS NULL;
$$;
