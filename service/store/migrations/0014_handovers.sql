-- A player takes a code to another device, which trades it for a token of its own.

CREATE TABLE codille.handover (
    player_id uuid PRIMARY KEY REFERENCES codille.player (id),
    name text NOT NULL UNIQUE,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    token_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE codille.handover IS 'The codes that may be traded for a token, at most one of each player.';
COMMENT ON COLUMN codille.handover.name IS 'The first characters of the code. They say which handover a code is for.';
COMMENT ON COLUMN codille.handover.hash IS 'SHA-256 of a slow hash of the code.';
COMMENT ON COLUMN codille.handover.token_id IS 'The token by which the code was asked for.';
COMMENT ON COLUMN codille.handover.tries IS 'The wrong codes with this name.';
