-- Removes receipts of requests from before a moment.
CREATE FUNCTION codille.tidy_webhooks(before timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM codille.webhook_receipt r WHERE r.at < before
$$;
