"""Work on the services behind the interface, as the commands have it done."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from service.cli.settings import settings

if TYPE_CHECKING:
    from service.wiring import Services

T = TypeVar("T")


def done(work: "Callable[[Services], Awaitable[T]]") -> T:
    """Does the work on the services that the environment's settings describe. See `operate.with_services`."""
    # Only here, because it loads the whole service, which the other commands need not wait for.
    from service.cli import operate

    return operate.with_services(settings(), work)
