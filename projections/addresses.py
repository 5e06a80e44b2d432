"""Addresses of servers, which may name several hosts: `postgresql://user:password@a:5432,[::1]:5433/codille`."""

import re
from urllib.parse import SplitResult, urlsplit

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def split_address(url: str) -> SplitResult:
    """The parts of an address, as `urlsplit` has them. Raises ValueError if it is none, or one of its hosts is none.

    `urlsplit` itself refuses hosts in brackets beside others, since Python 3.11.10 or so.
    """
    parts = _PARTS.fullmatch(url)
    if parts is None:
        raise ValueError("not a URL")
    scheme, netloc, path, query, fragment = parts.groups(default="")
    for host in netloc.rpartition("@")[2].split(","):
        urlsplit(f"//{host}")
    return SplitResult(scheme.lower(), netloc, path, query, fragment)
