-- A token that was added by means of another one may do less to the player: see `may_end` and `erase`.

ALTER TABLE codille.token ADD COLUMN added boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN codille.token.added IS
    'Whether it was added by means of another token of the player: not by registration, recovery or the operator.';

-- Of tokens that are there, it is known which one a player has from the last recovery, and else from registration: the
-- first of all. Who added the others was not recorded. They count as added; where only such a token is left, the
-- recovery secret or the operator gives one that may do more.
UPDATE codille.token t SET added = true
FROM codille.player p
WHERE p.id = t.player_id AND t.id IS DISTINCT FROM p.recovered_token
    AND EXISTS (SELECT FROM codille.token first WHERE first.player_id = t.player_id AND first.id < t.id);
ALTER TABLE codille.token ALTER COLUMN added DROP DEFAULT;
