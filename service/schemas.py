"""What requests hold and what answers hold, beside events and views, which are the domain's."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.rules import Rule
from domain.kernel.seats import Seat
from service.auth.scopes import Scope

MAX_NAME = 64
MAX_ENTROPY_BYTES = 64

PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f]+$"

Id: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Version: TypeAlias = Annotated[int, Meta(ge=1)]
Json: TypeAlias = dict[str, Any]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A body that a client sends. Nothing in it is converted, nothing unknown is let pass."""


class Registration(Request, frozen=True):
    """A new player's name: 1 to 64 characters, no control characters."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=PRINTABLE, examples=["Ada"])]


class TokenRequest(Request, frozen=True):
    """The scopes that a new token shall have; without them those of the token in use."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)] | None = None


class Opening(Request, frozen=True):
    """A table to open: the game, the number of deals (without it the game's own), the options."""

    game: Annotated[str, Meta(min_length=1, max_length=64, examples=["crocodile"])]
    deals: Annotated[int, Meta(ge=1, le=1000)] | None = None
    options: Json | None = None


class Seating(Request, frozen=True):
    """The seat to take (without it the lowest that is free), and entropy for the shuffle: hex, up to 64 bytes."""

    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    entropy: Annotated[str, Meta(pattern=r"^(?:[0-9a-fA-F]{2}){0,64}$", examples=["5eed"])] | None = None


class Registered(Struct, frozen=True):
    """A new player's id, and the token, which is shown only here."""

    player: Id
    token: str


class Player(Struct, frozen=True):
    """A player's public profile. An erased one has no name; `record` is null while the read models are away."""

    player: Id
    name: str | None
    created_at: datetime
    erased: bool
    record: Json | None


class Players(Struct, frozen=True):
    """The profiles that were asked for, unknown ids left out."""

    items: tuple[Player, ...]


class Token(Struct, frozen=True):
    """What may be known of a token; `current` is the one that this request was made with."""

    id: Id
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None
    current: bool


class Tokens(Struct, frozen=True):
    """One's valid tokens, oldest first."""

    items: tuple[Token, ...]
    next: str | None


class NewToken(Struct, frozen=True):
    """A further token, shown only here, and the id by which to revoke it."""

    id: Id
    token: str
    scopes: tuple[str, ...]


class GameSummary(Struct, frozen=True):
    """A game that is offered."""

    game: str
    title: str
    seats: int
    default_deals: int
    rules_version: int
    rules_digest: str


class Games(Struct, frozen=True):
    """The games that are offered."""

    items: tuple[GameSummary, ...]


class GameDetails(GameSummary, frozen=True):
    """Everything a client needs to know of a game: its tables of data, numbered rules, and schemas."""

    options: Json
    contracts: tuple[Json, ...]
    bonuses: tuple[Json, ...]
    outcomes: tuple[Json, ...]
    rules: tuple[Rule, ...]
    schemas: dict[str, Json]
    """JSON Schemas (2020-12) of options, actions, offers, view, events and ledger lines, each complete in itself."""


class Offer(Struct, frozen=True):
    """An action that may be taken now: every combination of what its fields admit is accepted."""

    type: str
    fields: dict[str, Json]


class Offers(Struct, frozen=True):
    """Who must act at this version, and what the caller's seat may do; nothing for anyone else."""

    version: int
    to_act: tuple[Seat, ...]
    offers: tuple[Offer, ...]


class Section(Struct, frozen=True):
    """An opened section: its data, and the salt (hex) of its commitment."""

    data: Any
    salt: str


class Envelope(Struct, frozen=True):
    """An event, as far as the caller may open it."""

    table: Id
    game: str
    version: int
    position: int
    deal: int | None
    type: str
    schema: int
    at: datetime
    actor: str
    action: Id | None
    public: Json
    seals: dict[str, str]
    sealed: dict[str, Section]
    hash: str


class Acted(Struct, frozen=True):
    """What an action came to: the table's version after it, its events as told to the actor, who must act now."""

    version: int
    events: tuple[Envelope, ...]
    to_act: tuple[Seat, ...]


class Events(Struct, frozen=True):
    """Events in order, and the version that the table has come to."""

    items: tuple[Envelope, ...]
    version: int


class Step(Struct, frozen=True):
    """A version of a table: the event that led to it, and the view then."""

    version: int
    event: Envelope
    view: Json


class Replay(Struct, frozen=True):
    """Steps in order, and the version that the table has come to."""

    steps: tuple[Step, ...]
    version: int


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    table: Id
    game: str
    status: Literal["open", "playing", "finished", "closed"]
    deals: int
    deal: int | None
    players: tuple[Id | None, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...] | None
    version: int
    opened_at: datetime
    updated_at: datetime


class TablePage(Struct, frozen=True):
    """Tables, newest first, and the cursor of the next page."""

    items: tuple[TableSummary, ...]
    next: str | None


class Balance(Struct, frozen=True):
    """What an account has at a table; `seat` is null for the table's own accounts."""

    account: str
    seat: Seat | None
    balance: int


class Ledger(Struct, frozen=True):
    """A table's books: every line with its rule, its text and the events it rests on."""

    version: int
    unit: str
    balances: tuple[Balance, ...]
    lines: tuple[Json, ...]


class Statement(Struct, frozen=True):
    """A player's booked lines, newest first, with the running balance of the game, and the next page's cursor."""

    items: tuple[Json, ...]
    next: str | None


class Rank(Struct, frozen=True):
    """A player's place in a leaderboard."""

    rank: int
    player: Id
    total: int
    games: int
    wins: int


class Leaderboard(Struct, frozen=True):
    """Players by total, best first, and the next page's cursor."""

    items: tuple[Rank, ...]
    next: str | None


class Health(Struct, frozen=True):
    """Whether the process is alive, or ready to serve."""

    status: Literal["ok"]
