"""The outbox of webhooks: the messages to be sent to them.

All webhooks that have caught up share one position of the log, up to which notices were queued; a webhook that is
behind has its own. A process that queues notices states the position it read from, so each notice is queued once,
whatever the number of processes. An attempt must still own the claim on its message: if the message was claimed or
queued again since, nothing about the attempt is recorded.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct, structs

from domain.record.recorded import Recorded
from service.store.database import Database
from service.store.records import COLUMNS, recorded

AT_ONCE = 4
"""Concurrent attempts for one webhook whose receiver answers promptly; for others it is one."""

FULL_AT = 500
"""Waiting messages at which a webhook falls behind; it gets no more until half of them are gone."""

LISTED = 200
"""Settled messages kept for each webhook, for the list of deliveries."""

Outcome = Literal["delivered", "failed", "gone"]
Settled = Literal["delivered", "again", "given-up", "disabled", "stale"]


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
_KEPT = "(convert_from(s.public, 'UTF8')::jsonb -> 'rematch' -> 'players')"
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
_SUCH = "CASE WHEN $3::uuid IS NULL THEN w.behind IS NULL AND w.disabled_at IS NULL ELSE w.id = $3 END"
# The events after one position up to another, at tables where a player with such a webhook has ever sat, or for whom a
# rematch that opens then keeps a seat.
_EVENTS = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE position > $1 AND position <= $2 AND table_id = ANY (ARRAY(
        SELECT moved.table_id
        FROM (SELECT DISTINCT table_id FROM codille.event WHERE position > $1 AND position <= $2) moved
        WHERE EXISTS (
            SELECT FROM codille.event s JOIN codille.webhook w ON w.player_id = {_PLAYER_OF}::uuid
            WHERE s.table_id = moved.table_id AND s.type = 'seat-taken' AND {_SUCH}
        )
        UNION ALL
        SELECT s.table_id FROM codille.event s
        WHERE s.position > $1 AND s.position <= $2 AND s.type = 'table-opened' AND EXISTS (
            SELECT FROM jsonb_array_elements_text({_KEPT}) AS kept (player)
            JOIN codille.webhook w ON w.player_id = kept.player::uuid WHERE {_SUCH}
        )
    ))
    ORDER BY position LIMIT $4
"""  # noqa: S608 (no input in it)
_WAITING = "SELECT coalesce(sum(pending), 0) FROM codille.webhook WHERE disabled_at IS NULL"


class OutboxStore:
    """The outbox in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    The caller supplies the time (`at`, with a zone).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def outlook(self, some: int) -> Outlook:
        """How far notices were queued, and at most `some` webhooks that are behind."""
        ((position, joined, head, enabled, caught_up),) = await self._database.fetch(_OUTLOOK)
        rows = await self._database.fetch(_BEHIND, head, FULL_AT // 2, some) if enabled else ()
        return Outlook(position, joined, head, enabled, caught_up, tuple(Behind(*row) for row in rows))

    async def events(self, after: int, upto: int, limit: int, webhook: str | None = None) -> Sequence[Recorded]:
        """The events after a position up to another that may cause notices, at most `limit`, in order.

        They are from tables where a player with a webhook that is not behind has ever sat; with `webhook`, that one's
        player.
        """
        return [recorded(row) for row in await self._database.fetch(_EVENTS, after, upto, webhook, limit)]

    async def queue(self, outlook: Outlook, upto: int, messages: Sequence[Message], at: datetime) -> int | None:
        """Queues the messages of the events after the outlook's position, and returns their number.

        Returns None, and queues nothing, if another process has moved the position, or a webhook has caught up.
        """
        ((queued,),) = await self._database.call(
            "codille.queue_webhooks", outlook.position, upto, outlook.joined, _rows(messages), at, AT_ONCE, FULL_AT
        )
        return None if queued is None else int(queued)

    async def queue_behind(self, webhook: Behind, upto: int, messages: Sequence[Message], at: datetime) -> int | None:
        """Queues messages for one webhook that is behind, as `queue` does."""
        ((queued,),) = await self._database.call(
            "codille.queue_webhook_behind", webhook.id, webhook.position, upto, _rows(messages), at, AT_ONCE
        )
        return None if queued is None else int(queued)

    async def claim(self, at: datetime, until: datetime, slots: int, *, prompt: bool) -> Sequence[Claimed]:
        """Claims at most `slots` due messages; others may claim them after `until`.

        With `prompt` they are those of webhooks whose last attempt was answered promptly, otherwise those of the
        others.
        """
        rows = await self._database.call("codille.claim_webhooks", at, until, slots, prompt, AT_ONCE)
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
        ((settled,),) = await self._database.call(
            "codille.settle_webhook", claimed.webhook, claimed.position, claimed.kind, claimed.claim, at, outcome,
            status, error, retry_at, wanted_until, failing_from, soon, AT_ONCE, LISTED, *structs.astuple(pauses),
        )  # fmt: skip
        answered: Settled = settled
        return answered

    async def waiting(self) -> int:
        """The number of messages waiting to be delivered, over all enabled webhooks."""
        ((waiting,),) = await self._database.fetch(_WAITING)
        return int(waiting)

    async def tidy(self, before: datetime, failed_before: datetime) -> None:
        """Deletes receipts from before `before`, and pauses without a failure since `failed_before`."""
        await self._database.call("codille.tidy_webhooks", before, failed_before)


def _rows(messages: Sequence[Message]) -> list[tuple[object, ...]]:
    """The messages as `codille.webhook_notice`s."""
    return [(each.player, each.position, each.kind, each.id, each.body) for each in messages]
