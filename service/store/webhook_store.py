"""Webhooks: players' subscriptions, and the outbox of the messages to be sent to them.

All webhooks that have caught up share one position of the log, up to which notices were queued; a webhook that is
behind has its own. A process that queues notices states the position it read from, so each notice is queued once,
whatever the number of processes. An attempt must still own the claim on its message: if the message was claimed or
queued again since, nothing about the attempt is recorded.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from service.store.records import COLUMNS, recorded
from service.store.store import KeyReused

if TYPE_CHECKING:
    from asyncpg import Record

    from domain.record.recorded import Recorded
    from service.store.database import Database
    from service.store.store import Receipt

MOST = 10
"""The most webhooks of a player."""

AT_ONCE = 4
"""Concurrent attempts for one webhook whose receiver answers promptly; for others it is one."""

FULL_AT = 500
"""Waiting messages at which a webhook falls behind; it gets no more until half of them are gone."""

LISTED = 200
"""Settled messages kept for each webhook, for the list of deliveries."""

Outcome = Literal["delivered", "failed", "gone"]
Settled = Literal["delivered", "again", "given-up", "disabled", "stale"]


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


class Outlook(Struct, frozen=True):
    """How far notices were queued, as of one moment."""

    position: int
    """The cursor of the webhooks that are not behind."""
    joined: int
    head: int
    """The log's last position."""
    enabled: bool
    """Whether any webhook is enabled."""
    caught_up: bool
    """Whether any enabled webhook is not behind."""
    behind: "tuple[Behind, ...]"
    """Some webhooks that are behind and have room for messages, furthest behind first."""


class Behind(Struct, frozen=True):
    """A webhook that has not caught up."""

    id: str
    player: str
    position: int


class Message(Struct, frozen=True):
    """A notice to be queued for the player's webhooks."""

    player: str
    position: int
    kind: str
    id: str
    body: bytes


class Pauses(Struct, frozen=True):
    """How a failing webhook is paused, and its player and its host with it."""

    in_a_row: int
    """Consecutive failures before the first pause."""
    first: timedelta
    """The first pause; each further failure doubles it."""
    longest: timedelta


class Claimed(Struct, frozen=True):
    """A message to send now, with the secrets to sign it."""

    webhook: str
    position: int
    kind: str
    id: str
    body: bytes
    claim: str
    attempts: int
    """Attempts before this one."""
    url: str
    secret: bytes
    former: bytes | None
    """The previous secret, while it still signs."""


_PLAYER_OF = "(convert_from(s.public, 'UTF8')::jsonb ->> 'player')"
_WEBHOOK = """
    SELECT w.id::text, w.player_id::text, w.name, w.url, w.events, w.created_at,
        coalesce(w.behind, (SELECT position FROM codille.webhook_cursor)), w.pending, w.failing_since,
        w.last_success_at, w.disabled_at, w.disabled_because
    FROM codille.webhook w
"""
_WEBHOOKS = f"{_WEBHOOK} WHERE w.player_id = $1 AND ($2::uuid IS NULL OR w.id > $2) ORDER BY w.id LIMIT $3"
_ONE = f"{_WEBHOOK} WHERE w.player_id = $1 AND w.id = $2"
_DELIVERIES = """
    SELECT m.id, m.kind, m.position, m.body, m.attempts, m.attempted_at, m.status, m.error, m.due_at, m.delivered
    FROM codille.webhook_message m
    WHERE m.webhook_id = $1 AND ($2::bigint IS NULL OR (m.position, m.kind) < ($2, $3))
        AND ($4::text IS NULL
            OR $4 = CASE m.delivered WHEN true THEN 'delivered' WHEN false THEN 'failed' ELSE 'pending' END)
    ORDER BY m.position DESC, m.kind DESC LIMIT $5
"""
_OUTLOOK = """
    SELECT c.position, c.joined, l.position,
        EXISTS (SELECT FROM codille.webhook w WHERE w.disabled_at IS NULL),
        EXISTS (SELECT FROM codille.webhook w WHERE w.disabled_at IS NULL AND w.behind IS NULL)
    FROM codille.webhook_cursor c, codille.log l WHERE l.shard = 0
"""
_BEHIND = """
    SELECT w.id::text, w.player_id::text, w.behind FROM codille.webhook w
    WHERE w.disabled_at IS NULL AND w.behind <= $1 AND w.pending < $2 ORDER BY w.behind LIMIT $3
"""
# The events after one position up to another, at tables where a player with such a webhook has ever sat.
_EVENTS = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE position > $1 AND position <= $2 AND table_id = ANY (ARRAY(
        SELECT moved.table_id
        FROM (SELECT DISTINCT table_id FROM codille.event WHERE position > $1 AND position <= $2) moved
        WHERE EXISTS (
            SELECT FROM codille.event s JOIN codille.webhook w ON w.player_id = {_PLAYER_OF}::uuid
            WHERE s.table_id = moved.table_id AND s.type = 'seat-taken'
                AND CASE WHEN $3::uuid IS NULL THEN w.behind IS NULL AND w.disabled_at IS NULL ELSE w.id = $3 END
        )
    ))
    ORDER BY position LIMIT $4
"""  # noqa: S608 (no input in it)
_QUEUE = "SELECT codille.queue_webhooks($1, $2, $3, $4, $5, $6, $7)"
_QUEUE_BEHIND = "SELECT codille.queue_webhook_behind($1, $2, $3, $4, $5, $6)"
_SETTLE = f"SELECT codille.settle_webhook({', '.join(f'${number}' for number in range(1, 18))})"
_ENABLED = "SELECT EXISTS (SELECT FROM codille.webhook WHERE disabled_at IS NULL)"
_WAITING = "SELECT coalesce(sum(pending), 0) FROM codille.webhook WHERE disabled_at IS NULL"


class WebhookStore:
    """Webhooks in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Ids are UUIDs as text. The caller supplies them, and the time (`at`, with a zone).
    """

    def __init__(self, database: "Database") -> None:
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
        receipt: "Receipt | None" = None,
    ) -> Added | SecretSpent | KeyReused | UnknownWebhook | TooManyWebhooks:
        """Adds a webhook for notices of future events."""
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.add_webhook($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            player, webhook, name, url, events, secret, at, MOST, receipt and receipt.scope, receipt and receipt.digest,
        )  # fmt: skip
        return _added(row)

    async def rotate(
        self,
        player: str,
        webhook: str,
        secret: bytes,
        at: datetime,
        former_until: datetime,
        receipt: "Receipt | None" = None,
    ) -> Added | SecretSpent | KeyReused | UnknownWebhook:
        """Replaces a webhook's secret. Until `former_until` the old one signs messages too.

        Raises ValueError if Postgres returns an outcome that only an addition can have.
        """
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.rotate_webhook($1, $2, $3, $4, $5, $6, $7)",
            player, webhook, secret, at, former_until, receipt and receipt.scope, receipt and receipt.digest,
        )  # fmt: skip
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
    ) -> bool:
        """Changes the fields that are not None; False if the player has no such webhook."""
        ((outcome,),) = await self._database.fetch(
            "SELECT codille.change_webhook($1, $2, $3, $4, $5, $6, $7, $8)",
            player, webhook, name, url, events, enabled, at, AT_ONCE,
        )  # fmt: skip
        return bool(outcome == "changed")

    async def replay(
        self, player: str, webhook: str, after: int, at: datetime, receipt: "Receipt | None" = None
    ) -> Literal["replayed", "repeated", "key-reused", "unknown", "beyond"]:
        """Queues all notices after this position again, and enables the webhook."""
        ((outcome,),) = await self._database.fetch(
            "SELECT codille.replay_webhook($1, $2, $3, $4, $5, $6, $7)",
            player, webhook, after, at, AT_ONCE, receipt and receipt.scope, receipt and receipt.digest,
        )  # fmt: skip
        answered: Literal["replayed", "repeated", "key-reused", "unknown", "beyond"] = outcome
        return answered

    async def remove(self, player: str, webhook: str) -> bool:
        """Removes a webhook with its messages; False if the player has no such webhook."""
        ((removed,),) = await self._database.fetch("SELECT codille.remove_webhook($1, $2)", player, webhook)
        return bool(removed)

    async def one(self, player: str, webhook: str) -> Webhook | None:
        """A player's webhook; None if there is none."""
        rows = await self._database.fetch(_ONE, player, webhook)
        return _webhook(rows[0]) if rows else None

    async def list(self, player: str, after: str | None, limit: int) -> list[Webhook]:
        """A player's webhooks in the order of their ids, after the id `after`, at most `limit`."""
        return [_webhook(row) for row in await self._database.fetch(_WEBHOOKS, player, after, limit)]

    async def deliveries(
        self, webhook: str, before: tuple[int, str] | None, status: str | None, limit: int
    ) -> "Sequence[Delivery]":
        """A webhook's messages before this position and kind, newest first; with `status`, only those."""
        position, kind = before or (None, None)
        rows = await self._database.fetch(_DELIVERIES, webhook, position, kind, status, limit)
        return [Delivery(*row) for row in rows]

    async def outlook(self, some: int) -> Outlook:
        """How far notices were queued, and at most `some` webhooks that are behind."""
        ((position, joined, head, enabled, caught_up),) = await self._database.fetch(_OUTLOOK)
        rows = await self._database.fetch(_BEHIND, head, FULL_AT // 2, some) if enabled else ()
        return Outlook(position, joined, head, enabled, caught_up, tuple(Behind(*row) for row in rows))

    async def events(self, after: int, upto: int, limit: int, webhook: str | None = None) -> "Sequence[Recorded]":
        """The events after a position up to another that may cause notices, at most `limit`, in order.

        They are from tables where a player with a webhook that is not behind has ever sat; with `webhook`, that one's
        player.
        """
        return [recorded(row) for row in await self._database.fetch(_EVENTS, after, upto, webhook, limit)]

    async def queue(self, outlook: Outlook, upto: int, messages: "Sequence[Message]", at: datetime) -> int | None:
        """Queues the messages of the events after the outlook's position, and returns their number.

        Returns None, and queues nothing, if another process has moved the position, or a webhook has caught up.
        """
        ((queued,),) = await self._database.fetch(
            _QUEUE, outlook.position, upto, outlook.joined, _rows(messages), at, AT_ONCE, FULL_AT
        )
        return None if queued is None else int(queued)

    async def queue_behind(self, webhook: Behind, upto: int, messages: "Sequence[Message]", at: datetime) -> int | None:
        """Queues messages for one webhook that is behind, as `queue` does."""
        ((queued,),) = await self._database.fetch(
            _QUEUE_BEHIND, webhook.id, webhook.position, upto, _rows(messages), at, AT_ONCE
        )
        return None if queued is None else int(queued)

    async def claim(self, at: datetime, until: datetime, slots: int, *, prompt: bool) -> "Sequence[Claimed]":
        """Claims at most `slots` due messages; others may claim them after `until`.

        With `prompt` they are those of webhooks whose last attempt was answered promptly, otherwise those of the
        others.
        """
        rows = await self._database.fetch(
            "SELECT * FROM codille.claim_webhooks($1, $2, $3, $4, $5)", at, until, slots, prompt, AT_ONCE
        )
        return [Claimed(row[0], row[1], row[2], row[3], row[4], str(row[5]), *row[6:]) for row in rows]

    async def settle(
        self,
        claimed: Claimed,
        at: datetime,
        outcome: Outcome,
        *,
        status: int | None,
        error: str | None,
        retry_at: datetime | None,
        wanted_until: datetime | None,
        pauses: Pauses,
        failing_from: datetime,
        soon: bool,
    ) -> Settled:
        """Records the outcome of an attempt. An undelivered message is sent again at `retry_at`, or given up without
        one.

        The webhook is disabled if it is gone, or has been failing since `failing_from`. After several failures it is
        paused, and so are webhooks that its player, or others for the same host, add later. Nothing is sent before
        `wanted_until`.
        """
        ((settled,),) = await self._database.fetch(
            _SETTLE, claimed.webhook, claimed.position, claimed.kind, claimed.claim, at, outcome, status, error,
            retry_at, wanted_until, failing_from, soon, AT_ONCE, LISTED, pauses.in_a_row, pauses.first, pauses.longest,
        )  # fmt: skip
        answered: Settled = settled
        return answered

    async def waiting(self) -> int:
        """The number of messages waiting to be delivered, over all enabled webhooks."""
        ((waiting,),) = await self._database.fetch(_WAITING)
        return int(waiting)

    async def enabled(self) -> bool:
        """Whether any webhook is enabled."""
        ((enabled,),) = await self._database.fetch(_ENABLED)
        return bool(enabled)

    async def tidy(self, before: datetime, failed_before: datetime) -> None:
        """Deletes receipts from before `before`, and pauses without a failure since `failed_before`."""
        await self._database.fetch("SELECT codille.tidy_webhooks($1, $2)", before, failed_before)


def _webhook(row: "Record") -> Webhook:
    webhook, player, name, url, events, *others = row
    return Webhook(webhook, player, name, url, tuple(events), *others)


def _rows(messages: Sequence[Message]) -> list[tuple[object, ...]]:
    """The messages as `codille.webhook_notice`s."""
    return [(each.player, each.position, each.kind, each.id, each.body) for each in messages]


def _added(row: "Record") -> Added | SecretSpent | KeyReused | UnknownWebhook | TooManyWebhooks:
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
