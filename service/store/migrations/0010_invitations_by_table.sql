-- A table's invitations are listed and counted.

CREATE INDEX invitation_table ON codille.invitation (table_id);
