-- Takes a table, which was not opened, from those at which only bots play.
CREATE FUNCTION codille.end_bots_alone(of_table uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM codille.bots_alone b WHERE b.table_id = of_table
$$;
