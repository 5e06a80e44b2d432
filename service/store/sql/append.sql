-- Appends a batch of commands, each one's events to its own table, and returns a row for each command, in order:
--
--   appended    first, last: the versions; position: that of the first event
--   duplicate   the receipt's command was appended before: its table, first and last version
--   key-reused  the receipt's scope is known with another digest
--   conflict    last and head: the stream's current version and head
--
-- A command wins if its stream is at the expected version and head and its receipt is new. A batch has at most one
-- command a table. A command sent again after its answer was lost is answered as appended: the event at its last
-- version has the hash of its last event.
--
-- The work is done in separate statements, since the snapshot of a statement that waits for a lock is older than the
-- lock. Locks are taken kind by kind and in order within each kind: new streams by id, known streams by id, receipts by
-- scope, the counter. So two batches cannot deadlock.
--
-- Plans are made once per connection, perhaps while the tables are empty; the settings keep them on the indexes. For
-- small batches Postgres would otherwise plan every call, which costs more than the append.
CREATE FUNCTION codille.append(commands codille.command[], events codille.new_event[])
RETURNS TABLE (outcome text, table_id text, first integer, last integer, head bytea, "position" bigint)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    genesis CONSTANT bytea := decode(repeat('00', 32), 'hex');
    opening boolean;
    keyed boolean;
    wins boolean[];
    -- By command: the offset from an event's version to its place among all events appended by this call.
    ahead bigint[];
    gained bigint;
    reached bigint;
BEGIN
    INSERT INTO codille.stream (id, version, head)
    SELECT c.table_id, 0, genesis FROM unnest(commands) AS c WHERE c.version = 0 ORDER BY c.table_id
    ON CONFLICT DO NOTHING;
    opening := FOUND;

    WITH locked AS (
        SELECT s.id, s.version, s.head FROM codille.stream s
        WHERE s.id = ANY (ARRAY(SELECT c.table_id FROM unnest(commands) AS c))
        ORDER BY s.id FOR UPDATE
    )
    SELECT array_agg(l.id IS NOT NULL ORDER BY c.n), count(c.scope) > 0
    INTO wins, keyed
    FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
    LEFT JOIN locked l ON l.id = c.table_id AND l.version = c.version AND l.head = c.head;

    IF keyed THEN
        WITH kept AS (
            INSERT INTO codille.receipt (scope, digest, table_id, first, last)
            SELECT DISTINCT ON (c.scope) c.scope, c.digest, c.table_id, c.version + 1, c.version + c.count
            FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
            WHERE c.scope IS NOT NULL AND wins[c.n]
            ORDER BY c.scope, c.n
            ON CONFLICT DO NOTHING
            RETURNING table_id
        )
        SELECT array_agg(wins[c.n] AND (c.scope IS NULL OR k.table_id IS NOT NULL) ORDER BY c.n)
        INTO wins
        FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
        LEFT JOIN kept k ON k.table_id = c.table_id;
    END IF;

    SELECT array_agg(c.upto - c.count - c.version ORDER BY c.n), max(c.upto)
    INTO ahead, gained
    FROM (
        SELECT c.n, c.version, c.count,
            sum(c.count) FILTER (WHERE wins[c.n]) OVER (ORDER BY c.n ROWS UNBOUNDED PRECEDING) AS upto
        FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
    ) c;

    IF gained > 0 THEN
        UPDATE codille.log l SET position = l.position + gained WHERE l.shard = 0 RETURNING l.position INTO reached;

        INSERT INTO codille.event (
            table_id, version, position, game, deal, type, schema, at, actor, action, public, seals, sealed, hash
        )
        SELECT e.table_id, e.version, reached - gained + ahead[e.command] + e.version, e.game, e.deal, e.type, e.schema,
            e.at::timestamptz, e.actor, e.action, e.public, e.seals, e.sealed, e.hash
        FROM unnest(events) AS e
        WHERE wins[e.command];

        UPDATE codille.stream s SET version = c.version + c.count, head = c.tip
        FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
        WHERE s.id = c.table_id AND wins[c.n];

        PERFORM pg_notify('codille_log', reached::text);
    END IF;

    IF opening THEN
        DELETE FROM codille.stream s
        WHERE s.id = ANY (ARRAY(SELECT c.table_id FROM unnest(commands) AS c)) AND s.version = 0;
    END IF;

    RETURN QUERY
    SELECT
        answer.outcome,
        CASE answer.outcome WHEN 'duplicate' THEN r.table_id::text END,
        CASE answer.outcome WHEN 'duplicate' THEN r.first WHEN 'appended' THEN c.version + 1 END,
        CASE answer.outcome WHEN 'duplicate' THEN r.last WHEN 'appended' THEN c.version + c.count
            WHEN 'conflict' THEN coalesce(s.version, 0) END,
        CASE answer.outcome WHEN 'conflict' THEN coalesce(s.head, genesis) END,
        CASE WHEN wins[c.n] THEN reached - gained + ahead[c.n] + c.version + 1 ELSE recorded.position - c.count + 1 END
    FROM unnest(commands) WITH ORDINALITY AS c (table_id, version, head, count, tip, scope, digest, n)
    -- What the log already has for commands that did not win.
    LEFT JOIN LATERAL (
        SELECT e.position FROM codille.event e
        WHERE NOT wins[c.n] AND e.table_id = c.table_id AND e.version = c.version + c.count AND e.hash = c.tip
        OFFSET 0
    ) recorded ON true
    LEFT JOIN LATERAL (
        SELECT r.table_id, r.first, r.last, r.digest FROM codille.receipt r
        WHERE NOT wins[c.n] AND r.scope = c.scope
        OFFSET 0
    ) r ON true
    LEFT JOIN LATERAL (
        SELECT s.version, s.head FROM codille.stream s WHERE NOT wins[c.n] AND s.id = c.table_id OFFSET 0
    ) s ON true
    CROSS JOIN LATERAL (
        SELECT CASE
            WHEN wins[c.n] OR recorded.position IS NOT NULL THEN 'appended'
            WHEN r.digest IS NULL THEN 'conflict'
            WHEN r.digest = c.digest THEN 'duplicate'
            ELSE 'key-reused'
        END AS outcome
    ) answer
    ORDER BY c.n;
END
$$;
