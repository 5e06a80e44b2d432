"""The commands for the keys that sign checkpoints of the log."""

from typing import TYPE_CHECKING

import typer

from service.cli.settings import done, settings
from service.cli.terminal_text import console, table
from service.run.serve_error import ServeError

if TYPE_CHECKING:
    from service.transparency import AnnouncedKey

keys = typer.Typer(
    name="keys",
    help="Show and change the keys that sign checkpoints of the log, and exports.",
    no_args_is_help=True,
)


@keys.command("list")
def list_keys() -> None:
    """Print all keys, old and new, for verifiers, with the sizes of the checkpoints that each one signs."""
    rows = ((str(key.since), "now" if key.until is None else str(key.until), str(key.verifier)) for key in _keys())
    console().print(table(("signs checkpoints of more than", "up to", "key"), rows))


@keys.command("show")
def show_key() -> None:
    """Print the current signing key, to be given to verifiers.

    Verifiers with an earlier key need no other: each key is announced by the one before it.
    """
    known = _keys()
    if not known:
        raise ServeError("no checkpoint is signed yet; the first one is signed soon after the first event")
    typer.echo(str(known[-1].verifier))


@keys.command("rotate")
def rotate_key() -> None:
    """Make a new key and sign with it from now on. The current key announces it.

    A key from CODILLE_SIGNING_KEY is not replaced: the new one is printed, to be set there. A key in the data directory
    is replaced.
    """
    # Imported late: it loads the store.
    from service.transparency.keys import NoKey, new_secret

    secret = new_secret()
    try:
        verifier = done(lambda services: services.log.transparency.rotate(secret))
    except NoKey as error:
        raise ServeError(str(error)) from error
    typer.echo(str(verifier))
    if settings().signing_key is not None:
        typer.echo(f"CODILLE_SIGNING_KEY={secret.hex()}")


def _keys() -> "list[AnnouncedKey]":
    return done(lambda services: services.log.transparency.keys())
