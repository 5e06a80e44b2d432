"""Signatures for processes without the signing key, from the one that has it, through the database."""

import asyncio
import re
import time
from uuid import UUID

import uuid_utils

from service.store.database import Database
from service.transparency.keys import NoKey

CHANNEL = "codille_signature"

WAIT_S = 5.0
"""Seconds to wait for a signature."""

LOOKS_S = (0.005, 0.1)
"""Seconds between two looks for the answer, at first and at most."""

EXPORT = re.compile(r"codille/export\n[0-9a-f-]{36}\n[A-Za-z0-9+/]{43}=\n")
"""The only text that is signed on request: otherwise a requester could announce a key, or sign a forged log."""

_ANSWER = "SELECT note FROM codille.signature WHERE id = $1 AND note IS NOT NULL"
_PENDING = "SELECT id, text FROM codille.signature WHERE note IS NULL AND at > now() - interval '1 minute' ORDER BY at"


class SignatureRequests:
    """Requests for signatures in a database. Raises StoreUnavailable on an outage."""

    def __init__(self, database: Database, *, wait_s: float = WAIT_S) -> None:
        self._database = database
        self._wait_s = wait_s

    async def signed(self, text: str | None) -> str:
        """The text's signed note; for None the newest checkpoint's. Raises NoKey if nobody signs in time."""
        request = str(uuid_utils.uuid7())
        deadline = time.monotonic() + self._wait_s
        await self._database.call("codille.ask_signature", request, text)
        wait_s, most_s = LOOKS_S
        while not (rows := await self._database.fetch(_ANSWER, request)):
            if time.monotonic() > deadline:
                raise NoKey("the process that has the signing key, the projector, does not sign just now")
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, most_s)
        return str(rows[0][0])

    async def pending(self) -> list[tuple[UUID, str | None]]:
        """The unanswered requests, oldest first: their ids, and the texts to sign."""
        return [tuple(row) for row in await self._database.fetch(_PENDING)]

    async def answer(self, request: UUID, note: str) -> None:
        """Stores the signed note that answers a request."""
        await self._database.call("codille.answer_signature", request, note)
