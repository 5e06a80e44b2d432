-- Erases a player's profile with the recovery secret, ends all of the player's tokens and what they made, and removes
-- what the player has reported. Returns erased; unknown if there is no profile, or `by_token`, the token in use, is no
-- longer valid; lesser if that token was added by another one, or expires. The operator passes null.
CREATE FUNCTION codille.erase(of_player uuid, moment timestamptz, by_token uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    used codille.token;
BEGIN
    -- Serializes with a recovery of the player.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF by_token IS NOT NULL THEN
        SELECT * INTO used FROM codille.token t WHERE t.id = by_token AND t.player_id = of_player;
        IF NOT FOUND OR NOT codille.is_valid(used, moment) THEN
            RETURN 'unknown';
        ELSIF used.added OR used.expires_at IS NOT NULL THEN
            RETURN 'lesser';
        END IF;
    END IF;
    UPDATE codille.player p SET name = NULL, erased_at = moment, recovery_hash = NULL, former_recovery_hash = NULL
    WHERE p.id = of_player;
    PERFORM codille.end_made(of_player, NULL, moment);
    DELETE FROM codille.webhook_pause p WHERE p.whose = 'player' AND p.name = of_player::text;
    DELETE FROM codille.report r WHERE r.reporter_id = of_player OR r.player_id = of_player;
    RETURN 'erased';
END
$$;
