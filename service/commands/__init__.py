"""Commands: a table's state from cache or log, a decision, one append. Ids, times and chance come from here."""
