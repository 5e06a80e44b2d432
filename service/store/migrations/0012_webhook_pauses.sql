-- What is remembered of receivers that failed, beyond the webhooks that led to them: a webhook to which nothing was
-- delivered yet shares the pause of its player and of its host.

ALTER TABLE codille.webhook
    ADD COLUMN host text GENERATED ALWAYS AS (
        rtrim(lower(substring(url FROM '^[a-z]+://(\[[^]]*\]|[^/:?]*)')), '.')
    ) STORED,
    ADD COLUMN proven boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN codille.webhook.proven IS 'Whether anything was delivered to this URL since it was set or enabled.';
UPDATE codille.webhook SET proven = last_success_at IS NOT NULL;

CREATE TABLE codille.webhook_pause (
    whose text NOT NULL CHECK (whose IN ('player', 'host')),
    name text NOT NULL,
    failures integer NOT NULL,
    paused_until timestamptz,
    at timestamptz NOT NULL,
    PRIMARY KEY (whose, name)
);
COMMENT ON TABLE codille.webhook_pause IS 'The pauses of players and hosts whose webhooks failed.';
COMMENT ON COLUMN codille.webhook_pause.failures IS
    'Attempts that failed in a row, of the webhook of the player or host that failed most.';
COMMENT ON COLUMN codille.webhook_pause.at IS 'When an attempt failed last.';
