-- Claims at most `slots` due messages until `claim_ends`: those of webhooks whose last attempt was answered promptly
-- (`of_prompt`), or of the others, those with the fewest failures first. Skips webhooks without any delivery so far
-- while their player or host is paused. No webhook gets more concurrent attempts than allowed, whatever the number of
-- claiming processes. A webhook whose maker has ended is removed instead. Each row has what is needed to sign and send
-- the message.
CREATE FUNCTION codille.claim_webhooks(
    moment timestamptz, claim_ends timestamptz, slots integer, of_prompt boolean, many integer
) RETURNS TABLE (
    webhook_id text, "position" bigint, kind text, id text, body bytea, claim uuid, attempts integer, url text,
    secret bytea, former bytea
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    hook record;
    given integer := 0;
    taken integer;
    room integer;
BEGIN
    FOR hook IN
        SELECT w.id, w.url, w.prompt, codille.lasts(w.made_by, moment) AS lasts
        FROM codille.webhook w
        WHERE w.disabled_at IS NULL AND w.prompt = of_prompt AND w.next_at <= moment AND (
            w.proven OR NOT EXISTS (
                SELECT FROM codille.webhook_pause p
                WHERE (p.whose, p.name) IN (('player', w.player_id::text), ('host', w.host)) AND p.paused_until > moment
            )
        )
        ORDER BY w.failures, w.next_at LIMIT slots FOR UPDATE SKIP LOCKED
    LOOP
        IF NOT hook.lasts THEN
            DELETE FROM codille.webhook w WHERE w.id = hook.id;
            CONTINUE;
        END IF;
        -- Counted after the webhook is locked.
        SELECT CASE WHEN hook.prompt THEN many ELSE 1 END - count(*) INTO room FROM codille.webhook_message e
        WHERE e.webhook_id = hook.id AND e.settled_at IS NULL AND e.claim IS NOT NULL AND e.due_at > moment;
        RETURN QUERY
        WITH due AS (
            SELECT e.position, e.kind FROM codille.webhook_message e
            WHERE e.webhook_id = hook.id AND e.settled_at IS NULL AND e.due_at <= moment
            ORDER BY e.due_at, e.position LIMIT greatest(0, least(room, slots - given))
        ), claimed AS (
            UPDATE codille.webhook_message e SET claim = gen_random_uuid(), due_at = claim_ends
            FROM due WHERE e.webhook_id = hook.id AND e.position = due.position AND e.kind = due.kind
            RETURNING e.position, e.kind, e.id, e.body, e.claim, e.attempts
        )
        SELECT hook.id::text, c.position, c.kind, c.id, c.body, c.claim, c.attempts, hook.url, s.secret,
            CASE WHEN s.former_until > moment THEN s.former END
        FROM claimed c JOIN codille.webhook_secret s ON s.webhook_id = hook.id;
        GET DIAGNOSTICS taken = ROW_COUNT;
        given := given + taken;
        PERFORM codille.schedule_webhook(hook.id, moment, many);
        EXIT WHEN given >= slots;
    END LOOP;
END
$$;
