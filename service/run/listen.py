"""The addresses that the service listens on."""

import errno
import socket

from msgspec import Struct

from service.config import PREFIX
from service.run.serve_error import ServeError

BACKLOG = 2048

METRICS = "METRICS_"
"""The prefix of the settings' names for the operator's address."""

UNSENT_BYTES = 128 * 1024
"""Bytes of a response that the kernel buffers beyond what it can send: a slow client keeps them in memory."""

LOCAL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (the operator decides what is bound)
"""For an address that stands for all of a machine's, one that clients on it can connect to."""


class Listeners(Struct, frozen=True):
    """The listening sockets of a process."""

    interface: socket.socket | None
    """None if the process does not serve the interface."""
    metrics: socket.socket | None
    """For metrics and health; None if another process of the service serves them."""


def bind(host: str, port: int, settings: str = "") -> socket.socket:
    """A socket bound to the address, not yet listening. Raises ServeError, which says what to do.

    The address comes from the settings HOST and PORT with the prefix `settings`.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise ServeError(f"{PREFIX}{settings}HOST={host} is not an address of this machine") from error
    listener = socket.socket(family, kind, protocol)
    try:
        # Otherwise the connections of a server that has just ended would block the port for a while. Of a port that
        # the system picks there are none; with this option others might take it before the service listens.
        if port:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Like all options here, this is inherited by accepted connections.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise _refusal(error, host, port, settings) from error
    return listener


def listen(listener: socket.socket, settings: str = "") -> None:
    """Lets clients connect; they wait until a process accepts them. Raises ServeError, which says what to do."""
    host, port = listener.getsockname()[:2]
    try:
        listener.listen(BACKLOG)
    except OSError as error:
        raise _refusal(error, host, port, settings) from error


def url(listener: socket.socket) -> str:
    """The URL at which clients on this machine reach the socket."""
    host, port = listener.getsockname()[:2]
    host = LOCAL_ADDRESSES.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _refusal(error: OSError, host: str, port: int, settings: str) -> ServeError:
    match error.errno:
        case errno.EADDRINUSE:
            return ServeError(
                f"port {port} on {host} is in use by another program; "
                f"choose another one with {PREFIX}{settings}PORT (0 takes any that is free)"
            )
        case errno.EACCES:
            return ServeError(f"port {port} is for root only; choose one above 1023 with {PREFIX}{settings}PORT")
        case errno.EADDRNOTAVAIL:
            return ServeError(f"{PREFIX}{settings}HOST={host} is not an address of this machine")
        case _:
            return ServeError(f"cannot listen on port {port} of {host}: {error.strerror}")
