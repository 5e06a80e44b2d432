"""What counts as one client: an address, or the network that one household has."""

from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

WIDER = (1, 2, 4)
"""What an address may use, as a multiple, for the address and each wider network around it.

So one network of many addresses cannot use everything.
"""


@lru_cache(maxsize=10_000)
def keys_of(address: str) -> tuple[str, ...]:
    """The keys of an address's network and of the wider networks around it: for IPv6 the /56 and the /48.

    They are digests, so that Redis stores no plain addresses.
    """
    return tuple(sha256(one.encode()).hexdigest()[:32] for one in networks(address))


@lru_cache(maxsize=10_000)
def distinct_keys(address: str) -> tuple[str, ...]:
    """The same, each once: of an IPv4 address, which stands alone, there is one."""
    return tuple(dict.fromkeys(keys_of(address)))


def networks(address: str) -> tuple[str, str, str]:
    """An address's network, and two wider ones; an IPv4 address, which stands alone, three times."""
    narrow = network(address)
    try:
        parsed = IPv6Address(narrow)
    except ValueError:
        return narrow, narrow, narrow
    wider = (f"{IPv6Address(int(parsed) >> (128 - bits) << (128 - bits))}/{bits}" for bits in (56, 48))
    return narrow, *wider  # type: ignore[return-value]  # there are two


def network(address: str) -> str:
    """What counts as one client address: the address without a port; for IPv6 its /64, which one household has."""
    # Some proxies forward a client's port too: 192.0.2.1:4711, [2001:db8::1]:4711.
    host = address.partition(":")[0] if address.count(":") == 1 else address.partition("]")[0].removeprefix("[")
    try:
        parsed = ip_address(host)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return host
    # Sockets for both families write IPv4 as mapped addresses.
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
