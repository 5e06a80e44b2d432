"""The address that the service listens on."""

import errno
import socket

from msgspec import Struct

from service.config import PREFIX
from service.run.errors import ServeError

BACKLOG = 2048

METRICS = "METRICS_"
"""How the names of the settings of the operator's address begin."""

UNSENT_BYTES = 128 * 1024
"""How much of an answer the kernel takes ahead of what it can send: a client that does not read holds it in memory."""

LOCAL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (the operator decides what is bound)
"""For an address that stands for all of a machine's, one at which clients on it can call."""


class Listeners(Struct, frozen=True):
    """The listening sockets of a process."""

    interface: socket.socket | None
    """None where the process does not serve the interface."""
    metrics: socket.socket | None
    """For metrics and health; None where another process of the service serves them."""


def bind(host: str, port: int, settings: str = "") -> socket.socket:
    """A socket bound to the address, which does not listen yet. Raises ServeError, with what to do.

    The address is set by the variables HOST and PORT whose names begin with `settings`.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise ServeError(f"{PREFIX}{settings}HOST={host} is not an address of this machine") from error
    listener = socket.socket(family, kind, protocol)
    try:
        # The connections of a server that has just ended would hold the port for a while.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # As all options here, accepted connections inherit it.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise _refusal(error, host, port, settings) from error
    return listener


def listen(listener: socket.socket, settings: str = "") -> None:
    """Lets clients connect, who wait until a process accepts them. Raises ServeError, with what to do."""
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
