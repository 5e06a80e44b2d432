"""A program in which a player logs in: the service asks in the browser, and answers to a port of this computer."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from codille_client import Client, Forged, Problem, Unreachable, sync

from tests.support.for_each import for_each
from tests.support.letting_in import sent_back


def visit(address: str, **fields: str) -> httpx.Response:
    return httpx.get(address, params=fields, trust_env=False)


def consent(player: str, url: str, **changed: str | None) -> None:
    """What the browser of the player with this token does at an address: it is sent back, with what is changed."""
    address, _, query = sent_back(url, player).partition("?")
    # Others call as well.
    assert visit(address, state="another", code="theirs", iss="https://other.example").status_code == 404
    fields: dict[str, str | None] = dict(parse_qsl(query)) | changed
    assert visit(f"{address}/other?{query}").status_code == 404
    back = visit(address, **{name: value for name, value in fields.items() if value is not None})
    assert (back.status_code, "may be closed" in back.text) == (200, True)


def browser(player: str, **changed: str | None) -> Callable[[str], None]:
    """A browser that the player with this token has before them."""
    return lambda url: Thread(target=partial(consent, player, url, **changed)).start()


@pytest.fixture
async def player(service_url: str) -> str:
    """The token of a player's own."""
    async with Client(service_url) as client:
        return (await client.register("Ada"))["token"]


async def test_who_logs_in_plays_and_logs_out(service_url: str, player: str) -> None:
    async with Client(service_url) as client, Client(service_url, player) as own:
        await client.login("read seat", name="Zoes.bot", show=browser(player))
        assert (await client.me())["player"] == (await own.me())["player"]
        (token,) = [each async for each in client.list_tokens()]
        assert (token["client"], token["scopes"]) == ("http://127.0.0.1/Zoes.bot", ["read", "seat"])
        await client.open_table("ombre")
        given = client.token
        await client.logout()
        assert client.token is None
        assert [each["client"] async for each in own.list_tokens()] == [None]
        async with Client(service_url, given) as ended:
            with pytest.raises(Problem, match="401"):
                await ended.me()
            await ended.logout()
            assert ended.token is None


def test_it_is_the_same_without_async(service_url: str) -> None:
    with sync.Client(service_url) as own, sync.Client(service_url) as client:
        own.register("Ada")
        client.login(show=browser(own.token or ""))
        assert client.me()["player"] == own.me()["player"]
        client.logout()
        assert [each["client"] for each in own.list_tokens()] == [None]


async def test_logging_out_leaves_a_players_own_token(service_url: str, player: str) -> None:
    async with Client(service_url, player) as own:
        await own.logout()
        assert own.token is None
    async with Client(service_url, player) as own:
        assert (await own.me())["name"] == "Ada"


class Counting(httpx.AsyncHTTPTransport):
    """Sends what it is given, and loses the answers to the first requests for a token."""

    def __init__(self, loses: int = 0) -> None:
        super().__init__()
        self.loses = loses
        self.tokens = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await super().handle_async_request(request)
        if request.url.path == "/oauth/token":
            self.tokens += 1
            if self.tokens <= self.loses:
                await answer.aclose()
                raise httpx.ReadError("lost")
        return answer


async def test_a_request_for_a_token_is_not_sent_twice_and_another_login_begins(service_url: str, player: str) -> None:
    sent = Counting(loses=1)
    async with Client(service_url, http=httpx.AsyncClient(transport=sent)) as client:
        with pytest.raises(Unreachable, match="/oauth/token"):
            await client.login(show=browser(player))
        assert (sent.tokens, client.token) == (1, None)
        await client.login(show=browser(player))
        assert (sent.tokens, (await client.me())["name"]) == (2, "Ada")


@for_each(
    "changed", [{"iss": "https://other.example"}, {"iss": None}, {"iss": "", "code": None, "error": "access_denied"}]
)
async def test_an_answer_of_another_issuer_is_forged_and_no_code_is_sent(
    service_url: str, player: str, changed: dict[str, str | None]
) -> None:
    sent = Counting()
    async with Client(service_url, http=httpx.AsyncClient(transport=sent)) as client:
        with pytest.raises(Forged, match=f"no answer from {service_url}"):
            await client.login(show=browser(player, **changed))
        assert (sent.tokens, client.token) == (0, None)


@for_each(
    "changed, code",
    [
        ({"code": None, "error": "access_denied"}, "access_denied"),
        ({"code": None}, "invalid_request"),
        ({"code": "codille_code_none"}, "invalid_grant"),
    ],
)
async def test_who_is_not_let_in_is_not_logged_in(
    service_url: str, player: str, changed: dict[str, str | None], code: str
) -> None:
    async with Client(service_url) as client:
        with pytest.raises(Problem) as refused:
            await client.login(show=browser(player, **changed))
        assert (refused.value.code, client.token) == (code, None)


async def test_a_service_that_is_another_than_it_says_is_not_asked(service_url: str) -> None:
    shown: list[str] = []
    async with Client(service_url.replace("127.0.0.1", "localhost")) as client:
        with pytest.raises(Forged, match=f"is the service of {service_url}"):
            await client.login(show=shown.append)
    assert shown == []


async def test_a_name_is_part_of_an_address(service_url: str) -> None:
    async with Client(service_url) as client:
        for name in ("", "a/b", "a b", "ä"):
            with pytest.raises(ValueError, match="letters, digits"):
                await client.login(name=name)


async def test_nothing_listens_any_more_once_nobody_has_logged_in(service_url: str) -> None:
    shown: list[str] = []

    async with Client(service_url) as client:
        with pytest.raises(Unreachable, match="nobody has logged in within 0 s"):
            await client.login(show=shown.append, wait_s=0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await client.login(show=shown.append)
    for url in shown:
        address = dict(parse_qsl(urlsplit(url).query))["redirect_uri"]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/codille-client", address)
        with pytest.raises(httpx.ConnectError):
            visit(address)
