"""What can be asked of a table. Ids and randomness come in with the action."""

from typing import Any

from msgspec import Struct

from domain.kernel.action import Action
from domain.kernel.ledger import LineAt, Party
from domain.seats import PUBLIC
from domain.table.disputes import Ruling


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


class Act(Struct, frozen=True, gc=False):
    """Act in the game from one's seat."""

    player: str
    action: Action


class OpenDispute(Struct, frozen=True):
    """Dispute these lines, and all lines of a deal, for a reason.

    `late` says that the time for disputing them has run out, which is for whoever knows times to tell.
    """

    player: str
    lines: tuple[LineAt, ...]
    deal: int | None
    reason: str
    late: bool = False


class Entry(Struct, frozen=True, gc=False):
    """What an arbiter books anew: `account` gains the amount (signed) from `counter`, by a rule and for a reason."""

    account: Party
    counter: Party
    amount: int
    kind: str
    rule: str
    text: str


class RuleDispute(Struct, frozen=True):
    """Rule on a dispute, as an arbiter (a player's id). Upheld, its lines are taken back and the entries booked."""

    arbiter: str
    dispute: int
    ruling: Ruling
    text: str
    entries: tuple[Entry, ...] = ()


class EraseText(Struct, frozen=True):
    """Erase the words that the event of this version has sealed for the audience, as the operator."""

    version: int
    audience: str = PUBLIC


Command = OpenTable | TakeSeat | LeaveSeat | CloseTable | Act | OpenDispute | RuleDispute | EraseText
