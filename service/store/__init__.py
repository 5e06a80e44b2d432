"""The event store: the log of all tables in Postgres, and the players' accounts beside it.

`migrate` lays the schema out under the owner's role; everything else runs under the service's role, which may read
and call the functions in `sql/`, one file each, and change nothing by itself.
"""
