"""Paths are matched as they are written: of every operation and page, another spelling of its path is none.

Only a slash behind the path of a page leads to the page.
"""

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from service.app import create_operations_app
from service.config import SPECIFICATION
from service.store.database import Database
from tests.contract.conftest import Caller, client_of, problem, services_over
from tests.contract.shared import client, in_one_loop, table, three
from tests.support.for_each import for_each

__all__ = ["client", "table", "three"]

pytestmark = in_one_loop

PATHS = json.loads((SPECIFICATION / "openapi.json").read_text())["paths"]
OPERATIONS = [(method.upper(), path) for path, methods in PATHS.items() for method in methods]
NOBODY = "01936d5c-0000-7000-8000-000000000000"
IN_PATHS = {"table": NOBODY, "player": NOBODY, "token": NOBODY, "game": "crocodile"}
"""What stands in a path; for what is not named here, a number."""
PAGES = ["/docs", f"/replay/{NOBODY}"]
FILES = ["/page/page.css", "/robots.txt", "/favicon.ico"]


def spellings(path: str) -> Iterator[str]:
    """Other spellings of a path that a lenient reader would take for it."""
    yield f"{path}/"
    yield f"{path}//"
    yield f"{path}%2F"
    yield f"{path}%00"
    for place, sign in enumerate(path):
        if sign == "/":
            yield f"{path[:place]}/{path[place:]}"
            if place:
                yield f"{path[:place]}%2f{path[place + 1 :]}"
    last = path.rindex("/") + 1
    yield f"{path[:last]}%{ord(path[last]):02x}{path[last + 1 :]}"
    yield f"{path[:-1]}%{ord(path[-1]):02X}"


async def nowhere(http: httpx.AsyncClient, method: str, path: str, **request: object) -> None:
    """Asserts that there is nothing at other spellings of the path."""
    slash, *others = spellings(path)
    for spelling in others if path in PAGES else [slash, *others]:
        # httpx would write the path as it likes: this is what goes over the wire.
        url = httpx.URL("http://codille.test").copy_with(raw_path=spelling.encode())
        answer = await http.request(method, url, **request)  # type: ignore[arg-type]
        assert answer.request.url.raw_path == spelling.encode()
        assert problem(answer, 404, "no-such-route"), spelling


@for_each("method, path", OPERATIONS + [("GET", path) for path in PAGES + FILES])
async def test_another_spelling_is_not_found(client: httpx.AsyncClient, method: str, path: str) -> None:
    names = re.findall(r"{(\w+)}", path)
    await nowhere(client, method, path.format_map({name: IN_PATHS.get(name, "1") for name in names}))


ODD_IDS = ["{%s}", "urn:uuid:%s", "uuid:%s", "urn:%s"]
"""Spellings that Python reads as an id, beside those with other hyphens."""


@for_each("path", [path for _, path in OPERATIONS + [("GET", path) for path in PAGES] if "{" in path or NOBODY in path])
async def test_an_id_is_written_with_all_its_hyphens_or_none_and_nothing_around_it(
    client: httpx.AsyncClient, path: str
) -> None:
    names = re.findall(r"{(\w+)}", path)
    whole = path.format_map({name: IN_PATHS.get(name, "1") for name in names})
    method = next((method for method, one in OPERATIONS if one == path), "GET")
    for odd in [form % NOBODY for form in ODD_IDS] + [NOBODY.replace("-", "", 1)]:
        if NOBODY in whole:
            url = httpx.URL("http://codille.test").copy_with(raw_path=whole.replace(NOBODY, odd, 1).encode())
            assert problem(await client.request(method, url), 404, "no-such-route"), odd


async def test_an_id_may_be_written_in_capitals_and_without_hyphens(three: list[Caller], table: str) -> None:
    for spelled in (table.upper(), table.replace("-", "")):
        for path in ("", "/events", "/offers", "/presence", "/ledger"):
            assert (await three[0].get(f"/tables/{spelled}{path}")).status_code == 200, path
    for spelled in (three[1].player.upper(), three[1].player.replace("-", "")):
        assert (await three[0].get(f"/players?id={spelled}")).status_code == 200


async def test_the_root_has_one_spelling(client: httpx.AsyncClient) -> None:
    for spelling in ("//", "/%2F", "/?//"):
        url = httpx.URL("http://codille.test").copy_with(raw_path=spelling.encode())
        status = (await client.get(url)).status_code
        assert status == (200 if "?" in spelling else 404), spelling


@pytest.mark.parametrize("path", ["/metrics", "/health/live", "/health/ready"])
async def test_at_the_operators_address_too(path: str) -> None:
    async with (
        Database("postgresql://nobody@127.0.0.1:1/nothing") as away,
        client_of(create_operations_app(services_over(away))) as operator,
    ):
        await nowhere(operator, "GET", path)
