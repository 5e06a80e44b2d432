"""Why the service does not start, for people: where the server should be and why not, and never a password."""

import socket

import pytest

from service.run.schema import _check_migrations
from service.run.serve_error import ServeError, unreachable
from tests.support.for_each import for_each

SECRET = "hunter2"


@for_each(
    "error, why",
    [
        (OSError(111, "Connect call failed ('127.0.0.1', 1)"), "nothing listens there"),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 1, 0, 0)"), "nothing listens there"),
        (socket.gaierror(-2, "Name or service not known"), "no host has this name"),
        (TimeoutError(), "it does not answer"),
        (FileNotFoundError(2, "No such file or directory"), "No such file or directory"),
        (ValueError("invalid DSN"), "invalid DSN"),
        (ConnectionResetError(), "ConnectionResetError"),
    ],
)
def test_a_server_that_cannot_be_used_is_named_by_its_address(error: Exception, why: str) -> None:
    told = str(unreachable("Postgres", f"postgresql://codille:{SECRET}@db.example:5433/codille", error))
    assert told == f"Postgres at db.example:5433 cannot be used: {why}"
    assert str(unreachable("Postgres", "postgresql:///codille?host=/run", error)) == f"Postgres cannot be used: {why}"


def test_an_address_that_no_server_can_have_is_refused_likewise() -> None:
    url = f"postgresql://codille:{SECRET}@127.0.0.1:99999/codille"
    with pytest.raises(ServeError, match=r"^Postgres at 127\.0\.0\.1:99999 cannot be used") as refused:
        _check_migrations(url)
    assert SECRET not in str(refused.value)
