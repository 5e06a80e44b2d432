-- Clients that act for a player: each has a token with scopes of its own, given for a code that the player consented to.

ALTER TABLE codille.token
    ADD COLUMN client text,
    ADD COLUMN consents boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN codille.token.client IS
    'The client that it was given to, by its `client_id`, empty once the player is erased; null: it is the player''s own. `present` finds no client''s token, `recognise` finds all.';
COMMENT ON COLUMN codille.token.consents IS
    'Whether its bearer may let clients in: it is from registration, from recovery, or from the handover of such a one.';
CREATE INDEX token_of_client ON codille.token (expires_at) WHERE client IS NOT NULL;

-- Of tokens that are there, it is known which one a player has from the last recovery, and which from registration: the
-- first of all. Which others were handed over was not recorded, so these let nobody in.
UPDATE codille.token t SET consents = true
FROM codille.player p
WHERE p.id = t.player_id AND NOT t.added AND t.revoked_at IS NULL AND (
    t.id = p.recovered_token
    OR NOT EXISTS (SELECT FROM codille.token first WHERE first.player_id = t.player_id AND first.id < t.id)
);

CREATE TABLE codille.authorization_code (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    player_id uuid NOT NULL REFERENCES codille.player (id),
    client text NOT NULL,
    redirect_uri text NOT NULL,
    challenge bytea NOT NULL CHECK (octet_length(challenge) = 32),
    scopes text[] NOT NULL,
    made_by uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    token_expires_at timestamptz NOT NULL,
    token_id uuid
);
COMMENT ON TABLE codille.authorization_code IS 'The codes that clients exchange for tokens, for a while after their use.';
COMMENT ON COLUMN codille.authorization_code.hash IS 'SHA-256 of the code.';
COMMENT ON COLUMN codille.authorization_code.challenge IS 'SHA-256 of the verifier (RFC 7636, 4.2).';
COMMENT ON COLUMN codille.authorization_code.made_by IS 'The token that consented.';
COMMENT ON COLUMN codille.authorization_code.token_id IS 'The token that was given for it; null: it was not exchanged.';
CREATE INDEX authorization_code_player ON codille.authorization_code (player_id);
CREATE INDEX authorization_code_expiry ON codille.authorization_code (expires_at);
