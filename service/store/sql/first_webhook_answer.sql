-- The outcome of a repeated request whose response had a secret: with that secret if the webhook still has it, else
-- spent.
CREATE FUNCTION codille.first_webhook_answer(key_scope bytea)
RETURNS TABLE (outcome text, webhook_id text, secret bytea)
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
    SELECT CASE WHEN s.number IS NULL THEN 'spent' ELSE 'repeated' END, r.webhook_id::text, s.secret
    FROM codille.webhook_receipt r
    LEFT JOIN codille.webhook_secret s ON s.webhook_id = r.webhook_id AND s.number = r.number
    WHERE r.scope = key_scope
$$;
