"""The archive: a row for each finished deal, and one for each table, folded from the log."""
