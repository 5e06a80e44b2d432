-- Changes a player's webhook; null leaves a field unchanged. Who sets another URL counts as the webhook's maker (see
-- `maker`). Returns changed, or unknown: also if `by_token`, the token in use, is not valid.
--
-- After a change of the URL, waiting messages are sent there at once, unless the player or the host is paused; attempts
-- in progress no longer count. A webhook that is enabled continues where it was disabled.
CREATE FUNCTION codille.change_webhook(
    of_player uuid, hook uuid, new_name text, new_url text, new_kinds text[], enabled boolean, moment timestamptz,
    many integer, by_token uuid DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept codille.webhook;
    maker record;
BEGIN
    -- Serializes with what ends the player's tokens.
    PERFORM FROM codille.player p WHERE p.id = of_player FOR SHARE;
    SELECT * INTO maker FROM codille.maker(of_player, by_token, moment);
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    SELECT * INTO kept FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    UPDATE codille.webhook w SET
        name = coalesce(new_name, w.name), url = coalesce(new_url, w.url), wanted = coalesce(new_kinds, w.wanted)
    WHERE w.id = hook;
    UPDATE codille.webhook w SET made_by = maker.id WHERE w.id = hook AND new_url <> kept.url;
    IF enabled IS FALSE AND kept.disabled_at IS NULL THEN
        PERFORM codille.disable_webhook(hook, moment, 'player');
    END IF;
    IF new_url <> kept.url OR (enabled AND kept.disabled_at IS NOT NULL) THEN
        UPDATE codille.webhook_message m SET claim = NULL, due_at = moment, attempts = 0
        WHERE m.webhook_id = hook AND m.settled_at IS NULL;
        UPDATE codille.webhook w SET
            paused_until = NULL, failures = 0, failing_since = NULL, prompt = false,
            proven = w.proven AND w.failures = 0 AND w.url = kept.url
        WHERE w.id = hook;
    END IF;
    IF enabled THEN
        UPDATE codille.webhook w SET disabled_at = NULL, disabled_because = NULL WHERE w.id = hook;
    END IF;
    PERFORM codille.schedule_webhook(hook, moment, many);
    RETURN 'changed';
END
$$;
