"""The record: an event as the log stores it, the fold of a table from its records, and their export."""
