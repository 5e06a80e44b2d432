-- Erases a player's profile with the recovery secret, ends all of the player's tokens and what they made, and removes
-- what the player has reported or named. `words` asks the log's owner to erase the player's words too. Returns erased;
-- unknown if there is no profile, or `by_token`, the token in use, is no longer valid; lesser if that token was added by
-- another one, or expires. The operator passes null, and may ask for the words when the profile is erased already.
CREATE FUNCTION codille.erase(of_player uuid, moment timestamptz, by_token uuid, words boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asked_at CONSTANT timestamptz := CASE WHEN words THEN moment END;
    used codille.token;
BEGIN
    -- Serializes with a recovery of the player.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        UPDATE codille.player p SET words_asked_at = asked_at WHERE p.id = of_player AND words AND by_token IS NULL;
        RETURN CASE WHEN FOUND THEN 'erased' ELSE 'unknown' END;
    END IF;
    IF by_token IS NOT NULL THEN
        SELECT * INTO used FROM codille.token t WHERE t.id = by_token AND t.player_id = of_player;
        IF NOT FOUND OR NOT codille.is_valid(used, moment) THEN
            RETURN 'unknown';
        ELSIF used.added OR used.expires_at IS NOT NULL THEN
            RETURN 'lesser';
        END IF;
    END IF;
    UPDATE codille.player p
    SET name = NULL, look = NULL, erased_at = moment, words_asked_at = asked_at, recovery_hash = NULL, former_recovery_hash = NULL
    WHERE p.id = of_player;
    PERFORM codille.end_made(of_player, NULL, moment);
    UPDATE codille.token t SET name = NULL, client = left(t.client, 0) WHERE t.player_id = of_player;
    -- Names could be guessed from the digests of the requests that gave them.
    UPDATE codille.issue i SET digest = sha256(uuid_send(gen_random_uuid()))
    FROM codille.token t WHERE t.player_id = of_player AND i.token_id = t.id;
    DELETE FROM codille.webhook_pause p WHERE p.whose = 'player' AND p.name = of_player::text;
    DELETE FROM codille.report r WHERE r.reporter_id = of_player OR r.player_id = of_player;
    RETURN 'erased';
END
$$;
