-- Stores a player's invitation to a table by its hash. It ends with its maker (see `maker`). Returns made, repeated
-- (the receipt's scope has made another one before), too-many, or unknown if `by_token`, the token in use, is not
-- valid.
CREATE FUNCTION codille.invite(
    of_table uuid, new_hash bytea, by_player uuid, moment timestamptz, most integer, key_scope bytea,
    by_token uuid DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    repeated CONSTANT boolean := EXISTS (SELECT FROM codille.invitation i WHERE i.scope = key_scope);
    maker record;
BEGIN
    -- Serializes with what ends the player's tokens.
    PERFORM FROM codille.player p WHERE p.id = by_player FOR SHARE;
    SELECT * INTO maker FROM codille.maker(by_player, by_token, moment);
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    -- Serializes a table's invitations, so that the count is right.
    PERFORM pg_advisory_xact_lock(hashtextextended('codille.invite' || of_table::text, 0));
    DELETE FROM codille.invitation i WHERE i.table_id = of_table AND NOT codille.lasts(i.made_by, moment);
    IF (SELECT count(*) FROM codille.invitation i WHERE i.table_id = of_table) >= most THEN
        RETURN 'too-many';
    END IF;
    INSERT INTO codille.invitation (hash, table_id, player_id, created_at, scope, made_by)
    VALUES (new_hash, of_table, by_player, moment, key_scope, maker.id);
    RETURN CASE WHEN repeated THEN 'repeated' ELSE 'made' END;
END
$$;
