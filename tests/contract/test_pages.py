"""What a browser gets: pages, also where something is wrong; programs get problem documents everywhere."""

import re
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from service.http.operations import players
from service.pages import scripted
from tests.contract.conftest import Caller, act, deal_over, next_of, opened, problem, register, seated
from tests.contract.shared import ada, client, in_one_loop, three
from tests.support.for_each import for_each
from tests.support.registry import GAMES

__all__ = ["ada", "client", "three"]

pytestmark = in_one_loop

NOBODY = "01936d5c-0000-7000-8000-000000000000"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
BAD_TOKEN = {"Authorization": "Bearer codille_short"}


def page(answer: httpx.Response, status: int) -> str:
    """The page that the answer must be, under a policy that lets nothing in."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8"), answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.text


@pytest.mark.parametrize(("path", "name"), [("score", "sheet"), ("statistics", "statistics")])
async def test_there_are_a_sheet_and_statistics_for_each_game(client: httpx.AsyncClient, path: str, name: str) -> None:
    assert page(await client.get(f"/games/don/{path}"), 200) == scripted(name).body.decode()
    page(await client.get(f"/games/whist/{path}", headers={"Accept": BROWSER}), 404)


@pytest.mark.parametrize("accept", [BROWSER, "*/*", "application/json"])
async def test_the_root_is_a_page_for_people(client: httpx.AsyncClient, accept: str) -> None:
    answer = await client.get("/", headers={"Accept": accept})
    page(answer, 200)
    again = await client.get("/", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_what_browsers_and_crawlers_look_for_is_there(client: httpx.AsyncClient) -> None:
    for path, media_type in {
        "/robots.txt": "text/plain; charset=utf-8",
        "/favicon.ico": "image/vnd.microsoft.icon",
    }.items():
        answer = await client.get(path, headers={"Accept": "image/avif,image/webp,image/*;q=0.8"})
        assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
        again = await client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert answer.content.startswith(b"\0\0\1\0")
    crawler = RobotFileParser()
    crawler.parse((await client.get("/robots.txt")).text.splitlines())
    assert all(
        crawler.can_fetch("crawler", path)
        for path in ("/", "/games", "/games/crocodile", "/games/crocodile/score", f"/replay/{NOBODY}")
    )
    assert not any(crawler.can_fetch("crawler", path) for path in ("/v1/games", f"/play/{NOBODY}"))


@for_each(
    "path",
    ["/new", "/tables",
     "/disputes", f"/disputes/{NOBODY}/1", f"/players/{NOBODY}", "/leaderboard", "/leaderboard/crocodile", "/docs",
     "/archive", "/games/crocodile/statistics", "/games/nothing/statistics",
     "/games", "/games/crocodile", f"/replay/{NOBODY}", f"/play/{NOBODY}", f"/replay/{NOBODY}/deal/1",
     f"/disputes/{NOBODY}/1/page", "/games/nothing", "/games/crocodile/score", "/games/nothing/score"],
)  # fmt: skip
async def test_a_slash_behind_a_pages_path_leads_to_the_page(client: httpx.AsyncClient, path: str) -> None:
    asked = {
        "": "",
        "?": "",
        "?invite=a+b%2F&rules_version=1": "?invite=a+b%2F&rules_version=1",
        "?fbclid=x&invite=i&utm_source=y": "?invite=i",
        "?gclid=//evil.example": "",
    }
    for query, kept in asked.items():
        answer = await client.get(f"{path}/{query}", headers={"Accept": BROWSER})
        assert (answer.status_code, answer.headers["location"]) == (308, f"{path}{kept}"), query
        assert answer.content == b""
    assert (await client.head(f"{path}/")).headers["location"] == path
    problem(await client.post(f"{path}/"), 404, "no-such-route")


@for_each(
    "path",
    ["/nothing/", "/v1/", "/v1/games/", "/page/page.css/", "/robots.txt/", "/games//", "//games/", "//evil.example/",
     "/\\evil.example/", "/games/%2e/", "/games/a\\b/", "/games/crocodile/x/", "/health/live/"],
)  # fmt: skip
async def test_a_slash_behind_any_other_path_leads_nowhere(client: httpx.AsyncClient, path: str) -> None:
    url = httpx.URL("http://codille.test").copy_with(raw_path=path.encode())
    problem(await client.get(url), 404, "no-such-route")


TRACKED = "fbclid=IwAR0&fbclid=2&gclid=&utm_source=chat&utm_campaign=%FF&utm%5Fterm=&msclkid=1"


async def test_what_tracks_people_is_ignored_in_links_that_they_follow(
    client: httpx.AsyncClient, three: list[Caller]
) -> None:
    table = await seated(three)
    pictures = [f"/v1/tables/{table}/replay/2.svg", f"/v1/tables/{table}/scores.svg"]
    for path in (
        *("/", "/games", "/games/crocodile", "/tables", "/docs", "/robots.txt", "/favicon.ico", "/page/page.css"),
        *(f"/replay/{table}", f"/play/{table}", f"/replay/{table}/deal/1", f"/v1/tables/{table}/export", *pictures),
    ):
        plain, tracked = [await client.get(path + query) for query in ("", f"?{TRACKED}")]
        assert (tracked.status_code, tracked.headers.get("etag")) == (200, plain.headers.get("etag")), path
        assert b"fbclid=" not in tracked.content
    statement = f"/v1/players/{three[0].player}/ledger"
    for asked, accept in ((TRACKED, "text/csv"), (f"{TRACKED}&bom=true", "*/*"), (f"separator=tab&{TRACKED}", BROWSER)):
        as_csv = await client.get(f"{statement}?{asked}", headers={"Accept": accept})
        assert as_csv.status_code == 503, asked  # there are no read models here
    for path in (*pictures, f"/v1/tables/{table}/export"):
        for query in ("x=1", "utm=1", "utm_=1", "Fbclid=1", "xfbclid=1", "ref=chat", f"{TRACKED}&as_=me"):
            problem(await client.get(f"{path}?{query}"), 422, "invalid-query")
    for path in (statement, f"/v1/tables/{table}", "/v1/games", f"/v1/tables/{table}/events/stream"):
        for query in ("fbclid=x", "bom=false&fbclid=x"):
            problem(await client.get(f"{path}?{query}"), 422, "invalid-query")


@pytest.mark.parametrize("path", ["/nothing", "/archives", "/replay/x", f"/replay/{NOBODY}/x", "/page/none.js", "/v10"])
async def test_an_error_is_a_page_for_browsers_and_a_document_for_programs(
    client: httpx.AsyncClient, path: str
) -> None:
    shown = await client.get(path, headers={"Accept": BROWSER})
    assert "<h1>Page not found</h1>" in page(shown, 404)
    assert '<a href="/">' in shown.text
    for accept in ("*/*", "application/json", "application/problem+json, text/html", "text/html;q=0", "image/*", ""):
        answer = await client.get(path, headers={"Accept": accept})
        problem(answer, 404, "no-such-route")
        assert answer.headers["vary"] == shown.headers["vary"] == "Accept, Authorization"


async def test_whatever_refuses_a_request_a_browser_gets_a_page(client: httpx.AsyncClient) -> None:
    wrong = await client.put("/docs", headers={"Accept": BROWSER})
    assert "The method is not allowed here" in page(wrong, 405)
    assert wrong.headers["allow"] == "GET, HEAD, OPTIONS"
    refused = await client.get("/", headers={"Accept": BROWSER} | BAD_TOKEN)
    assert "The token is not valid" in page(refused, 401)
    assert refused.headers["www-authenticate"] == 'Bearer realm="codille", error="invalid_token"'
    problem(await client.get("/", headers=BAD_TOKEN), 401, "invalid-token")


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/nothing", f"/v1/tables/{NOBODY}", "/v1/tables?limit=x"])
async def test_the_interface_never_answers_with_a_page(client: httpx.AsyncClient, path: str) -> None:
    for headers in ({"Accept": BROWSER}, {"Accept": BROWSER} | BAD_TOKEN):
        answer = await client.get(path, headers=headers)
        assert answer.status_code >= 400
        assert answer.headers["content-type"] == "application/problem+json"


async def test_the_page_of_a_table_that_nobody_may_see_is_that_of_no_table(
    client: httpx.AsyncClient, ada: Caller
) -> None:
    open_to_all, private = await opened(ada), await opened(ada, table={"visibility": "private"})
    for headers in ({"Accept": BROWSER}, {"Accept-Encoding": "identity"}, {"If-None-Match": "*"}):
        absent, hidden = [await client.get(f"/replay/{table}", headers=headers) for table in (NOBODY, private)]
        assert page(absent, 404) == page(hidden, 404) == scripted("replay").body.decode()
        for answer in (absent, hidden):
            del answer.headers["x-request-id"]
        assert absent.headers == hidden.headers
        assert "etag" not in absent.headers, "a browser that has the page must not be answered that it is unchanged"
    assert page(await client.get(f"/replay/{open_to_all}"), 200) == scripted("replay").body.decode()
    invitation = (await ada.post(f"/tables/{private}/invitations", {})).json()["invitation"]
    assert page(await client.get(f"/replay/{private}?invite={invitation}"), 200) == scripted("replay").body.decode()
    zoe = await register(client, "Zoe")
    for caller, status in ((ada, 200), (zoe, 404)):
        page(await client.get(f"/replay/{private}", headers={"Authorization": f"Bearer {caller.token}"}), status)


async def test_the_rules_of_a_game_are_a_page(client: httpx.AsyncClient) -> None:
    shown = await client.get("/games/crocodile", headers={"Accept": BROWSER})
    assert 'id="CR-7.3"' in page(shown, 200)
    assert 'href="/new?game=crocodile"' in shown.text
    assert 'href="/games/crocodile/score"' in shown.text
    again = await client.get("/games/crocodile", headers={"If-None-Match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    newest = GAMES["crocodile"].rulebook.version
    assert (await client.get(f"/games/crocodile?rules_version={newest}")).headers["etag"] == shown.headers["etag"]
    earlier = page(await client.get("/games/crocodile?rules_version=1"), 200)
    assert "Version 1, shown here" in earlier
    assert f'href="/games/crocodile?rules_version={newest}"' in earlier
    listed = page(await client.get("/games"), 200)
    assert all(f'href="/games/{game}"' in listed and f'href="/new?game={game}"' in listed for game in GAMES)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/games/whist", 404, "no-such-game"),
        ("/games/crocodile?rules_version=99", 404, "no-such-game"),
        ("/games/crocodile?rules_version=0", 422, "invalid-query"),
        ("/games/crocodile/x", 404, "no-such-route"),
    ],
)
async def test_rules_that_are_not_there_are_an_error_page(
    client: httpx.AsyncClient, path: str, status: int, code: str
) -> None:
    page(await client.get(path, headers={"Accept": BROWSER}), status)
    problem(await client.get(path), status, code)


async def test_a_deal_is_a_page_as_the_caller_may_see_it(client: httpx.AsyncClient, three: list[Caller]) -> None:
    table = await seated(three)
    seat = int((await three[0].get(f"/tables/{table}")).json()["you"])
    path = f"/replay/{table}/deal/1"
    public = page(await client.get(path), 200)
    assert "The deal is not over." in public
    assert " holds " not in public
    token = {"Authorization": f"Bearer {three[seat].token}"}
    own = await client.get(path, headers=token)
    assert own.headers["cache-control"] == "no-store"
    assert "etag" not in own.headers
    assert page(own, 200).count(" holds ") == 1
    await deal_over(three, table)
    over = page(await client.get(path), 200)
    # Three hands, and the talon.
    assert over.count(" holds ") == 4
    scored = (await three[0].get(f"/tables/{table}/events?type=deal-scored")).json()["items"][0]
    assert scored["hash"] in over
    rules = [line["rule"] for line in scored["public"]["lines"]]
    assert all(f'<div id="{rule}">' in over for rule in rules)
    assert all(caller_name in over for caller_name in ("Ada", "Berta", "Carl"))


async def test_a_person_who_is_called_as_a_bot_is_told_apart_from_it(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in a log from before such names were refused.
    monkeypatch.setattr(players, "pretends", lambda _: False)
    person = await register(client, "Quick bot")
    table = await opened(person, bots={"1": "quick", "2": "strong"})
    await person.post(f"/tables/{table}/seats", {"seat": 0})
    shown = page(await client.get(f"/replay/{table}/deal/1"), 200)
    badge = '<span class="bot" role="img" aria-label="bot" title="bot">ᴮᴼᵀ</span>'
    assert re.search(rf"Table {table}, Quick bot, {badge} Quick bot, {badge} Strong bot\.", shown)
    drawn = (await client.get(f"/v1/tables/{table}/replay/4.svg")).text
    described = re.findall(r"seat (\d)(?:, (?!ᴮᴼᵀ)[^,.]+)*(?:, ᴮᴼᵀ (\w+) bot)?", drawn)
    assert {("1", ""), ("2", "Quick"), ("3", "Strong")} <= set(described)


async def test_a_deal_names_bots_of_a_level_by_their_seats_and_says_when_it_was_played_to_the_minute(
    client: httpx.AsyncClient,
) -> None:
    person = await register(client, "Zoe")
    table = await opened(person, bots={"1": "quick", "2": "quick"})
    await person.post(f"/tables/{table}/seats", {"seat": 0})
    shown = page(await client.get(f"/replay/{table}/deal/1"), 200)
    assert re.search(rf"Table {table}, Zoe, <span.*?</span> Quick bot 2, <span.*?</span> Quick bot 3\.", shown)
    assert re.search(r"Recorded from \d{4}-\d\d-\d\d \d\d:\d\d to \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.", shown)


@pytest.mark.parametrize(
    ("deal", "code"), [("2", "no-such-deal"), ("99", "no-such-deal"), ("01", "no-such-route"), ("x", "no-such-route")]
)
async def test_a_deal_that_is_not_there_is_an_error_page(
    client: httpx.AsyncClient, three: list[Caller], deal: str, code: str
) -> None:
    path = f"/replay/{await seated(three)}/deal/{deal}"
    page(await client.get(path, headers={"Accept": BROWSER}), 404)
    problem(await client.get(path), 404, code)


async def test_the_page_of_a_deal_has_the_rights_of_the_table(client: httpx.AsyncClient, three: list[Caller]) -> None:
    private = await opened(three[0], table={"visibility": "private"})
    invitation = (await three[0].post(f"/tables/{private}/invitations", {})).json()["invitation"]
    for seat, caller in enumerate(three):
        await caller.post(f"/tables/{private}/seats?invite={invitation}", {"seat": seat})
    zoe = await register(client, "Zoe")
    for headers in ({}, {"Authorization": f"Bearer {zoe.token}"}):
        hidden = await client.get(f"/replay/{private}/deal/1", headers=headers)
        absent = await client.get(f"/replay/{NOBODY}/deal/1", headers=headers)
        assert problem(hidden, 404, "no-such-table") == problem(absent, 404, "no-such-table")
        problem(await client.get(f"/disputes/{private}/1/page", headers=headers), 404, "no-such-table")
    page(await client.get(f"/replay/{private}/deal/1?invite={invitation}"), 200)
    page(await client.get(f"/replay/{private}/deal/1", headers={"Authorization": f"Bearer {three[1].token}"}), 200)


async def test_spectators_read_the_page_of_a_deal_late(client: httpx.AsyncClient, three: list[Caller]) -> None:
    table = await seated(three, table={"spectator_delay": {"seconds": 3600}})
    before = page(await client.get(f"/replay/{table}/deal/1"), 200)
    _, first = await next_of(three, table)
    await act(first, table, {"type": "bid", "contract": "play"})
    assert page(await client.get(f"/replay/{table}/deal/1"), 200) == before
    seen = page(await client.get(f"/replay/{table}/deal/1", headers={"Authorization": f"Bearer {first.token}"}), 200)
    assert " bids " in seen
    assert " bids " not in before
