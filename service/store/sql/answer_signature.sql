-- Stores a requested signed note. The first one stays.
CREATE FUNCTION codille.answer_signature(request uuid, signed text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE codille.signature s SET note = signed WHERE s.id = request AND s.note IS NULL;
$$;
