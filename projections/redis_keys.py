"""The keys in Redis. Every read model is in one shard, and each shard in one slot of a Redis Cluster.

A generation is one complete set of read models. Requests follow the pointer to the current one.

    codille:{control}:current           shape and number of the current generation, `1:1763632800000000`
    codille:{control}:counter           the last number given, to a generation or to a lease
    codille:{control}:generations       the numbers of the generations that may have keys
    codille:{control}:lease:<name>      the worker that keeps a generation (`g<number>`) or builds one (`build`)

    codille:g<number>:{t0}:checkpoint   the shard's position and event hash, and the fence
    codille:g<number>:{t0}:…            eight shards of tables, `t0` to `t7`
    codille:g<number>:{p0}:…            eight shards of players, `p0` to `p7`
    codille:g<number>:{lobby}:…         the list of tables
    codille:g<number>:{board}:…         the leaderboards
"""

from zlib import crc32

from msgspec import Struct

from domain.seats import Audience

SHAPE = 7
"""The version of the read models' keys, and of the form of what is stored there. Every change of either must raise it:
processes of another version cannot read them, and lists are unavailable there until they are rebuilt.
"""

FOLD = 1
"""The version of the code that folds events into read models, that of the domain included. If other read models follow
from the same events, it must be raised: those of a lower version are then rebuilt, and served until that is done.
"""

PREFIX = "codille"

CONTROL = f"{PREFIX}:{{control}}"
"""How the keys outside generations begin, which are in one slot."""
CURRENT, COUNTER, GENERATIONS = f"{CONTROL}:current", f"{CONTROL}:counter", f"{CONTROL}:generations"
"""The pointer to the current generation; the last number given; the set of generations that may have keys."""

Shard = str

TABLES: tuple[Shard, ...] = tuple(f"t{number}" for number in range(8))
PLAYERS: tuple[Shard, ...] = tuple(f"p{number}" for number in range(8))
LOBBY: Shard = "lobby"
BOARD: Shard = "board"
SHARDS: tuple[Shard, ...] = (*TABLES, *PLAYERS, LOBBY, BOARD)


def shard_of_table(table: str) -> Shard:
    """The shard of a table's own read models."""
    return TABLES[crc32(table.encode()) % len(TABLES)]


def shard_of_player(player: str) -> Shard:
    """The shard of a player's read models."""
    return PLAYERS[crc32(player.encode()) % len(PLAYERS)]


class Pointer(Struct, frozen=True):
    """The current generation, and the shape of its read models."""

    shape: int
    generation: int


def pointer(value: bytes | None) -> Pointer | None:
    """The pointer from its value in Redis; None if there is none."""
    if value is None:
        return None
    shape, _, generation = value.partition(b":")
    return Pointer(int(shape), int(generation))


def lease_key(name: str) -> str:
    """The key of the lease of this name."""
    return f"{CONTROL}:lease:{name}"


class Layout(Struct, frozen=True):
    """The keys of one generation. Each method says what is stored under its key."""

    generation: int

    def key(self, shard: Shard, name: str) -> str:
        """The key of this name in a shard."""
        return f"{PREFIX}:g{self.generation}:{{{shard}}}:{name}"

    def checkpoint(self, shard: Shard) -> str:
        """A hash: `epoch` of the fence, `position` and `hash` (32 bytes) of the last event applied, and `fold`, the
        lowest `FOLD` among the versions that folded them.
        """
        return self.key(shard, "checkpoint")

    def version(self, table: str) -> str:
        """The version that the table's own read models have reached."""
        return self.key(shard_of_table(table), f"version:{table}")

    def view(self, table: str, audience: Audience) -> str:
        """A view: its version, a space, its JSON."""
        return self.key(shard_of_table(table), f"view:{table}:{audience}")

    def ledger(self, table: str) -> str:
        """A ledger: the version of its last change, a space, its JSON from the second field on."""
        return self.key(shard_of_table(table), f"ledger:{table}")

    def player(self, player: str) -> str:
        """A hash: a tally by `game:<name>`; `booked`, the time of the last line."""
        return self.key(shard_of_player(player), f"player:{player}")

    def own_player(self, player: str) -> str:
        """The same as `player`, for tables that lists do not show, for the player alone."""
        return self.key(shard_of_player(player), f"own-player:{player}")

    def lines(self, player: str, game: str) -> str:
        """A sorted set by time: a player's lines of one game, in the form of `player_records.StoredLine`."""
        return self.key(shard_of_player(player), f"lines:{player}:{game}")

    def own_lines(self, player: str, game: str) -> str:
        """The same as `lines`, for tables that lists do not show, for the player alone."""
        return self.key(shard_of_player(player), f"own-lines:{player}:{game}")

    @property
    def aside(self) -> str:
        """A hash: the tables that are set aside since their records cannot be read, each with the reason."""
        return self.key(LOBBY, "aside")

    def summary(self, table: str) -> str:
        """A table in the list: its version, a space, its JSON."""
        return self.key(LOBBY, f"table:{table}")

    def index(self, status: str, game: str, player: str | None = None, *, own: bool = False) -> str:
        """A sorted set of the tables of this status and game, of everybody or of one player, by the position of their
        opening.

        With `own`, those of a player that lists do not show.
        """
        return self.key(LOBBY, f"{'own' if own else 'index'}:{status}:{game}" + (f":{player}" if player else ""))

    def tallies(self, game: str) -> str:
        """A hash: the tally of each player of the game."""
        return self.key(BOARD, f"tallies:{game}")

    def ranking(self, game: str) -> str:
        """A sorted set of equal scores: the players of the game, best first."""
        return self.key(BOARD, f"ranking:{game}")
