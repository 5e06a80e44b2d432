-- Who is erased may ask that the words go from the log too, which only its owner can do.

ALTER TABLE codille.player
    ADD COLUMN words_asked_at timestamptz,
    ADD CHECK (words_asked_at IS NULL OR erased_at IS NOT NULL);
COMMENT ON COLUMN codille.player.words_asked_at IS
    'When it was asked that the player''s words be erased from the log; null: it was not, or they are erased.';
CREATE INDEX player_words_asked ON codille.player (words_asked_at) WHERE words_asked_at IS NOT NULL;

-- Erasures of before left the names of tokens, digests from which names can be guessed, and, before what is made had a
-- maker, invitations.
UPDATE codille.token t SET name = NULL FROM codille.player p WHERE p.id = t.player_id AND p.erased_at IS NOT NULL;
UPDATE codille.issue i SET digest = sha256(uuid_send(gen_random_uuid()))
FROM codille.token t JOIN codille.player p ON p.id = t.player_id
WHERE t.id = i.token_id AND p.erased_at IS NOT NULL;
DELETE FROM codille.invitation i USING codille.player p WHERE p.id = i.player_id AND p.erased_at IS NOT NULL;
