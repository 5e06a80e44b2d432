-- Invitations to tables. Who holds one may look at a private table, and sit down there.

CREATE TABLE codille.invitation (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    table_id uuid NOT NULL,
    player_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    scope bytea CHECK (octet_length(scope) = 32)
);
CREATE INDEX invitation_scope ON codille.invitation (scope) WHERE scope IS NOT NULL;
COMMENT ON COLUMN codille.invitation.hash IS 'SHA-256 of the invitation.';
COMMENT ON COLUMN codille.invitation.player_id IS 'Who made it.';
COMMENT ON COLUMN codille.invitation.scope IS 'The receipt of the request that made it, if it had a key.';
