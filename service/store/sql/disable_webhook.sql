-- Disables a webhook that the caller has locked. Its waiting messages are dropped, and its position is set back to
-- before them, so that none is missing when it is enabled again.
CREATE FUNCTION codille.disable_webhook(hook uuid, moment timestamptz, because text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE codille.webhook w SET
        disabled_at = moment,
        disabled_because = because,
        behind = least(
            coalesce(w.behind, (SELECT c.position FROM codille.webhook_cursor c)),
            (SELECT min(m.position) - 1 FROM codille.webhook_message m WHERE m.webhook_id = hook AND m.settled_at IS NULL)
        ),
        pending = 0, next_at = NULL, paused_until = NULL
    WHERE w.id = hook;
    DELETE FROM codille.webhook_message m WHERE m.webhook_id = hook AND m.settled_at IS NULL;
END
$$;
