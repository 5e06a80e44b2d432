-- Notices of another kind, `table-closed`. Programs of the version before cannot read it, and serve beside those of this
-- one: they go on reading `events`, and do not see messages of this kind. A later version may drop the column and the
-- policy.

ALTER TABLE codille.webhook RENAME COLUMN events TO kinds;
UPDATE codille.webhook SET kinds = kinds || '{table-closed}'
WHERE kinds @> '{your-turn,game-started,deal-scored,game-over,dispute-ruled}';
ALTER TABLE codille.webhook
    ADD COLUMN events text[] GENERATED ALWAYS AS (array_remove(kinds, 'table-closed')) STORED;
COMMENT ON COLUMN codille.webhook.events IS 'The kinds that programs of the version before know.';

ALTER TABLE codille.webhook_message ENABLE ROW LEVEL SECURITY;
CREATE POLICY known_before ON codille.webhook_message FOR SELECT USING (kind <> 'table-closed');
