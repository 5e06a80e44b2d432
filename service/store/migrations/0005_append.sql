-- What `append` takes: two arrays, since drivers look at each element of an array by itself, and one element a field
-- costs them more than all else they do for an append.

CREATE TYPE codille.command AS (
    table_id uuid,
    version integer,
    head bytea,
    count integer,
    tip bytea,
    scope bytea,
    digest bytea
);
COMMENT ON TYPE codille.command IS
    'Appends `count` events, the last one with the hash `tip`, to a table that is expected at `version` and `head`.';

CREATE TYPE codille.new_event AS (
    command integer,
    table_id uuid,
    game text,
    version integer,
    deal integer,
    type text,
    schema integer,
    at text,
    actor text,
    action uuid,
    public bytea,
    seals bytea,
    sealed bytea,
    hash bytea
);
COMMENT ON TYPE codille.new_event IS 'An event to be appended, of the command of this number, from 1.';
