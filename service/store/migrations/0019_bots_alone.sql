-- The tables at which only bots play, until they are over, so that there are no more than so many at a time.

CREATE TABLE codille.bots_alone (
    table_id uuid PRIMARY KEY,
    player_id uuid NOT NULL,
    begun_at timestamptz NOT NULL
);
COMMENT ON COLUMN codille.bots_alone.player_id IS 'Who opened the table.';
