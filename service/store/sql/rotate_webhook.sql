-- Replaces a webhook's secret; the old one signs too until `former_ends`. Who replaces it counts as the webhook's maker
-- (see `maker`). Returns rotated, unknown (also if `by_token`, the token in use, is not valid), and for a key used
-- before: repeated with the first response's secret, spent, or key-reused.
CREATE FUNCTION codille.rotate_webhook(
    of_player uuid, hook uuid, new_secret bytea, moment timestamptz, former_ends timestamptz,
    key_scope bytea, key_digest bytea, by_token uuid DEFAULT NULL
) RETURNS TABLE (outcome text, webhook_id text, secret bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    before text;
    next_number integer;
    maker record;
BEGIN
    -- Serializes with what ends the player's tokens.
    PERFORM FROM codille.player p WHERE p.id = of_player FOR SHARE;
    SELECT * INTO maker FROM codille.maker(of_player, by_token, moment);
    IF FOUND THEN
        PERFORM FROM codille.webhook w WHERE w.id = hook AND w.player_id = of_player FOR UPDATE;
    END IF;
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
    UPDATE codille.webhook w SET made_by = maker.id WHERE w.id = hook;
    RETURN QUERY SELECT 'rotated', hook::text, new_secret;
END
$$;
