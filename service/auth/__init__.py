"""Identifies callers: players' names, and bearer tokens with their scopes. Only a token's SHA-256 is stored."""
