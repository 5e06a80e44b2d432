"""One attempt to deliver a message, signed after the Standard Webhooks specification 1.0.0.

Of the answer only the head is read. The connection is closed then, however much the receiver goes on to send.
"""

import asyncio
import ssl
from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from hmac import digest
from typing import Any, Literal

import httpcore
from msgspec import Struct

from service.live.targets import Resolver, Target, TargetRefused, parsed
from service.store.webhooks import Claimed

SECRET_PREFIX = "whsec_"  # noqa: S105 (a prefix)

TIMEOUT_S = 15.0
"""How long an attempt may take, from the name's look-up to the head of the answer."""

Failure = Literal["status", "redirect", "timeout", "unreachable", "tls", "address", "protocol"]


class Attempt(Struct, frozen=True):
    """What came of an attempt."""

    status: int | None = None
    failure: Failure | None = None
    """None where the message was delivered."""
    retry_after_s: int = 0
    """How long the receiver wants to be left alone."""


def secret_text(secret: bytes) -> str:
    """The secret as it is shown to its owner, and as libraries take it."""
    return SECRET_PREFIX + b64encode(secret).decode()


def signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message that is sent at a time (Unix seconds)."""
    signed = digest(secret, f"{message}.{timestamp}.".encode() + body, sha256)
    return f"v1,{b64encode(signed).decode()}"


def headers_of(claimed: Claimed, at: datetime) -> dict[str, str]:
    """The headers of a message that is sent at this time."""
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
    """Trusts whom the system trusts. Reading that takes long, and holds for the process."""
    return ssl.create_default_context()


class Sender:
    """Sends messages, each over a connection of its own to an address that was looked at."""

    def __init__(self, resolver: Resolver, *, timeout_s: float = TIMEOUT_S, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._timeout_s = timeout_s
        self._tls = tls

    async def send(self, claimed: Claimed, at: datetime) -> Attempt:
        """Sends the message once. Raises nothing but CancelledError."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._send(parsed(claimed.url), claimed, at)
        except TimeoutError:
            return Attempt(failure="timeout")
        except (TargetRefused, ValueError):
            return Attempt(failure="address")
        except (OSError, UnicodeError, httpcore.NetworkError, httpcore.TimeoutException) as error:
            return Attempt(failure="tls" if _of_tls(error) else "unreachable")
        except (httpcore.ProtocolError, httpcore.UnsupportedProtocol):
            return Attempt(failure="protocol")

    async def _send(self, target: Target, claimed: Claimed, at: datetime) -> Attempt:
        addresses = await self._resolver.addresses(target)
        # Looked up when it is first needed: most services start without a webhook.
        tls = None if target.scheme == "http" else self._tls or await asyncio.to_thread(_trusting)
        url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=tls, max_connections=1, network_backend=_Addressed(addresses)
            ) as connection,
            connection.stream(
                "POST",
                url,
                headers=[("Host", target.authority), *headers_of(claimed, at).items()],
                content=claimed.body,
            ) as answer,
        ):
            return _attempt(answer.status, answer.headers)


class _Addressed(httpcore.AsyncNetworkBackend):
    """Connects to the first of these addresses that answers, whatever name is asked for."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,  # noqa: ARG002 (it was resolved before)
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (as the library has it)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        *others, last = self._addresses
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout, local_address, socket_options)


def _attempt(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Attempt:
    if 200 <= status < 300:
        return Attempt(status)
    asked = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
    retry_after_s = int(asked) if asked.isdigit() and len(asked) < 7 else 0
    return Attempt(status, "redirect" if 300 <= status < 400 else "status", retry_after_s)


def _of_tls(error: BaseException | None) -> bool:
    """Whether the connection failed for its encryption, as for a certificate of another name."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
