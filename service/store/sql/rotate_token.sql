-- Rotates a token as `rotate` does, which programs of the version before call. Returns a row for each thing that the
-- token had made, as `made` lists it, and at least one; with `ending` all of it ends.
CREATE FUNCTION codille.rotate_token(
    of_token uuid, of_player uuid, new_hash bytea, new_expiry timestamptz, moment timestamptz,
    key_scope bytea, key_digest bytea, secret text, by_token uuid, ending boolean, most integer
) RETURNS TABLE (outcome text, player_id text, token_id text, kind text, id text, table_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    rotated record;
BEGIN
    SELECT * INTO rotated FROM codille.rotate(
        of_token, of_player, new_hash, new_expiry, moment, key_scope, key_digest, secret, by_token
    );
    RETURN QUERY
    SELECT rotated.outcome, rotated.player_id, rotated.token_id, m.kind, m.id::text, m.table_id::text
    FROM (SELECT) always LEFT JOIN codille.made(of_token, moment, most) m ON rotated.outcome IN ('issued', 'reissued');
    IF ending AND rotated.outcome IN ('issued', 'reissued') THEN
        PERFORM codille.end_made(of_player, of_token, moment);
    END IF;
END
$$;
