-- Stores the receipt of a request that changes a webhook, if there is one. Returns null for a new request; otherwise
-- repeated, or key-reused if the body differs.
CREATE FUNCTION codille.keep_webhook_receipt(
    key_scope bytea, key_digest bytea, hook uuid, moment timestamptz, secret_number integer
) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF key_scope IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO codille.webhook_receipt (scope, digest, webhook_id, number, at)
    VALUES (key_scope, key_digest, hook, secret_number, moment) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN NULL;
    END IF;
    RETURN (
        SELECT CASE WHEN r.digest = key_digest THEN 'repeated' ELSE 'key-reused' END
        FROM codille.webhook_receipt r WHERE r.scope = key_scope
    );
END
$$;
