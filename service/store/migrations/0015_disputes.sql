-- The list of disputes is read from the log itself, newest first.

CREATE INDEX event_dispute_opened ON codille.event (position) WHERE type = 'dispute-opened';
CREATE INDEX event_dispute ON codille.event (table_id)
    WHERE type IN ('dispute-opened', 'dispute-ruled', 'ledger-corrected');
