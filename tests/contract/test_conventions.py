"""What holds for every operation: order of checks, headers, methods, queries."""

import re

import httpx
import pytest

from domain.registry import GAMES
from tests.contract.conftest import Caller, deal_over, opened, problem, register
from tests.contract.shared import ada, client, in_one_loop, table, three
from tests.support.for_each import for_each

__all__ = ["ada", "client", "table", "three"]

pytestmark = in_one_loop

NOBODY = "01936d5c-0000-7000-8000-000000000000"
UNKNOWN_TOKEN = "codille_" + "A" * 43
JSON = {"Content-Type": "application/json"}


UNKNOWN = [
    ("/v1", "no-such-route"),
    ("/nothing", "no-such-route"),
    ("/v2/tables", "no-such-route"),
    ("/v1/tables/x", "no-such-route"),
    ("/v1/tables/%00", "no-such-route"),
    ("/v1/tables/..%2f..%2fetc", "no-such-route"),
    (f"/v1/tables/{NOBODY}", "no-such-table"),
    (f"/v1/tables/{NOBODY}/nothing", "no-such-route"),
    (f"/v1/tables/{NOBODY}/offers", "no-such-table"),
    (f"/v1/tables/{NOBODY}/events", "no-such-table"),
    (f"/v1/tables/{NOBODY}/ledger", "no-such-table"),
    (f"/v1/tables/{NOBODY}/replay", "no-such-table"),
    (f"/v1/tables/{NOBODY}/replay/1", "no-such-table"),
    (f"/v1/tables/{NOBODY}/replay/x", "no-such-route"),
    (f"/v1/tables/{NOBODY}/replay/{'9' * 6000}", "no-such-route"),
    (f"/v1/players/{NOBODY}", "no-such-player"),
    (f"/v1/players/{NOBODY}/ledger", "no-such-player"),
    ("/v1/players/1", "no-such-route"),
    ("/v1/games/whist", "no-such-game"),
]


@for_each("path, code", UNKNOWN)
async def test_unknown_addresses_are_404_whatever_the_query(client: httpx.AsyncClient, path: str, code: str) -> None:
    problem(await client.get(path), 404, code)
    problem(await client.get(f"{path}?bogus=1"), 404, code)


WITH_TOKEN = [
    ("GET", "/tokens"),
    ("POST", "/tokens"),
    ("GET", f"/tokens/{NOBODY}"),
    ("DELETE", f"/tokens/{NOBODY}"),
    ("POST", f"/tokens/{NOBODY}/rotate"),
    ("PATCH", "/players/me"),
    ("DELETE", "/players/me"),
    ("POST", "/tables"),
    ("DELETE", f"/tables/{NOBODY}"),
    ("POST", f"/tables/{NOBODY}/seats"),
    ("DELETE", f"/tables/{NOBODY}/seats/me"),
    ("POST", f"/tables/{NOBODY}/actions"),
    ("POST", f"/tables/{NOBODY}/invitations"),
    ("POST", f"/tables/{NOBODY}/rematch"),
]


@for_each("method, path", WITH_TOKEN)
async def test_without_a_token_401_comes_first(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, f"/v1{path}", content=b"x" * 100_000)
    problem(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"] == 'Bearer realm="codille"'


@for_each(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWRhOmFkYQ==",
        "Bearer codille_short",
        f"Bearer {UNKNOWN_TOKEN}",
        f"Token {UNKNOWN_TOKEN}",
        f"Bearer {UNKNOWN_TOKEN} {UNKNOWN_TOKEN}",
        "Bearer ä",
    ],
)
@for_each("path", ["/v1/games", "/v1/nothing", "/v1/tables", f"/v1/tables/{NOBODY}"])
async def test_a_bad_token_is_401_even_where_none_is_needed(
    client: httpx.AsyncClient, authorization: str, path: str
) -> None:
    answer = await client.get(path, headers={"Authorization": authorization.encode()})
    problem(answer, 401, "invalid-token")
    assert answer.headers["www-authenticate"] == 'Bearer realm="codille", error="invalid_token"'


async def test_the_scheme_is_not_case_sensitive(ada: Caller) -> None:
    answer = await ada.http.get("/v1/tokens", headers={"Authorization": f"bearer {ada.token}"})
    assert answer.status_code == 200


async def test_the_first_failed_check_answers(three: list[Caller], table: str) -> None:
    """Each row passes one check more than the row before."""
    outsider = await register(three[0].http)
    big, wrong_type = b"x" * 100_000, {"Content-Type": "text/plain"}
    path = f"/tables/{table}/actions"
    rows = [
        (outsider, f"/tables/{NOBODY}/actions?x=1", big, wrong_type, 404),
        (outsider, f"{path}?x=1", big, wrong_type, 403),
        (three[0], f"{path}?x=1", big, wrong_type | {"Accept": "text/html"}, 413),
        (three[0], f"{path}?x=1", b"x", wrong_type | {"Accept": "text/html"}, 406),
        (three[0], f"{path}?x=1", b"x", wrong_type, 415),
        (three[0], f"{path}?x=1", b"x", JSON, 400),
        (three[0], path, b'{"type":"bid"}', JSON | {"Idempotency-Key": "ä", "If-Match": "x"}, 422),
        (three[0], path, b'{"type":"concede"}', JSON | {"Idempotency-Key": "ä", "If-Match": "x"}, 400),
        (three[0], path, b'{"type":"concede"}', JSON | {"If-Match": '"1"'}, 412),
        (three[0], path, b'{"type":"concede"}', JSON, 409),
    ]
    for caller, where, body, headers, status in rows:
        encoded = {name: value.encode() for name, value in headers.items()}
        answer = await caller.send("POST", where, content=body, headers=encoded)
        assert answer.status_code == status, (status, answer.text)


@for_each(
    "path, allow",
    [
        ("/v1/games", "GET, HEAD, OPTIONS"),
        ("/v1/tables", "GET, HEAD, OPTIONS, POST"),
        (f"/v1/tables/{NOBODY}/actions", "OPTIONS, POST"),
        (f"/v1/tables/{NOBODY}", "DELETE, GET, HEAD, OPTIONS"),
    ],
)
async def test_methods(client: httpx.AsyncClient, path: str, allow: str) -> None:
    refused = await client.put(path)
    problem(refused, 405, "method-not-allowed")
    assert refused.headers["allow"] == allow
    options = await client.options(path)
    assert (options.status_code, options.headers["allow"], options.content) == (204, allow, b"")


async def test_every_get_answers_head(ada: Caller) -> None:
    table = await opened(ada)
    for path in ("/games", "/games/crocodile", f"/tables/{table}", f"/tables/{table}/events", "/tokens"):
        full, head = await ada.get(path), await ada.send("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
        for name in ("content-length", "content-type", "etag"):
            assert head.headers.get(name) == full.headers.get(name)
    problem_less = await ada.send("HEAD", f"/tables/{NOBODY}")
    assert (problem_less.status_code, problem_less.content) == (404, b"")


QUERIES = [
    "bogus=1", "limit=0", "limit=201", "limit=-1", "limit=x", "limit=1.0", "limit=", "limit=1_0", "limit=%2B1",
    "limit=99999999999999999999999", "limit=1&limit=2", "after=-1", "after=2147483648", "after=1&after=1",
    "after=%D9%A1", "after=%00", "%ff=1", "after=%ff", "limit=true", "min_version=0",
]  # fmt: skip


@for_each("query", QUERIES)
async def test_queries_are_strict(ada: Caller, query: str) -> None:
    table = await opened(ada)
    refusal = problem(await ada.get(f"/tables/{table}/events?{query}"), 422, "invalid-query")
    assert refusal["errors"][0]["parameter"]


@for_each(
    "path",
    [
        "/players?id=x",
        "/tables/{table}/replay?from=0",
        "/tables/{table}/replay/1?as=you",
        "/tables?status=x",
        "/tokens?cursor=x",
        "/log/proof/inclusion?position=0",
    ],
)
async def test_a_refusal_names_the_parameter_as_it_was_sent(ada: Caller, path: str) -> None:
    refusal = problem(await ada.get(path.format(table=await opened(ada))), 422, "invalid-query")
    assert [error["parameter"] for error in refusal["errors"]] == [path[path.index("?") + 1 : path.index("=")]]


async def test_unknown_parameters_are_refused_everywhere(ada: Caller) -> None:
    table = await opened(ada)
    for path in ("/games", "/games/crocodile", "/tokens", f"/players/{ada.player}", f"/tables/{table}"):
        problem(await ada.get(f"{path}?bogus=1"), 422, "invalid-query")
    problem(await ada.post("/tables?bogus=1", {"game": "crocodile"}), 422, "invalid-query")
    problem(await ada.delete(f"/tables/{table}?bogus=1"), 422, "invalid-query")


@for_each("accept", ["text/html", "text/csv", "application/xml;q=1", "application/json;q=0", "image/*"])
async def test_media_types_that_are_not_available_are_406(client: httpx.AsyncClient, accept: str) -> None:
    problem(await client.get("/v1/games", headers={"Accept": accept}), 406, "not-acceptable")


@for_each("accept", ["*/*", "application/json", "application/*;q=0.1", "text/html, */*;q=0.1", ""])
async def test_available_media_types_are_answered(client: httpx.AsyncClient, accept: str) -> None:
    assert (await client.get("/v1/games", headers={"Accept": accept})).status_code == 200


async def test_accepted_media_types_may_stand_in_several_lines(client: httpx.AsyncClient) -> None:
    lines = [("Accept", "text/html"), ("Accept", "application/json;q=0.5")]
    assert (await client.get("/v1/games", headers=lines)).status_code == 200


@pytest.mark.parametrize("path", ["/v1/log/checkpoint", "/docs"])
async def test_texts_say_once_that_they_are_utf_8(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).headers["content-type"].count("charset=utf-8") == 1


async def test_request_ids(client: httpx.AsyncClient) -> None:
    made = (await client.get("/v1/games")).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", made)
    assert (await client.get("/v1/games", headers={"X-Request-Id": "mine-1"})).headers["x-request-id"] == "mine-1"
    for bad in ("a b", "x" * 65, "{}", ""):
        assert (await client.get("/v1/games", headers={"X-Request-Id": bad})).headers["x-request-id"] != bad


async def test_caches_keep_nothing_private(ada: Caller) -> None:
    table = await opened(ada)
    private = await ada.get(f"/tables/{table}")
    public = await ada.http.get(f"/v1/tables/{table}")
    listed = await ada.http.get("/v1/games")
    made = await ada.http.post("/v1/players", json={"name": "Berta"})
    # A table's answers have one entity tag for all audiences, so that a cache could take one for another.
    assert [answer.headers["cache-control"] for answer in (private, public, listed, made)] == [
        "no-store", "no-store", "no-cache", "no-store",
    ]  # fmt: skip
    assert {answer.headers["vary"] for answer in (private, public)} == {"Authorization"}


async def test_entity_tags(ada: Caller) -> None:
    table = await opened(ada)
    for path in (f"/tables/{table}", f"/tables/{table}/offers", f"/tables/{table}/ledger", f"/tables/{table}/events"):
        answer = await ada.get(path)
        assert answer.headers["etag"] == '"1"', path
        for tag in ('"1"', 'W/"1"', '"0", "1"', "*", '"a" , "1",'):
            same = await ada.get(path, headers={"If-None-Match": tag})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", '"1"'), (path, tag)
        for tag in ('"2"', '"x"', 'W/"01"'):
            assert (await ada.get(path, headers={"If-None-Match": tag})).status_code == 200
        for tag in ("1", '"1', '"1" "2"', "W/1", '*, "1"', ","):
            problem(await ada.get(path, headers={"If-None-Match": tag}), 400, "malformed-header")


async def test_min_version_is_at_most_the_tables_version(ada: Caller) -> None:
    table = await opened(ada)
    for path in (f"/tables/{table}", f"/tables/{table}/offers", f"/tables/{table}/ledger", f"/tables/{table}/events"):
        assert (await ada.get(f"{path}?min_version=1")).status_code == 200
        beyond = problem(await ada.get(f"{path}?min_version=2"), 422, "version-beyond-head")
        assert beyond["version"] == 1


async def test_queries_over_many_tables_need_the_read_models(ada: Caller) -> None:
    """There are none here, as while Redis is away."""
    for path in ("/tables", "/leaderboard?game=crocodile", f"/players/{ada.player}/ledger"):
        answer = await ada.get(path)
        problem(answer, 503, "unavailable")
        assert int(answer.headers["retry-after"]) > 0


async def test_the_document_describes_every_operation(client: httpx.AsyncClient) -> None:
    document = (await client.get("/v1/openapi.json")).json()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert all(operation["operationId"] and operation["description"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert (await client.get("/docs")).headers["content-type"] == "text/html; charset=utf-8"


ODD = ["+1", "01", "1_0", "%D9%A1", "%EF%BC%91", "1.0", "1e0", "0x1"]


@pytest.mark.parametrize("number", ODD)
async def test_numbers_are_written_in_one_way_in_paths_and_queries(
    three: list[Caller], table: str, client: httpx.AsyncClient, number: str
) -> None:
    await deal_over(three, table)
    assert (await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": "Why?"})).status_code == 201
    for path in ("deals/{}/audit", "disputes/{}", "replay/{}"):
        assert (await client.get(f"/v1/tables/{table}/{path.format(1)}")).status_code == 200
        problem(await client.get(f"/v1/tables/{table}/{path.format(number)}"), 404, "no-such-route")
    for query in ("limit", "min_version"):
        where = f"/v1/tables/{table}/events?limit" if query == "limit" else f"/v1/tables/{table}?min_version"
        assert (await client.get(f"{where}=1")).status_code == 200
        problem(await client.get(f"{where}={number.replace('+', '%2B')}"), 422, "invalid-query")


async def test_entity_tags_may_stand_in_several_lines(ada: Caller) -> None:
    made = await opened(ada)

    async def request(method: str, path: str, name: str, *tags: str) -> httpx.Response:
        headers = [("Authorization", f"Bearer {ada.token}"), *((name, tag) for tag in tags)]
        body = {} if method == "POST" else None
        return await ada.http.request(method, f"/v1/tables/{made}{path}", headers=headers, json=body)

    for tags in (['"7"', '"1"'], ['"1"', '"7"'], ['"7", "8"', 'W/"1"']):
        assert (await request("GET", "", "If-None-Match", *tags)).status_code == 304
    assert (await request("GET", "", "If-None-Match", '"7"', '"8"')).status_code == 200
    problem(await request("GET", "", "If-None-Match", '"1"', "x"), 400, "malformed-header")
    problem(await request("GET", "", "If-None-Match", '"1"', "*"), 400, "malformed-header")
    problem(await request("POST", "/seats", "If-Match", '"7"', '"8"'), 412, "precondition-failed")
    assert (await request("POST", "/seats", "If-Match", '"7"', '"1"')).status_code == 201


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
async def test_probes_may_add_any_query(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(f"{path}?_=1")).status_code == 200


TIME_IN_WORDS = "must be a time, like 2026-11-20T10:00:00Z"
REFUSED_QUERIES = {
    "/tables?limit=x": "limit: must be a whole number",
    "/tables?limit=0": "limit: must be at least 1",
    "/tables?limit=201": "limit: must be at most 200",
    "/tables?limit=1&limit=2": "limit: must be given once",
    "/tables?limit=0&game=": "game: must have at least 1 character; limit: must be at least 1",
    "/tables?status=won": "status: must be one of open, playing, finished, closed",
    "/tables?state=open": "state: is not a parameter of this address",
    "/tables?player=7": "player: must be a UUID",
    "/players": "id: is missing, and so is name",
    "/players?id=7": "id: must be a UUID",
    f"/players?id={NOBODY.replace('-', '', 1)}": "id: must be a UUID",
    "/leaderboard": "game: is missing",
    "/players/{player}/ledger?since=today": f"since: {TIME_IN_WORDS}",
    "/players/{player}/ledger?until=2026-11-20": f"until: {TIME_IN_WORDS}",
    "/players/{player}/ledger?until=2026-11-20T10:00:00+01:00": f"until: {TIME_IN_WORDS}, and a + in a query means a "
    "space: it must be sent as %2B",
    "/players/{player}/ledger?until=2026-11-20T10:00:00%2001:00": f"until: {TIME_IN_WORDS}, and a + in a query means a "
    "space: it must be sent as %2B",
    "/players/{player}/ledger?until=2026-11-20+10:00:00+01:00": f"until: {TIME_IN_WORDS}, and a + in a query means a "
    "space: it must be sent as %2B",
    "/players/{player}/ledger?since=2026-11-20T23:59:60Z": f"since: {TIME_IN_WORDS}",
    "/players/{player}/ledger?since=0001-01-01T00:00:00%2B01:00": "since: is out of range",
    "/tables/{table}/replay/1?as=you": "as: must be me, public, all, or a seat like seat:0",
    "/tables/{table}/replay/1?as=seat:9": "as: must be a seat of the table, from seat:0 to seat:2",
    "/tables/{table}/replay?to=x": "to: must be a whole number",
    "/tables/{table}?min_version=null": "min_version: must be a whole number",
    "/log/proof/consistency?first=0&second=1": "first: must be at least 1",
}


@for_each("path", REFUSED_QUERIES)
async def test_a_refusal_of_a_query_reads_evenly(ada: Caller, path: str) -> None:
    table = await opened(ada)
    refusal = problem(await ada.get(path.format(player=ada.player, table=table)), 422, "invalid-query")
    assert refusal["detail"] == REFUSED_QUERIES[path]
    said = [f"{fault['parameter']}: {fault['detail']}" for fault in refusal["errors"]]
    assert "; ".join(said) == refusal["detail"]


REFUSED_BODIES = {
    "the game": ({"game": "poker"}, f"/game: must be one of {', '.join(GAMES)}"),
    "an option": ({"game": "lhombre", "options": {"players": 7}}, "/options/players: must be one of 3, 4"),
    "an unknown option": (
        {"game": "lhombre", "options": {"seats": 4}},
        "/options/seats: is not a field of this object, which has players, sitter_pays",
    ),
    "the deals": ({"game": "lhombre", "deals": "9"}, "/deals: must be a whole number or null, not a text"),
}


@for_each("name", REFUSED_BODIES)
async def test_a_refusal_of_a_body_says_what_is_allowed(ada: Caller, name: str) -> None:
    body, detail = REFUSED_BODIES[name]
    said = problem(await ada.post("/tables", body), 422, "invalid-body")["detail"]
    # Tests add games of their own.
    assert said.startswith(detail)
