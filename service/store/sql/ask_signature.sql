-- Requests a signature of this text from the process with the signing key; null requests a checkpoint. Deletes requests
-- that nobody waits for any more.
CREATE FUNCTION codille.ask_signature(request uuid, of_text text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM codille.signature s WHERE s.at < now() - interval '1 minute';
    INSERT INTO codille.signature (id, text) VALUES (request, of_text);
    PERFORM pg_notify('codille_signature', '');
END
$$;
