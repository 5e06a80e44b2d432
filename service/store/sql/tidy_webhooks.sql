-- Deletes receipts from before a moment, and the pauses of players and hosts without a failure since another moment.
CREATE FUNCTION codille.tidy_webhooks(before timestamptz, failed_before timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM codille.webhook_receipt r WHERE r.at < before;
    DELETE FROM codille.webhook_pause p WHERE p.at < failed_before
$$;
