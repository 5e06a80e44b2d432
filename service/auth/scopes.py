"""The scopes of tokens."""

from typing import Literal, TypeAlias

Scope: TypeAlias = Literal["play", "arbiter", "admin"]

PLAY: Scope = "play"
ARBITER: Scope = "arbiter"

REGISTERED: tuple[Scope, ...] = (PLAY,)
"""The scopes of the token that a player gets on registration."""
