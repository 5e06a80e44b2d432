"""One attempt to deliver a message, signed as the Standard Webhooks specification 1.0.0 says.

Only the head of the response is read. Then the connection is closed, whatever the receiver is still sending.
"""

import asyncio
import ssl
from base64 import b64encode
from datetime import datetime
from functools import cache
from hashlib import sha256
from hmac import digest
from typing import Literal

from msgspec import Struct

from service.live.targets import Resolver, Target, TargetRefused, parsed
from service.live.untrusted_host import AnswerHead, Malformed, head_of_answer
from service.store.outbox_store import Claimed

SECRET_PREFIX = "whsec_"  # noqa: S105 (a prefix)

TIMEOUT_S = 15.0
"""Seconds that an attempt may take, from the name's look-up to the head of the response."""

Failure = Literal["status", "redirect", "timeout", "unreachable", "tls", "address", "protocol"]
SeenFailure = Literal["status", "redirect", "unreachable"]
"""Why an attempt failed, as shown to the webhook's player. All failures without a response look alike: whether a
connection was refused, was silent or spoke another protocol would reveal the open ports of hosts that only the service
reaches.
"""


class Attempt(Struct, frozen=True):
    """The outcome of an attempt."""

    status: int | None = None
    failure: Failure | None = None
    """None if the message was delivered."""
    retry_after_s: int = 0
    """Seconds for which the receiver asks to be left alone."""


def seen(failure: str) -> SeenFailure:
    """The failure as shown to the webhook's player."""
    match failure:
        case "status" | "redirect":
            return failure
        case _:
            return "unreachable"


def secret_text(secret: bytes) -> str:
    """The secret as its owner sees it, in the form that libraries accept."""
    return SECRET_PREFIX + b64encode(secret).decode()


def signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message; `timestamp` is the time of sending in Unix seconds."""
    signed = digest(secret, f"{message}.{timestamp}.".encode() + body, sha256)
    return f"v1,{b64encode(signed).decode()}"


def headers_of(claimed: Claimed, at: datetime) -> dict[str, str]:
    """The headers of a message sent at this time."""
    timestamp = int(at.timestamp())
    secrets = [claimed.secret, *([claimed.former] if claimed.former else [])]
    return {
        "Content-Type": "application/json",
        "User-Agent": "codille-webhooks",
        "webhook-id": claimed.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, claimed.id, timestamp, claimed.body) for secret in secrets),
    }


@cache
def _trusting() -> ssl.SSLContext:
    """Trusts the system's certificate authorities. Loading them is slow, so it is done once a process."""
    return ssl.create_default_context()


class Sender:
    """Sends messages, each over its own connection to an address that was checked."""

    def __init__(self, resolver: Resolver, *, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._timeout_s = timeout_s
        self._tls = tls

    async def send(self, claimed: Claimed, at: datetime) -> Attempt:
        """Sends the message once. Failures are returned; only CancelledError is raised."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._send(parsed(claimed.url), claimed, at)
        except TimeoutError:
            return Attempt(failure="timeout")
        except OSError as error:
            return Attempt(failure="tls" if isinstance(error, ssl.SSLError) else "unreachable")
        except (TargetRefused, ValueError):
            return Attempt(failure="address")
        except Malformed:
            return Attempt(failure="protocol")

    async def _send(self, target: Target, claimed: Claimed, at: datetime) -> Attempt:
        addresses = await self._resolver.addresses(target)
        # Loaded on first use: most services start without a webhook.
        tls = None if target.scheme == "http" else self._tls or await asyncio.to_thread(_trusting)
        return _attempt(await head_of_answer(addresses, target, headers_of(claimed, at), claimed.body, tls))


def _attempt(head: AnswerHead) -> Attempt:
    if 200 <= head.status < 300:
        return Attempt(head.status)
    asked = head.headers.get(b"retry-after", b"")
    retry_after_s = int(asked) if asked.isdigit() and len(asked) < 7 else 0
    return Attempt(head.status, "redirect" if 300 <= head.status < 400 else "status", retry_after_s)
