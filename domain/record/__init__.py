"""The record: an event as it stands in the log, the fold of a table from its records, and their export."""
