-- A webhook's messages before a position and kind, newest first, at most `many`; with `of_status`, only those. They are of
-- the kinds that the caller knows: a program that does not say so is of a version that had no `rematch`.
CREATE FUNCTION codille.webhook_deliveries(
    hook uuid, before bigint, before_kind text, of_status text, many integer,
    known text[] DEFAULT '{your-turn,game-started,deal-scored,game-over,table-closed,dispute-ruled}'
) RETURNS TABLE (
    id text, kind text, "position" bigint, body bytea, attempts integer, attempted_at timestamptz, status integer,
    error text, due_at timestamptz, delivered boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    SELECT m.id, m.kind, m.position, m.body, m.attempts, m.attempted_at, m.status, m.error, m.due_at, m.delivered
    FROM codille.webhook_message m
    WHERE m.webhook_id = hook AND m.kind = ANY (known) AND (before IS NULL OR (m.position, m.kind) < (before, before_kind))
        AND (of_status IS NULL
            OR of_status = CASE m.delivered WHEN true THEN 'delivered' WHEN false THEN 'failed' ELSE 'pending' END)
    ORDER BY m.position DESC, m.kind DESC LIMIT many
$$;
