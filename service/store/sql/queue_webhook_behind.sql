-- Queues the notices of the events after one position up to another for a webhook that is behind. Returns the number of
-- messages; returns null, and queues nothing, if the webhook is no longer at that position. The webhook has caught up
-- when it reaches the others' cursor.
CREATE FUNCTION codille.queue_webhook_behind(
    hook uuid, after bigint, upto bigint, notices codille.webhook_notice[], moment timestamptz, many integer
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    cursor_at bigint;
    queued bigint;
BEGIN
    SELECT c.position INTO cursor_at FROM codille.webhook_cursor c FOR UPDATE;
    PERFORM FROM codille.webhook w WHERE w.id = hook AND w.behind = after AND after <= upto AND w.disabled_at IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO codille.webhook_message (webhook_id, position, kind, id, body, due_at)
    SELECT w.id, n.position, n.kind, n.id, n.body, moment
    FROM unnest(notices) AS n JOIN codille.webhook w ON w.player_id = n.player_id
    WHERE w.id = hook AND n.kind = ANY (w.wanted)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS queued = ROW_COUNT;
    UPDATE codille.webhook w SET behind = nullif(upto, cursor_at) WHERE w.id = hook;
    UPDATE codille.webhook_cursor c SET joined = c.joined + 1 WHERE upto = cursor_at;
    PERFORM codille.schedule_webhook(hook, moment, many);
    RETURN queued;
END
$$;
