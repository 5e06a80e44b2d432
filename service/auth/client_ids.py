"""Clients that act for a player: which `client_id` is one, and where it may be redirected to.

There is no registration: a client's id is the one URL to which a browser is sent back, so that every client is
registered by its name (RFC 9700, 2.1). A program on the player's own computer is sent back to loopback, on any port
(RFC 8252, 7.3).
"""

import re
from urllib.parse import urlsplit

from msgspec import Struct

DOCS = "/docs"
"""The one client on the service's own host."""

MOST_LETTERS = 512

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH = r"(?P<path>/[A-Za-z0-9._~/-]*)"
"""Unreserved characters and slashes (RFC 3986, 2.3)."""

# A last label that begins with a letter: all others are read as addresses (WHATWG URL, 3.5).
_WEB = re.compile(rf"https://(?P<host>(?:{_LABEL}\.)+(?=[a-z]){_LABEL})(?P<port>:[1-9][0-9]{{0,4}})?{_PATH}")
_LOCAL = re.compile(rf"http://(?P<host>127\.0\.0\.1|\[::1\]|localhost){_PATH}")
_LOCAL_ON_PORT = re.compile(rf"http://(?P<host>127\.0\.0\.1|\[::1\]|localhost)(?P<port>:[1-9][0-9]{{0,4}})?{_PATH}")


class ClientIdentity(Struct, frozen=True):
    """A client as pages show it: its id, which is ASCII, and its host."""

    id: str
    host: str
    """The host with its port."""
    is_local: bool
    """Whether it is a program on the player's own computer."""


def identified(client_id: str, issuer: str) -> ClientIdentity:
    """The client with this id. Raises ValueError, which says what the id must be."""
    match = _WEB.fullmatch(client_id) or _LOCAL.fullmatch(client_id)
    if match is None or len(client_id) > MOST_LETTERS or not _is_plain(match["path"]):
        raise ValueError(
            "must be an https URL of a host by its name, with a path of letters, digits and -._~/ alone, or such an "
            "http URL of 127.0.0.1, [::1] or localhost without a port"
        )
    is_local = client_id.startswith("http:")
    port = "" if is_local else match["port"] or ""
    if port == ":443" or int(port[1:] or 0) > 65535:
        raise ValueError("must have no port, or one up to 65535 that is not 443")
    own = urlsplit(issuer)
    if not is_local and match["host"] == own.hostname and client_id != issuer + DOCS:
        raise ValueError("must not be on the service's own host")
    return ClientIdentity(client_id, match["host"] + port, is_local)


def check_redirect(client: ClientIdentity, redirect_uri: str, issuer: str) -> None:
    """Raises ValueError unless the client may be redirected to this URI: to its id, on loopback with any port."""
    if not client.is_local:
        if redirect_uri != client.id:
            raise ValueError("must be the client's id, letter for letter")
        return
    match = _LOCAL_ON_PORT.fullmatch(redirect_uri)
    port = match["port"] or "" if match else ""
    if match is None or int(port[1:] or 0) > 65535 or f"http://{match['host']}{match['path']}" != client.id:
        raise ValueError("must be the client's id, letter for letter, with any port")
    own = urlsplit(issuer)
    if own.scheme == "http" and int(port[1:] or 80) == (own.port or 80) and redirect_uri != issuer + DOCS:
        raise ValueError("must not be on the service's own address")


def _is_plain(path: str) -> bool:
    """Whether no segment of the path leads elsewhere (RFC 3986, 5.2.4)."""
    return not {".", ".."} & set(path.split("/"))
