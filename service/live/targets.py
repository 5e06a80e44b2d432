"""The allowed targets of webhooks: public addresses on port 443, and inner networks named in the settings.

A name is resolved once for each attempt, and the connection uses an address that was checked. So a name server that
answers differently each time, or with several addresses, cannot lead elsewhere.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Thread
from typing import TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from service.config import InnerNetwork

MAX_URL = 2000

Address: TypeAlias = IPv4Address | IPv6Address
LookUp: TypeAlias = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host for a connection to a port. May block; raises OSError."""

_URL = re.compile(r"(https?)://(?:[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?([/?][!-~]*)?")
_PORTS = {"http": 80, "https": 443}

PUBLIC_PORT = 443
"""The only port of public receivers: other ports belong to other services."""

INNER_PORTS = (80, 443)
"""The ports of inner receivers if the settings name none."""

SPECIAL = tuple(
    map(
        ip_network,
        (
            # IANA's registry of special-purpose IPv4 addresses, and multicast.
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            # IANA's registry of special-purpose IPv6 addresses, as far as they are within UNICAST.
            # 2001::/23 includes Teredo; 2002::/16 (6to4) includes IPv4 addresses.
            "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
        ),
    )
)  # fmt: skip
"""Addresses that belong to no public host, though Python may call them global."""

UNICAST = ip_network("2000::/3")
"""The IPv6 addresses given to hosts. All others are private, special or unassigned: loopback, link-local, site-local
(fec0::/10), unique local (fc00::/7), multicast, and those that stand for IPv4 (64:ff9b::/96).
"""


class TargetRefused(Exception):
    """Webhooks must not call this target."""


class Target(Struct, frozen=True):
    """The target of a webhook's messages."""

    scheme: str
    host: str
    """A name, or an address without brackets."""
    port: int
    path: str
    """From the slash on, including the query."""

    @property
    def authority(self) -> str:
        """Host and port in the form of the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parsed(url: str) -> Target:
    """The target of a URL. Raises ValueError with a text that continues "must be"."""
    expected = "a URL that begins with https:// or http://, without a user and without a fragment"
    match = _URL.fullmatch(url)
    if match is None or "#" in url or len(url) > MAX_URL:
        raise ValueError(expected)
    scheme, port, path = match.groups()
    number = int(port) if port else _PORTS[scheme]
    try:
        host = urlsplit(url).hostname
    except ValueError:
        raise ValueError(expected) from None
    if not host or not 0 < number < 65536:
        raise ValueError(expected)
    path = path or "/"
    return Target(scheme, host, number, path if path.startswith("/") else f"/{path}")


class Targets:
    """Decides which targets may be called. `networks` are inner ones that may; only they may be called unencrypted."""

    def __init__(self, networks: Sequence[str] = ()) -> None:
        self._networks = tuple(map(InnerNetwork.parse, networks))

    def check(self, target: Target) -> None:
        """Raises TargetRefused if the target is refused whatever its name resolves to."""
        if target.scheme == "http" and not self._networks:
            raise TargetRefused("must begin with https://")
        if target.port != PUBLIC_PORT and not any(_has_port(inner, target.port) for inner in self._networks):
            raise TargetRefused(f"must name no other port than {PUBLIC_PORT}")
        try:
            address = ip_address(target.host)
        except ValueError:
            return
        if not self.admits(target, address):
            raise TargetRefused("must lead to a public address")

    def admits(self, target: Target, address: Address) -> bool:
        """Whether a message for the target may be sent to this address."""
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        if any(address in inner.network and _has_port(inner, target.port) for inner in self._networks):
            return True
        return target.scheme == "https" and target.port == PUBLIC_PORT and _is_public(address)


def _has_port(inner: InnerNetwork, port: int) -> bool:
    if inner.ports is None:
        return port in INNER_PORTS
    first, last = inner.ports
    return first <= port <= last


def _is_public(address: Address) -> bool:
    if address.version == 6 and address not in UNICAST:
        return False
    # Python's own list is checked too: each may know a block that the other lacks.
    return address.is_global and not any(address in block for block in SPECIAL)


def system_look_up(host: str, port: int) -> list[str]:
    """The addresses of a host as the system resolves them. Blocks; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Resolver:
    """Resolves targets, at most `at_once` concurrently.

    Each look-up has its own daemon thread that is never joined: a name server may take longer than an attempt is
    allowed, and longer than the process takes to stop.
    """

    def __init__(self, targets: Targets, at_once: int, look_up: LookUp = system_look_up) -> None:
        self._targets = targets
        self._look_up = look_up
        self._free = asyncio.Semaphore(at_once)

    async def addresses(self, target: Target) -> list[str]:
        """The addresses to try, in order; all may be called. Raises TargetRefused, OSError."""
        found = await self._found(target)
        admitted = [each for each in found if self._targets.admits(target, ip_address(each.partition("%")[0]))]
        if not admitted:
            raise TargetRefused("the name leads to no address that may be called")
        return admitted

    async def _found(self, target: Target) -> Sequence[str]:
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Sequence[str]] = loop.create_future()

        def finish(addresses: Sequence[str], error: Exception | None) -> None:
            self._free.release()
            if found.done():
                return
            if error is None:
                found.set_result(addresses)
            else:
                found.set_exception(error)

        def look() -> None:
            addresses: Sequence[str] = ()
            failure: Exception | None = None
            try:
                addresses = self._look_up(target.host, target.port)
            except Exception as error:  # passed on to the attempt
                failure = error
            # The loop may be closed already.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(finish, addresses, failure)

        Thread(target=look, name="resolver", daemon=True).start()
        return await found
