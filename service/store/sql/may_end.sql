-- Whether a presented token may revoke or rotate a token of the same player: itself, or one that lasts no longer.
--
-- A token without expiry from registration, recovery or the operator lasts longest: it was not added by another one,
-- and may end every token. So a token that is lent can take nothing that the player cannot get back. A client's token
-- ends itself alone.
CREATE FUNCTION codille.may_end(presented codille.token, one codille.token) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
    SELECT presented.id = one.id OR presented.client IS NULL AND (
        presented.expires_at IS NULL AND NOT presented.added
        OR (one.added OR one.expires_at IS NOT NULL)
            AND (presented.expires_at IS NULL OR coalesce(one.expires_at <= presented.expires_at, false))
    )
$$;
