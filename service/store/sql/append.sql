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
    wins boolean[];
    befores bigint[];
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
    SELECT
        array_agg(coalesce(l.version, 0) ORDER BY c.n),
        array_agg(coalesce(l.head, genesis) ORDER BY c.n),
        array_agg(c.version = coalesce(l.version, 0) AND c.head = coalesce(l.head, genesis) ORDER BY c.n)
    INTO found_versions, found_heads, wins
    FROM unnest(tables, versions, heads) WITH ORDINALITY AS c (id, version, head, n) LEFT JOIN locked l ON l.id = c.id;

    IF cardinality(array_remove(scopes, NULL)) > 0 THEN
        WITH kept AS (
            INSERT INTO codille.receipt (scope, digest, table_id, first, last)
            SELECT DISTINCT ON (c.scope) c.scope, c.digest, c.id, c.version + 1, c.version + c.count
            FROM unnest(tables, versions, counts, scopes, digests, wins) WITH ORDINALITY
                AS c (id, version, count, scope, digest, wins, n)
            WHERE c.scope IS NOT NULL AND c.wins
            ORDER BY c.scope, c.n
            ON CONFLICT DO NOTHING
            RETURNING table_id
        )
        SELECT array_agg(c.wins AND (c.scope IS NULL OR k.table_id IS NOT NULL) ORDER BY c.n)
        INTO wins
        FROM unnest(tables, scopes, wins) WITH ORDINALITY AS c (id, scope, wins, n) LEFT JOIN kept k ON k.table_id = c.id;
    END IF;

    SELECT array_agg(c.upto - c.count ORDER BY c.n), max(c.upto)
    INTO befores, gained
    FROM (
        SELECT c.n, c.count, sum(c.count) FILTER (WHERE c.wins) OVER (ORDER BY c.n ROWS UNBOUNDED PRECEDING) AS upto
        FROM unnest(counts, wins) WITH ORDINALITY AS c (count, wins, n)
    ) c;

    IF gained > 0 THEN
        UPDATE codille.log l SET position = l.position + gained WHERE l.shard = 0 RETURNING l.position INTO reached;

        INSERT INTO codille.event (
            table_id, version, position, game, deal, type, schema, at, actor, action, public, seals, sealed, hash
        )
        SELECT tables[e.owner], e.version, reached - gained + befores[e.owner] + e.version - versions[e.owner], e.game,
            e.deal, e.type, e.schema, e.at::timestamptz, e.actor, e.action, e.public, e.seals, e.sealed, e.hash
        FROM unnest(owners, numbers, games, deals, types, schemas, ats, actors, actions, publics, seals, sealeds, hashes)
            AS e (owner, version, game, deal, type, schema, at, actor, action, public, seals, sealed, hash)
        WHERE wins[e.owner];

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
        CASE answer.outcome WHEN 'duplicate' THEN r.table_id::text END,
        CASE answer.outcome WHEN 'duplicate' THEN r.first WHEN 'appended' THEN c.version + 1 END,
        CASE answer.outcome WHEN 'duplicate' THEN r.last WHEN 'appended' THEN c.version + c.count
            ELSE c.found_version END,
        CASE answer.outcome WHEN 'conflict' THEN c.found_head END,
        CASE WHEN c.wins THEN reached - gained + c.before + 1 ELSE standing.position - c.count + 1 END
    FROM unnest(tables, versions, counts, tips, scopes, digests, found_versions, found_heads, wins, befores)
        WITH ORDINALITY AS c (id, version, count, tip, scope, digest, found_version, found_head, wins, before, n)
    LEFT JOIN LATERAL (
        SELECT e.position FROM codille.event e
        WHERE NOT c.wins AND e.table_id = c.id AND e.version = c.version + c.count AND e.hash = c.tip
        OFFSET 0
    ) standing ON true
    LEFT JOIN LATERAL (
        SELECT r.table_id, r.first, r.last, r.digest FROM codille.receipt r
        WHERE NOT c.wins AND r.scope = c.scope
        OFFSET 0
    ) r ON true
    CROSS JOIN LATERAL (
        SELECT CASE
            WHEN c.wins OR standing.position IS NOT NULL THEN 'appended'
            WHEN r.digest IS NULL THEN 'conflict'
            WHEN r.digest = c.digest THEN 'duplicate'
            ELSE 'key-reused'
        END AS outcome
    ) answer
    ORDER BY c.n;
END
$$;
