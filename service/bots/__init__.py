"""Processes that play for bots: they follow the log, and act through the command handler as clients would."""
