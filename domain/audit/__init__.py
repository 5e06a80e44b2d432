"""Audits: a record computed anew from its events alone, and held against what was recorded."""
