-- What processes without the signing key have signed by one that has it. Nothing of it outlasts a minute, or a crash.

CREATE UNLOGGED TABLE codille.signature (
    id uuid PRIMARY KEY,
    text text,
    note text,
    at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN codille.signature.text IS 'What is to be signed; null asks for a checkpoint of the log as it is.';
COMMENT ON COLUMN codille.signature.note IS 'The signed note, once there is one.';
