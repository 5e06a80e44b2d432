"""The caller's webhooks: adding, listing, changing, removing, rotating their secrets, sending again."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

import msgspec
import uuid_utils
from litestar import Response

from service.commands.handler import KeyConflict
from service.http import guards
from service.http import webhook_schemas as schemas
from service.http.examples import DAY, PLAYERS, REGISTERED_AT, TABLE, WEBHOOK_ID
from service.http.forms import AFTER_MESSAGE, NO_CURSOR
from service.http.operation import operation
from service.http.parameters import Limit, cursor_parameter, query
from service.http.problems import Fault, Problem, invalid_query, position_beyond_end, unauthenticated
from service.http.request import Request
from service.http.responses import json
from service.live.notices import KINDS, Kind
from service.live.outbox import NoticeBody, NoticeData
from service.live.sender import secret_text, seen
from service.live.targets import TargetRefused, parsed
from service.store import webhook_store as store
from service.store.store import KeyReused

SECRET_BYTES = 32

EXAMPLE = {
    "id": WEBHOOK_ID,
    "player": PLAYERS[0],
    "name": "my bot",
    "url": "https://bot.example/codille",
    "events": ["your-turn", "game-over"],
    "created_at": REGISTERED_AT,
    "disabled": None,
    "position": 90211,
    "pending": 0,
    "failing_since": None,
    "last_success_at": f"{DAY}T10:00:00Z",
}
NEW_EXAMPLE = EXAMPLE | {"last_success_at": None, "secret": "whsec_Zm9sbG93IHN1aXQsIG9yIHBsYXkgYW55IGNhcmQhIQo="}
DISABLED_EXAMPLE = EXAMPLE | {
    "disabled": {"at": f"{DAY}T12:00:00Z", "reason": "gone"},
    "failing_since": f"{DAY}T12:00:00Z",
}
DELIVERY_EXAMPLE = {
    "id": "msg_6b1f0c9de2a5478fb3d07c41a9e86f52",
    "status": "delivered",
    "attempts": 1,
    "attempted_at": f"{DAY}T10:00:00.200000Z",
    "next_attempt_at": None,
    "response_status": 204,
    "error": None,
    "message": NoticeBody(
        "your-turn", f"{DAY}T10:00:00.123456Z", NoticeData(PLAYERS[0], 0, TABLE, "crocodile", 1, 17, 90211)
    ),
}
THIS_WEBHOOK = {"webhook": "$response.body#/id"}
OWN = (guards.authenticated, guards.may_play)
WEBHOOKS = {"tag": "Webhooks", "client_scope": "webhooks"}
"""What all these operations declare."""


async def may_change(request: Request) -> None:
    """Raises Problem if the caller is a client that has not made the path's webhook."""
    if guards.client_token(request) is not None:
        await _own(request, str(request.parameters["webhook"]))


@operation(
    "GET",
    "/v1/webhooks",
    **WEBHOOKS,
    summary="The caller's webhooks",
    description="The caller's webhooks, oldest first, without their secrets.",
    answers="The webhooks.",
    cost=2,
    guards=(guards.authenticated,),
    links=(("webhook", "getWebhook", {"webhook": "$response.body#/items/0/id"}),),
    example=lambda _: {"items": [EXAMPLE], "next": None},
)
async def list_webhooks(request: Request) -> Response[schemas.Webhooks]:
    """All webhooks of the caller."""
    listed = await request.services.players.webhooks.list(
        request.player, datetime.now(UTC), None, store.MOST, maker=guards.client_token(request)
    )
    return json(schemas.Webhooks(tuple(map(_described, listed))))


@operation(
    "POST",
    "/v1/webhooks",
    **WEBHOOKS,
    summary="Add a webhook",
    description="Each later notice of the caller is sent to the URL, as the Standard "
    "Webhooks specification says: a POST with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, "
    "signed with the secret, which only this response has. A notice may arrive more than once, under the same id, and "
    "not always in order: its `position` gives the order. A 2xx response within 15 seconds means that it was received; "
    "otherwise it is sent again, first after 5 seconds and then after growing pauses, for four days. Redirects are not "
    "followed. After five failures in a row a webhook pauses, for an hour at most; a webhook without any delivery so "
    "far also pauses while another webhook of the same player or for the same host does. If the receiver answers 410, "
    "or nothing is delivered for five days, the webhook is disabled. It ends, with its messages, when the token that "
    "last set its URL or its secret does. A player may have 10 webhooks.",
    answers="The webhook is enabled.",
    status=201,
    cost=3,
    guards=OWN,
    headers=("Idempotency-Key",),
    body=schemas.WebhookRequest,
    problems=("invalid-url", "too-many-webhooks", "key-spent"),
    links=(
        ("webhook", "getWebhook", THIS_WEBHOOK),
        ("deliveries", "listWebhookDeliveries", THIS_WEBHOOK),
        ("remove", "removeWebhook", THIS_WEBHOOK),
    ),
    requests=lambda _: {
        "everything": {"url": "https://bot.example/codille"},
        "some notices": {
            "url": "https://bot.example/codille",
            "events": ["your-turn", "game-over"],
            "name": "my bot",
        },
    },
    example=lambda _: NEW_EXAMPLE,
)
async def add_webhook(request: Request) -> Response[schemas.OwnWebhook]:
    """Adds a webhook. Raises Problem for a URL that may not be called, and if there are too many."""
    wanted = request.body
    _check_url(request, wanted.url)
    added = await request.services.players.webhooks.add(
        request.player,
        str(uuid_utils.uuid7()),
        wanted.name,
        wanted.url,
        _kinds(wanted.events or KINDS),
        secrets.token_bytes(SECRET_BYTES),
        datetime.now(UTC),
        request.receipt,
        by=guards.bearer(request).token,
    )
    if isinstance(added, store.UnknownWebhook):
        raise unauthenticated("the player is erased, or the token in use was revoked", presented=True)
    return await _with_secret(request, added, status=201)


@operation(
    "GET",
    "/v1/webhooks/{webhook:uuid}",
    **WEBHOOKS,
    summary="One of the caller's webhooks",
    description="One of the caller's webhooks, without its secret: whether it is enabled, how many messages are "
    "waiting, and since when it has been failing.",
    answers="The webhook.",
    cost=2,
    guards=(guards.authenticated,),
    links=(("deliveries", "listWebhookDeliveries", THIS_WEBHOOK),),
    example=lambda _: DISABLED_EXAMPLE,
)
async def get_webhook(request: Request, webhook: UUID) -> Response[schemas.OwnWebhook]:
    """One of the caller's webhooks. Raises Problem if the caller has none with this id."""
    return json(await _own(request, str(webhook)))


@operation(
    "PATCH",
    "/v1/webhooks/{webhook:uuid}",
    **WEBHOOKS,
    summary="Change a webhook",
    description="Changes a webhook's URL, notices or name, disables it or enables it again. Messages without a "
    "response from the old URL are sent to the new one, whose response counts. A pause of the player or the host "
    "applies to it too.",
    answers="The webhook as it is now.",
    cost=3,
    guards=(*OWN, may_change),
    body=schemas.WebhookChange,
    problems=("invalid-url",),
    requests=lambda _: {"another URL": {"url": "https://bot.example/v2"}, "enabled again": {"enabled": True}},
    example=lambda _: EXAMPLE,
)
async def change_webhook(request: Request, webhook: UUID) -> Response[schemas.OwnWebhook]:
    """Changes a webhook. Raises Problem for a URL that may not be called, and if the caller has no such webhook."""
    wanted = request.body
    if wanted.url is not None:
        _check_url(request, wanted.url)
    if not await request.services.players.webhooks.change(
        request.player,
        str(webhook),
        datetime.now(UTC),
        name=wanted.name,
        url=wanted.url,
        events=wanted.events and _kinds(wanted.events),
        enabled=wanted.enabled,
        by=guards.bearer(request).token,
    ):
        raise _no_such_webhook()
    return json(await _own(request, str(webhook)))


@operation(
    "DELETE",
    "/v1/webhooks/{webhook:uuid}",
    **WEBHOOKS,
    summary="Remove a webhook",
    description="Removes a webhook with its messages. Nothing more is sent.",
    answers="The webhook is removed.",
    status=204,
    cost=3,
    guards=(*OWN, may_change),
)
async def remove_webhook(request: Request, webhook: UUID) -> None:
    """Removes a webhook. Raises Problem if the caller has none with this id."""
    if not await request.services.players.webhooks.remove(request.player, str(webhook)):
        raise _no_such_webhook()


@operation(
    "POST",
    "/v1/webhooks/{webhook:uuid}/rotate",
    **WEBHOOKS,
    summary="Rotate a webhook's secret",
    description="Replaces a webhook's secret; only this response has the new one. For a while messages are signed with "
    "both, the new one first.",
    answers="The webhook with its new secret.",
    cost=3,
    guards=(*OWN, may_change),
    headers=("Idempotency-Key",),
    body=schemas.WebhookRotation,
    problems=("key-spent",),
    requests=lambda _: {"with a day's overlap": {}, "at once": {"former_hours": 0}},
    example=lambda _: NEW_EXAMPLE,
)
async def rotate_webhook(request: Request, webhook: UUID) -> Response[schemas.OwnWebhook]:
    """Replaces a webhook's secret. Raises Problem if the caller has no such webhook."""
    now = datetime.now(UTC)
    rotated = await request.services.players.webhooks.rotate(
        request.player,
        str(webhook),
        secrets.token_bytes(SECRET_BYTES),
        now,
        now + timedelta(hours=request.body.former_hours),
        request.receipt,
        by=guards.bearer(request).token,
    )
    if isinstance(rotated, store.UnknownWebhook):
        raise _no_such_webhook()
    return await _with_secret(request, rotated, status=200)


@operation(
    "POST",
    "/v1/webhooks/{webhook:uuid}/replay",
    **WEBHOOKS,
    summary="Send notices again",
    description="Sends all notices after a position of the log, again or for the first time, even those from before "
    "the webhook was added. A disabled webhook is enabled. Repeated messages keep their ids. Messages from before that "
    "position that are waiting stay in the queue.",
    answers="The webhook, which resumes at the position.",
    status=202,
    cost=5,
    guards=(*OWN, may_change),
    headers=("Idempotency-Key",),
    body=schemas.WebhookReplay,
    problems=("position-beyond-end",),
    requests=lambda _: {"from a position": {"after": 90211}, "everything": {"after": 0}},
    example=lambda _: EXAMPLE,
)
async def replay_webhook(request: Request, webhook: UUID) -> Response[schemas.OwnWebhook]:
    """Queues notices again. Raises Problem if the log has not reached the position."""
    services = request.services
    outcome = await services.players.webhooks.replay(
        request.player, str(webhook), request.body.after, datetime.now(UTC), request.receipt
    )
    match outcome:
        case "unknown":
            raise _no_such_webhook()
        case "key-reused":
            raise KeyConflict
        case "beyond":
            raise position_beyond_end(pointer="/after")
        case "replayed" | "repeated":
            return json(await _own(request, str(webhook)), status=202, replayed=outcome == "repeated")


@operation(
    "GET",
    "/v1/webhooks/{webhook:uuid}/deliveries",
    **WEBHOOKS,
    summary="A webhook's deliveries",
    description="The messages of a webhook, newest first, with the outcome of their attempts: all that are waiting, "
    "and the last 200 that were delivered or given up.",
    answers="A page of messages.",
    cost=5,
    guards=(guards.authenticated,),
    example=lambda _: {"items": [DELIVERY_EXAMPLE], "next": None},
)
async def list_webhook_deliveries(
    request: Request,
    webhook: UUID,
    status: Annotated[
        Literal["pending", "delivered", "failed"] | None, query("status", "Only messages with this status.", "failed")
    ] = None,
    cursor: Annotated[str | None, cursor_parameter("90211-your-turn", AFTER_MESSAGE)] = None,
    limit: Limit = 50,
) -> Response[schemas.WebhookDeliveries]:
    """A page of messages. Raises Problem if the caller has no such webhook, and for a malformed cursor."""
    await _own(request, str(webhook))
    before = None if cursor is None else _key(cursor)
    listed = await request.services.players.webhooks.deliveries(str(webhook), before, status, limit + 1, KINDS)
    more = f"{listed[limit - 1].position}-{listed[limit - 1].kind}" if len(listed) > limit else None
    return json(schemas.WebhookDeliveries(tuple(map(_delivery, listed[:limit])), more))


async def _own(request: Request, webhook: str) -> schemas.OwnWebhook:
    """The caller's webhook. Raises Problem if there is none."""
    found = await request.services.players.webhooks.one(
        request.player, webhook, datetime.now(UTC), maker=guards.client_token(request)
    )
    if found is None:
        raise _no_such_webhook()
    return _described(found)


async def _with_secret(
    request: Request,
    added: store.Added | store.SecretSpent | store.TooManyWebhooks | KeyReused,
    *,
    status: int,
) -> Response[schemas.OwnWebhook]:
    """The webhook with its secret. Raises Problem if there is none to show."""
    match added:
        case store.Added():
            own = await _own(request, added.id)
            shown = msgspec.structs.replace(own, secret=secret_text(added.secret))
            location = f"/v1/webhooks/{added.id}" if status == 201 else None
            return json(shown, status=status, location=location, replayed=added.replayed)
        case store.SecretSpent():
            raise Problem("key-spent", "the webhook has another secret by now, or was removed")
        case store.TooManyWebhooks():
            raise Problem("too-many-webhooks", f"a player may have {store.MOST} webhooks")
        case KeyReused():
            raise KeyConflict


def _check_url(request: Request, url: str) -> None:
    """Raises Problem for a URL that webhooks may not call, as far as its text shows."""
    try:
        request.services.edge.webhook_targets.check(parsed(url))
    except ValueError as error:
        detail = f"must be {error}"
    except TargetRefused as error:
        detail = str(error)
    else:
        return
    raise Problem("invalid-url", f"/url: {detail}", errors=(Fault(detail, pointer="/url"),))


def _kinds(wanted: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds, each once."""
    return tuple(dict.fromkeys(wanted))


def _described(webhook: store.Webhook) -> schemas.OwnWebhook:
    disabled = None
    if webhook.disabled_at is not None:
        disabled = {"at": webhook.disabled_at, "reason": webhook.disabled_because}
    return msgspec.convert(msgspec.structs.asdict(webhook) | {"disabled": disabled}, schemas.OwnWebhook)


def _delivery(delivery: store.Delivery) -> schemas.WebhookDelivery:
    shown = {
        "status": {None: "pending", True: "delivered", False: "failed"}[delivery.delivered],
        "next_attempt_at": delivery.due_at if delivery.delivered is None else None,
        "response_status": delivery.status,
        "error": delivery.error and seen(delivery.error),
        "message": msgspec.json.decode(delivery.body),
    }
    return msgspec.convert(msgspec.structs.asdict(delivery) | shown, schemas.WebhookDelivery)


def _key(cursor: str) -> tuple[int, str]:
    """The position and kind in a cursor. Raises Problem for a malformed cursor."""
    position, _, kind = cursor.partition("-")
    if kind not in KINDS:
        raise invalid_query("cursor", NO_CURSOR)
    return int(position), kind


def _no_such_webhook() -> Problem:
    return Problem("no-such-webhook", "you have no webhook with this id")
