"""Runs a command's work on the services behind the interface."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from service.cli.settings import settings

if TYPE_CHECKING:
    from service.services import Services

T = TypeVar("T")


def done(work: "Callable[[Services], Awaitable[T]]") -> T:
    """Runs the work on the services of the environment's settings. Raises as `operate.with_services`."""
    # Imported late: it loads the whole service, and other commands need not wait for it.
    from service.cli import operate

    return operate.with_services(settings(), work)
