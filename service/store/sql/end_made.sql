-- Ends what a token of a player made, and what that made in turn: tokens, webhooks, invitations and codes. Notifies
-- every process. Null stands for all tokens of the player: they end too, and so does what no token is known to have
-- made. The caller has locked the player, so that nothing is made meanwhile.
CREATE FUNCTION codille.end_made(of_player uuid, of_token uuid, moment timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    makers CONSTANT uuid[] := ARRAY(SELECT codille.descendants(of_token));
    tokens CONSTANT uuid[] := ARRAY(
        -- Locked in the order in which `present` locks them.
        SELECT t.id FROM codille.token t
        WHERE t.player_id = of_player AND t.revoked_at IS NULL
            AND (of_token IS NULL OR t.made_by = ANY (makers) AND t.id <> of_token)
        ORDER BY t.id FOR UPDATE
    );
    invitations bytea[];
BEGIN
    UPDATE codille.token t SET revoked_at = moment WHERE t.id = ANY (tokens);
    WITH ended AS (
        DELETE FROM codille.invitation i
        WHERE i.player_id = of_player AND (of_token IS NULL OR i.made_by = ANY (makers)) RETURNING i.hash
    )
    SELECT array_agg(e.hash) INTO invitations FROM ended e;
    DELETE FROM codille.handover h
    WHERE h.player_id = of_player AND (of_token IS NULL OR h.token_id = ANY (makers));
    DELETE FROM codille.authorization_code c
    WHERE c.player_id = of_player AND c.token_id IS NULL AND (of_token IS NULL OR c.made_by = ANY (makers));
    -- Locked in the order in which `queue_webhooks` locks them.
    DELETE FROM codille.webhook w WHERE w.id = ANY (ARRAY(
        SELECT o.id FROM codille.webhook o
        WHERE o.player_id = of_player AND (of_token IS NULL OR o.made_by = ANY (makers)) ORDER BY o.id FOR UPDATE
    ));
    PERFORM pg_notify('codille_revoked', encode(e.hash, 'hex')) FROM (
        SELECT t.hash FROM codille.token t WHERE t.id = ANY (tokens) UNION ALL SELECT unnest(invitations)
    ) e;
END
$$;
