-- Webhooks: where players have their notices sent, and the outbox of what is still to be sent.

CREATE TABLE codille.webhook (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES codille.player (id),
    name text,
    url text NOT NULL,
    events text[] NOT NULL CHECK (cardinality(events) > 0),
    created_at timestamptz NOT NULL,
    behind bigint CHECK (behind >= 0),
    disabled_at timestamptz,
    disabled_because text,
    pending integer NOT NULL DEFAULT 0,
    next_at timestamptz,
    paused_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_success_at timestamptz,
    prompt boolean NOT NULL DEFAULT false,
    CHECK ((disabled_at IS NULL) = (disabled_because IS NULL)),
    CHECK (disabled_at IS NULL OR behind IS NOT NULL)
);
COMMENT ON COLUMN codille.webhook.behind IS
    'The position up to which notices were queued; null where it is that of codille.webhook_cursor.';
COMMENT ON COLUMN codille.webhook.pending IS 'Messages that are neither delivered nor given up.';
COMMENT ON COLUMN codille.webhook.next_at IS 'When the next message may be claimed; null while there is none.';
COMMENT ON COLUMN codille.webhook.failures IS 'Attempts that failed since one succeeded.';
COMMENT ON COLUMN codille.webhook.prompt IS 'Whether the last attempt succeeded, and soon.';
CREATE INDEX webhook_player ON codille.webhook (player_id, id);
CREATE INDEX webhook_next ON codille.webhook (prompt, failures, next_at) WHERE disabled_at IS NULL;
CREATE INDEX webhook_behind ON codille.webhook (behind) WHERE disabled_at IS NULL;

-- Apart from the others, so that the service's role reads none: it gets a secret with a message to sign.
CREATE TABLE codille.webhook_secret (
    webhook_id uuid PRIMARY KEY REFERENCES codille.webhook (id) ON DELETE CASCADE,
    number integer NOT NULL,
    secret bytea NOT NULL CHECK (octet_length(secret) = 32),
    former bytea CHECK (octet_length(former) = 32),
    former_until timestamptz
);
COMMENT ON COLUMN codille.webhook_secret.number IS 'Counts the secrets of the webhook.';

CREATE TABLE codille.webhook_message (
    webhook_id uuid NOT NULL REFERENCES codille.webhook (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    body bytea NOT NULL,
    due_at timestamptz NOT NULL,
    claim uuid,
    attempts integer NOT NULL DEFAULT 0,
    attempted_at timestamptz,
    status integer,
    error text,
    settled_at timestamptz,
    delivered boolean,
    PRIMARY KEY (webhook_id, position, kind),
    CHECK ((settled_at IS NULL) = (delivered IS NULL))
);
COMMENT ON COLUMN codille.webhook_message.due_at IS
    'When it is to be sent; of a claimed message, when the claim ends.';
COMMENT ON COLUMN codille.webhook_message.claim IS
    'The attempt that is under way. An attempt that is no longer named here counts for nothing.';
CREATE INDEX webhook_message_due ON codille.webhook_message (webhook_id, due_at) WHERE settled_at IS NULL;

CREATE TABLE codille.webhook_cursor (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL,
    joined bigint NOT NULL DEFAULT 0
);
COMMENT ON COLUMN codille.webhook_cursor.position IS
    'The position up to which notices were queued for all webhooks that are not behind.';
COMMENT ON COLUMN codille.webhook_cursor.joined IS
    'How many webhooks have caught up. What was read before one more did lacks the tables of its player.';
INSERT INTO codille.webhook_cursor (position) SELECT position FROM codille.log WHERE shard = 0;

CREATE TABLE codille.webhook_receipt (
    scope bytea PRIMARY KEY CHECK (octet_length(scope) = 32),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    webhook_id uuid NOT NULL,
    number integer,
    at timestamptz NOT NULL
);
COMMENT ON TABLE codille.webhook_receipt IS
    'The receipts of requests that changed webhooks; number is that of the secret in the answer.';

-- Who ever sat at a table is asked of the log itself.
CREATE INDEX event_seating ON codille.event (table_id) WHERE type = 'seat-taken';

CREATE TYPE codille.webhook_notice AS (player_id uuid, position bigint, kind text, id text, body bytea);
