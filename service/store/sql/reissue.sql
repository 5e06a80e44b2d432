-- Handles a repeated request for a token. Only hashes are stored, so the first response's secret cannot be repeated. An
-- unused token gets a new secret (reissued) if the caller is known to be the same; a used or revoked one does not
-- (spent). Another request body or other scopes are key-reused: a lesser token cannot renew a token.
CREATE FUNCTION codille.reissue(
    key_scope bytea, key_digest bytea, new_hash bytea, new_scopes text[], new_expiry timestamptz, moment timestamptz,
    renewable boolean
) RETURNS TABLE (outcome text, player_id text, token_id text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    kept codille.issue;
    own codille.token;
BEGIN
    SELECT * INTO kept FROM codille.issue i WHERE i.scope = key_scope;
    SELECT * INTO own FROM codille.token t WHERE t.id = kept.token_id FOR UPDATE;
    IF kept.digest <> key_digest OR own.scopes <> new_scopes OR own.expires_at IS DISTINCT FROM new_expiry THEN
        RETURN QUERY SELECT 'key-reused', NULL::text, NULL::text;
    ELSIF renewable AND own.first_used_at IS NULL AND codille.is_valid(own, moment) THEN
        UPDATE codille.token t SET hash = new_hash, created_at = moment WHERE t.id = own.id;
        PERFORM pg_notify('codille_revoked', encode(own.hash, 'hex'));
        RETURN QUERY SELECT 'reissued', own.player_id::text, own.id::text;
    ELSE
        RETURN QUERY SELECT 'spent', own.player_id::text, own.id::text;
    END IF;
END
$$;
