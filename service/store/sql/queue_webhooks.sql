-- Queues the notices of the events after one position up to another for all webhooks that are not behind, and moves
-- their cursor. Returns the number of messages; returns null, and queues nothing, if another process has moved the
-- cursor, or a webhook has caught up since the events were read.
--
-- Locks are taken in order: the cursor, then webhooks by id. A webhook whose outbox is full falls behind.
CREATE FUNCTION codille.queue_webhooks(
    after bigint, upto bigint, as_joined bigint, notices codille.webhook_notice[], moment timestamptz, many integer,
    full_at integer
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    hooks uuid[];
    queued bigint;
BEGIN
    UPDATE codille.webhook_cursor c SET position = upto WHERE c.position = after AND c.joined = as_joined;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH locked AS (
        SELECT w.id FROM codille.webhook w
        WHERE w.behind IS NULL AND w.disabled_at IS NULL
            AND w.player_id = ANY (ARRAY(SELECT DISTINCT n.player_id FROM unnest(notices) AS n))
        ORDER BY w.id FOR UPDATE
    )
    SELECT array_agg(l.id) INTO hooks FROM locked l;
    INSERT INTO codille.webhook_message (webhook_id, position, kind, id, body, due_at)
    SELECT w.id, n.position, n.kind, n.id, n.body, moment
    FROM unnest(notices) AS n JOIN codille.webhook w ON w.player_id = n.player_id
    WHERE w.id = ANY (hooks) AND n.kind = ANY (w.wanted)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS queued = ROW_COUNT;
    PERFORM codille.schedule_webhook(hook, moment, many) FROM unnest(hooks) AS hook;
    UPDATE codille.webhook w SET behind = upto WHERE w.id = ANY (hooks) AND w.pending >= full_at;
    RETURN queued;
END
$$;
