"""What all tests may use: real servers and a running service."""

import gc
import inspect
import signal
import ssl
from collections.abc import Mapping
from functools import cache

import httpx
import uvloop
from hypothesis import HealthCheck, settings

from tests.support.memory import keep_temporary_files_in_memory
from tests.support.run import folder
from tests.support.waiting import PATIENCE_S

pytest_plugins = [
    "tests.support.generated",
    "tests.support.one_game",
    "tests.support.postgres",
    "tests.support.processor_time",
    "tests.support.redis",
    "tests.support.service",
]

keep_temporary_files_in_memory()
# Other test processes inherit it from the first.
folder()

# Every client of httpx would load all certificates anew, which takes longer than most requests do. They share them.
ssl.create_default_context = cache(ssl.create_default_context)

# Where a test names no other time, a client waits for an answer as long as tests wait for anything. All of httpx shares
# one default, of five seconds, which a busy machine takes.
patience = inspect.signature(httpx.get).parameters["timeout"].default
patience.connect = patience.read = patience.write = patience.pool = PATIENCE_S

# A shell has its background commands ignore SIGINT, and programs inherit that. Tests stop programs with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What is imported and collected stays, so searching it for garbage is a waste of time.
gc.disable()


def pytest_asyncio_loop_factories(config: object, item: object) -> Mapping[str, object]:
    """The event loops that each test runs in, by name: the one in which the service runs."""
    return {"uvloop": uvloop.new_event_loop}


def pytest_collection_finish() -> None:
    """Excludes everything that exists by now from garbage collection, and makes collections rarer than by default."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


# No time limits, since the machine may be busy with other tests.
settings.register_profile(
    "codille",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("codille")
