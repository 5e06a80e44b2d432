-- Keeps a player's code by its hash, in place of an earlier one; `called` is the name in it. Returns offered; taken if
-- another player's code has this name; unknown if `by_token`, the token in use, is not valid.
CREATE FUNCTION codille.offer_handover(
    of_player uuid, called text, new_hash bytea, until timestamptz, moment timestamptz, by_token uuid
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- Serializes with a recovery of the player, and with the player's other requests.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    IF NOT FOUND OR NOT EXISTS (
        SELECT FROM codille.token t WHERE t.id = by_token AND t.player_id = of_player AND t.client IS NULL AND codille.is_valid(t, moment)
    ) THEN
        RETURN 'unknown';
    END IF;
    DELETE FROM codille.handover h WHERE h.player_id = of_player OR h.name = called AND h.expires_at <= moment;
    INSERT INTO codille.handover (player_id, name, hash, token_id, expires_at)
    VALUES (of_player, called, new_hash, by_token, until)
    ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN 'offered' ELSE 'taken' END;
END
$$;
