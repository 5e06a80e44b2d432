"""Queries: what can be read of tables, ledgers, disputes, records and games."""
