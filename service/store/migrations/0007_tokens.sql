-- Tokens have names, and may end by themselves. A player whose tokens are lost proves to be the player by a second secret.

ALTER TABLE codille.token
    ADD COLUMN name text,
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN rotated_at timestamptz;
COMMENT ON COLUMN codille.token.rotated_at IS
    'When the token last got another secret. First and last use are those of the secret that it has.';

ALTER TABLE codille.player
    ADD COLUMN recovery_hash bytea CHECK (octet_length(recovery_hash) = 32),
    ADD COLUMN former_recovery_hash bytea CHECK (octet_length(former_recovery_hash) = 32),
    ADD COLUMN recovered_token uuid;
COMMENT ON COLUMN codille.player.recovery_hash IS 'SHA-256 of the recovery secret; null where there is none.';
COMMENT ON COLUMN codille.player.former_recovery_hash IS
    'SHA-256 of the recovery secret before, by which a lost answer is repeated while `recovered_token` is unused.';
