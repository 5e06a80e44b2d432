-- The tree over the log, as far as it is complete, and the keys that sign its heads.

CREATE TABLE codille.subtree (
    level smallint NOT NULL CHECK (level > 0 AND level % 8 = 0),
    index bigint NOT NULL CHECK (index >= 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (level, index)
);
COMMENT ON TABLE codille.subtree IS
    'Hashes of complete subtrees of 256, 256², … events. Those between are computed, and the leaves are the events''.';

CREATE TABLE codille.signing_key (
    number integer PRIMARY KEY CHECK (number > 0),
    public bytea NOT NULL UNIQUE CHECK (octet_length(public) = 32),
    since bigint NOT NULL CHECK (since >= 0),
    announcement bytea,
    at timestamptz NOT NULL DEFAULT now(),
    CHECK ((number = 1) = (announcement IS NULL))
);
COMMENT ON TABLE codille.signing_key IS
    'All keys that sign, or have signed, the log''s heads. Each but the first was announced by the one before it.';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON codille.subtree EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON codille.signing_key EXECUTE FUNCTION codille.refuse();
