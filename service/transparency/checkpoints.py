"""Checkpoints of the log (C2SP tlog-checkpoint), which sign the size and root of its tree, and proofs (RFC 6962)."""

from collections.abc import Sequence

from asyncpg import Record
from msgspec import Struct

from domain.record.note import ORIGIN, VerifierKey, checkpoint_text
from service.store.database import Database
from service.store.records import END
from service.transparency.keys import Keyring, NoKey, SigningKey, announcement
from service.transparency.requests import SignatureRequests
from service.transparency.tree import LogAltered, Tree

_NEWEST = "SELECT size, root, note FROM codille.checkpoint ORDER BY size DESC LIMIT 1"
_COVERING = "SELECT size, root, note FROM codille.checkpoint WHERE size >= $1 ORDER BY size LIMIT 1"
_KEYS = "SELECT public, since, announcement FROM codille.signing_key ORDER BY number"

ATTEMPTS = 5
"""Attempts to sign while other processes keep signing newer checkpoints."""


class Checkpoint(Struct, frozen=True):
    """The tree's size and root, and the signed note that states them."""

    size: int
    root: bytes
    note: str


class AnnouncedKey(Struct, frozen=True):
    """A public key that signs checkpoints of more than `since` events and at most `until` (None: no limit yet)."""

    name: str
    public: bytes
    since: int
    until: int | None
    announcement: str | None
    """The note with which the previous key announces it; None for the first."""

    @property
    def verifier(self) -> VerifierKey:
        """The key in the form that verifiers take."""
        return VerifierKey(self.name, self.public)


class Transparency:
    """Signs checkpoints of the log, and proves what they cover. Raises StoreUnavailable on an outage.

    Without a keyring, as in a process that only serves the interface, signatures are requested from the process with
    the key.
    """

    def __init__(self, database: Database, keyring: Keyring | None) -> None:
        self._database = database
        self._keyring = keyring
        self._requests = SignatureRequests(database)
        self.tree = Tree(database)

    def derived(self, label: str) -> bytes:
        """Secret bytes that follow from the signing key and the label. Raises NoKey if this process may not sign."""
        if self._keyring is None:
            raise NoKey("this process has no signing key")
        return self._keyring.derived(label)

    async def newest(self) -> Checkpoint | None:
        """The newest checkpoint that any process has signed; None if there is none."""
        return _checkpoint(await self._database.fetch(_NEWEST))

    async def covering(self, position: int) -> Checkpoint | None:
        """The smallest checkpoint that any process has signed and that covers this position; None if none does."""
        return _checkpoint(await self._database.fetch(_COVERING, position))

    async def sign_checkpoint(self, at_least: int = 0) -> Checkpoint:
        """A checkpoint of the whole current log.

        Raises NoKey if this process may not sign, and LogAltered if the log differs from the one signed before or has
        fewer than `at_least` events.
        """
        for _ in range(ATTEMPTS):
            before = await self.newest()
            ((end,),) = await self._database.fetch(END)
            if before is not None and before.size >= max(end, at_least):
                return before
            if end < at_least:
                raise LogAltered(f"the log ends at {end}, before {at_least}")
            if self._keyring is None:
                # The checkpoint is stored before the answer arrives.
                await self._requests.signed(None)
                continue
            checkpoint = await self._sign_size(before, end)
            if checkpoint is not None:
                return checkpoint
        raise NoKey("other processes sign checkpoints of another log, or with another key")

    async def signed(self, text: str) -> str:
        """A signed note over the text, which must end with a newline. Raises NoKey if there is no key."""
        if self._keyring is None:
            return await self._requests.signed(text)
        return self._keyring.key().sign(text)

    async def keys(self) -> list[AnnouncedKey]:
        """All keys that sign or have signed checkpoints, newest last."""
        rows = await self._database.fetch(_KEYS)
        ends = [*(since for _, since, _ in rows[1:]), None]
        return [
            AnnouncedKey(ORIGIN, public, since, until, None if note is None else note.decode())
            for (public, since, note), until in zip(rows, ends[: len(rows)], strict=True)
        ]

    async def announced(self) -> bool:
        """Whether the log has a signing key. A process with a key announces the first one."""
        if await self.keys():
            return True
        try:
            await self._known(self._own_keyring().key().verifier)
        except NoKey:
            return False
        return True

    async def rotate(self, secret: bytes) -> VerifierKey:
        """Makes another key the signing key; the current one announces it.

        Raises NoKey if this process's key is not the current one.
        """
        keyring = self._own_keyring()
        old, new = keyring.key(), SigningKey(secret)
        await self._known(old.verifier)
        note = announcement(old, new.verifier)
        if not await self._announced(new.verifier, old.verifier, note):
            raise NoKey("the key of this process is not the one that signs now")
        if not keyring.configured:
            keyring.replace(secret)
        return new.verifier

    def _own_keyring(self) -> Keyring:
        if self._keyring is None:
            raise NoKey("a process that only serves the interface has no signing key")
        return self._keyring

    async def _sign_size(self, before: Checkpoint | None, size: int) -> Checkpoint | None:
        """Signs the checkpoint of this size; None if another process was faster."""
        key = self._own_keyring().key()
        await self._known(key.verifier)
        await self.tree.grow(size)
        root = await self.tree.root(size)
        # A rewritten log is never signed: the signature would contradict the earlier one.
        if before is not None and await self.tree.root(before.size) != before.root:
            raise LogAltered(f"the log's first {before.size} events are not those that were signed")
        note = key.sign(checkpoint_text(size, root))
        public = key.verifier.public
        ((kept,),) = await self._database.call("codille.keep_checkpoint", size, root, note.encode(), public)
        return Checkpoint(size, root, note) if kept else None

    async def _known(self, key: VerifierKey) -> None:
        """Announces the log's first key. Raises NoKey if the log has keys and this is not the newest."""
        keys = await self.keys()
        if not keys and await self._announced(key, None, None):
            return
        keys = keys or await self.keys()
        if keys[-1].public != key.public:
            raise NoKey(
                f"the signing key here is {key.id.hex()}, but the log's checkpoints are signed with "
                f"{keys[-1].verifier.id.hex()}: use that one, or change keys with `codille keys rotate`"
            )

    async def _announced(self, key: VerifierKey, after: VerifierKey | None, note: str | None) -> bool:
        text = None if note is None else note.encode()
        ((done,),) = await self._database.call("codille.announce_key", key.public, after and after.public, text)
        return bool(done)


def _checkpoint(rows: Sequence[Record]) -> Checkpoint | None:
    return Checkpoint(rows[0][0], rows[0][1], rows[0][2].decode()) if rows else None
