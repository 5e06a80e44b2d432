"""The settings as the command line has them."""

import os
from collections.abc import Mapping

from service.config import PREFIX, Settings


def settings(options: Mapping[str, str] | None = None) -> Settings:
    """The environment's settings, with these options, by name, in their place. Raises ConfigError."""
    return Settings.load(os.environ | {PREFIX + name: text for name, text in (options or {}).items()})
