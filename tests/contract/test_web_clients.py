"""What a client in a browser needs: requests across origins, compressed answers, entity tags of what seldom changes."""

import gzip

import httpx

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.http.responses import WORTH_COMPRESSING
from service.services import Services
from tests.contract.conftest import Caller, client_of, configured, opened, problem
from tests.support.for_each import for_each

HOME = "https://cards.example"
ELSEWHERE = "https://other.example"
READABLE = {"ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed"}
GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}


def preflight(method: str = "POST", origin: str = HOME) -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-match",
    }


def listed(answer: httpx.Response, header: str) -> set[str]:
    return {name.strip() for name in answer.headers[header].split(",")}


async def test_by_default_pages_of_any_origin_may_call_and_read(client: httpx.AsyncClient) -> None:
    for path, status in (("/v1/games", 200), ("/v1/games/whist", 404), ("/v1/tokens", 401), ("/nowhere", 404)):
        answer = await client.get(path, headers={"Origin": ELSEWHERE})
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == "*"
        assert listed(answer, "access-control-expose-headers") == READABLE
        assert "origin" not in answer.headers["vary"].lower()


async def test_a_preflight_is_answered_without_a_token(client: httpx.AsyncClient, ada: Caller) -> None:
    table = await opened(ada)
    for path, method in (
        ("/v1/players", "POST"),
        (f"/v1/tables/{table}/actions", "POST"),
        ("/v1/players/me", "DELETE"),
    ):
        answer = await client.options(path, headers=preflight(method))
        assert answer.status_code in (200, 204)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert method in listed(answer, "access-control-allow-methods")
        allowed = {name.lower() for name in listed(answer, "access-control-allow-headers")}
        assert {"authorization", "content-type", "idempotency-key", "if-match", "if-none-match"} <= allowed
        assert int(answer.headers["access-control-max-age"]) > 0


async def test_nothing_rests_on_cookies(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"name": "Ada"}, headers={"Origin": HOME, "Cookie": "a=b"})
    assert answer.headers["access-control-allow-origin"] == "*"
    for name in ("set-cookie", "access-control-allow-credentials"):
        assert name not in answer.headers


async def test_where_origins_are_named_only_their_pages_may_call(services: Services) -> None:
    async with client_of(create_app(configured(Settings(rate_limit=None, cors_origins=(HOME,)), services))) as client:
        own = await client.get("/v1/games", headers={"Origin": HOME})
        assert own.headers["access-control-allow-origin"] == HOME
        for origin in (ELSEWHERE, "null", f"{HOME}.evil.example", f"{HOME}:8443", HOME.replace("https", "http")):
            for answer in (
                await client.get("/v1/games", headers={"Origin": origin}),
                await client.options("/v1/players", headers=preflight(origin=origin)),
            ):
                assert not [name for name in answer.headers if name.startswith("access-control-")], origin
        # A cache keeps the answers apart, also that to a request without an origin.
        for headers in ({"Origin": HOME}, {"Origin": ELSEWHERE}, {}):
            assert "Origin" in listed(await client.get("/v1/games", headers=headers), "vary")


async def test_without_origins_no_page_may_call(services: Services) -> None:
    async with client_of(create_app(configured(Settings(rate_limit=None, cors_origins=()), services))) as client:
        for answer in (
            await client.get("/v1/games", headers={"Origin": HOME}),
            await client.options("/v1/players", headers=preflight()),
        ):
            assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_a_refusal_before_routing_can_be_read_too(services: Services) -> None:
    async with client_of(create_app(configured(Settings(rate_limit=1), services))) as client:
        answers = [await client.get("/v1/games", headers={"Origin": HOME}) for _ in range(2)]
        problem(answers[1], 429, "rate-limited")
        assert answers[1].headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in listed(answers[1], "access-control-expose-headers")


async def test_what_is_for_the_operator_is_not_for_pages(client: httpx.AsyncClient) -> None:
    answer = await client.get("/health/ready", headers={"Origin": HOME})
    assert "access-control-allow-origin" not in answer.headers


def encoding(answer: httpx.Response) -> str | None:
    return answer.headers.get("content-encoding")


FILES = (
    "/v1/games",
    "/v1/games/crocodile",
    "/v1/openapi.json",
    "/page/replay.js",
    "/replay/{table}",
)


@for_each("path", FILES)
async def test_what_seldom_changes_has_an_entity_tag_for_each_encoding(
    client: httpx.AsyncClient, ada: Caller, path: str
) -> None:
    path = path.format(table=await opened(ada))
    plain, small = await client.get(path, headers=PLAIN), await client.get(path, headers=GZIP)
    assert (encoding(plain), encoding(small)) == (None, "gzip")
    assert plain.content == small.content, "the client has decompressed it"
    assert int(small.headers["content-length"]) < len(plain.content) == int(plain.headers["content-length"])
    assert plain.headers["etag"] != small.headers["etag"]
    for answer, takes in ((plain, PLAIN), (small, GZIP)):
        assert {"Accept-Encoding", "Authorization"} <= listed(answer, "vary")
        tag = answer.headers["etag"]
        assert tag.startswith('"'), "a strong one"
        same = await client.get(path, headers=takes | {"If-None-Match": tag})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        assert listed(same, "vary") == listed(answer, "vary")
        other = await client.get(path, headers=takes | {"If-None-Match": '"31"'})
        assert (other.status_code, other.content) == (200, plain.content)
        head = await client.head(path, headers=takes)
        for name in ("etag", "content-length", "vary"):
            assert head.headers[name] == answer.headers[name]
    problem(await client.get(path, headers={"If-None-Match": "31"}), 400, "malformed-header")


async def test_an_answer_made_for_one_request_is_compressed(client: httpx.AsyncClient, ada: Caller) -> None:
    ids = [
        ada.player,
        *[(await client.post("/v1/players", json={"name": "x" * 60})).json()["player"] for _ in range(8)],
    ]
    plain = await client.get("/v1/players", params={"id": ids}, headers=PLAIN)
    small = await client.get("/v1/players", params={"id": ids}, headers=GZIP)
    assert len(plain.content) >= WORTH_COMPRESSING
    assert (encoding(plain), encoding(small)) == (None, "gzip")
    assert plain.json() == small.json()
    for answer in (plain, small):
        assert {"Accept-Encoding", "Authorization"} <= listed(answer, "vary")
    one = await client.get("/v1/players", params={"id": ids[:1]}, headers=GZIP)
    assert encoding(one) is None, "it is too short"


@for_each("wanted", ["gzip;q=0", "br", "identity", "gzip;q=0, *", "*;q=0", ""])
async def test_who_does_not_take_gzip_gets_none(client: httpx.AsyncClient, wanted: str) -> None:
    answer = await client.get("/v1/openapi.json", headers={"Accept-Encoding": wanted})
    assert encoding(answer) is None


async def test_what_is_tagged_by_its_tables_version_is_not_compressed(three: list[Caller], table: str) -> None:
    for path in ("", "/events", "/ledger", "/replay/6", "/replay", "/offers", "/export"):
        answer = await three[0].get(f"/tables/{table}{path}", headers=GZIP)
        assert encoding(answer) is None, path
        assert "etag" in answer.headers, path


async def test_no_answer_that_holds_a_secret_is_compressed(app: Edge) -> None:
    async with client_of(app) as client:
        made = await client.post("/v1/players", json={"name": "x" * 64}, headers=GZIP)
        assert encoding(made) is None


async def test_the_compressed_bytes_are_a_whole_gzip_file(app: Edge) -> None:
    async with client_of(app) as client, client.stream("GET", "/v1/games/solo", headers=GZIP) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert gzip.decompress(raw) == (await client_of(app).get("/v1/games/solo", headers=PLAIN)).content
