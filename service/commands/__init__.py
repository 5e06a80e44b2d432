"""Commands: load a table from the cache or the log, decide, append once. Ids, times and chance come from here."""
