"""The events of a table's life, the same for every game."""

from typing import Any, ClassVar, get_args

from msgspec import UNSET, Struct, UnsetType

from domain.cards import Card
from domain.fair.deck import Opening
from domain.fair.lots import Draw
from domain.kernel.dealing import DealtHand, DealtTalon
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.kernel.game import Game
from domain.kernel.ledger import Line, LineAt
from domain.seats import Bot, Seat
from domain.table.disputes import Ruling
from domain.table.options import TableOptions


class TableSecret(Struct, frozen=True, gc=False):
    """The house's secrets of a table: the last seed of the chain in hex, and the player who opened it."""

    seed: str
    opener: str


class TablePayload(Payload, frozen=True, gc=False):
    """The base of exactly the events in `TableEvent`: one `isinstance` tells them from a game's own."""


class Rematch(Struct, frozen=True, gc=False):
    """The table whose game is played again, and the players by seat, for whom the seats are reserved."""

    of: str
    players: tuple[str, ...]


class TableOpened(TablePayload, frozen=True, gc=False):
    """The table is open; game, options and rules are pinned. `seed_commitment` is seed(0) of the chain, in hex.

    `table` holds the table's own options that differ from the defaults; it is left out if none do. `rematch` is present
    only at a table opened for a rematch.
    """

    TYPE: ClassVar = "table-opened"
    CHECK: ClassVar = "rules"
    FIELD_CHECKS: ClassVar = {"seed_commitment": "seed"}
    SECTIONS: ClassVar = {"house": TableSecret}
    REVEALS: ClassVar = NOTHING

    game: str
    rules_version: int
    rules_digest: str
    options: dict[str, Any]
    deals: int
    seed_commitment: str
    table: TableOptions | UnsetType = UNSET
    rematch: Rematch | UnsetType = UNSET


class SeatTaken1(TablePayload, frozen=True, gc=False):
    """The first form of `seat-taken`, from before there were bots."""

    TYPE: ClassVar = "seat-taken"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    player: str
    entropy: str | None


class SeatTaken(SeatTaken1, frozen=True, gc=False):
    """A player sat down, and may have added entropy (hex); or a bot was seated, which adds none.

    `opponent` is null for a player. A bot has a player's id of its own, without an account.
    """

    SCHEMA: ClassVar = 2
    EARLIER: ClassVar = (SeatTaken1,)
    REVEALS: ClassVar = NOTHING

    opponent: Bot | None


class SeatLeft(TablePayload, frozen=True, gc=False):
    """The player left the seat before the start, or its bot was removed."""

    TYPE: ClassVar = "seat-left"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class GameStarted(TablePayload, frozen=True, gc=False):
    """All seats are taken. `first_dealer` is null in games without a dealer; `draws` are the cards drawn for it."""

    TYPE: ClassVar = "game-started"
    CHECK: ClassVar = "first-dealer"
    REVEALS: ClassVar = NOTHING

    first_dealer: Seat | None
    draws: tuple[Draw, ...] = ()


class PlayerReady(TablePayload, frozen=True, gc=False):
    """A player is ready for the next deal, in games that wait until all are."""

    TYPE: ClassVar = "player-ready"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class Allowance(Struct, frozen=True, gc=False):
    """The allowance that a seat's clock carries into a deal: the reserve left, and the acts in a row that the house
    made.
    """

    reserve_ms: int
    run_out: int


class CardsDealt(TablePayload, frozen=True, gc=False):
    """A deal's cards: a commitment for each place, from the top; each seat gets the openings that are for it alone.

    `shown` are the openings that everybody gets, `rejected` the orders drawn before this one; both only in games that
    have them. `clocks` are the allowances of the seats' clocks, at tables with clocks.
    """

    TYPE: ClassVar = "cards-dealt"
    CHECK: ClassVar = "pack"
    FIELD_CHECKS: ClassVar = {
        "deal": "dealer",
        "dealer": "dealer",
        "card_commitments": "commitments",
        "lines": "antes",
        "clocks": "clock",
    }
    SECTIONS: ClassVar = {"seat": DealtHand, "house": DealtTalon}
    REVEALS: ClassVar = Reveals(to_all="shown", to_seats="cards", deals=True)

    deal: int
    dealer: Seat | None
    card_commitments: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    shown: tuple[Opening, ...] | UnsetType = UNSET
    rejected: tuple[tuple[Card, ...], ...] | UnsetType = UNSET
    clocks: tuple[Allowance, ...] | UnsetType = UNSET


class DealScored(TablePayload, frozen=True, gc=False):
    """The deal is over and booked. `seed` (hex) opens every card of it."""

    TYPE: ClassVar = "deal-scored"
    CHECK: ClassVar = "outcome"
    FIELD_CHECKS: ClassVar = {"lines": "ledger", "totals": "totals", "seed": "seed"}
    REVEALS: ClassVar = NOTHING

    deal: int
    outcome: str
    lines: tuple[Line, ...]
    totals: tuple[int, ...]
    seed: str


class GameFinished(TablePayload, frozen=True, gc=False):
    """The game is over, for this reason; `winners` have won it by the game's rules.

    If it ended during a deal, `lines` take back what that deal had booked, and `seed` (hex) opens every card of it.
    """

    TYPE: ClassVar = "game-finished"
    CHECK: ClassVar = "finish"
    FIELD_CHECKS: ClassVar = {"seed": "seed"}
    REVEALS: ClassVar = NOTHING

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str
    lines: tuple[Line, ...] = ()
    seed: str | UnsetType = UNSET


class TableClosed(TablePayload, frozen=True, gc=False):
    """The table was closed before its game started."""

    TYPE: ClassVar = "table-closed"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat | None
    reason: str


class TableExpired(TablePayload, frozen=True, gc=False):
    """The game did not start in time, so the table is closed."""

    TYPE: ClassVar = "table-expired"
    CHECK: ClassVar = "clock"
    REVEALS: ClassVar = NOTHING


class EndProposed(TablePayload, frozen=True, gc=False):
    """A player agrees to end the game at once or, if `agree` is false, refuses, which cancels the others' agreement."""

    TYPE: ClassVar = "end-proposed"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    agree: bool


class SeatAbandoned(TablePayload, frozen=True, gc=False):
    """The player has left the running game for good."""

    TYPE: ClassVar = "seat-abandoned"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SeatTakenOver(TablePayload, frozen=True, gc=False):
    """The house plays the seat from now on: its player is absent, or has left."""

    TYPE: ClassVar = "seat-taken-over"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SeatResumed(TablePayload, frozen=True, gc=False):
    """The absent player is back, and plays the seat again."""

    TYPE: ClassVar = "seat-resumed"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SubstituteSeated(TablePayload, frozen=True, gc=False):
    """A bot plays on at a seat that the house plays, until its player is back."""

    TYPE: ClassVar = "substitute-seated"
    CHECK: ClassVar = "seating"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    opponent: Bot


class Utterance(Struct, frozen=True, gc=False):
    """The words of a player's talk; sealed, so that they can be erased."""

    text: str


class TableTalk(TablePayload, frozen=True, gc=False):
    """A player said something at the table; talk is not an act of the game."""

    TYPE: ClassVar = "table-talk"
    SECTIONS: ClassVar = {"public": Utterance}
    REVEALS: ClassVar = NOTHING

    seat: Seat


class Reason(Struct, frozen=True, gc=False):
    """The reason for a dispute; sealed, so that the words can be erased."""

    reason: str


class DisputeOpened(TablePayload, frozen=True, gc=False):
    """A player disputes lines. Disputes are numbered from 1 at each table."""

    TYPE: ClassVar = "dispute-opened"
    CHECK: ClassVar = "disputes"
    SECTIONS: ClassVar = {"public": Reason}
    REVEALS: ClassVar = NOTHING

    dispute: int
    seat: Seat
    lines: tuple[LineAt, ...]


class Judgement(Struct, frozen=True, gc=False):
    """The arbiter's words; sealed, so that they can be erased."""

    text: str


class DisputeRuled(TablePayload, frozen=True, gc=False):
    """An arbiter ruled on a dispute; if it is upheld, a correction of the ledger follows at once."""

    TYPE: ClassVar = "dispute-ruled"
    CHECK: ClassVar = "disputes"
    SECTIONS: ClassVar = {"public": Judgement}
    REVEALS: ClassVar = NOTHING

    dispute: int
    ruling: Ruling


class LedgerCorrected(TablePayload, frozen=True, gc=False):
    """The disputed lines are taken back, and others booked. `winners` is null until the game is finished."""

    TYPE: ClassVar = "ledger-corrected"
    SCHEMA: ClassVar = 2
    CHECK: ClassVar = "corrections"
    REVEALS: ClassVar = NOTHING

    dispute: int
    lines: tuple[Line, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...] | None


class LedgerCorrected1(LedgerCorrected, frozen=True, gc=False):
    """The first form of `ledger-corrected`: its lines cite the ruling too in some tables, but not in the oldest."""

    SCHEMA: ClassVar = 1
    REVEALS: ClassVar = NOTHING


# The earlier form has the same fields and is a subclass of today's, so it is defined after it.
LedgerCorrected.EARLIER = (LedgerCorrected1,)


class TextErased(TablePayload, frozen=True, gc=False):
    """The words of an earlier event, its section for this audience, were erased; the commitment to them stays."""

    TYPE: ClassVar = "text-erased"
    CHECK: ClassVar = "erasures"
    REVEALS: ClassVar = NOTHING

    version: int
    audience: str


TableEvent = (
    TableOpened
    | SeatTaken1
    | SeatTaken
    | SeatLeft
    | GameStarted
    | PlayerReady
    | CardsDealt
    | DealScored
    | GameFinished
    | TableClosed
    | TableExpired
    | EndProposed
    | SeatAbandoned
    | SeatTakenOver
    | SeatResumed
    | SubstituteSeated
    | TableTalk
    | DisputeOpened
    | DisputeRuled
    | LedgerCorrected
    | TextErased
)

EVENTS: tuple[type[Payload], ...] = tuple(each for each in get_args(TableEvent) if each is not SeatTaken1)


def events_of(game: Game) -> tuple[type[Payload], ...]:
    """All types of event that can happen at a table of the game: its own, and the table's that it does not replace."""
    own = {payload.TYPE for payload in game.events}
    gated = game.course.gate is not None
    return (*(each for each in EVENTS if each.TYPE not in own and (gated or each is not PlayerReady)), *game.events)


ENDINGS = frozenset({GameFinished.TYPE, TableClosed.TYPE, TableExpired.TYPE})
"""The types of events after which a table is over."""

OUTSIDE_DEALS = (DisputeOpened, DisputeRuled, LedgerCorrected, TextErased, GameFinished)
"""Events that belong to no deal, whenever they happen."""


def lines_of(payload: Payload) -> tuple[Line, ...]:
    """The ledger lines that the event books."""
    match payload:
        case CardsDealt() | DealScored() | GameFinished() | LedgerCorrected():
            return payload.lines
        case _:
            return ()
