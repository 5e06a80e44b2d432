"""Postgres and Valkey from Python packages, run as children of the process that needs them.

They listen only on unix sockets in a private directory, require a password that only the data's owner can read, and
keep their data under one directory. A server that ends is restarted on the same data. They stop with the caller, and
also end if the caller is killed.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from deploy.embedded.errors import EmbeddedError, InUseError
from deploy.embedded.postgres import PostgresUrls, postgres
from deploy.embedded.postgres import urls as postgres_urls
from deploy.embedded.valkey import url as valkey_url
from deploy.embedded.valkey import valkey

__all__ = ["EmbeddedError", "InUseError", "PostgresUrls", "Servers", "embedded", "postgres", "valkey"]


class Servers(NamedTuple):
    """The addresses of the service's two servers."""

    database_url: str
    """In asyncpg's form, for the service's role."""
    redis_url: str
    owner_url: str | None = None
    """For the role that owns the schema; None if it is unknown."""


@contextmanager
def embedded(
    data_dir: Path,
    *,
    database_url: str | None = None,
    owner_url: str | None = None,
    redis_url: str | None = None,
    share: bool = False,
) -> Iterator[Servers]:
    """Runs the servers that are not given: Postgres without `database_url`, Valkey without `redis_url`.

    With `share`, servers that another process runs on this directory are used, and left running; otherwise they cause
    InUseError. Must be called in the main thread, outside any event loop. Raises EmbeddedError, with a message for the
    user.
    """
    with ExitStack() as stack:
        if not database_url:
            try:
                database_url, owner_url = stack.enter_context(postgres(data_dir))
            except InUseError as other:
                if not share:
                    raise
                database_url, owner_url = postgres_urls(data_dir, other.sockets)
        if not redis_url:
            try:
                redis_url = stack.enter_context(valkey(data_dir))
            except InUseError as other:
                if not share:
                    raise
                redis_url = valkey_url(data_dir, other.sockets)
        yield Servers(database_url, redis_url, owner_url)
