"""Computes what takes long in processes of its own, one bounded pool shared fairly, and caches the answers."""
