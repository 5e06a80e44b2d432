"""Signed heads of the log (C2SP tlog-checkpoint), and proofs under them (RFC 6962)."""

from collections.abc import Sequence

from msgspec import Struct

from domain.record.note import ORIGIN, VerifierKey, checkpoint_text
from service.store.database import Database
from service.transparency.keys import Keyring, NoKey, SigningKey, announcement
from service.transparency.tree import LogAltered, Tree

_NEWEST = "SELECT size, root, note FROM codille.checkpoint ORDER BY size DESC LIMIT 1"
_END = "SELECT position FROM codille.log WHERE shard = 0"
_KEYS = "SELECT public, since, announcement FROM codille.signing_key ORDER BY number"

ATTEMPTS = 5
"""How often a head is signed anew when others keep signing newer ones meanwhile."""


class Checkpoint(Struct, frozen=True):
    """A signed head: the tree's size and root, and the note that tells them."""

    size: int
    root: bytes
    note: str


class Key(Struct, frozen=True):
    """A key that signs heads of more than `since` events, up to those of `until` (None: still)."""

    name: str
    public: bytes
    since: int
    until: int | None
    announcement: str | None
    """The note by which the key before it named it; None for the first."""

    @property
    def verifier(self) -> VerifierKey:
        """By which its signatures are checked."""
        return VerifierKey(self.name, self.public)


class Heads:
    """Signs heads, and proves what stands under them. Every method raises `StoreUnavailable` on an outage."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring
        self._tree = Tree(database)

    async def newest(self) -> Checkpoint | None:
        """The newest head that was signed, by any process."""
        rows = await self._database.fetch(_NEWEST)
        return Checkpoint(rows[0][0], rows[0][1], rows[0][2].decode()) if rows else None

    async def take_now(self, at_least: int = 0) -> Checkpoint:
        """A signed head of the whole log as it is now, of `at_least` so many events. Raises NoKey, LogAltered."""
        for _ in range(ATTEMPTS):
            before = await self.newest()
            ((end,),) = await self._database.fetch(_END)
            if before is not None and before.size >= max(end, at_least):
                return before
            if end < at_least:
                raise LogAltered(f"the log ends at {end}, before {at_least}")
            taken = await self._take(before, end)
            if taken is not None:
                return taken
        raise NoKey("other processes sign heads of another log, or with another key")

    async def inclusions(self, positions: Sequence[int], size: int) -> list[list[bytes]]:
        """For each position the proof that it stands in the tree of this size, which a signed head must cover."""
        return await self._tree.inclusions(positions, size)

    async def consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the tree of `second` events begins with that of `first`, both covered by a signed head."""
        return await self._tree.consistency(first, second)

    def sign(self, text: str) -> str:
        """A signed note over this text, which ends with a line's end. Raises NoKey."""
        return self._keyring.key().sign(text)

    async def keys(self) -> list[Key]:
        """All keys there were, the newest last."""
        rows = await self._database.fetch(_KEYS)
        ends = [*(since for _, since, _ in rows[1:]), None]
        return [
            Key(ORIGIN, public, since, until, None if note is None else note.decode())
            for (public, since, note), until in zip(rows, ends[: len(rows)], strict=True)
        ]

    async def rotate(self, secret: bytes) -> VerifierKey:
        """Makes another key the one that signs, announced by the one that signed until now. Raises NoKey."""
        old, new = self._keyring.key(), SigningKey(secret)
        await self._known(old.verifier)
        note = announcement(old, new.verifier)
        if not await self._announced(new.verifier, old.verifier, note):
            raise NoKey("the key of this process is not the one that signs now")
        if not self._keyring.configured:
            self._keyring.replace(secret)
        return new.verifier

    async def _take(self, before: Checkpoint | None, size: int) -> Checkpoint | None:
        """Signs the head of this size; None if another process was quicker."""
        key = self._keyring.key()
        await self._known(key.verifier)
        await self._tree.grow(size)
        root = await self._tree.root(size)
        # A log that was rewritten is not signed: what was promised of it would be denied.
        if before is not None and await self._tree.root(before.size) != before.root:
            raise LogAltered(f"the log's first {before.size} events are not those that were signed")
        note = key.sign(checkpoint_text(size, root))
        ((kept,),) = await self._database.fetch(
            "SELECT codille.keep_checkpoint($1, $2, $3, $4)", size, root, note.encode(), key.verifier.public
        )
        return Checkpoint(size, root, note) if kept else None

    async def _known(self, key: VerifierKey) -> None:
        """Announces the first key of all; any other must be the newest. Raises NoKey."""
        keys = await self.keys()
        if not keys and await self._announced(key, None, None):
            return
        keys = keys or await self.keys()
        if keys[-1].public != key.public:
            raise NoKey(
                f"the signing key here is {key.id.hex()}, but the log's heads are signed with "
                f"{keys[-1].verifier.id.hex()}: use that one, or change keys with `codille keys rotate`"
            )

    async def _announced(self, key: VerifierKey, after: VerifierKey | None, note: str | None) -> bool:
        ((done,),) = await self._database.fetch(
            "SELECT codille.announce_key($1, $2, $3)",
            key.public,
            after and after.public,
            None if note is None else note.encode(),
        )
        return bool(done)
