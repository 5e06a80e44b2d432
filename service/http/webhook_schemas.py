"""The bodies of requests and responses about webhooks."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.seats import Id
from service.describe.shared_fields import ID
from service.http.account_schemas import TokenName
from service.http.forms import GRAPHIC
from service.http.query import BIGGEST_POSITION
from service.http.schemas import RequestBody
from service.live.notices import KINDS, Kind
from service.live.outbox import NoticeBody
from service.live.sender import SeenFailure
from service.live.targets import MAX_URL
from service.store.webhook_store import MOST

FORMER_HOURS = 24
"""Hours for which the previous secret signs too, unless the request says otherwise."""

Url: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=MAX_URL, pattern=GRAPHIC, examples=["https://bot.example/codille"])
]
Kinds: TypeAlias = Annotated[tuple[Kind, ...], Meta(min_length=1, max_length=len(KINDS))]


class WebhookRequest(RequestBody, frozen=True):
    """A webhook to add: its URL, the kinds of notices it receives (by default all), and its name."""

    url: Annotated[
        Url, Meta(description="A URL that begins with `https://` and leads to a public address, on port 443.")
    ]
    events: Annotated[Kinds | None, Meta(description="The kinds of notices that are sent; null: all.")] = None
    name: Annotated[TokenName | None, Meta(description="The caller's name for the webhook.")] = None


class WebhookChange(RequestBody, frozen=True):
    """Changes to a webhook; what is left out or null does not change."""

    url: Annotated[Url | None, Meta(description="A new URL; waiting messages are sent there.")] = None
    events: Annotated[Kinds | None, Meta(description="The kinds of notices that are sent from now on.")] = None
    name: Annotated[TokenName | None, Meta(description="A new name.")] = None
    enabled: Annotated[
        bool | None,
        Meta(description="False disables the webhook; true enables it, and it resumes where it was disabled."),
    ] = None


class WebhookRotation(RequestBody, frozen=True):
    """Hours for which the previous secret signs messages too; 0 if others may know it."""

    former_hours: Annotated[
        int, Meta(ge=0, le=168, examples=[FORMER_HOURS], description="Hours for which the previous secret signs too.")
    ] = FORMER_HOURS


class WebhookReplay(RequestBody, frozen=True):
    """The position of the log after which notices are sent, again or for the first time; 0 for all."""

    after: Annotated[int, Meta(ge=0, le=BIGGEST_POSITION, examples=[90211], description="A position of the log.")]


class DisabledWebhook(Struct, frozen=True):
    """When a webhook was disabled, and why."""

    at: Annotated[datetime, Meta(description="When it was disabled.")]
    reason: Annotated[
        Literal["gone", "failing", "player"],
        Meta(description="`gone`: the receiver answered 410; `failing`: it failed for days; `player`: by the player."),
    ]


class OwnWebhook(Struct, frozen=True):
    """One of the caller's webhooks, without its secret."""

    id: Annotated[Id, ID]
    player: Id
    name: Annotated[str | None, Meta(description="The player's name for it; null without a name.")]
    url: Annotated[str, Meta(description="Where messages are sent.")]
    events: Annotated[tuple[Kind, ...], Meta(description="The kinds of notices that are sent.")]
    created_at: Annotated[datetime, Meta(description="When it was added.")]
    disabled: Annotated[DisabledWebhook | None, Meta(description="Null while the webhook is enabled.")]
    position: Annotated[
        int,
        Meta(
            description="Notices up to this position of the log were queued. For a disabled webhook, all up to it were "
            "delivered or given up."
        ),
    ]
    pending: Annotated[int, Meta(description="Messages waiting to be delivered.")]
    failing_since: Annotated[
        datetime | None, Meta(description="The first failed attempt since the last success; null if none failed.")
    ]
    last_success_at: Annotated[datetime | None, Meta(description="Null if nothing was delivered yet.")]
    secret: Annotated[
        str | UnsetType,
        Meta(description="Signs the messages. Only the responses to adding and rotating have it."),
    ] = UNSET


class Webhooks(Struct, frozen=True):
    """The caller's webhooks, oldest first; at most 10."""

    items: Annotated[tuple[OwnWebhook, ...], Meta(max_length=MOST, description="The webhooks.")]
    next: Annotated[str | None, Meta(description="Always null: there is one page.")] = None


class WebhookDelivery(Struct, frozen=True):
    """A message and the outcome of its attempts."""

    id: Annotated[str, Meta(description="The message's `webhook-id`, the same at every attempt.")]
    status: Annotated[
        Literal["pending", "delivered", "failed"],
        Meta(description="Whether it is waiting to be sent, was delivered, or was given up."),
    ]
    attempts: Annotated[int, Meta(description="The number of attempts.")]
    attempted_at: Annotated[datetime | None, Meta(description="The last attempt; null before the first.")]
    next_attempt_at: Annotated[datetime | None, Meta(description="Null if there will be none.")]
    response_status: Annotated[int | None, Meta(description="The status of the last response; null without one.")]
    error: Annotated[
        SeenFailure | None,
        Meta(
            description="Why the last attempt failed; null if it did not. `status`: the response was not 2xx; "
            "`redirect`: it was 3xx; `unreachable`: there was no response in time, for any reason, such as a name that "
            "does not resolve or resolves to an inner address, a refused connection, another name's certificate, or "
            "a response that is not HTTP."
        ),
    ]
    message: Annotated[NoticeBody, Meta(description="The body that is sent.")]


class WebhookDeliveries(Struct, frozen=True):
    """A webhook's messages, newest first: all that are waiting, and the last 200 that were delivered or given up."""

    items: Annotated[tuple[WebhookDelivery, ...], Meta(description="The messages.")]
    next: Annotated[str | None, Meta(description="The `cursor` of the next page; null on the last.")]
