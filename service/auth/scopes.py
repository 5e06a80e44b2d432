"""The scopes of tokens: of players' own, and of those that clients have."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Scope: TypeAlias = Literal["play", "arbiter", "admin"]

PLAY: Scope = "play"
ARBITER: Scope = "arbiter"

REGISTERED: tuple[Scope, ...] = (PLAY,)
"""The scopes of the token that a player gets on registration."""

ClientScope: TypeAlias = Literal["read", "seat", "webhooks"]
"""The scopes of a client's token. None of them is a player's own."""

Needed: TypeAlias = ClientScope | Literal["any"]
"""The scope that an operation needs of a client's token; for what a token does not change, any one will do."""

GIVES: Mapping[str, frozenset[Needed]] = {
    "read": frozenset({"any", "read"}),
    "seat": frozenset({"any", "read", "seat"}),
    "webhooks": frozenset({"any", "webhooks"}),
}
"""By each scope of a client's token, what it lets operations need: who plays also reads."""
