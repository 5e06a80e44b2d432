-- What a token made ends with it: added tokens, webhooks and invitations name the token that made them, as codes do.

ALTER TABLE codille.token ADD COLUMN made_by uuid;
ALTER TABLE codille.webhook ADD COLUMN made_by uuid;
ALTER TABLE codille.invitation ADD COLUMN made_by uuid;
COMMENT ON COLUMN codille.token.made_by IS
    'The token by which its secret was given; null: by registration, recovery or the operator, or not known.';
COMMENT ON COLUMN codille.webhook.made_by IS 'The token that last set where it sends, or its secret; null: not known.';
COMMENT ON COLUMN codille.invitation.made_by IS 'The token that made it; null: not known.';
CREATE INDEX token_made_by ON codille.token (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX webhook_made_by ON codille.webhook (made_by);
CREATE INDEX invitation_player ON codille.invitation (player_id);
CREATE INDEX invitation_made_by ON codille.invitation (made_by);
CREATE INDEX handover_token ON codille.handover (token_id);

-- Who made what is there was not recorded. It counts as made by the player's first token that is valid; where there is
-- none, only a recovery and an erasure end it.
CREATE VIEW codille.first_valid AS
    SELECT DISTINCT ON (t.player_id) t.player_id, t.id, t.expires_at FROM codille.token t
    WHERE NOT t.added AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    ORDER BY t.player_id, t.id;
UPDATE codille.token t SET made_by = f.id, expires_at = least(t.expires_at, f.expires_at)
FROM codille.first_valid f WHERE f.player_id = t.player_id AND t.added AND t.revoked_at IS NULL;
UPDATE codille.webhook w SET made_by = f.id FROM codille.first_valid f WHERE f.player_id = w.player_id;
UPDATE codille.invitation i SET made_by = f.id FROM codille.first_valid f WHERE f.player_id = i.player_id;
DROP VIEW codille.first_valid;
