-- Whether who presents a token may be given one of these scopes that ends then: it is good, has them, ends no earlier.
CREATE FUNCTION codille.may_give(
    presented codille.token, new_scopes text[], new_expiry timestamptz, moment timestamptz
) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT presented.revoked_at IS NULL AND (presented.expires_at IS NULL OR presented.expires_at > moment)
        AND new_scopes <@ presented.scopes
        AND (presented.expires_at IS NULL OR coalesce(new_expiry <= presented.expires_at, false))
$$;
