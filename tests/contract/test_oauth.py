"""OAuth's own endpoints: the page that asks, the token for a code, its end, and their metadata."""

import asyncio
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.services import Services
from tests.contract.conftest import Caller, as_owner, caller_of, problem, register
from tests.contract.test_table_streams import passed, stream_of
from tests.contract.test_tokens import added, ended, own_token, recover
from tests.support.for_each import for_each
from tests.support.letting_in import CLIENT, AskingClient
from tests.support.streams import reading

ROOT = Path(__file__).parents[2]
ISSUER = "http://127.0.0.1:8000"
METADATA = "/.well-known/oauth-authorization-server"


def refusal(answer: httpx.Response, code: str, status: int = 400) -> dict[str, Any]:
    """The document of a refusal (RFC 6749, 5.2)."""
    document: dict[str, Any] = answer.json()
    assert (answer.status_code, document["error"]) == (status, code), answer.text
    assert re.fullmatch(r"[\x20-\x21\x23-\x5b\x5d-\x7e]+", document["error_description"])
    assert answer.headers["content-type"] == "application/json"
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    return document


async def asked(client: httpx.AsyncClient, query: str) -> tuple[dict[str, str], str]:
    """What the page was given for its script, and all of its text."""
    answer = await client.get(f"/authorize?{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    found = re.search(r"<main id=\"asking\"([^>]*)>", answer.text)
    data = dict(re.findall(r'data-([a-z]+)="([^"]*)"', found[1])) if found else {}
    return {name: unescape(value) for name, value in data.items()}, answer.text


async def test_the_metadata_have_one_address(client: httpx.AsyncClient) -> None:
    for spelling in (METADATA.replace(".", "%2e"), f"{METADATA}/", METADATA.replace("-", "%2D", 1)):
        answer = await client.get(httpx.URL("http://codille.test").copy_with(raw_path=spelling.encode()))
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-route"), spelling


async def test_the_metadata_name_what_there_is(client: httpx.AsyncClient) -> None:
    answer = await client.get(METADATA)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "issuer": ISSUER,
        "authorization_endpoint": f"{ISSUER}/authorize",
        "token_endpoint": f"{ISSUER}/oauth/token",
        "revocation_endpoint": f"{ISSUER}/oauth/revoke",
        "scopes_supported": ["read", "seat", "webhooks"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{ISSUER}/docs",
    }


async def test_the_issuer_is_a_setting_and_never_of_the_request(services: Services) -> None:
    headers = {
        "Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example",
        "X-Forwarded-Proto": "https",
    }  # fmt: skip
    for settings, issuer in (
        (Settings(public_url="https://cards.example"), "https://cards.example"),
        (Settings(public_url="https://cards.example:8443", host="0.0.0.0"), "https://cards.example:8443"),
        (Settings(host="::1", port=9000), "http://[::1]:9000"),
        (Settings(host="localhost", port=80), "http://localhost"),
    ):
        app = create_app(structs.replace(services, settings=structs.replace(settings, rate_limit=None)))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://any.test") as http:
            assert (await http.get(METADATA, headers=headers)).json()["issuer"] == issuer


@for_each("settings", [Settings(host="0.0.0.0"), Settings(trusted_proxies=("10.0.0.7/32",))])
async def test_without_an_issuer_nothing_is_there(services: Services, ada: Caller, settings: Settings) -> None:
    app = create_app(structs.replace(services, settings=structs.replace(settings, rate_limit=None)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://any.test") as http:
        one = AskingClient(http)
        answers = [
            await http.get(METADATA),
            await one.consent(ada.token),
            await one.exchange("codille_code_guessed"),
            await one.revoke(ada.token),
            await http.get(f"/authorize?{one.query()}"),
        ]
        assert [answer.status_code for answer in answers] == [404] * 5
        assert (await http.get("/docs")).status_code == 200


async def test_the_page_says_who_asks_and_for_what_and_fills_no_field(client: httpx.AsyncClient) -> None:
    one = AskingClient(client, "seat")
    data, text = await asked(client, one.query(login_hint="Mallory", unknown="x"))
    assert data == {
        "issuer": ISSUER, "client": CLIENT, "redirect": CLIENT, "scope": "seat", "challenge": one.challenge,
        "state": "s7",
    }  # fmt: skip
    assert "<span>https://</span><b>client.example</b><span>/in</span>" in text
    # Who plays also sees.
    assert "your hands" in text
    assert "open tables" in text
    assert "what your notices tell" not in text
    assert "Mallory" not in text
    assert "<input" not in text
    local, text = await asked(
        client, AskingClient(client, "read", "http://127.0.0.1/in", "http://127.0.0.1:5173/in").query()
    )
    assert local["redirect"] == "http://127.0.0.1:5173/in"
    assert "A program on this computer" in text


async def test_no_script_of_another_origin_reads_the_page(client: httpx.AsyncClient) -> None:
    headers = {"Origin": "https://client.example", "Access-Control-Request-Method": "GET"}
    for method in ("GET", "OPTIONS"):
        answer = await client.request(method, f"/authorize?{AskingClient(client).query()}", headers=headers)
        assert [name for name in answer.headers if name.startswith("access-control-")] == []
    metadata = await client.get(METADATA, headers=headers)
    assert metadata.headers["access-control-allow-origin"] == "*"


async def test_the_page_is_in_no_frame_and_passes_nothing_on(client: httpx.AsyncClient) -> None:
    for query in (AskingClient(client).query(), "", "client_id=x"):
        headers = (await client.get(f"/authorize?{query}")).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "form-action 'none'" in headers["content-security-policy"]
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "location" not in headers


STAYING: dict[str, dict[str, str | None]] = {
    "no client": {"client_id": None},
    "no redirect": {"redirect_uri": None},
    "an open redirector on the client's host": {"redirect_uri": f"{CLIENT}?to=https://evil.example/"},
    "a neighbour on the same host": {"redirect_uri": "https://client.example/~neighbour"},
    "another host": {"redirect_uri": "https://evil.example/in"},
    "a fragment": {"redirect_uri": f"{CLIENT}#x"},
    "a user part": {"redirect_uri": "https://client.example@evil.example/in"},
    "encoded twice": {"redirect_uri": "https://client.example/%2569n"},
    "a sibling path": {"redirect_uri": "https://client.example/in/../out"},
    "the service's own page": {"client_id": "http://127.0.0.1/play", "redirect_uri": f"{ISSUER}/play"},
    "script": {"client_id": "javascript:alert(1)", "redirect_uri": "javascript:alert(1)"},
}


@for_each("case", STAYING)
async def test_what_is_no_client_or_another_redirect_stays_on_the_page_without_a_link(
    client: httpx.AsyncClient, case: str
) -> None:
    data, text = await asked(client, AskingClient(client).query(**STAYING[case]))
    assert data == {}
    assert "not one of a client that can be let in" in text
    assert re.findall(r'href="([^"]*)"', text.partition("<body")[2]) == ["/"]
    assert "evil.example" not in text


async def test_a_client_that_is_named_twice_is_none(client: httpx.AsyncClient) -> None:
    query = AskingClient(client).query()
    for more in ("client_id=https://evil.example/", "redirect_uri=https://evil.example/", "client_id=" + CLIENT):
        assert (await asked(client, f"{query}&{more}"))[0] == {}


REFUSED: dict[str, tuple[str, dict[str, str | None]]] = {
    "no response type": ("invalid_request", {"response_type": None}),
    "the implicit grant": ("unsupported_response_type", {"response_type": "token"}),
    "another mode": ("invalid_request", {"response_mode": "fragment"}),
    "no challenge": ("invalid_request", {"code_challenge": None}),
    "plain": ("invalid_request", {"code_challenge_method": "plain"}),
    "no method, which is plain": ("invalid_request", {"code_challenge_method": None}),
    "a challenge of 42 characters": ("invalid_request", {"code_challenge": "a" * 42}),
    "a challenge of 44 characters": ("invalid_request", {"code_challenge": "a" * 44}),
    "no scope": ("invalid_scope", {"scope": None}),
    "an empty scope": ("invalid_scope", {"scope": ""}),
    "a player's scope": ("invalid_scope", {"scope": "read play"}),
    "an arbiter's": ("invalid_scope", {"scope": "arbiter"}),
    "the operator's": ("invalid_scope", {"scope": "seat admin"}),
    "no word": ("invalid_request", {"prompt": "none"}),
    "no word among others": ("invalid_request", {"prompt": "login none"}),
    "a state with a line's end": ("invalid_request", {"state": "a\nb"}),
}


@for_each("case", REFUSED)
async def test_what_is_refused_is_said_on_the_page_and_sent_by_a_click(client: httpx.AsyncClient, case: str) -> None:
    code, fields = REFUSED[case]
    data, text = await asked(client, AskingClient(client).query(**fields))
    assert (data["error"], data["redirect"], data["challenge"]) == (code, CLIENT, "")
    assert ("state" in data) == ("state" not in fields)
    assert 'id="yes"' not in text
    assert "asked in a way that is not granted" in text


async def test_a_field_given_twice_is_refused_and_a_state_given_twice_is_not_passed_back(
    client: httpx.AsyncClient,
) -> None:
    query = AskingClient(client).query()
    assert (await asked(client, f"{query}&scope=seat"))[0]["error"] == "invalid_request"
    data, _ = await asked(client, f"{query}&state=other")
    assert (data["error"], "state" in data) == ("invalid_request", False)
    # A field without a value is left out.
    assert "error" not in (await asked(client, f"{query}&prompt=&response_mode="))[0]


async def test_the_page_shows_what_was_sent_as_text(client: httpx.AsyncClient) -> None:
    _, text = await asked(client, AskingClient(client).query(state='"><script>alert(1)</script>'))
    assert "<script>alert" not in text


async def test_a_client_is_let_in(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client, "seat read")
    answer = await one.consent(ada.token)
    assert answer.headers["cache-control"] == "no-store"
    consented = answer.json()
    assert consented["issuer"] == ISSUER
    given = await one.exchange(consented["code"])
    assert (given.headers["cache-control"], given.headers["pragma"]) == ("no-store", "no-cache")
    token = given.json()
    assert token.keys() == {"access_token", "token_type", "expires_in", "scope"}
    assert (token["token_type"], sorted(token["scope"].split())) == ("Bearer", ["read", "seat"])
    assert 90 * 86400 - 60 < token["expires_in"] <= 90 * 86400
    me = await Caller(client, ada.player, token["access_token"]).get("/players/me")
    assert me.json()["player"] == ada.player


async def test_a_program_on_the_players_computer_is_let_in_on_any_port(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client, "read", "http://[::1]/in", "http://[::1]:49152/in")
    code = await one.code(ada.token)
    refusal(await one.exchange(code, redirect_uri="http://[::1]:49153/in"), "invalid_grant")
    assert await one.token(ada.token)


WRONG: dict[str, tuple[str, dict[str, str | None]]] = {
    "no grant type": ("invalid_request", {"grant_type": None}),
    "a password": ("unsupported_grant_type", {"grant_type": "password"}),
    "a refresh token": ("unsupported_grant_type", {"grant_type": "refresh_token"}),
    "no code": ("invalid_request", {"code": None}),
    "no client": ("invalid_request", {"client_id": None}),
    "what is no client": ("invalid_client", {"client_id": "client"}),
    "no redirect": ("invalid_request", {"redirect_uri": None}),
    "no verifier": ("invalid_request", {"code_verifier": None}),
    "an empty verifier": ("invalid_request", {"code_verifier": ""}),
    "a secret": ("invalid_client", {"client_secret": "s"}),
    "an assertion": ("invalid_client", {"client_assertion": "s"}),
    "another client": ("invalid_grant", {"client_id": "https://evil.example/in"}),
}
"""What is refused, and leaves the code as it is."""

VOIDING: dict[str, dict[str, str | None]] = {
    "another verifier": {"code_verifier": "b" * 43},
    "a verifier of 42 characters": {"code_verifier": "b" * 42},
    "a verifier of 129 characters": {"code_verifier": "b" * 129},
    "a verifier of other characters": {"code_verifier": "b" * 42 + "!"},
    "another redirect": {"redirect_uri": "https://client.example/out"},
    "a redirect with NUL": {"redirect_uri": f"{CLIENT}\0"},
}


@for_each("case", WRONG)
async def test_a_form_that_lacks_something_leaves_the_code(client: httpx.AsyncClient, ada: Caller, case: str) -> None:
    one, (code, fields) = AskingClient(client), WRONG[case]
    given = await one.code(ada.token)
    refusal(await one.exchange(given, **fields), code)
    assert (await one.exchange(given)).status_code == 200


@for_each("case", VOIDING)
async def test_a_wrong_verifier_or_redirect_makes_the_code_void(
    client: httpx.AsyncClient, ada: Caller, case: str
) -> None:
    one = AskingClient(client)
    given = await one.code(ada.token)
    refusal(await one.exchange(given, **VOIDING[case]), "invalid_grant")
    refusal(await one.exchange(given), "invalid_grant")


async def test_a_verifier_that_is_too_short_is_refused_even_where_it_fits(
    client: httpx.AsyncClient, ada: Caller
) -> None:
    one = AskingClient(client)
    one.verifier = "b" * 42
    refusal(await one.exchange(await one.code(ada.token)), "invalid_grant")


async def test_the_endpoints_take_forms_alone_and_no_authentication(client: httpx.AsyncClient, ada: Caller) -> None:
    for path in ("/oauth/token", "/oauth/revoke"):
        refusal(await client.post(path, json={"client_id": CLIENT}), "invalid_request")
        refusal(await client.post(path, content=b"client_id=x"), "invalid_request")
        form = {"content-type": "application/x-www-form-urlencoded"}
        refusal(await client.post(path, content=b"client_id=%ff", headers=form), "invalid_request")
        refusal(await client.post(path, content=b"\xff", headers=form), "invalid_request")
        refusal(await client.post(path, content=b"a=1&" * 60, headers=form), "invalid_request")
        twice = f"client_id={CLIENT}&client_id={CLIENT}".encode()
        refusal(await client.post(path, content=twice, headers=form), "invalid_request")
        for scheme in ("Basic YTpi", f"Bearer {ada.token}"):
            answer = await client.post(path, data={"client_id": CLIENT}, headers={"Authorization": scheme})
            refusal(answer, "invalid_client", 401)
            assert answer.headers["www-authenticate"] == f'{scheme.partition(" ")[0]} realm="codille"'
        problem(await client.post(path, content=b"a" * 70_000, headers=form), 413, "body-too-large")
        problem(await client.get(path), 405, "method-not-allowed")


async def test_only_the_interface_takes_json_and_only_oauth_takes_forms(client: httpx.AsyncClient) -> None:
    problem(await client.post("/v1/players", data={"name": "Ada"}), 415, "unsupported-media-type")


async def test_a_code_is_exchanged_once_and_presented_again_ends_what_it_gave(
    client: httpx.AsyncClient, ada: Caller
) -> None:
    one = AskingClient(client)
    code = await one.code(ada.token)
    token = (await one.exchange(code)).json()["access_token"]
    caller = Caller(client, ada.player, token)
    # Of another client it is no code.
    refusal(await one.exchange(code, client_id="https://evil.example/in"), "invalid_grant")
    assert (await caller.get("/players/me")).status_code == 200
    refusal(await one.exchange(code), "invalid_grant")
    problem(await caller.get("/players/me"), 401, "invalid-token")


async def test_a_code_presented_by_many_at_once_gives_one_token_at_most(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client)
    code = await one.code(ada.token)
    answers = await asyncio.gather(*(one.exchange(code) for _ in range(8)))
    assert sum(answer.status_code == 200 for answer in answers) == 1
    assert [item["client"] for item in (await ada.get("/tokens")).json()["items"]] == [None]


async def test_no_exchange_gives_more_than_was_consented_to(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client)
    given = (await one.exchange(await one.code(ada.token), scope="seat webhooks play")).json()
    assert given["scope"] == "read"
    problem(await Caller(client, ada.player, given["access_token"]).post("/tables", {}), 403, "missing-scope")


async def test_a_code_is_valid_for_a_minute(
    client: httpx.AsyncClient, ada: Caller, services: Services, dsn: str
) -> None:
    one = AskingClient(client)
    code = await one.code(ada.token)
    await as_owner(dsn, "UPDATE codille.authorization_code SET expires_at = now()")
    refusal(await one.exchange(code), "invalid_grant")


async def test_who_consented_must_still_be_there_at_the_exchange(
    client: httpx.AsyncClient, services: Services, dsn: str
) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    ada, secret = caller_of(client, registered), registered.json()["recovery_secret"]
    one = AskingClient(client)
    # The token is rotated, and what it made with it.
    code = await one.code(ada.token)
    own = (await own_token(ada))["id"]
    ada.token = (await ada.post(f"/tokens/{own}/rotate", {"end_made": True})).json()["token"]
    refusal(await one.exchange(code), "invalid_grant")
    # The player recovers.
    code = await one.code(ada.token)
    ada.token = (await recover(client, ada.player, secret)).json()["token"]
    refusal(await one.exchange(code), "invalid_grant")
    # The token ends by itself.
    code = await one.code(ada.token)
    await ended(services, dsn, (await own_token(ada))["id"])
    refusal(await one.exchange(code), "invalid_grant")
    # The player is erased in between.
    other = await register(client, "Bo")
    code = await one.code(other.token)
    assert (await other.delete("/players/me")).status_code == 204
    refusal(await one.exchange(code), "invalid_grant")


async def test_two_tabs_that_authorize_do_not_disturb_each_other(client: httpx.AsyncClient, ada: Caller) -> None:
    one, other = AskingClient(client, "read"), AskingClient(client, "seat")
    codes = await one.code(ada.token), await other.code(ada.token)
    # A code of the one with the other's verifier is a mix-up.
    refusal(await other.exchange(codes[0]), "invalid_grant")
    given = await other.exchange(codes[1])
    assert given.json()["scope"] == "seat"


async def test_a_thousand_codes_are_not_given(client: httpx.AsyncClient, ada: Caller, dsn: str) -> None:
    one = AskingClient(client)
    for _ in range(100):
        await one.code(ada.token)
    problem(await one.consent(ada.token), 409, "too-many-clients")
    assert (await one.consent((await register(client, "Bo")).token)).status_code == 200
    # Those that have expired make room, and are gone an hour later.
    await as_owner(dsn, "UPDATE codille.authorization_code SET expires_at = now() - interval '2 hours'")
    for _ in range(2):
        await one.code(ada.token)
    ((kept,),) = await as_owner(dsn, "SELECT count(*) FROM codille.authorization_code")
    assert kept == 2


async def test_a_clients_token_is_gone_an_hour_after_its_end(client: httpx.AsyncClient, ada: Caller, dsn: str) -> None:
    await AskingClient(client).token(ada.token)
    await as_owner(dsn, "UPDATE codille.token SET expires_at = now() - interval '2 hours' WHERE client IS NOT NULL")
    await AskingClient(client).code(ada.token)
    ((kept,),) = await as_owner(dsn, "SELECT count(*) FROM codille.token WHERE client IS NOT NULL")
    assert kept == 0


WRONG_CONSENTS: dict[str, tuple[str, dict[str, object]]] = {
    "a player's scope": ("invalid-body", {"scopes": ["play"]}),
    "no scope": ("invalid-body", {"scopes": []}),
    "a short challenge": ("invalid-body", {"code_challenge": "a" * 42}),
    "too long": ("invalid-body", {"days": 91}),
    "no time": ("invalid-body", {"days": 0}),
    "another redirect": ("invalid-client", {"redirect_uri": "https://evil.example/in"}),
    "no client": ("invalid-client", {"client_id": "client", "redirect_uri": "client"}),
    "more than is known": ("invalid-body", {"state": "x"}),
}


@for_each("case", WRONG_CONSENTS)
async def test_a_consent_is_checked_as_the_page_is(client: httpx.AsyncClient, ada: Caller, case: str) -> None:
    code, fields = WRONG_CONSENTS[case]
    problem(await AskingClient(client).consent(ada.token, **fields), 422, code)


async def test_a_client_ends_its_own_token_alone(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client)
    token = await one.token(ada.token)
    lent = await added(ada)
    # Neither a player's token, nor another client's, nor what is none: RFC 7009, 2.2.
    for tried in (ada.token, lent.token, "codille_" + "a" * 43, "x"):
        answer = await one.revoke(tried, token_type_hint="refresh_token")
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["cache-control"] == "no-store"
    assert (await AskingClient(client, client_id="https://evil.example/in").revoke(token)).status_code == 200
    for caller in (ada, lent, Caller(client, ada.player, token)):
        assert (await caller.get("/players/me")).status_code == 200
    assert (await one.revoke(token)).status_code == 200
    problem(await Caller(client, ada.player, token).get("/players/me"), 401, "invalid-token")
    assert (await one.revoke(token)).status_code == 200
    refusal(await client.post("/oauth/revoke", data={"client_id": CLIENT}), "invalid_request")
    refusal(await client.post("/oauth/revoke", data={"token": token}), "invalid_request")


async def test_a_stream_of_a_client_ends_with_its_token(
    client: httpx.AsyncClient, app: Edge, three: list[Caller], table: str
) -> None:
    one = AskingClient(client)
    caller = Caller(client, three[0].player, await one.token(three[0].token))
    async with reading(app, stream_of(table), caller) as stream:
        await stream.next()
        assert (await one.revoke(caller.token)).status_code == 200
        await passed(three, table)
        last = await stream.end()
        assert last is not None
        assert (last.data["reason"], len(stream.frames)) == ("token", 2)


async def test_codes_and_tokens_have_256_random_bits(client: httpx.AsyncClient, ada: Caller) -> None:
    one = AskingClient(client)
    codes = {await one.code(ada.token) for _ in range(3)}
    tokens = {await AskingClient(client).token(ada.token) for _ in range(3)}
    assert (len(codes), len(tokens)) == (3, 3)
    assert all(re.fullmatch(r"codille_code_[A-Za-z0-9_-]{43}", code) for code in codes)
    assert all(re.fullmatch(r"codille_[A-Za-z0-9_-]{43}", token) for token in tokens)
    assert not any(one.challenge in code for code in codes)


async def test_a_consent_needs_a_token_of_the_player(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/tokens/authorize", json={})
    problem(answer, 401, "unauthenticated")
    problem(await AskingClient(client).consent("codille_" + "a" * 43), 401, "invalid-token")


def test_every_must_has_its_test_or_the_reason_for_which_it_does_not_bind() -> None:
    table = Path(__file__).with_name("oauth_musts.txt").read_text()
    rows = [re.split(r" +\| ", line) for line in table.splitlines() if line and not line.startswith("#")]
    assert {row[0].split()[0] for row in rows} == {"6749", "6750", "7009", "7636", "8252", "8414", "9207", "9700"}
    assert [row for row in rows if len(row) != 3 or not re.match(r"[A-Z] test_|(not bound|broken): ", row[2])] == []
    assert [row[1] for row in rows if row[2].startswith("broken")] == [
        "private-use schemes are supported by servers for native apps",
        "a player is authenticated before being sent to a client, for an error too",
    ]
    files = dict(re.findall(r"\b([A-Z]) (?:is )?(tests/[a-z0-9_/]+\.py)", table.replace("\n# ", " ")))
    for file, test in re.findall(r"\b([A-Z]) (test_\w+)", table):
        assert f"def {test}(" in (ROOT / files[file]).read_text(), test


async def test_other_origins_call_as_the_setting_allows(services: Services, ada: Caller) -> None:
    allowed = Settings(rate_limit=None, cors_origins=("https://client.example",))
    app = create_app(structs.replace(services, settings=allowed))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://any.test") as http:
        for path, method in ((METADATA, "GET"), ("/oauth/token", "POST"), ("/oauth/revoke", "POST")):
            for origin, expected in (
                ("https://client.example", "https://client.example"),
                ("https://evil.example", None),
            ):
                answer = await http.request(method, path, headers={"Origin": origin})
                assert answer.headers.get("access-control-allow-origin") == expected
                assert "access-control-allow-credentials" not in answer.headers


async def test_no_code_and_no_token_is_logged_or_kept(
    client: httpx.AsyncClient, ada: Caller, dsn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = AskingClient(client)
    code = await one.code(ada.token)
    token = (await one.exchange(code)).json()["access_token"]
    await one.exchange(code)
    printed = capsys.readouterr()
    rows = [dict(row) for row in await as_owner(dsn, "SELECT * FROM codille.authorization_code")]
    rows += [dict(row) for row in await as_owner(dsn, "SELECT * FROM codille.token")]
    for secret in (code, token, one.verifier):
        assert secret not in printed.out + printed.err + json.dumps(rows, default=str)
