-- The log and what is kept with it. Payloads are bytea: they are hashed and served as the very bytes that came in.

CREATE TABLE codille.log (
    shard smallint PRIMARY KEY,
    position bigint NOT NULL CHECK (position >= 0)
) WITH (fillfactor = 10);
COMMENT ON TABLE codille.log IS
    'One row a shard: the last position given. Its row lock is held until commit, so positions are gapless and become visible in order.';
INSERT INTO codille.log (shard, position) VALUES (0, 0);

CREATE TABLE codille.stream (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 0),
    head bytea NOT NULL CHECK (octet_length(head) = 32),
    opened_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
COMMENT ON TABLE codille.stream IS 'One row a table: how far its stream has come, and the hash of its last event.';

CREATE TABLE codille.event (
    table_id uuid NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    position bigint NOT NULL CHECK (position > 0),
    game text NOT NULL,
    deal integer,
    type text NOT NULL,
    schema integer NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action uuid,
    public bytea NOT NULL,
    seals bytea NOT NULL,
    sealed bytea NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (table_id, version),
    UNIQUE (position)
);

CREATE TABLE codille.receipt (
    scope bytea PRIMARY KEY CHECK (octet_length(scope) = 32),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    table_id uuid NOT NULL,
    first integer NOT NULL,
    last integer NOT NULL CHECK (last >= first),
    at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN codille.receipt.scope IS 'SHA-256 over the caller, the operation and the client''s key.';
COMMENT ON COLUMN codille.receipt.digest IS 'SHA-256 of the canonical request body.';

CREATE TABLE codille.checkpoint (
    size bigint PRIMARY KEY CHECK (size >= 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    note bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE codille.checkpoint IS 'Signed heads of the tree over the whole log.';

-- Nothing recorded is changed, by the owner neither. A stream and the counter only move forward; that nobody but
-- `append` moves them is a matter of privileges. A stream of version 0 lives inside one call of `append` only.
CREATE FUNCTION codille.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % refused: the log is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON codille.event EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON codille.receipt EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON codille.checkpoint EXECUTE FUNCTION codille.refuse();

CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON codille.log EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER forward_only BEFORE UPDATE ON codille.log FOR EACH ROW
    WHEN (NEW.shard <> OLD.shard OR NEW.position <= OLD.position)
    EXECUTE FUNCTION codille.refuse();

CREATE TRIGGER kept BEFORE TRUNCATE ON codille.stream EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER kept_rows BEFORE DELETE ON codille.stream FOR EACH ROW
    WHEN (OLD.version > 0)
    EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER forward_only BEFORE UPDATE ON codille.stream FOR EACH ROW
    WHEN (NEW.id <> OLD.id OR NEW.version <= OLD.version OR NEW.opened_at <> OLD.opened_at)
    EXECUTE FUNCTION codille.refuse();
