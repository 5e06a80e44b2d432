-- Notices of another kind, `rematch`. Programs of the version before cannot read it, and serve beside those of this one:
-- they go on reading `kinds`, those before them `events`, and neither sees messages of this kind. A later version may
-- drop the columns and the policy.

ALTER TABLE codille.webhook RENAME COLUMN kinds TO wanted;
UPDATE codille.webhook SET wanted = wanted || '{rematch}'
WHERE wanted @> '{your-turn,game-started,deal-scored,game-over,table-closed,dispute-ruled}';
ALTER TABLE codille.webhook
    DROP COLUMN events,
    ADD COLUMN events text[] GENERATED ALWAYS AS (array_remove(array_remove(wanted, 'rematch'), 'table-closed')) STORED,
    ADD COLUMN kinds text[] GENERATED ALWAYS AS (array_remove(wanted, 'rematch')) STORED;
COMMENT ON COLUMN codille.webhook.events IS 'The kinds that programs know from before there was `table-closed`.';
COMMENT ON COLUMN codille.webhook.kinds IS 'The kinds that programs of the version before know.';

ALTER POLICY known_before ON codille.webhook_message USING (kind NOT IN ('table-closed', 'rematch'));
