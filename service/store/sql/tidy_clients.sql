-- Removes some clients' tokens and codes that have expired. A code stays for an hour, in which its repeated use ends the
-- token that it gave.
CREATE FUNCTION codille.tidy_clients(moment timestamptz) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM codille.authorization_code c WHERE c.hash = ANY (ARRAY(
        SELECT o.hash FROM codille.authorization_code o WHERE o.expires_at < moment - interval '1 hour'
        ORDER BY o.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ));
    DELETE FROM codille.token t WHERE t.id = ANY (ARRAY(
        SELECT o.id FROM codille.token o WHERE o.client IS NOT NULL AND o.expires_at < moment - interval '1 hour'
        ORDER BY o.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ));
$$;
