"""The OpenAPI and the AsyncAPI document and the pages' files are served as they are stored."""

from pathlib import Path

import httpx

from service.pages import FILES, scripted
from tests.contract.conftest import opened, problem, register
from tests.contract.shared import client, in_one_loop
from tests.support.for_each import for_each

__all__ = ["client"]

pytestmark = in_one_loop

COMMITTED = Path(__file__).parents[2] / "api-spec"
STORED = {
    "/v1/openapi.json": ((COMMITTED / "openapi.json").read_bytes(), "application/json"),
    "/v1/asyncapi.json": ((COMMITTED / "asyncapi.json").read_bytes(), "application/json"),
    "/docs": (scripted("docs").body, "text/html; charset=utf-8"),
    "/play/{table}": (scripted("play").body, "text/html; charset=utf-8"),
    "/replay/{table}": (scripted("replay").body, "text/html; charset=utf-8"),
    **{f"/page/{name}": (file.body, file.media_type) for name, file in FILES.items()},
}

BUILT = {
    f"/v1/{path}": COMMITTED / "built" / stored
    for path, stored in {
        "openapi/generic.json": "openapi/generic.json",
        "asyncapi/generic.json": "asyncapi/generic.json",
        "games/lorum/openapi.json": "openapi/lorum.json",
        "games/lorum/asyncapi.json": "asyncapi/lorum.json",
    }.items()
}
"""Documents that are made at the first request for one."""

PATHS = (*STORED, *BUILT)


def stored(path: str) -> tuple[bytes, str]:
    """The bytes and the media type of what was served at this path."""
    return STORED[path] if path in STORED else (BUILT[path].read_bytes(), "application/json")


async def address(client: httpx.AsyncClient, path: str) -> str:
    """The path with a table that everybody may see, where it names one."""
    return path.format(table=await opened(await register(client))) if "{table}" in path else path


@for_each("path", PATHS)
async def test_stored_bytes_are_served(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(await address(client, path))
    body, media_type = stored(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert answer.content == body
    assert answer.headers["cache-control"] == ("max-age=86400" if path.endswith("/cards.svg") else "no-cache")
    assert answer.headers["etag"].startswith('"')


@for_each("path", PATHS)
async def test_head_answers_with_the_same_headers(client: httpx.AsyncClient, path: str) -> None:
    path = await address(client, path)
    answers = [await client.get(path), await client.head(path)]
    for answer in answers:
        del answer.headers["x-request-id"]
    assert answers[0].headers == answers[1].headers
    assert (answers[1].status_code, answers[1].content) == (200, b"")


@for_each("path", PATHS)
async def test_a_client_that_has_it_gets_no_body(client: httpx.AsyncClient, path: str) -> None:
    path = await address(client, path)
    tag = (await client.get(path)).headers["etag"]
    for known in (tag, f"W/{tag}", f'"31", {tag}', "*"):
        same = await client.get(path, headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert (await client.get(path, headers={"If-None-Match": '"31"'})).status_code == 200
    problem(await client.get(path, headers={"If-None-Match": "31"}), 400, "malformed-header")


@for_each("kind", ["openapi", "asyncapi"])
async def test_a_game_that_is_not_offered_has_no_document(client: httpx.AsyncClient, kind: str) -> None:
    problem(await client.get(f"/v1/games/bridge/{kind}.json"), 404, "no-such-game")


async def test_a_game_names_its_documents(client: httpx.AsyncClient) -> None:
    for address in (await client.get("/v1/games/lorum")).json()["documents"].values():
        assert (await client.get(address)).json()["info"]["title"] == "codille"


@for_each("name", ["docs.html", "replay.html", "swagger-ui-bundle.js.map", "LICENSE", "none"])
async def test_no_other_file_is_served(client: httpx.AsyncClient, name: str) -> None:
    problem(await client.get(f"/page/{name}"), 404, "no-such-route")
