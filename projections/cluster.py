"""A Redis Cluster: each command goes to the node that has its key's slot, and those for one node go together.

The address names some of its nodes: `redis+cluster://[user:password@]host:6379,host:6379`, or `rediss+cluster` for TLS.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Self, TypeAlias
from urllib.parse import unquote, urlsplit

from redis.asyncio.connection import Connection, SSLConnection
from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, RedisError, TryAgainError

from projections.addresses import split_address
from projections.fast_connection import FastPool

SCHEMES = ("redis+cluster", "rediss+cluster")
PORT = 6379

REDIRECTIONS = 5
"""How often a command is sent on before that counts as an outage."""

MOVING_S = 0.02
"""Seconds until a command is repeated of whose keys some have moved to another node and some have not."""

Node: TypeAlias = tuple[str, int]
"""A node's host and port."""

Command: TypeAlias = tuple[Any, ...]

_SCRIPTS = ("EVALSHA", "EVAL")


class Cluster:
    """The nodes of a Cluster, with a pool of lean connections to each. Used from one event loop.

    `options` are those of pools and of their connections. Raises ValueError if the address names a database.
    """

    def __init__(self, url: str, **options: Any) -> None:
        self._seeds, self._class, given = _parts(url)
        self._options = options | given
        self._pools: dict[Node, FastPool] = {}
        self._starts: list[int] = []
        """The first slot of each range of slots, in order."""
        self._owners: list[Node] = []
        """The primary that has each range."""
        self._moved: dict[int, Node] = {}
        """Slots that have moved since the ranges were learnt."""
        self._failed: Node | None = None
        self._learning = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes all connections."""
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.disconnect()

    async def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """The replies, with the servers' errors among them. Each command's keys are in one slot.

        Commands to different nodes are carried out in any order, and some of them if one node fails. Raises errors of
        connections, and ClusterDownError.
        """
        replies: list[Any] = [None] * len(commands)
        waiting: list[int] = list(range(len(commands)))
        for _ in range(REDIRECTIONS):
            by_node: dict[Node, list[int]] = {}
            await self._learn()
            for index in waiting:
                by_node.setdefault(self._owner(_slot(commands[index])), []).append(index)
            parts = [(node, [commands[index] for index in some]) for node, some in by_node.items()]
            answers = await self._all(parts)
            for some, answer in zip(by_node.values(), answers, strict=True):
                for index, reply in zip(some, answer, strict=True):
                    replies[index] = reply
            waiting = [index for index in waiting if isinstance(replies[index], AskError | TryAgainError)]
            if not waiting:
                break
            waiting = [index for index in waiting if not await self._sent_on(commands[index], replies, index)]
        self._check(replies)
        return replies

    async def everywhere(self, *command: Any) -> list[Any]:
        """The reply of each primary to this command, in the order of their slots. Raises the servers' errors too."""
        await self._learn()
        answers = await self._all([(node, [command]) for node in dict.fromkeys(self._owners)])
        replies = [reply for (reply,) in answers]
        self._check(replies)
        for reply in replies:
            if isinstance(reply, RedisError):
                raise reply
        return replies

    async def at(self, node: Node, *command: Any) -> Any:
        """The reply of this node. Raises its errors."""
        (reply,) = await self._at(node, [command])
        if isinstance(reply, RedisError):
            raise reply
        return reply

    async def primaries(self) -> list[Node]:
        """The nodes that have slots."""
        await self._learn()
        return list(dict.fromkeys(self._owners))

    async def _sent_on(self, command: Command, replies: list[Any], index: int) -> bool:
        """Whether another node has answered in place of the one that does not have this slot, or not all of it."""
        error = replies[index]
        if isinstance(error, MovedError):
            self._moved[error.slot_id] = (error.host, error.port)
        elif isinstance(error, AskError):
            # The slot is moving, and this key has moved.
            _, replies[index] = await self._at((error.host, error.port), [("ASKING",), command])
            return not isinstance(replies[index], AskError | TryAgainError)
        else:
            await asyncio.sleep(MOVING_S)
        return False

    def _check(self, replies: Iterable[Any]) -> None:
        for reply in replies:
            if isinstance(reply, ClusterDownError):
                self._forget(None)
                raise reply

    async def _all(self, parts: Sequence[tuple[Node, Sequence[Command]]]) -> list[list[Any]]:
        """The replies of all these nodes. Raises a node's error when the others have answered."""
        if len(parts) == 1:
            return [await self._at(*parts[0])]
        answers = await asyncio.gather(*(self._at(*part) for part in parts), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return answers  # type: ignore[return-value] # errors were raised

    async def _at(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        pool = self._pools.get(node)
        if pool is None:
            pool = self._pools[node] = FastPool(
                connection_class=self._class, host=node[0], port=node[1], **self._options
            )
        try:
            connection: Any = await pool.get_connection()  # type: ignore[no-untyped-call]
            try:
                return await connection.exchange(commands)  # type: ignore[no-any-return]
            finally:
                await pool.release(connection)
        except (RedisError, OSError, asyncio.CancelledError):
            # A caller that waited long enough cancels.
            self._forget(node)
            raise

    def _owner(self, slot: int) -> Node:
        moved = self._moved.get(slot)
        return self._owners[bisect_right(self._starts, slot) - 1] if moved is None else moved

    def _forget(self, failed: Node | None) -> None:
        """Learns the slots anew before the next command."""
        self._starts = []
        self._failed = failed

    async def _learn(self) -> None:
        """Learns which node has which slots, unless that is known. Raises OSError if no node says so."""
        if self._starts:
            return
        async with self._learning:
            if self._starts:
                return
            # Another node than the one that failed knows better who has its slots now.
            nodes = sorted(dict.fromkeys((*self._owners, *self._seeds)), key=lambda node: node == self._failed)
            reason: object = "it names no slots"
            for node in nodes:
                try:
                    (reply,) = await self._at(node, [("CLUSTER", "SLOTS")])
                except (RedisError, OSError) as error:
                    reason = str(error) or type(error).__name__
                    continue
                if isinstance(reply, list) and reply:
                    await self._take(node, sorted(reply))
                    return
                reason = reply
            raise OSError(f"no node of the Cluster says which slots it has: {reason}")

    async def _take(self, asked: Node, ranges: Sequence[Any]) -> None:
        """Takes the ranges of slots as this node names them: first, last, and the primary's host and port."""
        owners = [((primary[0] or b"").decode() or asked[0], int(primary[1])) for _, _, primary, *_ in ranges]
        for node in self._pools.keys() - {*owners, *self._seeds}:
            await self._pools.pop(node).disconnect(inuse_connections=False)
        self._starts, self._owners, self._moved = [int(first) for first, *_ in ranges], owners, {}


class _OfAnyNode:
    """A connection to the first of these nodes that takes one; the next time to another."""

    nodes: Sequence[Node] = ()
    _next = 0

    async def _connect(self) -> None:
        for left in range(len(self.nodes))[::-1]:
            self.host, self.port = self.nodes[self._next % len(self.nodes)]
            type(self)._next += 1
            try:
                await super()._connect()  # type: ignore[misc]
            except (RedisError, OSError):
                if not left:
                    raise
            else:
                return


def any_node(url: str, **options: Any) -> FastPool:
    """A pool of connections to nodes of the Cluster that this address names, whichever takes them."""
    nodes, connection, given = _parts(url)
    kind = type(connection.__name__, (_OfAnyNode, connection), {"nodes": nodes})
    return FastPool(connection_class=kind, host=nodes[0][0], port=nodes[0][1], **options | given)


def _parts(url: str) -> tuple[list[Node], type[Connection], dict[str, Any]]:
    """The nodes that an address names, the class of connections to them, and their credentials."""
    address = split_address(url)
    if address.path.strip("/") not in ("", "0"):
        raise ValueError("the address of a Cluster names no database: a Cluster has one")
    credentials, _, hosts = address.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    each = [urlsplit(f"//{host}") for host in hosts.split(",")]
    return (
        [(one.hostname or "", one.port or PORT) for one in each],
        SSLConnection if address.scheme == "rediss+cluster" else Connection,
        {"username": unquote(user) or None, "password": unquote(password) or None},
    )


def _slot(command: Command) -> int:
    """The slot of a command's first key."""
    key = command[3 if command[0] in _SCRIPTS else 1]
    return key_slot(key if isinstance(key, bytes) else str(key).encode())
