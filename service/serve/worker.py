"""A process that a supervisor keeps running: `python -m service.serve.worker [listener=FD] ready=FD`.

Its settings come from the environment. It writes one byte to the descriptor `ready` when it is.
"""

import os
import socket
import sys
from collections.abc import Sequence

from deploy.embedded import Servers
from service.config import Settings
from service.logs import set_up
from service.serve.errors import ServeError
from service.serve.process import run
from service.serve.stop import stopping


def main(arguments: Sequence[str]) -> int:
    """Serves until told to stop, and answers the exit status."""
    descriptors = {name: int(number) for name, _, number in (argument.partition("=") for argument in arguments)}
    settings = Settings.load(os.environ)
    log = set_up(settings.log_format, sys.stderr.buffer, terminal=sys.stderr.isatty())
    if settings.database_url is None or settings.redis_url is None:
        raise ValueError("a worker is given its servers")

    def ready() -> None:
        os.write(descriptors["ready"], b"\n")
        os.close(descriptors["ready"])

    try:
        with stopping() as stop:
            run(
                settings,
                Servers(settings.database_url, settings.redis_url),
                socket.socket(fileno=descriptors["listener"]) if "listener" in descriptors else None,
                stop=stop,
                ready=ready,
                log=log,
            )
    except ServeError as error:
        log.error(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
