"""Webhooks: players' subscriptions to notices, and the list of what was delivered."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from asyncpg import Record
from msgspec import Struct

from service.store.database import Database
from service.store.outbox_store import AT_ONCE
from service.store.store import KeyReused, Receipt, scope_and_digest

MOST = 10
"""The most webhooks of a player."""


class Webhook(Struct, frozen=True):
    """A player's webhook, without its secret."""

    id: str
    player: str
    name: str | None
    url: str
    events: tuple[str, ...]
    created_at: datetime
    position: int
    """The position up to which notices were queued."""
    pending: int
    """The number of messages waiting to be delivered."""
    failing_since: datetime | None
    last_success_at: datetime | None
    disabled_at: datetime | None
    disabled_because: str | None
    """`gone`, `failing` or `player`."""


class Delivery(Struct, frozen=True):
    """A webhook's message and the outcome of its attempts."""

    id: str
    kind: str
    position: int
    body: bytes
    attempts: int
    attempted_at: datetime | None
    status: int | None
    """The status of the last response."""
    error: str | None
    """Why the last attempt failed."""
    due_at: datetime
    delivered: bool | None
    """None until it is settled."""


class Added(Struct, frozen=True):
    """The webhook has this secret of 32 bytes."""

    id: str
    secret: bytes
    replayed: bool


class SecretSpent(Struct, frozen=True):
    """The key was used before, and since then the webhook was removed or got another secret."""


class UnknownWebhook(Struct, frozen=True):
    """The player has no such webhook, or there is no such player."""


class TooManyWebhooks(Struct, frozen=True):
    """The player has as many webhooks as allowed."""


_WEBHOOK = """
    SELECT w.id::text, w.player_id::text, w.name, w.url, w.wanted, w.created_at,
        coalesce(w.behind, (SELECT position FROM codille.webhook_cursor)), w.pending, w.failing_since,
        w.last_success_at, w.disabled_at, w.disabled_because
    FROM codille.webhook w
"""
_OWN = f"{_WEBHOOK} WHERE w.player_id = $1 AND codille.lasts(w.made_by, $2) AND ($3::uuid IS NULL OR w.made_by = $3)"
_WEBHOOKS = f"{_OWN} AND ($4::uuid IS NULL OR w.id > $4) ORDER BY w.id LIMIT $5"
_ONE = f"{_OWN} AND w.id = $4"
_ENABLED = "SELECT EXISTS (SELECT FROM codille.webhook WHERE disabled_at IS NULL)"


class WebhookStore:
    """Webhooks in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Ids are UUIDs as text. The caller supplies them, and the time (`at`, with a zone). `by` is the id of the token in
    use, which must be valid: a webhook ends with the token that last set its URL or its secret. Without one, that is
    the player's first.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        player: str,
        webhook: str,
        name: str | None,
        url: str,
        events: Sequence[str],
        secret: bytes,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        by: str | None = None,
    ) -> Added | SecretSpent | KeyReused | UnknownWebhook | TooManyWebhooks:
        """Adds a webhook for notices of future events."""
        (row,) = await self._database.call(
            "codille.add_webhook", player, webhook, name, url, events, secret, at, MOST, *scope_and_digest(receipt), by
        )
        return _added(row)

    async def rotate(
        self,
        player: str,
        webhook: str,
        secret: bytes,
        at: datetime,
        former_until: datetime,
        receipt: Receipt | None = None,
        *,
        by: str | None = None,
    ) -> Added | SecretSpent | KeyReused | UnknownWebhook:
        """Replaces a webhook's secret. Until `former_until` the old one signs messages too.

        Raises ValueError if Postgres returns an outcome that only an addition can have.
        """
        (row,) = await self._database.call(
            "codille.rotate_webhook", player, webhook, secret, at, former_until, *scope_and_digest(receipt), by
        )
        outcome = _added(row)
        if isinstance(outcome, TooManyWebhooks):
            raise ValueError("codille.rotate_webhook answered too-many")
        return outcome

    async def change(
        self,
        player: str,
        webhook: str,
        at: datetime,
        *,
        name: str | None = None,
        url: str | None = None,
        events: Sequence[str] | None = None,
        enabled: bool | None = None,
        by: str | None = None,
    ) -> bool:
        """Changes the fields that are not None; False if the player has no such webhook."""
        ((outcome,),) = await self._database.call(
            "codille.change_webhook", player, webhook, name, url, events, enabled, at, AT_ONCE, by
        )
        return bool(outcome == "changed")

    async def replay(
        self, player: str, webhook: str, after: int, at: datetime, receipt: Receipt | None = None
    ) -> Literal["replayed", "repeated", "key-reused", "unknown", "beyond"]:
        """Queues all notices after this position again, and enables the webhook."""
        ((outcome,),) = await self._database.call(
            "codille.replay_webhook", player, webhook, after, at, AT_ONCE, *scope_and_digest(receipt)
        )
        answered: Literal["replayed", "repeated", "key-reused", "unknown", "beyond"] = outcome
        return answered

    async def remove(self, player: str, webhook: str) -> bool:
        """Removes a webhook with its messages; False if the player has no such webhook."""
        ((removed,),) = await self._database.call("codille.remove_webhook", player, webhook)
        return bool(removed)

    async def one(self, player: str, webhook: str, at: datetime, *, maker: str | None = None) -> Webhook | None:
        """A player's webhook that is valid at `at`; None if there is none. With `maker`, only of this token's."""
        rows = await self._database.fetch(_ONE, player, at, maker, webhook)
        return _webhook(rows[0]) if rows else None

    async def list(
        self, player: str, at: datetime, after: str | None, limit: int, *, maker: str | None = None
    ) -> list[Webhook]:
        """A player's webhooks that are valid at `at`, in order of their ids, after the id `after`, at most `limit`.

        With `maker`, only those of this token.
        """
        return [_webhook(row) for row in await self._database.fetch(_WEBHOOKS, player, at, maker, after, limit)]

    async def enabled(self) -> bool:
        """Whether any webhook is enabled."""
        ((enabled,),) = await self._database.fetch(_ENABLED)
        return bool(enabled)

    async def deliveries(
        self, webhook: str, before: tuple[int, str] | None, status: str | None, limit: int, kinds: Sequence[str]
    ) -> Sequence[Delivery]:
        """A webhook's messages of these kinds before a position and kind, newest first; with `status`, only those."""
        position, kind = before or (None, None)
        rows = await self._database.call("codille.webhook_deliveries", webhook, position, kind, status, limit, kinds)
        return [Delivery(*row) for row in rows]


def _webhook(row: Record) -> Webhook:
    webhook, player, name, url, events, *others = row
    return Webhook(webhook, player, name, url, tuple(events), *others)


def _added(row: Record) -> Added | SecretSpent | KeyReused | UnknownWebhook | TooManyWebhooks:
    outcome, webhook, secret = row
    match outcome:
        case "added" | "rotated" | "repeated":
            return Added(webhook, secret, outcome == "repeated")
        case "spent":
            return SecretSpent()
        case "key-reused":
            return KeyReused()
        case "unknown":
            return UnknownWebhook()
        case "too-many":
            return TooManyWebhooks()
        case _:
            raise ValueError(f"the webhooks answered {outcome!r}")
