"""Options that several commands take."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

from service.cli.client import ServiceRefusal


def _url(given: str | None) -> str | None:
    """The address of a service. Raises BadParameter if it is malformed."""
    if given is None:
        return None
    try:
        parts = urlsplit(given)
        right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise typer.BadParameter(f"must be the address of a service, like http://127.0.0.1:8000, not {given!r}")
    return given


Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        callback=_url,
        help="The service's address. Default: the one that runs in this directory.",
    ),
]

_OPTIONS = {"/game": "--game", "/deals": "--deals", "/options": "--option"}


def wrong_option(refusal: ServiceRefusal) -> typer.BadParameter | None:
    """A refusal of a table's game, deals or options as an error of that option; None for other refusals."""
    for pointer, option in _OPTIONS.items():
        if refusal.pointer is not None and f"{refusal.pointer}/".startswith(f"{pointer}/"):
            name = refusal.pointer.removeprefix(pointer).removeprefix("/")
            return typer.BadParameter(f"{name}: {refusal.fault}" if name else str(refusal.fault), param_hint=option)
    return None
