-- Keeps a player's report of a thing. Returns reported; repeated if the player has reported it before; unknown if there is
-- no such profile any more.
CREATE FUNCTION codille.report(
    new_id uuid, by_player uuid, what bytea, of_player uuid, at_table uuid, at_version integer, moment timestamptz
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- Serializes with the erasure of the reporter, or of whose name it is.
    PERFORM 1 FROM codille.player p WHERE p.id IN (by_player, of_player) ORDER BY p.id FOR SHARE;
    IF EXISTS (
        SELECT FROM codille.player p WHERE p.id IN (by_player, of_player) AND p.erased_at IS NOT NULL
    ) THEN
        RETURN 'unknown';
    END IF;
    INSERT INTO codille.report (id, reporter_id, thing, player_id, table_id, version, created_at)
    VALUES (new_id, by_player, what, of_player, at_table, at_version, moment)
    ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN 'reported' ELSE 'repeated' END;
END
$$;
