"""The settings of a command, and its work on the services behind the interface."""

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from service.config import PREFIX, Settings

if TYPE_CHECKING:
    from service.services import Services

T = TypeVar("T")


def settings(options: Mapping[str, str] | None = None) -> Settings:
    """The environment's settings, overridden by these options, by name. Raises ConfigError for a wrong one."""
    return Settings.load(os.environ | {PREFIX + name: text for name, text in (options or {}).items()})


def done(work: "Callable[[Services], Awaitable[T]]") -> T:
    """Runs the work on the services of the environment's settings. Raises as `operate.with_services`."""
    # Imported late: it loads the whole service, and other commands need not wait for it.
    from service.cli import operate

    return operate.with_services(settings(), lambda services, _: work(services))
