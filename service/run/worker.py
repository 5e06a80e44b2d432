"""A process that a supervisor keeps running.

It is `python -m service.run.worker ready=FD number=N [interface=FD metrics=FD] [beside=N]`, with descriptors of sockets
to serve, and the first number of the processes that this one starts beside itself.

Its settings come from the environment. It writes one byte to the descriptor `ready` when it accepts requests or,
without an interface, is at work. Its measurements carry its number, next to those of the other workers.
"""

import os
import socket
import sys
from collections.abc import Sequence

from deploy.embedded import Servers
from service.config import Settings
from service.moments import now
from service.observability.logs import set_up
from service.observability.metrics import Metrics
from service.run.listen import Listeners
from service.run.process import run
from service.run.serve_error import ServeError
from service.run.stop import Interrupted, stopping


def main(arguments: Sequence[str]) -> int:
    """Serves until SIGINT or SIGTERM; returns the exit status. Raises ValueError if the settings name no servers."""
    given = {name: text for name, _, text in (argument.partition("=") for argument in arguments)}
    pipe = int(given["ready"])
    settings = Settings.load(os.environ)
    log = set_up(
        settings.log_format, sys.stderr.buffer, terminal=sys.stderr.isatty(), clock=now, level=settings.log_level
    )
    if settings.database_url is None or settings.redis_url is None:
        raise ValueError("the settings of a worker must name its servers")
    servers = Servers(settings.database_url, settings.redis_url)

    def ready() -> None:
        os.write(pipe, b"\n")
        os.close(pipe)

    try:
        with stopping() as stop:
            run(
                settings,
                servers,
                Listeners(*(_socket(given.get(name)) for name in Listeners.__struct_fields__)),
                Metrics(int(given["number"])),
                int(given["beside"]) if "beside" in given else None,
                stop=stop,
                ready=ready,
                log=log,
            )
    except ServeError as error:
        log.error(str(error))
        return 1
    except Interrupted:
        log.info("stopped at once")
    return 0


def _socket(descriptor: str | None) -> socket.socket | None:
    return None if descriptor is None else socket.socket(fileno=int(descriptor))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
