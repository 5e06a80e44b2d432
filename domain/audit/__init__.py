"""Audits: a record is recomputed from its own events and compared with itself."""
