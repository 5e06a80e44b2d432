-- A token, and the tokens that it made, and those that they made in turn.
CREATE FUNCTION codille.descendants(of_token uuid) RETURNS SETOF uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    WITH RECURSIVE made AS (
        SELECT of_token AS id
        UNION
        SELECT t.id FROM codille.token t JOIN made m ON t.made_by = m.id
    )
    SELECT m.id FROM made m
$$;
