"""One application and one log for all tests of a module that look at nothing but what each of them made itself.

To be imported, together with `pytestmark = in_one_loop`, in place of the fixtures of the same names.
"""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from service.app import create_app
from service.store.database import Database
from tests.contract.conftest import Caller, client_of, register, seated, services_over
from tests.support.postgres import Databases, as_service

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(databases: Databases) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        databases.fresh() as dsn,
        Database(as_service(dsn)) as database,
        client_of(create_app(services_over(database))) as client,
    ):
        yield client


@pytest_asyncio.fixture(loop_scope="module")
async def ada(client: httpx.AsyncClient) -> Caller:
    return await register(client)


@pytest_asyncio.fixture(loop_scope="module")
async def three(client: httpx.AsyncClient) -> list[Caller]:
    return [await register(client, name) for name in ("Ada", "Berta", "Carl")]


@pytest_asyncio.fixture(loop_scope="module")
async def table(three: list[Caller]) -> str:
    """A table at which three players sit, in order, and whose game has started."""
    return await seated(three)
