"""The command line."""

import os
import sys
from io import TextIOWrapper

from typer import Typer

from service.cli.commands import app
from service.cli.terminal_text import plain
from service.config import ConfigError

__all__ = ["main"]


def main(commands: Typer = app) -> None:
    """Runs the command in the arguments, and exits.

    The status is 0 on success, 1 on failure, 2 for wrong arguments or settings, and 130 after an interrupt.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Some character sets lack the signs of the suits, and what is piped in may be no text.
            stream.reconfigure(errors="replace")
    try:
        commands()
    except ConfigError as error:
        _exit(2, str(error))
    except KeyboardInterrupt:
        _exit(130)
    except BrokenPipeError:
        # The output's consumer has closed it. Whatever is in the buffer must not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _exit(1)
    except Exception as error:
        if not isinstance(error, _expected()):
            raise
        _exit(1, str(error) or type(error).__name__)


def _expected() -> tuple[type[Exception], ...]:
    """Errors that are not bugs: each is printed as one line, without a traceback."""
    # Imported late: these load the whole service, which a command that succeeds need not wait for.
    from deploy.embedded import EmbeddedError
    from projections.models import ReadModelsUnavailable
    from projections.runner import RebuildFailed, RebuildRunning
    from service.cli.client import ServiceRefusal, Unreachable
    from service.commands.cache import NoSuchTable
    from service.live.archivist import ArchiveOfLaterVersion
    from service.run.serve_error import ServeError
    from service.store.database import StoreUnavailable

    return (
        ArchiveOfLaterVersion,
        EmbeddedError,
        NoSuchTable,
        ReadModelsUnavailable,
        RebuildFailed,
        RebuildRunning,
        ServiceRefusal,
        ServeError,
        StoreUnavailable,
        Unreachable,
    )


def _exit(status: int, message: str = "") -> None:
    if message:
        print(f"codille: {plain(message)}", file=sys.stderr)
    sys.exit(status)
