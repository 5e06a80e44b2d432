-- Asks the process that has the signing key for a signature of this text, or with null for a checkpoint. Removes what is
-- no longer waited for.
CREATE FUNCTION codille.ask_signature(request uuid, of_text text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM codille.signature s WHERE s.at < now() - interval '1 minute';
    INSERT INTO codille.signature (id, text) VALUES (request, of_text);
    PERFORM pg_notify('codille_signature', '');
END
$$;
