"""What requests hold and what answers hold, beside events and views, which are the domain's."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from domain.seats import Seat
from service.auth.scopes import Scope
from service.queries.disputes import DisputedLine, PublishedDispute
from service.queries.values import Id, Json

MAX_NAME = 64
MAX_WORDS = 500
MAX_ENTROPY_BYTES = 64
MAX_AMOUNT = 2_000_000_000
"""Beyond what any line of a game comes to."""

_CONTROL = r"\x00-\x1f\x7f-\x9f"
PRINTABLE = rf"^[^{_CONTROL}]+$"

_UNSEEN = (
    # Soft hyphen, signs without width, ends of lines, and what turns the direction of writing, also of what follows.
    _CONTROL + r"\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    # Letters and patterns that look like nothing.
    r"\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
)
_BLANK = r"\s\u034f\u200c\u200d\ufe00-\ufe0f"
"""Blanks, and signs that only change their neighbours: emoji and some scripts need them."""

NAME = rf"^[^{_UNSEEN}]*[^{_UNSEEN}{_BLANK}][^{_UNSEEN}]*$"


class RequestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A body that a client sends. Nothing in it is converted, nothing unknown is let pass."""

    def __post_init__(self) -> None:
        """Refuses texts that end in a line feed, which the `$` of a pattern lets pass."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, str) and value.endswith("\n"):
                raise ValueError(f"Line feed at the end of field `{name}`")


class Registration(RequestBody, frozen=True):
    """A new player's name: 1 to 64 characters, at least one of them visible, no control characters.

    Neither may it hold characters that nobody sees, or that turn the direction of writing.
    """

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NAME, examples=["Ada"])]


class TokenRequest(RequestBody, frozen=True):
    """The scopes that a new token shall have; without them those of the token in use."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)] | None = None


class TableRequest(RequestBody, frozen=True):
    """A table to open: the game, the number of deals (without it the game's own), the options."""

    game: Annotated[str, Meta(min_length=1, max_length=64, examples=["crocodile"])]
    deals: Annotated[int, Meta(ge=1, le=1000)] | None = None
    options: Json | None = None


class SeatRequest(RequestBody, frozen=True):
    """The seat to take (without it the lowest that is free), and entropy for the shuffle: hex, up to 64 bytes."""

    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    entropy: Annotated[str, Meta(pattern=r"^(?:[0-9a-fA-F]{2}){0,64}$", examples=["5eed"])] | None = None


class Registered(Struct, frozen=True):
    """A new player's id, and the token, which is shown only here."""

    player: Id
    token: str


class PublicPlayer(Struct, frozen=True):
    """A player's public profile. An erased one has no name; `record` is null while the read models are away."""

    player: Id
    name: str | None
    created_at: datetime
    erased: bool
    record: Json | None


class Players(Struct, frozen=True):
    """The profiles that were asked for, unknown ids left out."""

    items: tuple[PublicPlayer, ...]


class OwnToken(Struct, frozen=True):
    """What may be known of a token; `current` is the one that this request was made with."""

    id: Id
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None
    current: bool


class Tokens(Struct, frozen=True):
    """One's valid tokens, oldest first."""

    items: tuple[OwnToken, ...]
    next: str | None


class AddedToken(Struct, frozen=True):
    """A further token, shown only here, and the id by which to revoke it."""

    id: Id
    token: str
    scopes: tuple[str, ...]


class OfferedAct(Struct, frozen=True):
    """An action that may be taken now: every combination of what its fields admit is accepted."""

    type: str
    fields: dict[str, Json]


class Offers(Struct, frozen=True):
    """Who must act at this version, and what the caller's seat may do; nothing for anyone else."""

    version: int
    to_act: tuple[Seat, ...]
    offers: tuple[OfferedAct, ...]


class OpenedSection(Struct, frozen=True):
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
    sealed: dict[str, OpenedSection]
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


class RangeStep(Struct, frozen=True):
    """A version of a table: the event that led to it, what it changed, and the view then."""

    version: int
    event: Envelope
    changed: tuple[str, ...]
    view: Json


class Replay(Struct, frozen=True):
    """Steps in order, and the version that the table has come to."""

    steps: tuple[RangeStep, ...]
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
    """A table's books: every line with its rule, its text and the events it rests on; `replay` shows those."""

    replay: str
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


class InclusionProof(Struct, frozen=True):
    """That the event at a position stands in the log's tree of `size` events (RFC 6962, 2.1.1); hashes in hex.

    `leaf` is the event's hash; the leaf's own is SHA-256 over a zero byte and it. The leaf's index is position - 1.
    """

    position: int
    size: int
    leaf: str
    proof: tuple[str, ...]


class ConsistencyProof(Struct, frozen=True):
    """That the log's tree of `second` events begins with that of `first` (RFC 6962, 2.1.2); hashes in hex."""

    first: int
    second: int
    proof: tuple[str, ...]


class LogKey(Struct, frozen=True):
    """A key that signs heads of more than `since` events, up to `until` of them (null: still).

    `verifier` is the key as C2SP's signed notes have it; `announcement` the note by which the key before named it.
    """

    verifier: str
    since: int
    until: int | None
    announcement: str | None


class LogKeys(Struct, frozen=True):
    """All keys that sign, or have signed, heads of the log; the newest last."""

    items: tuple[LogKey, ...]


class DisputeRequest(RequestBody, frozen=True):
    """What is disputed, some lines, all those of a deal, or both; and why."""

    reason: Annotated[str, Meta(min_length=1, max_length=MAX_WORDS, pattern=PRINTABLE)]
    lines: Annotated[tuple[DisputedLine, ...], Meta(min_length=1, max_length=100)] | None = None
    deal: Annotated[int, Meta(ge=1, le=1000)] | None = None


Party: TypeAlias = Annotated[int, Meta(ge=0, le=15)] | Literal["bank", "pool"]


class RuledLine(RequestBody, frozen=True):
    """A line to be booked instead: `account`, a seat or an account of the table, gains `amount` from `with`."""

    account: Party
    counter: Party = field(name="with")
    amount: Annotated[int, Meta(ge=-MAX_AMOUNT, le=MAX_AMOUNT)]
    kind: Annotated[str, Meta(pattern=r"^[a-z][a-z-]{0,31}$")]
    rule: Annotated[str, Meta(pattern=r"^[A-Z]{2}-[0-9]{1,2}(?:\.[0-9]{1,2})?$")]
    text: Annotated[str, Meta(min_length=1, max_length=MAX_WORDS, pattern=PRINTABLE)]


class RulingRequest(RequestBody, frozen=True):
    """An arbiter's ruling. Where it is `upheld` the disputed lines are taken back and `lines` are booked instead.

    Without `lines` those are booked that the audit computes, where they are others than the recorded ones.
    """

    ruling: Literal["upheld", "rejected"]
    text: Annotated[str, Meta(min_length=1, max_length=MAX_WORDS, pattern=PRINTABLE)]
    lines: Annotated[tuple[RuledLine, ...], Meta(max_length=100)] | None = None


class Disputes(Struct, frozen=True):
    """A table's disputes, in the order in which they were raised."""

    items: tuple[PublishedDispute, ...]
