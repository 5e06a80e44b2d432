-- What plays for bots finds the tables at which one plays on for somebody.

CREATE INDEX event_substitute ON codille.event (table_id) WHERE type = 'substitute-seated';
