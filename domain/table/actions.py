"""What can be asked of a table. Ids and randomness come in with the action."""

from typing import Any

from msgspec import Struct

from domain.kernel.decider import Action


class OpenTable(Struct, frozen=True):
    """Open a table for this many deals under these options (the game's own struct), seed in hand (32 bytes)."""

    opener: str
    deals: int
    options: Any
    seed: bytes


class TakeSeat(Struct, frozen=True):
    """Sit down on `seat`, or the lowest free one, adding entropy (at most 64 bytes) to the deals."""

    player: str
    seat: int | None = None
    entropy: bytes | None = None


class LeaveSeat(Struct, frozen=True):
    """Leave one's seat before the start."""

    player: str


class CloseTable(Struct, frozen=True):
    """Close a table that has not started; only who opened it may."""

    player: str


class Act(Struct, frozen=True):
    """Act in the game from one's seat."""

    player: str
    action: Action


Command = OpenTable | TakeSeat | LeaveSeat | CloseTable | Act
