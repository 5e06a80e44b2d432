-- The archive: a row for each finished deal, and one for each table, folded from the log. Players are ids here, and have
-- their names in codille.player alone. Everything can be built again from the log.

CREATE SCHEMA archive;

CREATE TABLE archive.checkpoint (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(hash) = 32),
    fold integer NOT NULL DEFAULT 0,
    complete_at bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE archive.checkpoint IS 'How far the log has been folded: the last event, and the version of the fold.';
COMMENT ON COLUMN archive.checkpoint.complete_at IS
    'The end of the log when building began: before this position the archive lacks deals that it had.';
INSERT INTO archive.checkpoint (complete_at) SELECT max(position) FROM codille.log;

CREATE TABLE archive.played_table (
    table_id uuid PRIMARY KEY,
    game text NOT NULL,
    rules_version integer NOT NULL,
    listed boolean NOT NULL,
    bots boolean NOT NULL,
    players uuid[] NOT NULL,
    status text NOT NULL,
    opened_at timestamptz NOT NULL,
    finished_at timestamptz,
    finished bigint,
    changed bigint NOT NULL,
    erased bigint
);
COMMENT ON COLUMN archive.played_table.finished IS 'The position of the event that finished the game.';
COMMENT ON COLUMN archive.played_table.changed IS 'The position of the last deal, ruling, erasure or end.';
COMMENT ON COLUMN archive.played_table.erased IS 'The position of the last event that erased words from the record.';
CREATE INDEX played_table_players ON archive.played_table USING gin (players);
CREATE INDEX played_table_finished ON archive.played_table (finished_at, game) WHERE finished IS NOT NULL;

CREATE TABLE archive.deal (
    position bigint PRIMARY KEY,
    table_id uuid NOT NULL,
    deal integer NOT NULL,
    version integer NOT NULL,
    at timestamptz NOT NULL,
    game text NOT NULL,
    rules_version integer NOT NULL,
    options jsonb NOT NULL,
    listed boolean NOT NULL,
    bots boolean NOT NULL,
    players uuid[] NOT NULL,
    sides smallint[] NOT NULL,
    declarer smallint,
    contract text,
    trump text,
    outcome text NOT NULL,
    length integer NOT NULL,
    results bigint[] NOT NULL,
    amount bigint NOT NULL,
    rules text[] NOT NULL,
    disputed boolean NOT NULL,
    corrected boolean NOT NULL,
    UNIQUE (table_id, deal)
);
COMMENT ON COLUMN archive.deal.position IS 'The position of the event that scored the deal.';
COMMENT ON COLUMN archive.deal.sides IS 'A number by seat, the same for partners.';
COMMENT ON COLUMN archive.deal.results IS 'What each seat has gained, with antes and corrections.';
COMMENT ON COLUMN archive.deal.amount IS 'The most that any one seat has gained or lost.';
COMMENT ON COLUMN archive.deal.length IS 'The number of the deal''s events.';
CREATE INDEX deal_newest ON archive.deal (at, position);
CREATE INDEX deal_of_game ON archive.deal (game, at, position);
CREATE INDEX deal_largest ON archive.deal (game, amount, position);
CREATE INDEX deal_contract ON archive.deal (game, contract, outcome, amount) WHERE contract IS NOT NULL;
CREATE INDEX deal_outcome ON archive.deal (game, outcome, at, position);
CREATE INDEX deal_amount ON archive.deal (amount);
CREATE INDEX deal_length ON archive.deal (length);
CREATE INDEX deal_players ON archive.deal USING gin (players);
CREATE INDEX deal_rules ON archive.deal USING gin (rules);
CREATE INDEX deal_bots ON archive.deal (at, position) WHERE bots;
CREATE INDEX deal_disputed ON archive.deal (at, position) WHERE disputed;
CREATE INDEX deal_corrected ON archive.deal (at, position) WHERE corrected;

CREATE TABLE archive.tally (
    game text NOT NULL,
    player uuid NOT NULL,
    listed boolean NOT NULL,
    month date NOT NULL,
    contract text NOT NULL,
    outcome text NOT NULL,
    seat smallint NOT NULL,
    declares boolean NOT NULL,
    deals bigint NOT NULL,
    won bigint NOT NULL,
    lost bigint NOT NULL,
    points numeric NOT NULL,
    squares numeric NOT NULL,
    PRIMARY KEY (game, player, listed, month, contract, outcome, seat, declares)
);
COMMENT ON TABLE archive.tally IS
    'Results of seats, counted: each player''s, and everybody''s under the id that is all zeros.';
COMMENT ON COLUMN archive.tally.listed IS
    'Whether the deals count for everybody: those of tables that lists show, at which no bots take part.';
COMMENT ON COLUMN archive.tally.contract IS 'Empty where a deal has none.';
COMMENT ON COLUMN archive.tally.squares IS 'The sum of the squares of the points.';

CREATE TABLE archive.aside (
    table_id uuid PRIMARY KEY,
    reason text NOT NULL
);
COMMENT ON TABLE archive.aside IS 'Tables whose records cannot be read; their later events are not folded.';

-- Players are found by what their names look like. Programs of before give names without it, and it is filled in later.
ALTER TABLE codille.player
    ADD COLUMN look bytea CHECK (octet_length(look) = 32),
    ADD CHECK (look IS NULL OR name IS NOT NULL);
COMMENT ON COLUMN codille.player.look IS 'SHA-256 of the skeleton of the name; null: not known yet, or erased.';
CREATE INDEX player_look ON codille.player (look, id) WHERE look IS NOT NULL;
CREATE INDEX player_without_look ON codille.player (id) WHERE name IS NOT NULL AND look IS NULL;
