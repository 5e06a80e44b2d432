-- Players and their tokens. Personal data stands here only, never in the log, and can be erased.

CREATE TABLE codille.player (
    id uuid PRIMARY KEY,
    name text,
    created_at timestamptz NOT NULL,
    erased_at timestamptz,
    CHECK ((name IS NULL) = (erased_at IS NOT NULL))
);

CREATE TABLE codille.token (
    id uuid PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    player_id uuid NOT NULL REFERENCES codille.player (id),
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    first_used_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
COMMENT ON COLUMN codille.token.id IS 'Public: names the token without being it.';
COMMENT ON COLUMN codille.token.hash IS 'SHA-256 of the token.';
CREATE INDEX token_player ON codille.token (player_id, id);

CREATE TABLE codille.issue (
    scope bytea PRIMARY KEY CHECK (octet_length(scope) = 32),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    token_id uuid NOT NULL,
    at timestamptz NOT NULL
);
COMMENT ON TABLE codille.issue IS 'The receipts of requests that were answered with a token.';
