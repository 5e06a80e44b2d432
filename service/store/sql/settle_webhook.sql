-- Records the outcome of an attempt. Returns delivered, again (at `retry_at`), given-up (without one), disabled, or
-- stale if the message was claimed or queued again since, or removed; then nothing is recorded.
--
-- A webhook is disabled if its receiver says that it is gone, or if nothing was delivered since `failing_from`.
-- `fail_webhook` describes the last parameters.
CREATE FUNCTION codille.settle_webhook(
    hook uuid, at_position bigint, of_kind text, by_claim uuid, moment timestamptz, of_outcome text, with_status integer,
    with_error text, retry_at timestamptz, wanted_until timestamptz, failing_from timestamptz, soon boolean, many integer,
    listed integer, in_a_row integer, first_pause interval, longest_pause interval
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept codille.webhook;
    settled CONSTANT boolean := of_outcome = 'delivered' OR retry_at IS NULL;
BEGIN
    SELECT * INTO kept FROM codille.webhook w WHERE w.id = hook FOR UPDATE;
    UPDATE codille.webhook_message m SET
        claim = NULL, attempts = m.attempts + 1, attempted_at = moment, status = with_status, error = with_error,
        due_at = coalesce(retry_at, m.due_at),
        settled_at = CASE WHEN settled THEN moment END,
        delivered = CASE WHEN settled THEN of_outcome = 'delivered' END
    WHERE m.webhook_id = hook AND m.position = at_position AND m.kind = of_kind AND m.claim = by_claim;
    IF NOT FOUND THEN
        RETURN 'stale';
    END IF;
    IF of_outcome = 'delivered' THEN
        UPDATE codille.webhook w SET
            failures = 0, failing_since = NULL, paused_until = NULL, last_success_at = moment, prompt = soon,
            proven = true
        WHERE w.id = hook;
        -- The host works. The player may have other hosts that do not.
        DELETE FROM codille.webhook_pause p WHERE p.whose = 'host' AND p.name = kept.host;
    ELSE
        PERFORM codille.fail_webhook(kept, moment, wanted_until, in_a_row, first_pause, longest_pause);
        IF of_outcome = 'gone' OR kept.failing_since <= failing_from THEN
            PERFORM codille.disable_webhook(
                hook, moment, CASE of_outcome WHEN 'gone' THEN 'gone' ELSE 'failing' END
            );
            RETURN 'disabled';
        END IF;
    END IF;
    PERFORM codille.schedule_webhook(hook, moment, many);
    -- Keeps the newest settled messages, for the list of deliveries.
    DELETE FROM codille.webhook_message m
    WHERE m.webhook_id = hook AND m.settled_at IS NOT NULL AND m.position < (
        SELECT o.position FROM codille.webhook_message o WHERE o.webhook_id = hook AND o.settled_at IS NOT NULL
        ORDER BY o.position DESC OFFSET listed LIMIT 1
    );
    RETURN CASE WHEN of_outcome = 'delivered' THEN 'delivered' WHEN settled THEN 'given-up' ELSE 'again' END;
END
$$;
