"""The event store: the log of all tables in Postgres, and the players' accounts beside it.

`migrate` creates the schema under the owner's role. Everything else runs under the service's role, which may read the
tables and call the functions in `sql/` (one a file), and may change nothing otherwise.
"""
