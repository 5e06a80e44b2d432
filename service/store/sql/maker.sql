-- The token that makes something for a player: `by_token`, the token in use, and no row if that is not valid. Programs
-- of the version before name none; then it is the player's first valid token that no other one made, and null if there
-- is none. The caller has locked the player, so that the token does not end meanwhile.
CREATE FUNCTION codille.maker(of_player uuid, by_token uuid, moment timestamptz) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    SELECT t.id
    FROM (SELECT) always LEFT JOIN codille.token t ON t.player_id = of_player AND codille.is_valid(t, moment)
        AND CASE WHEN by_token IS NULL THEN NOT t.added ELSE t.id = by_token END
    WHERE by_token IS NULL OR t.id IS NOT NULL
    ORDER BY t.id LIMIT 1
$$;
