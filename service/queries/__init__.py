"""Reads the log: tables, ledgers, disputes, audits, exports and statements."""
