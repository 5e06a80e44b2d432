"""Limits on what one client may use.

`deploy/limits.md` names every limit of the service, in the order in which a request meets them.
"""
