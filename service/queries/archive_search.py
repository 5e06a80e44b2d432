"""Finished deals of all tables, found in the archive by what happened in them.

Tables that lists do not show are found by their own players alone. An erased player has no name and no id here, and is
not searched by. What the archive has is open: a deal that is over is shown at once, at late tables too (TL-6.2).
"""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from asyncpg import Record
from msgspec import Meta, Struct

from domain.kernel.game import Game
from domain.record.catalogue import UnknownRules
from domain.record.history import Reader
from domain.seats import Seat
from projections import cursors
from service.compute.heavy_reads import Spending
from service.describe.shared_fields import ID, OPTIONS, RULES_VERSION, UNIT, Json, Paged
from service.queries.statistics import EVERYBODY, GameStatistics, statistics
from service.store.accounts import Accounts, PlayerProfile
from service.store.database import Database, StoreUnavailable

Order: TypeAlias = Literal["newest", "largest"]
Among: TypeAlias = Literal["any", "partners", "declarer"]

LISTS: Mapping[Order, str] = {"newest": "an", "largest": "al"}
"""The names of the lists in their cursors."""


class Wanted(Struct, frozen=True, kw_only=True):
    """What deals are looked for; all of it must hold. None of it: any deal."""

    game: str | None = None
    rules_version: int | None = None
    options: Mapping[str, Any] = {}
    players: tuple[str, ...] = ()
    among: Among = "any"
    """How these players play: in any way, all on one side, or the first as declarer against the others."""
    since: datetime | None = None
    until: datetime | None = None
    contract: str | None = None
    trump: str | None = None
    outcome: str | None = None
    amount: tuple[int | None, int | None] = (None, None)
    """The least and the most."""
    length: tuple[int | None, int | None] = (None, None)
    rule: str | None = None
    flags: Mapping[Literal["bots", "disputed", "corrected"], bool | None] = {}
    """Whether bots take part, a line was disputed, a ruling has changed it; None where it does not matter."""
    order: Order = "newest"


class FoundSeat(Struct, frozen=True):
    """A seat in a finished deal."""

    seat: Seat
    player: Annotated[str | None, Meta(description="The player's id; null for an erased player.")]
    name: Annotated[str | None, Meta(description="The player's name; null for a bot, and for an erased player.")]
    bot: Annotated[bool, Meta(description="Whether a bot takes part here as a player.")]
    side: Annotated[
        int, Meta(ge=0, description="The same for partners. Of a contract, declarer's side is 1 and the others are 0.")
    ]
    declarer: Annotated[bool, Meta(description="Whether the seat plays the contract.")]
    result: Annotated[int, Meta(description="What the seat gained by the deal, with antes and corrections.")]


class FoundDeal(Struct, frozen=True, kw_only=True):
    """A finished deal, and where it is replayed."""

    table: Annotated[str, ID]
    deal: Annotated[int, Meta(ge=1, description="The number of the deal at its table.")]
    version: Annotated[int, Meta(ge=1, description="The version of the event that scored it.")]
    replay: Annotated[str, Meta(description="The address of that moment.")]
    page: Annotated[str, Meta(description="The address of the page that replays it from there.")]
    at: Annotated[str, Meta(description="When it was scored.")]
    game: str
    title: Annotated[str, Meta(description="The name of the game in words.")]
    rules_version: Annotated[int, RULES_VERSION]
    options: Annotated[Json, OPTIONS]
    contract: Annotated[str | None, Meta(description="The contract, or the kind of deal; null where there is none.")]
    contract_name: Annotated[str | None, Meta(description="The same in words.")]
    trump: Annotated[str | None, Meta(description="The trump suit; null without one.")]
    outcome: Annotated[str, Meta(description="How it ended.")]
    outcome_name: Annotated[str, Meta(description="The same in words.")]
    amount: Annotated[int, Meta(ge=0, description="The most that any one seat gained or lost by it.")]
    unit: Annotated[str, UNIT]
    rules: Annotated[tuple[str, ...], Meta(description="The rules that its lines cite.")]
    length: Annotated[int, Meta(ge=1, description="The number of its events.")]
    listed: Annotated[bool, Meta(description="Whether lists show its table.")]
    disputed: Annotated[bool, Meta(description="Whether a line of it was ever disputed.")]
    corrected: Annotated[bool, Meta(description="Whether a ruling has changed what it booked.")]
    seats: tuple[FoundSeat, ...]


class DealsPage(Paged[FoundDeal], frozen=True):
    """A page of finished deals."""

    count: Annotated[
        int | None,
        Meta(description="How many there are in all, where one page has them; null where they would be counted."),
    ]


class ArchiveUnavailable(StoreUnavailable):
    """The archive does not have all deals yet, or would take too long to search."""


_READY = "SELECT position >= complete_at FROM archive.checkpoint"
_TALLIES = """
    SELECT
        player::text, to_char(month, 'YYYY-MM') AS month, contract, outcome, seat, declares,
        sum(deals)::bigint AS deals, sum(won)::bigint AS won, sum(lost)::bigint AS lost,
        sum(points)::bigint AS points, sum(squares)::bigint AS squares
    FROM archive.tally
    WHERE game = $1 AND player = ANY ($2::uuid[]) AND (listed OR $3)
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(deals) > 0
"""
_COLUMNS = """
    position, table_id::text, deal, version, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at,
    game, rules_version, options, listed, bots, players::text[], sides,
    declarer, contract, trump, outcome, length, results, amount, rules, disputed, corrected
"""


class Conditions:
    """The conditions of a query, with its arguments."""

    def __init__(self) -> None:
        self.arguments: list[Any] = []
        self.texts: list[str] = []

    def add(self, text: str, *arguments: Any) -> None:
        """Adds a condition, in which each `?` stands for an argument."""
        for argument in arguments:
            self.arguments.append(argument)
            text = text.replace("?", f"${len(self.arguments)}", 1)
        self.texts.append(text)

    def __str__(self) -> str:
        return " AND ".join(self.texts)


class ArchiveSearch:
    """Searches the archive. Its methods raise StoreUnavailable, also where the search takes too long."""

    def __init__(self, database: Database, accounts: Accounts, reader: Reader) -> None:
        self._database = database
        self._accounts = accounts
        self._reader = reader

    async def deals(
        self, player: str, wanted: Wanted, spending: Spending, *, cursor: str | None = None, limit: int = 50
    ) -> DealsPage:
        """A page of the deals that the player may find; without an id, of those that everybody may. Raises BadCursor.

        The time that the search takes counts as `spending`.
        """
        after = None if cursor is None else _key(wanted.order, cursor)
        await self.require_built()
        if not await self.knows(wanted.players):
            return DealsPage((), None, 0 if cursor is None else None)
        conditions = _conditions(player, wanted, after)
        order = "at" if wanted.order == "newest" else "amount"
        # No client's text is in it: values are arguments.
        query = (
            f"SELECT {_COLUMNS} FROM archive.deal WHERE {conditions} "  # noqa: S608 (as said above)
            f"ORDER BY deal.{order} DESC, position DESC LIMIT {limit + 1}"
        )
        rows = await self.rows(spending, query, *conditions.arguments)
        more, rows = len(rows) > limit, rows[:limit]
        ids = sorted({one for row in rows for one in row["players"] if one is not None})
        profiles = await self._accounts.players(ids) if ids else {}
        items = tuple([self._found(row, profiles) for row in rows])
        last = _cursor(wanted.order, rows[-1]) if more else None
        return DealsPage(items, last, len(items) if cursor is None and not more else None)

    async def statistics(self, player: str, game: Game, of_player: str | None, spending: Spending) -> GameStatistics:
        """The statistics of a game: everybody's, and those of `of_player`, which have all own tables for the player."""
        await self.require_built()
        players = [EVERYBODY] if of_player is None else [EVERYBODY, of_player]
        own = bool(of_player) and of_player == player
        return statistics(game, await self.rows(spending, _TALLIES, game.name, players, own), of_player)

    async def rows(self, spending: Spending, query: str, *arguments: object) -> list[Record]:
        """The rows of a query of the archive, whose time counts as spent."""
        began = time.monotonic()
        try:
            return await self._database.fetch(query, *arguments)
        except StoreUnavailable as error:
            if error.cause == "timeout":
                raise ArchiveUnavailable("this would take too long: ask for less", error.cause) from error
            raise
        finally:
            spending.add(time.monotonic() - began)

    async def knows(self, players: Sequence[str]) -> bool:
        """Whether all of them are players whose profiles are not erased."""
        named = await self._accounts.players(players) if players else {}
        return all(one in named and named[one].name is not None for one in players)

    async def require_built(self) -> None:
        """Raises ArchiveUnavailable while the archive lacks deals."""
        ((ready,),) = await self._database.fetch(_READY)
        if not ready:
            raise ArchiveUnavailable("the archive of finished deals is being built")

    def _found(self, row: Record, profiles: Mapping[str, PlayerProfile]) -> FoundDeal:
        try:
            game = self._reader.game(row["game"], row["rules_version"])
        except UnknownRules:
            # A game that is not offered any more has no words here.
            game = None
        return described_deal({**row, "options": msgspec.json.decode(row["options"])}, profiles, game)


def described_deal(row: Mapping[str, Any], profiles: Mapping[str, PlayerProfile], game: Game | None) -> FoundDeal:
    """A row of the archive in the game's words, with names from these profiles."""
    table, version, contract, outcome = row["table_id"], row["version"], row["contract"], row["outcome"]
    terms: Mapping[str, Mapping[str, str]] = {} if game is None else game.words.terms
    contracts = terms.get((game and game.scoring.searched.terms) or "", {})
    return FoundDeal(
        table=table,
        replay=f"/v1/tables/{table}/replay/{version}",
        page=f"/replay/{table}#{version}",
        title=row["game"] if game is None else game.title,
        contract_name=None if contract is None else contracts.get(contract, contract),
        outcome_name=terms.get("outcome", {}).get(outcome, outcome),
        unit="points" if game is None else game.unit,
        rules=tuple(row["rules"]),
        seats=_seats(row, profiles),
        **{name: row[name] for name in _AS_STORED},
    )


_AS_STORED = (
    "deal", "version", "at", "game", "rules_version", "options", "contract", "trump", "outcome", "amount", "length",
    "listed", "disputed", "corrected",
)  # fmt: skip
"""The members of a deal that are served as the archive has them."""


def _conditions(player: str, wanted: Wanted, after: tuple[Any, int] | None) -> Conditions:
    conditions = Conditions()
    if player:
        conditions.add("(listed OR players @> ARRAY[?::uuid])", player)
    else:
        conditions.add("listed")
    for name in ("game", "rules_version", "contract", "trump", "outcome"):
        if (value := getattr(wanted, name)) is not None:
            conditions.add(f"{name} = ?", value)
    for what, flag in wanted.flags.items():
        if flag is not None:
            conditions.add(what if flag else f"NOT {what}")
    for name, (least, most) in (
        ("at", (wanted.since, wanted.until)),
        ("amount", wanted.amount),
        ("length", wanted.length),
    ):
        if least is not None:
            conditions.add(f"{name} >= ?", least)
        if most is not None:
            conditions.add(f"{name} {'<' if name == 'at' else '<='} ?", most)
    if wanted.rule is not None:
        conditions.add("rules @> ARRAY[?::text]", wanted.rule)
    if wanted.options:
        conditions.add("options @> ?::jsonb", msgspec.json.encode(wanted.options).decode())
    _of_players(conditions, wanted.players, wanted.among)
    if after is not None:
        column = "at" if wanted.order == "newest" else "amount"
        conditions.add(f"({column}, position) < (?, ?)", *after)
    return conditions


def _of_players(conditions: Conditions, players: Sequence[str], among: Among) -> None:
    if not players:
        return
    conditions.add("players @> ?::uuid[]", list(players))
    first, *others = players
    if among == "declarer":
        conditions.add("players[declarer + 1] = ?::uuid", first)
    for other in others if among != "any" else ():
        same = "=" if among == "partners" else "<>"
        conditions.add(
            f"sides[array_position(players, ?::uuid)] {same} sides[array_position(players, ?::uuid)]", first, other
        )


def _seats(row: Mapping[str, Any], profiles: Mapping[str, PlayerProfile]) -> tuple[FoundSeat, ...]:
    seats = []
    for seat, player in enumerate(row["players"]):
        profile = profiles.get(player)
        erased = profile is not None and profile.name is None
        # A bot has an id, and no account.
        bot = row["bots"] and profile is None
        name, declares = None if profile is None else profile.name, row["declarer"] == seat
        seats.append(
            FoundSeat(seat, None if erased else player, name, bot, row["sides"][seat], declares, row["results"][seat])
        )
    return tuple(seats)


def _cursor(order: Order, row: Record) -> str:
    return cursors.cursor(LISTS[order], f"{row['position']} {row['at' if order == 'newest' else 'amount']}")


def _key(order: Order, cursor: str) -> tuple[Any, int]:
    """The sort key after which a page begins. Raises BadCursor."""
    position, _, first = cursors.key(LISTS[order], cursor).partition(" ")
    try:
        key = datetime.fromisoformat(first) if order == "newest" else int(first)
        number = int(position)
    except ValueError:
        raise cursors.BadCursor(cursor) from None
    aware = isinstance(key, int) or key.tzinfo is not None
    if not aware or not 0 <= number < 2**53 or (isinstance(key, int) and not 0 <= key < 2**53):
        raise cursors.BadCursor(cursor)
    return key, number
