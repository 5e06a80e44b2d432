-- Whether a token is valid at a moment: neither revoked nor expired.
CREATE FUNCTION codille.is_valid(one codille.token, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT one.revoked_at IS NULL AND (one.expires_at IS NULL OR one.expires_at > moment)
$$;
