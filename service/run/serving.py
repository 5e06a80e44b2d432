"""Runs the service: its servers, its schema, its processes, and how they end."""

import gc
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module

from msgspec import structs
from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers, embedded
from service.config import Settings, load_registry
from service.roles import ROLES
from service.run import measurements, supervise
from service.run.listen import METRICS, Listeners, bind, listen, url
from service.run.running import announced
from service.run.start_message import start_message
from service.run.stop import Interrupted, Stop, stopping


def serve(settings: Settings, log: FilteringBoundLogger, say: Callable[[str], None]) -> None:
    """Runs the service until SIGINT or SIGTERM; `say` is called with a message once it listens.

    Must be called in the main thread, outside any event loop. Raises ConfigError if the settings' registry or
    specification does not exist, ServeError, EmbeddedError, and the errors of a store or read models that cannot be
    reached.
    """
    # Checks what every process will load before anything starts.
    with _no_collections():
        load_registry(settings.registry)
        settings.documents()
    with ExitStack() as stack:
        stop = stack.enter_context(stopping())
        try:
            listener = None
            if settings.serves_interface:
                # First, so that a port in use is reported before any server starts.
                listener = stack.enter_context(closing(bind(settings.host, settings.port)))
            metrics = bind(settings.metrics_host, settings.port_of_metrics(), METRICS)
            stack.enter_context(closing(metrics))
            if listener is not None:
                # Any that was free, if it was 0.
                settings = structs.replace(settings, port=listener.getsockname()[1])
            # Importing takes most of the start. It runs in a thread, since only the main thread may start the servers.
            loading = _in_thread(lambda: _load(settings))
            with embedded(
                settings.data_dir,
                database_url=settings.database_url,
                owner_url=settings.database_owner_url,
                redis_url=settings.redis_url,
            ) as servers:
                loading.result()
                _prepare(settings, servers, log)
                _work(settings, servers, listener, metrics, stop, log, say)
        except Interrupted:
            log.info("stopped before it was ready" if not stop.is_set() else "stopped at once")
        else:
            log.info("stopped")


def _in_thread(work: Callable[[], None]) -> "Future[None]":
    """Starts the work in its own thread."""
    thread = ThreadPoolExecutor(1)
    future = thread.submit(work)
    thread.shutdown(wait=False)
    return future


def _load(settings: Settings) -> None:
    """Imports early what the functions below import."""
    with _no_collections():
        import_module("service.run.schema")
        if not _several(settings):
            import_module("service.run.process")
            import_module("service.run.applications")


@contextmanager
def _no_collections() -> Iterator[None]:
    """Disables garbage collection within the context: imports leave next to no garbage, and a collection takes long."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _several(settings: Settings) -> bool:
    """Whether several processes serve the interface, or play for bots, and this one only supervises them."""
    if settings.role == "bots":
        return settings.processes_for_bots > 1
    return settings.workers > 1 and settings.serves_interface


def _prepare(settings: Settings, servers: Servers, log: FilteringBoundLogger) -> None:
    """Updates the schema if one process does everything, and checks the service's role."""
    # Imported late, see _load.
    from service.run.schema import bring_up_to_date, check_role, check_standby

    if settings.role == "all" and (run := bring_up_to_date(servers)):
        log.info("schema brought up to date", migrations=run)
    check_role(servers.database_url)
    if settings.database_direct_url is not None:
        check_role(settings.database_direct_url)
    if settings.standby_url is not None:
        check_standby(settings.standby_url)


def _work(
    settings: Settings,
    servers: Servers,
    interface: socket.socket | None,
    metrics: socket.socket,
    stop: Stop,
    log: FilteringBoundLogger,
    say: Callable[[str], None],
) -> None:
    """Serves in this process, or supervises several that do."""
    with ExitStack() as stack:

        def ready() -> None:
            if interface is None:
                log.info(ROLES[settings.role].at_work, metrics=url(metrics))
                return
            urls = url(interface), url(metrics)
            log.info("listening", url=urls[0], metrics=urls[1])
            say(start_message(*urls, settings))
            stack.enter_context(announced(settings.data_dir, *urls))

        if interface is not None:
            listen(interface)
        listen(metrics, METRICS)
        listeners = Listeners(interface, metrics)
        if _several(settings):
            workers = supervise.workers(settings, servers, listeners, stack.enter_context(measurements.directory()))
            supervise.run(workers, stop=stop, ready=ready, log=log)
        else:
            # Imported late, as above; a supervisor does not need it.
            from service.run import process

            process.run(settings, servers, listeners, stop=stop, ready=ready, log=log)
