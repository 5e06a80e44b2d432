"""The Python kit is tested from its sources, completed with what is generated for it before tests are collected."""

import asyncio
from collections.abc import Mapping

from tests.support.kits import python_kit

python_kit()


def pytest_asyncio_loop_factories(config: object, item: object) -> Mapping[str, object]:
    """The event loops that each test runs in, by name: the one in which others run the kit."""
    return {"asyncio": asyncio.new_event_loop}
