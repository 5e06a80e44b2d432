"""Why the service cannot run."""

from socket import gaierror

from projections.addresses import split_address


class ServeError(Exception):
    """The service cannot start or continue; the message says why and what to do."""


def unreachable(what: str, url: str, error: Exception) -> ServeError:
    """The error of a server that cannot be used: its address and the reason, without the rest of the URL."""
    address = split_address(url).netloc.rpartition("@")[2]
    where = f" at {address}" if address else ""
    if isinstance(error, gaierror):
        why = "no host has this name"
    elif isinstance(error, TimeoutError):
        why = "it does not answer"
    elif isinstance(error, OSError) and "Connect call failed" in str(error):
        why = "nothing listens there"
    else:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return ServeError(f"{what}{where} cannot be used: {why}")
