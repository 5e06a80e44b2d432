"""Postgres and Valkey from Python packages, run as children of the process that needs them.

They listen only on unix sockets in a private directory, and keep their data under one directory. A server that ends is
started again on the same data. They stop with the caller, and end by themselves if it is killed.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from deploy.embedded.errors import EmbeddedError, InUseError
from deploy.embedded.postgres import postgres
from deploy.embedded.postgres import url as postgres_url
from deploy.embedded.valkey import url as valkey_url
from deploy.embedded.valkey import valkey

__all__ = ["EmbeddedError", "InUseError", "Servers", "embedded", "postgres", "valkey"]


class Servers(NamedTuple):
    """Where the service's two servers are."""

    database_url: str
    """As asyncpg takes it; of an embedded server it is the owner's."""
    redis_url: str


@contextmanager
def embedded(
    data_dir: Path,
    *,
    database_url: str | None = None,
    redis_url: str | None = None,
    share: bool = False,
    durable: bool = True,
) -> Iterator[Servers]:
    """Runs the servers that are not given: Postgres without `database_url`, Valkey without `redis_url`.

    With `share`, the servers that another process runs on this directory are used, and left running; without, those
    raise InUseError. Without `durable` nothing survives a crash, which is for tests. Call it from the main thread,
    outside any event loop. Raises EmbeddedError, with a message for the user.
    """
    with ExitStack() as stack:
        if not database_url:
            try:
                database_url = stack.enter_context(postgres(data_dir, durable=durable))
            except InUseError as other:
                if not share:
                    raise
                database_url = postgres_url(other.sockets)
        if not redis_url:
            try:
                redis_url = stack.enter_context(valkey(data_dir, durable=durable))
            except InUseError as other:
                if not share:
                    raise
                redis_url = valkey_url(other.sockets)
        yield Servers(database_url, redis_url)
