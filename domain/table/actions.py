"""The commands of a table. Ids and randomness come in with the command."""

from typing import Any

from msgspec import Struct

from domain.kernel.action import Action
from domain.kernel.ledger import LineAt, Party
from domain.seats import PUBLIC, Bot, Level, Seat
from domain.table.disputes import Ruling
from domain.table.events import Rematch
from domain.table.options import DEFAULT, TableOptions


class BotSeat(Struct, frozen=True):
    """A bot for a seat of a new table; `player` is the id that it has as a player."""

    seat: int
    player: str
    opponent: Bot


class OpenTable(Struct, frozen=True):
    """Open a table for this many deals under these options (the game's struct). `seed` is 32 secret random bytes.

    `table` holds the options of the table itself; `bots` are seated at once.
    """

    opener: str
    deals: int
    options: Any
    seed: bytes
    table: TableOptions = DEFAULT
    rematch: Rematch | None = None
    bots: tuple[BotSeat, ...] = ()


class TakeSeat(Struct, frozen=True):
    """Sit down on `seat`, or the lowest free one, and add entropy (at most 64 bytes) to the deals.

    An absent player returns to the same seat.
    """

    player: str
    seat: int | None = None
    entropy: bytes | None = None


class LeaveSeat(Struct, frozen=True):
    """Leave the player's seat before the game starts."""

    player: str


class SeatBot(Struct, frozen=True):
    """Seat a bot on `seat`, or the lowest free one; in a running game, at a seat that the house plays.

    `player` asks for it, and must have opened the table or sit at it. `bot` is the id that the bot gets as a player; a
    substitute in a running game needs none. `strongest` is the level that a substitute must have; None allows all, as
    in records.
    """

    player: str
    bot: str
    opponent: Bot
    seat: int | None = None
    strongest: Level | None = None


class RemoveBot(Struct, frozen=True):
    """Remove the bot of a seat before the game starts; only who seated it or opened the table may."""

    player: str
    seat: int


class CloseTable(Struct, frozen=True):
    """Close a table before its game starts; only its opener may."""

    player: str


class Act(Struct, frozen=True, gc=False):
    """Act in the game from the player's seat."""

    player: str
    action: Action


class ActAsBot(Struct, frozen=True, gc=False):
    """Act in the game as the bot that plays the seat."""

    seat: Seat
    action: Action


class RunOut(Struct, frozen=True):
    """The clock: the game's time limit that counts from the event of this version has expired."""

    since: int


class ActFor(Struct, frozen=True):
    """The clock: the seat's time has expired, so the house acts for it."""

    seat: Seat


class ExpireTable(Struct, frozen=True):
    """The clock: the table did not fill in time."""


class ProposeEnd(Struct, frozen=True):
    """Agree to end the running game at once, or take that back."""

    player: str
    agree: bool


class AbandonSeat(Struct, frozen=True):
    """Leave the running game for good."""

    player: str


class OpenDispute(Struct, frozen=True):
    """Dispute these lines and, if `deal` is given, all lines of that deal, for a reason.

    `late` says that the time for disputing them is over; the domain knows no clock.
    """

    player: str
    lines: tuple[LineAt, ...]
    deal: int | None
    reason: str
    late: bool = False


class Entry(Struct, frozen=True, gc=False):
    """A booking that an arbiter orders: `account` gains the amount (signed) from `counter`, by a rule, for a reason."""

    account: Party
    counter: Party
    amount: int
    kind: str
    rule: str
    text: str


class RuleDispute(Struct, frozen=True):
    """Rule on a dispute as an arbiter (a player's id). If it is upheld, its lines are taken back and the entries
    booked.

    `against` are the lines that the audit confirms and the ruling changes, if the arbiter is to be asked once more.
    """

    arbiter: str
    dispute: int
    ruling: Ruling
    text: str
    entries: tuple[Entry, ...] = ()
    against: tuple[LineAt, ...] = ()


class EraseText(Struct, frozen=True):
    """Erase, as the operator, the text that the event of this version has sealed for the audience."""

    version: int
    audience: str = PUBLIC


Command = (
    OpenTable
    | TakeSeat
    | LeaveSeat
    | SeatBot
    | RemoveBot
    | CloseTable
    | Act
    | ActAsBot
    | RunOut
    | ActFor
    | ExpireTable
    | ProposeEnd
    | AbandonSeat
    | OpenDispute
    | RuleDispute
    | EraseText
)
