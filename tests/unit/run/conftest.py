"""The tests of this folder run in the event loop in which the service runs."""

from collections.abc import Mapping

import uvloop


def pytest_asyncio_loop_factories(config: object, item: object) -> Mapping[str, object]:
    """The event loops that each test runs in, by name."""
    return {"uvloop": uvloop.new_event_loop}
