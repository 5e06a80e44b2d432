-- Keeps an invitation to a table, made by a player, by its hash. Answers whether one was made for this receipt before.
CREATE FUNCTION codille.invite(
    of_table uuid, new_hash bytea, by_player uuid, moment timestamptz, key_scope bytea
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    repeated CONSTANT boolean := EXISTS (SELECT FROM codille.invitation i WHERE i.scope = key_scope);
BEGIN
    INSERT INTO codille.invitation (hash, table_id, player_id, created_at, scope)
    VALUES (new_hash, of_table, by_player, moment, key_scope);
    RETURN repeated;
END
$$;
