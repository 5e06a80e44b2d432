-- Counts a webhook's waiting messages, and sets the time when the next may be claimed. One attempt runs at a time, or
-- `many` if the last one was answered promptly. The caller has locked the webhook.
CREATE FUNCTION codille.schedule_webhook(hook uuid, moment timestamptz, many integer) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE codille.webhook w SET
        pending = m.waiting,
        next_at = CASE
            WHEN m.under_way >= CASE WHEN w.prompt THEN many ELSE 1 END THEN greatest(m.claim_ends, w.paused_until)
            WHEN m.due IS NOT NULL THEN greatest(m.due, w.paused_until)
        END
    FROM (
        SELECT
            count(*) AS waiting,
            count(*) FILTER (WHERE e.claim IS NOT NULL AND e.due_at > moment) AS under_way,
            min(e.due_at) FILTER (WHERE e.claim IS NOT NULL AND e.due_at > moment) AS claim_ends,
            min(e.due_at) AS due
        FROM codille.webhook_message e WHERE e.webhook_id = hook AND e.settled_at IS NULL
    ) m
    WHERE w.id = hook
$$;
