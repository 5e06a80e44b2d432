"""The settings of a command."""

import os
from collections.abc import Mapping

from service.config import PREFIX, Settings


def settings(options: Mapping[str, str] | None = None) -> Settings:
    """The environment's settings, overridden by these options, by name. Raises ConfigError for a wrong one."""
    return Settings.load(os.environ | {PREFIX + name: text for name, text in (options or {}).items()})
