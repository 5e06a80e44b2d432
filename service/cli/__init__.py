"""The command line."""

import os
import sys
from io import TextIOWrapper

from service.cli.commands import app
from service.cli.terminal import plain
from service.config import ConfigError

__all__ = ["main"]


def main() -> None:
    """Runs the command that the arguments name, and exits.

    The status is 0 when it is done, 1 when it failed, 2 for wrong arguments or settings, and 130 when interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Some character sets have no signs for the suits.
            stream.reconfigure(errors="replace")
    try:
        app()
    except ConfigError as error:
        _exit(2, str(error))
    except KeyboardInterrupt:
        _exit(130)
    except BrokenPipeError:
        # The reader of the output has closed it. What is still in the buffer must not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _exit(1)
    except Exception as error:
        if not isinstance(error, _expected()):
            raise
        _exit(1, str(error) or type(error).__name__)


def _expected() -> tuple[type[Exception], ...]:
    """Errors that are no fault of the program: each is printed as one line, without a traceback."""
    # Imported only here: these load the whole service, and a command that succeeds need not wait for it.
    from deploy.embedded import EmbeddedError
    from projections import ReadModelsUnavailable, RebuildFailed, RebuildRunning
    from service.cli.client import Refusal, Unreachable
    from service.commands.cache import NoSuchTable
    from service.run.errors import ServeError
    from service.store.database import StoreUnavailable

    return (
        EmbeddedError,
        NoSuchTable,
        ReadModelsUnavailable,
        RebuildFailed,
        RebuildRunning,
        Refusal,
        ServeError,
        StoreUnavailable,
        Unreachable,
    )


def _exit(status: int, message: str = "") -> None:
    if message:
        print(f"codille: {plain(message)}", file=sys.stderr)
    sys.exit(status)
