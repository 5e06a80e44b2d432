"""Reads tables, ledgers, disputes, audits, exports and games."""
