-- Queues all notices after a position for a player's webhook, again or for the first time, and enables it. Returns
-- replayed, repeated or key-reused for a key used before, unknown, or beyond if the log has not reached the position.
--
-- Attempts in progress for these notices no longer count: their messages are queued again.
CREATE FUNCTION codille.replay_webhook(
    of_player uuid, hook uuid, after bigint, moment timestamptz, many integer, key_scope bytea, key_digest bytea
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    before text;
BEGIN
    PERFORM FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    before := codille.keep_webhook_receipt(key_scope, key_digest, hook, moment, NULL);
    IF before IS NOT NULL THEN
        RETURN before;
    END IF;
    IF after > (SELECT l.position FROM codille.log l WHERE l.shard = 0) THEN
        -- A failed request leaves no receipt.
        DELETE FROM codille.webhook_receipt r WHERE r.scope = key_scope;
        RETURN 'beyond';
    END IF;
    DELETE FROM codille.webhook_message m WHERE m.webhook_id = hook AND m.position > after;
    UPDATE codille.webhook w SET
        behind = after, disabled_at = NULL, disabled_because = NULL, paused_until = NULL, failures = 0,
        failing_since = NULL, proven = w.proven AND w.failures = 0
    WHERE w.id = hook;
    PERFORM codille.schedule_webhook(hook, moment, many);
    RETURN 'replayed';
END
$$;
