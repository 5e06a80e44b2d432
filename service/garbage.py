"""How rarely a process looks for garbage."""

import gc

NEW_OBJECTS = 20_000
"""The number of new objects that triggers a garbage collection: those of some 400 concurrent requests."""


def collect_seldom() -> None:
    """Excludes existing objects from garbage collections, and makes collections rarer.

    Next to nothing here is in cycles. With Python's own threshold, however, requests in progress survive a collection
    or two, count as long-lived, and so cause scans of the whole process again and again: a third of a view's time, and
    tens of milliseconds at once in which a process does nothing else.
    """
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
