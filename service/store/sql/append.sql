-- Appends a batch of commands, each one's events to its own table, and answers for each of them, in their order:
--
--   appended    first, last: the versions; position: that of the first event
--   duplicate   the receipt's command was appended before: its table, first and last
--   key-reused  the receipt's scope is known with another digest
--   conflict    last and head: where the stream is instead
--
-- A command wins when its stream is at the expected version and head and its receipt is new. A table may stand in a
-- batch once. The same command sent again, after its answer was lost, is answered appended: the hash of its last
-- event is at its place.
--
-- These are separate statements, since the snapshot of one that waits for a lock is older than the lock. Locks are
-- taken kind by kind and in order within each kind: new streams by id, known streams by id, receipts by scope, the
-- counter. So two batches never wait for each other.
--
-- Plans are made once a connection, perhaps when the tables are still empty: the settings keep them on the indexes.
CREATE FUNCTION codille.append(
    -- one a command
    tables uuid[], versions integer[], heads bytea[], counts integer[], tips bytea[], scopes bytea[], digests bytea[],
    -- one an event; `owners` are the numbers of their commands, from 1
    owners integer[], numbers integer[], games text[], deals integer[], types text[], schemas integer[], ats text[],
    actors text[], actions uuid[], publics bytea[], seals bytea[], sealeds bytea[], hashes bytea[]
) RETURNS TABLE (outcome text, table_id text, first integer, last integer, head bytea, "position" bigint)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    genesis CONSTANT bytea := decode(repeat('00', 32), 'hex');
    found_versions integer[];
    found_heads bytea[];
    receipted uuid[];
    wins boolean[];
    gained bigint;
    reached bigint;
BEGIN
    IF 0 = ANY (versions) THEN
        INSERT INTO codille.stream (id, version, head)
        SELECT c.id, 0, genesis
        FROM unnest(tables, versions) AS c (id, version)
        WHERE c.version = 0
        ORDER BY c.id
        ON CONFLICT DO NOTHING;
    END IF;

    WITH locked AS (
        SELECT s.id, s.version, s.head FROM codille.stream s WHERE s.id = ANY (tables) ORDER BY s.id FOR UPDATE
    )
    SELECT array_agg(coalesce(l.version, 0) ORDER BY c.n), array_agg(coalesce(l.head, genesis) ORDER BY c.n)
    INTO found_versions, found_heads
    FROM unnest(tables) WITH ORDINALITY AS c (id, n) LEFT JOIN locked l ON l.id = c.id;

    WITH kept AS (
        INSERT INTO codille.receipt (scope, digest, table_id, first, last)
        SELECT DISTINCT ON (c.scope) c.scope, c.digest, c.id, c.version + 1, c.version + c.count
        FROM unnest(tables, versions, heads, counts, scopes, digests, found_versions, found_heads) WITH ORDINALITY
            AS c (id, version, head, count, scope, digest, found_version, found_head, n)
        WHERE c.scope IS NOT NULL AND c.version = c.found_version AND c.head = c.found_head
        ORDER BY c.scope, c.n
        ON CONFLICT DO NOTHING
        RETURNING table_id
    )
    SELECT coalesce(array_agg(k.table_id), '{}') INTO receipted FROM kept k;

    SELECT array_agg(c.wins ORDER BY c.n), sum(c.count) FILTER (WHERE c.wins)
    INTO wins, gained
    FROM (
        SELECT c.n, c.count, c.version = c.found_version AND c.head = c.found_head
            AND (c.scope IS NULL OR c.id = ANY (receipted)) AS wins
        FROM unnest(tables, versions, heads, counts, scopes, found_versions, found_heads) WITH ORDINALITY
            AS c (id, version, head, count, scope, found_version, found_head, n)
    ) c;

    IF gained > 0 THEN
        UPDATE codille.log l SET position = l.position + gained WHERE l.shard = 0 RETURNING l.position INTO reached;

        INSERT INTO codille.event (
            table_id, version, position, game, deal, type, schema, at, actor, action, public, seals, sealed, hash
        )
        SELECT c.id, e.version, reached - gained + row_number() OVER (ORDER BY e.n), e.game, e.deal, e.type, e.schema,
            e.at::timestamptz, e.actor, e.action, e.public, e.seals, e.sealed, e.hash
        FROM unnest(owners, numbers, games, deals, types, schemas, ats, actors, actions, publics, seals, sealeds, hashes)
            WITH ORDINALITY
            AS e (owner, version, game, deal, type, schema, at, actor, action, public, seals, sealed, hash, n)
        JOIN unnest(tables, wins) WITH ORDINALITY AS c (id, wins, n) ON c.n = e.owner AND c.wins;

        UPDATE codille.stream s SET version = c.version + c.count, head = c.tip
        FROM unnest(tables, versions, counts, tips, wins) AS c (id, version, count, tip, wins)
        WHERE s.id = c.id AND c.wins;

        PERFORM pg_notify('codille_log', reached::text);
    END IF;

    IF 0 = ANY (versions) THEN
        DELETE FROM codille.stream s WHERE s.id = ANY (tables) AND s.version = 0;
    END IF;

    RETURN QUERY
    SELECT
        answer.outcome,
        CASE answer.outcome WHEN 'duplicate' THEN r.table_id ELSE c.id END::text,
        CASE answer.outcome WHEN 'duplicate' THEN r.first WHEN 'appended' THEN c.version + 1 END,
        CASE answer.outcome WHEN 'duplicate' THEN r.last WHEN 'appended' THEN c.version + c.count
            ELSE c.found_version END,
        c.found_head,
        standing.position - c.count + 1
    FROM unnest(tables, versions, counts, tips, scopes, digests, found_versions, found_heads) WITH ORDINALITY
        AS c (id, version, count, tip, scope, digest, found_version, found_head, n)
    LEFT JOIN LATERAL (
        SELECT e.position FROM codille.event e
        WHERE e.table_id = c.id AND e.version = c.version + c.count AND e.hash = c.tip
        OFFSET 0
    ) standing ON true
    LEFT JOIN LATERAL (
        SELECT r.table_id, r.first, r.last, r.digest FROM codille.receipt r WHERE r.scope = c.scope OFFSET 0
    ) r ON true
    CROSS JOIN LATERAL (
        SELECT CASE
            WHEN standing.position IS NOT NULL THEN 'appended'
            WHEN r.digest IS NULL THEN 'conflict'
            WHEN r.digest = c.digest THEN 'duplicate'
            ELSE 'key-reused'
        END AS outcome
    ) answer
    ORDER BY c.n;
END
$$;
