"""The record: an event as it stands in the log, how a table is folded from its records, and how they are exported."""
