-- Counts a table, before it begins, among those at which only bots play. Returns begun; player or all if the player, or
-- all players, have `most` of them already.
CREATE FUNCTION codille.begin_bots_alone(
    new_table uuid, by_player uuid, moment timestamptz, endings text[], most_of_player integer, most_of_all integer
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- Serializes, so that the count is right.
    PERFORM pg_advisory_xact_lock(hashtextextended('codille.begin_bots_alone', 0));
    -- Those that are over, and those that came to nothing.
    DELETE FROM codille.bots_alone b
    WHERE (
        SELECT e.type FROM codille.event e WHERE e.table_id = b.table_id AND e.type <> 'text-erased'
        ORDER BY e.version DESC LIMIT 1
    ) = ANY (endings) OR b.begun_at < moment - interval '1 minute' AND NOT EXISTS (
        SELECT FROM codille.event e WHERE e.table_id = b.table_id AND e.type = 'game-started'
    );
    IF (SELECT count(*) FROM codille.bots_alone b WHERE b.player_id = by_player) >= most_of_player THEN
        RETURN 'player';
    ELSIF (SELECT count(*) FROM codille.bots_alone) >= most_of_all THEN
        RETURN 'all';
    END IF;
    INSERT INTO codille.bots_alone (table_id, player_id, begun_at) VALUES (new_table, by_player, moment)
    ON CONFLICT DO NOTHING;
    RETURN 'begun';
END
$$;
