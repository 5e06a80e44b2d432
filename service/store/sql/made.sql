-- What a token made, and what that made in turn, as far as it is valid, at most `most` of it. An invitation has a
-- table, and a code has no id.
CREATE FUNCTION codille.made(of_token uuid, moment timestamptz, most integer)
RETURNS TABLE (kind text, id uuid, table_id uuid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
    WITH maker AS (SELECT codille.descendants(of_token) AS id)
    SELECT 'token', t.id, NULL::uuid FROM codille.token t JOIN maker m ON m.id = t.id
    WHERE t.id <> of_token AND codille.is_valid(t, moment)
    UNION ALL
    SELECT 'webhook', w.id, NULL FROM codille.webhook w JOIN maker m ON m.id = w.made_by
    WHERE codille.lasts(w.made_by, moment)
    UNION ALL
    SELECT 'invitation', encode(substring(i.hash FOR 16), 'hex')::uuid, i.table_id
    FROM codille.invitation i JOIN maker m ON m.id = i.made_by
    WHERE codille.lasts(i.made_by, moment)
    UNION ALL
    SELECT 'code', NULL, NULL FROM codille.handover h JOIN maker m ON m.id = h.token_id
    WHERE h.expires_at > moment AND codille.lasts(h.token_id, moment)
    UNION ALL
    SELECT 'code', NULL, NULL FROM codille.authorization_code c JOIN maker m ON m.id = c.made_by
    WHERE c.token_id IS NULL AND c.expires_at > moment AND codille.lasts(c.made_by, moment)
    LIMIT most
$$;
