-- Replaces a webhook's secret; the old one signs too until `former_ends`. Returns rotated, unknown, and for a key used
-- before: repeated with the first response's secret, spent, or key-reused.
CREATE FUNCTION codille.rotate_webhook(
    of_player uuid, hook uuid, new_secret bytea, moment timestamptz, former_ends timestamptz,
    key_scope bytea, key_digest bytea
) RETURNS TABLE (outcome text, webhook_id text, secret bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    before text;
    next_number integer;
BEGIN
    PERFORM FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::bytea;
        RETURN;
    END IF;
    SELECT s.number + 1 INTO next_number FROM codille.webhook_secret s WHERE s.webhook_id = hook;
    before := codille.keep_webhook_receipt(key_scope, key_digest, hook, moment, next_number);
    IF before = 'repeated' THEN
        RETURN QUERY SELECT * FROM codille.first_webhook_answer(key_scope);
        RETURN;
    ELSIF before IS NOT NULL THEN
        RETURN QUERY SELECT before, NULL::text, NULL::bytea;
        RETURN;
    END IF;
    UPDATE codille.webhook_secret s
    SET number = next_number, former = s.secret, former_until = former_ends, secret = new_secret
    WHERE s.webhook_id = hook;
    RETURN QUERY SELECT 'rotated', hook::text, new_secret;
END
$$;
