-- Whether who presents a token may revoke or rotate a token of the same player: itself, or one that lasts no longer.
--
-- One from registration, recovery or the operator that has no end lasts longest: it was not added by another, and may
-- end all. So a token that is lent takes nothing from the player that the player does not get back by it.
CREATE FUNCTION codille.may_end(presented codille.token, one codille.token) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
    SELECT presented.id = one.id OR presented.expires_at IS NULL AND NOT presented.added
        OR (one.added OR one.expires_at IS NOT NULL)
            AND (presented.expires_at IS NULL OR coalesce(one.expires_at <= presented.expires_at, false))
$$;
