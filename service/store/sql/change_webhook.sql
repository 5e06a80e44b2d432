-- Changes a player's webhook; null leaves a field unchanged. Returns changed or unknown.
--
-- After a change of the URL, waiting messages are sent there at once, unless the player or the host is paused; attempts
-- in progress no longer count. A webhook that is enabled continues where it was disabled.
CREATE FUNCTION codille.change_webhook(
    of_player uuid, hook uuid, new_name text, new_url text, new_kinds text[], enabled boolean, moment timestamptz,
    many integer
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept codille.webhook;
BEGIN
    SELECT * INTO kept FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    UPDATE codille.webhook w SET
        name = coalesce(new_name, w.name), url = coalesce(new_url, w.url), kinds = coalesce(new_kinds, w.kinds)
    WHERE w.id = hook;
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
