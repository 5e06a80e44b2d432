-- Adds a webhook to a player, for notices of future events. It ends with its maker (see `maker`). Returns added,
-- unknown (no such player, or erased, or `by_token` is not valid), too-many, and for a key used before: repeated with
-- the first response's secret, spent, or key-reused.
CREATE FUNCTION codille.add_webhook(
    of_player uuid, hook uuid, new_name text, new_url text, new_kinds text[], new_secret bytea, moment timestamptz,
    most integer, key_scope bytea, key_digest bytea, by_token uuid DEFAULT NULL
) RETURNS TABLE (outcome text, webhook_id text, secret bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    before text;
    maker record;
BEGIN
    -- Serializes the player's additions, so that the count is right.
    PERFORM FROM codille.player p WHERE p.id = of_player AND p.erased_at IS NULL FOR UPDATE;
    IF FOUND THEN
        SELECT * INTO maker FROM codille.maker(of_player, by_token, moment);
    END IF;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'unknown', NULL::text, NULL::bytea;
        RETURN;
    END IF;
    IF key_scope IS NOT NULL AND EXISTS (SELECT FROM codille.webhook_receipt r WHERE r.scope = key_scope) THEN
        before := codille.keep_webhook_receipt(key_scope, key_digest, hook, moment, 1);
        IF before = 'repeated' THEN
            RETURN QUERY SELECT * FROM codille.first_webhook_answer(key_scope);
        ELSE
            RETURN QUERY SELECT before, NULL::text, NULL::bytea;
        END IF;
        RETURN;
    END IF;
    DELETE FROM codille.webhook w WHERE w.player_id = of_player AND NOT codille.lasts(w.made_by, moment);
    IF (SELECT count(*) FROM codille.webhook w WHERE w.player_id = of_player) >= most THEN
        RETURN QUERY SELECT 'too-many', NULL::text, NULL::bytea;
        RETURN;
    END IF;
    PERFORM codille.keep_webhook_receipt(key_scope, key_digest, hook, moment, 1);
    INSERT INTO codille.webhook (id, player_id, name, url, wanted, created_at, behind, made_by)
    SELECT hook, of_player, new_name, new_url, new_kinds, moment, l.position, maker.id
    FROM codille.log l WHERE l.shard = 0;
    INSERT INTO codille.webhook_secret (webhook_id, number, secret) VALUES (hook, 1, new_secret);
    RETURN QUERY SELECT 'added', hook::text, new_secret;
END
$$;
