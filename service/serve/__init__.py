"""Running the service: its servers, its schema, its processes, and how they end."""

import socket
from collections.abc import Callable
from contextlib import ExitStack, closing

from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers, embedded
from service.config import Settings
from service.serve import process, supervise
from service.serve.errors import ServeError
from service.serve.listen import bound, listen, url
from service.serve.running import announced
from service.serve.schema import NotAllowed, bring_up_to_date
from service.serve.stop import Interrupted, Stop, stopping
from service.serve.welcome import welcome

__all__ = ["ServeError", "serve"]


def serve(settings: Settings, log: FilteringBoundLogger, say: Callable[[str], None]) -> None:
    """Runs the service until SIGINT or SIGTERM; `say` is told where it listens, once it does.

    To be called in the main thread, outside any event loop. Raises ServeError, EmbeddedError, and what the store and
    the read models raise when they cannot be reached.
    """
    with ExitStack() as stack:
        stop = stack.enter_context(stopping())
        try:
            listener = None
            if settings.role != "projector":
                # First, so that a port in use is said before any server starts.
                listener = stack.enter_context(closing(bound(settings.host, settings.port)))
            with embedded(settings.data_dir, database_url=settings.database_url, redis_url=settings.redis_url) as found:
                if settings.role == "all":
                    _migrate(settings, found.database_url, log)
                _work(settings, found, listener, stop, log, say)
        except Interrupted:
            log.info("stopped before it was ready" if not stop.asked.is_set() else "stopped at once")
        else:
            log.info("stopped")


def _migrate(settings: Settings, database_url: str, log: FilteringBoundLogger) -> None:
    try:
        run = bring_up_to_date(settings, database_url)
    except NotAllowed as error:
        # As it should be where the schema is laid out apart, by `codille migrate`.
        log.warning("the schema is taken as it is", reason=str(error))
    else:
        if run:
            log.info("schema brought up to date", run=run)


def _work(
    settings: Settings,
    servers: Servers,
    listener: socket.socket | None,
    stop: Stop,
    log: FilteringBoundLogger,
    say: Callable[[str], None],
) -> None:
    """Serves in this process, or in several that this one keeps running."""
    with ExitStack() as stack:

        def ready() -> None:
            if listener is None:
                log.info("the projector is at work")
                return
            log.info("listening", url=url(listener))
            say(welcome(url(listener), settings))
            stack.enter_context(announced(settings.data_dir, url(listener)))

        if listener is not None:
            listen(listener)
        if settings.workers > 1 and listener is not None:
            workers = supervise.workers(settings, servers, listener)
            supervise.run(workers, stop=stop, ready=ready, log=log)
        else:
            process.run(settings, servers, listener, stop=stop, ready=ready, log=log)
