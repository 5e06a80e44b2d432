"""Read models in Redis: folded from the log, and read back.

The log comes in as a `Source`, so this package does not depend on the store.
"""
