-- Whether a presented token may grant these scopes until this expiry: it is valid, has them, and expires no earlier.
CREATE FUNCTION codille.may_give(
    presented codille.token, new_scopes text[], new_expiry timestamptz, moment timestamptz
) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT presented.revoked_at IS NULL AND (presented.expires_at IS NULL OR presented.expires_at > moment)
        AND new_scopes <@ presented.scopes
        AND (presented.expires_at IS NULL OR coalesce(new_expiry <= presented.expires_at, false))
$$;
