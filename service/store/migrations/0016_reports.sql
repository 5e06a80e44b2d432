-- Players report names and words to the operator. What is reported stands where it is, and is not copied here.

CREATE TABLE codille.report (
    id uuid PRIMARY KEY,
    reporter_id uuid NOT NULL REFERENCES codille.player (id),
    thing bytea NOT NULL CHECK (octet_length(thing) = 32),
    player_id uuid REFERENCES codille.player (id),
    table_id uuid,
    version integer CHECK (version > 0),
    created_at timestamptz NOT NULL,
    dismissed_at timestamptz,
    UNIQUE (reporter_id, thing),
    CHECK ((player_id IS NULL) = (table_id IS NOT NULL)),
    CHECK ((table_id IS NULL) = (version IS NULL))
);
COMMENT ON COLUMN codille.report.thing IS
    'SHA-256 of what is reported: of a name and whose it is, so that another name can be reported too.';
COMMENT ON COLUMN codille.report.player_id IS 'Whose name is reported; null for words at a table.';
CREATE INDEX report_thing ON codille.report (thing);
CREATE INDEX report_player ON codille.report (player_id) WHERE player_id IS NOT NULL;
