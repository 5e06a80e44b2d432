-- Stores a player's invitation to a table by its hash. Returns made, repeated (the receipt's scope has made another one
-- before), or too-many.
CREATE FUNCTION codille.invite(
    of_table uuid, new_hash bytea, by_player uuid, moment timestamptz, most integer, key_scope bytea
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    repeated CONSTANT boolean := EXISTS (SELECT FROM codille.invitation i WHERE i.scope = key_scope);
BEGIN
    -- Serializes a table's invitations, so that the count is right.
    PERFORM pg_advisory_xact_lock(hashtextextended('codille.invite' || of_table::text, 0));
    IF (SELECT count(*) FROM codille.invitation i WHERE i.table_id = of_table) >= most THEN
        RETURN 'too-many';
    END IF;
    INSERT INTO codille.invitation (hash, table_id, player_id, created_at, scope)
    VALUES (new_hash, of_table, by_player, moment, key_scope);
    RETURN CASE WHEN repeated THEN 'repeated' ELSE 'made' END;
END
$$;
