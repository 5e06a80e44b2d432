-- Revokes a player's token, ends what it made (see `end_made`), and notifies every process. Returns revoked; unknown if
-- the player has no such valid token, or `by_token`, the token in use, is no longer valid; lesser if that token may not
-- (see `may_end`). The operator and the owner's functions pass null.
CREATE FUNCTION codille.revoke(of_token uuid, of_player uuid, moment timestamptz, by_token uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own codille.token;
    used codille.token;
BEGIN
    -- Serializes with a recovery of the player, and with what the token makes.
    PERFORM 1 FROM codille.player p WHERE p.id = of_player FOR UPDATE;
    SELECT * INTO own FROM codille.token t WHERE t.id = of_token AND t.player_id = of_player FOR UPDATE;
    IF NOT FOUND OR NOT codille.is_valid(own, moment) THEN
        RETURN 'unknown';
    END IF;
    IF by_token IS NOT NULL THEN
        SELECT * INTO used FROM codille.token t WHERE t.id = by_token AND t.player_id = of_player;
        IF NOT FOUND OR NOT codille.is_valid(used, moment) THEN
            RETURN 'unknown';
        ELSIF NOT codille.may_end(used, own) THEN
            RETURN 'lesser';
        END IF;
    END IF;
    UPDATE codille.token t SET revoked_at = moment WHERE t.id = of_token;
    PERFORM pg_notify('codille_revoked', encode(own.hash, 'hex'));
    PERFORM codille.end_made(of_player, of_token, moment);
    RETURN 'revoked';
END
$$;
