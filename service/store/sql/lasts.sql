-- Whether what a token made is valid at a moment: as long as the token is. Nothing but a recovery and an erasure ends
-- what no token is known to have made.
CREATE FUNCTION codille.lasts(maker uuid, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT maker IS NULL
        OR EXISTS (SELECT FROM codille.token t WHERE t.id = maker AND codille.is_valid(t, moment))
$$;
