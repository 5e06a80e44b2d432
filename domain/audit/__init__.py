"""Audits: a record is recomputed from its events alone and compared with what was recorded."""
