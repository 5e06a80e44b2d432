"""The bodies of requests and responses, except events and views, which are the domain's.

Those of players and tokens are in `account_schemas`.
"""

from datetime import datetime
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from domain.seats import Id, Level, Seat
from domain.table.options import TableOptions
from projections.leaderboard import Rank
from projections.ledgers import Balance
from projections.lobby import TableSummary
from service.describe.shared_fields import BALANCES, BEARER, CREATED_AT, ID, UNIT, Json, Listed, Paged
from service.http.forms import ACCOUNT, ENTROPY, LINE_KIND, PRINTABLE, REPORTED, RULE, SEAT
from service.live.frame_contents import SeatPresence
from service.queries.disputes import DISPUTED, DisputedLine, PublishedDispute
from service.store.invitations import MOST

MAX_WORDS = 500
MAX_AMOUNT = 2_000_000_000
"""Greater than the amount of any game's line."""


POSITION = Meta(description="The event's position in the log, from 1.")
PROOF = Meta(description="The hashes of the proof, in the order of RFC 6962.")


class RequestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A body that a client sends. No value is converted, and unknown fields are refused."""

    PROOF: ClassVar[str] = ""
    """The field with a secret that identifies the sender, whatever the address; empty without one."""

    def __post_init__(self) -> None:
        """Raises ValueError for a text that ends in a line feed, which a pattern's `$` would accept."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, str) and value.endswith("\n"):
                raise ValueError(f"Line feed at the end of field `{name}`")

    @property
    def proof(self) -> str | None:
        """The secret that identifies the sender; None without one."""
        return getattr(self, self.PROOF) if self.PROOF else None


class TableRequest(RequestBody, frozen=True):
    """A table to open: the game, the number of deals (by default the game's), the options of both, and its bots."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    deals: Annotated[int, Meta(ge=1, le=1000)] | None = None
    options: Json | None = None
    table: Annotated[TableOptions | None, Meta(description="The options of the table itself.")] = None
    bots: Annotated[
        dict[Annotated[str, Meta(pattern=SEAT)], Level],
        Meta(max_length=16, description="The level of each bot, by seat.", examples=[{"1": "quick"}]),
    ] = {}


class EndRequest(RequestBody, frozen=True):
    """Whether the caller agrees to end the game."""

    agree: Annotated[bool, Meta(description="False refuses, and cancels what others have agreed to.")]


class SeatRequest(RequestBody, frozen=True):
    """The seat to take (by default the lowest free one), and entropy for the shuffle: up to 64 bytes, in hex.

    With `bot`, the seat is for a bot, which adds no entropy.
    """

    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    entropy: Annotated[str, Meta(pattern=ENTROPY, examples=["5eed"])] | None = None
    bot: Annotated[
        Level | bool | None,
        Meta(
            description="Seats a bot of this level, and not the caller. `true` is the strongest level: once the game "
            "has started, there is no other (TL-7.3)."
        ),
    ] = None


class RematchRequest(RequestBody, frozen=True):
    """Entropy for the shuffle of the rematch: up to 64 bytes, in hex."""

    entropy: Annotated[str, Meta(pattern=ENTROPY, examples=["5eed"])] | None = None


class InvitationRequest(RequestBody, frozen=True):
    """An invitation to make; it has no properties yet."""


class Invitation(Struct, frozen=True):
    """An invitation to a table. Only this response has its text."""

    table: Id
    id: Annotated[Id, Meta(description="The id by which it is revoked.")]
    invitation: Annotated[str, Meta(description="Sent as `?invite=` to see the table and to sit there.")]


class OwnInvitation(Struct, frozen=True):
    """An invitation to a table, without its text."""

    id: Annotated[Id, ID]
    player: Annotated[Id, Meta(description="The player who made it.")]
    created_at: Annotated[datetime, CREATED_AT]


class InvitationList(Struct, frozen=True):
    """A table's invitations, oldest first; at most 50."""

    items: Annotated[tuple[OwnInvitation, ...], Meta(max_length=MOST, description="The invitations.")]


class Presence(Struct, frozen=True):
    """Who is connected at a table."""

    table: Id
    seats: Annotated[tuple[SeatPresence, ...], Meta(description="All seats, in their order.")]
    complete: Annotated[
        bool,
        Meta(
            description="Whether all processes of the service are included; false while they cannot reach each other. "
            "Then a player who is not connected here may be connected elsewhere."
        ),
    ]


class OfferedAct(Struct, frozen=True):
    """An action that the seat may take now. Every combination of values that its fields admit is accepted."""

    type: str
    fields: dict[str, Json]


class WhyNot(Struct, frozen=True):
    """Whether the seat is offered the act in question, and if not, why. No rule is named outside a game."""

    type: Annotated[str, Meta(description="The act's type.")]
    offered: Annotated[bool, Meta(description="Whether the seat is offered an act of this type with these fields.")]
    code: Annotated[str | None, Meta(description="The code of the problem with which the act would be refused.")]
    rule: Annotated[str | None, Meta(description="The numbered rule that forbids the act to the seat.")]
    text: Annotated[str | None, Meta(description="The rule's text.")]
    detail: Annotated[str | None, Meta(description="Why the seat may not take the act, in words.")]


class Offers(Struct, frozen=True):
    """The seats that must act at this version, and the offers of the caller's seat; no offers without a seat."""

    version: int
    you: Annotated[Seat | None, Meta(description="The caller's seat; null without one.")]
    to_act: tuple[Seat, ...]
    offers: Annotated[
        tuple[OfferedAct, ...],
        Meta(description="The actions that the caller's seat may take now; empty without a seat."),
    ]
    why: Annotated[
        WhyNot | UnsetType, Meta(description="The answer to the question `why`; left out without a question.")
    ] = UNSET


class Events(Listed[Raw], frozen=True):
    """Events in order, and the table's newest version."""

    version: int


class RangeStep(Struct, frozen=True):
    """A version of a table: the event that led to it, the changed fields of the view, and the view."""

    version: int
    event: Json
    changed: Annotated[tuple[str, ...], Meta(description="The fields of the view that differ from the version before.")]
    view: Json


class Replay(Struct, frozen=True):
    """Steps in order, and the table's newest version."""

    steps: Annotated[tuple[RangeStep, ...], Meta(description="The versions of the range, in order.")]
    version: int


class TablePage(Paged[TableSummary], frozen=True):
    """A page of tables, newest first."""


class Ledger(Struct, frozen=True):
    """A table's ledger: every line with its rule, its text and its events, and the address of those events' replay."""

    replay: Annotated[
        str, Meta(description="The address of the table's view at a version, as a URI template (RFC 6570).")
    ]
    version: int
    unit: Annotated[str, UNIT]
    balances: Annotated[tuple[Balance, ...], BALANCES]
    lines: tuple[Json, ...]


class Statement(Paged[Json], frozen=True):
    """A player's booked lines, newest first, each with the player's balance in that game after it."""


class Leaderboard(Paged[Rank], frozen=True):
    """Players by total, highest first."""


class Health(Struct, frozen=True):
    """The answer of a process that is alive, or ready to serve."""

    status: Annotated[Literal["ok"], Meta(description="`ok`.")]


class Readiness(Health, frozen=True):
    """The answer of a process that is ready to serve."""

    postgres: Annotated[Literal["ok"], Meta(description="`ok`: it can be read and written.")]
    redis: Annotated[
        Literal["ok", "loading", "cannot-write", "unavailable"],
        Meta(
            description="`ok`; `loading` its file; `cannot-write` its file, so that it refuses changes; `unavailable`. "
            "While Redis is not ok, tables are read from the log, and lists may be unavailable."
        ),
    ]
    tables_set_aside: Annotated[
        int | None,
        Meta(
            description="The number of tables that are in no list because this version cannot read their records; null "
            "while that is unknown."
        ),
    ]
    halted: Annotated[
        tuple[str, ...],
        Meta(
            description="The background work that an error or an outage interrupts, by name, in any process that this "
            "one measures with; empty if all of it goes on."
        ),
    ]


class InclusionProof(Struct, frozen=True):
    """A proof that the log's tree of `size` events contains the event at a position (RFC 6962, 2.1.1). Hashes are in
    hex.

    `leaf` is the event's hash. The leaf's hash in the tree is SHA-256 over a zero byte and `leaf`; the leaf's index is
    the position less one.
    """

    position: Annotated[int, POSITION]
    size: Annotated[int, Meta(description="The tree's size: the number of its events.")]
    leaf: Annotated[str, Meta(description="The event's hash.")]
    proof: Annotated[tuple[str, ...], PROOF]


class ConsistencyProof(Struct, frozen=True):
    """A proof that the log's tree of `second` events extends that of `first` (RFC 6962, 2.1.2). Hashes are in hex."""

    first: Annotated[int, Meta(description="The smaller tree's size.")]
    second: Annotated[int, Meta(description="The larger tree's size.")]
    proof: Annotated[tuple[str, ...], PROOF]


class LogKey(Struct, frozen=True):
    """A key that signs checkpoints of more than `since` events and at most `until` (null: no limit).

    `verifier` is the public key in the form of C2SP's signed notes. `announcement` is the note, signed by the previous
    key, that names this one.
    """

    verifier: Annotated[str, Meta(description="The public key in the form of C2SP's signed notes: `NAME+ID+KEY`.")]
    since: Annotated[int, Meta(description="The key signs checkpoints of more events than this.")]
    until: Annotated[
        int | None, Meta(description="The key signs checkpoints of at most this many events; null: no limit.")
    ]
    announcement: Annotated[
        str | None,
        Meta(description="The note, signed by the previous key, that names this key; null for the first key."),
    ]


class LogKeys(Listed[LogKey], frozen=True):
    """All keys that sign or have signed checkpoints of the log, newest last."""


DisputedLines: TypeAlias = Annotated[tuple[DisputedLine, ...], Meta(min_length=1, max_length=100)]
DealNumber: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]


class DisputeRequest(RequestBody, frozen=True):
    """A dispute to open: about some lines, all lines of a deal, or both; and the reason."""

    reason: Annotated[str, Meta(min_length=1, max_length=MAX_WORDS, pattern=PRINTABLE)]
    lines: Annotated[DisputedLines | None, DISPUTED] = None
    deal: Annotated[DealNumber | None, Meta(description="The deal whose lines are all disputed.")] = None


class Report(RequestBody, frozen=True):
    """What the operator is asked to look at."""

    about: Annotated[
        str,
        Meta(
            pattern=REPORTED, description="`player:ID` for a player's name, `event:TABLE/VERSION` for words at a table."
        ),
    ]


Party: TypeAlias = Annotated[int, Meta(ge=0, le=15)] | Annotated[str, Meta(pattern=ACCOUNT)]


class RuledLine(RequestBody, frozen=True):
    """A line that a ruling books: `account` gains `amount` from `with`.

    Each is a seat, or an account of the table as its ledger names it: `player:ID`, `bank` or `pool`.
    """

    account: Annotated[Party, Meta(description="A seat, or an account as the ledger names it.")]
    counter: Annotated[Party, BEARER] = field(name="with")
    amount: Annotated[int, Meta(ge=-MAX_AMOUNT, le=MAX_AMOUNT)]
    kind: Annotated[str, Meta(pattern=LINE_KIND)]
    rule: Annotated[str, Meta(pattern=RULE)]
    text: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_WORDS,
            pattern=PRINTABLE,
            description="The line in words, used on both accounts.",
        ),
    ]


RuledLines: TypeAlias = Annotated[tuple[RuledLine, ...], Meta(max_length=100)]


class RulingRequest(RequestBody, frozen=True):
    """An arbiter's ruling. If it is `upheld`, the disputed lines are reversed and `lines` are booked instead."""

    ruling: Literal["upheld", "rejected"]
    text: Annotated[str, Meta(min_length=1, max_length=MAX_WORDS, pattern=PRINTABLE)]
    lines: Annotated[
        RuledLines | None,
        Meta(
            description="The lines that are booked instead of the reversed ones; an empty list books nothing. If left "
            "out or null, the lines that the audit computes are booked, if they differ from the recorded ones."
        ),
    ] = None
    confirmed: Annotated[
        bool,
        Meta(
            description="False asks once more: a ruling that changes a line which the audit confirms is refused as "
            "`audit-confirms`."
        ),
    ] = True


class DisputePage(Paged[PublishedDispute], frozen=True):
    """A page of disputes, newest first."""


class Disputes(Listed[PublishedDispute], frozen=True):
    """A table's disputes, in the order of opening."""
