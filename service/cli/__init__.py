"""The command line."""

import os
import sys
from io import TextIOWrapper

from service.cli.commands import app
from service.cli.terminal import plain
from service.config import ConfigError

__all__ = ["main"]


def main() -> None:
    """Runs the command that the arguments name, and exits: 0 done, 1 failed, 2 asked wrongly, 130 broken off."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Suits have no place in some character sets.
            stream.reconfigure(errors="replace")
    try:
        app()
    except ConfigError as error:
        _exit(2, str(error))
    except KeyboardInterrupt:
        _exit(130)
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still in its buffer must not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _exit(1)
    except Exception as error:
        if not isinstance(error, _expected()):
            raise
        _exit(1, str(error) or type(error).__name__)


def _expected() -> tuple[type[Exception], ...]:
    """What can go wrong without anything being wrong with the program: told in a line, not with a traceback."""
    # Only here, because these load the whole service, which a command that goes well need not wait for.
    from deploy.embedded import EmbeddedError
    from projections import ReadModelsUnavailable, RebuildFailed, RebuildRunning
    from service.cli.client import Refusal, Unreachable
    from service.commands.handler import NoSuchTable
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
