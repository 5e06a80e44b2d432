"""Clients of others, let in on a page of the service, in a real browser: the tutorial's page, and a terminal."""

import functools
import http.server
import random
import re
import threading
import time
from collections.abc import Iterator
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.support.browser import Watched, browser
from tests.support.clients import PYTHON, Keyboard
from tests.support.kits import python_kit
from tests.support.letting_in import CLIENT

__all__ = ["browser"]

MODULE = re.compile(r"http://127\.0\.0\.1:8000/kits/codille-client-[0-9.]+\.mjs")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def elsewhere(service_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the tutorial's web client is, of twenty lines: on another origin than the service."""
    (text,) = re.findall(r"```html\n(.*?)```", (PYTHON / "tutorial.md").read_text(), re.DOTALL)
    assert text.count("\n") == 20
    folder = tmp_path_factory.mktemp("elsewhere")
    # The same modules, which are there without a build too.
    page, found = MODULE.subn("http://127.0.0.1:8000/page/kit/index.js", text)
    assert found == 1
    (folder / "client.html").write_text(page.replace("http://127.0.0.1:8000", service_url))
    serve = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/client.html"
        server.shutdown()


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A window of a browser that knows nobody, as small as a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context
    context.close()


@pytest.fixture
def page(window: BrowserContext, service_url: str) -> Page:
    return Watched(window.new_page(), service_url).page


def asking(url: str, **others: str) -> str:
    """The address of the page, as a client leads there."""
    fields = {
        "response_type": "code", "client_id": CLIENT, "redirect_uri": CLIENT, "scope": "seat", "state": "s7",
        "code_challenge": "a" * 43, "code_challenge_method": "S256",
    }  # fmt: skip
    return f"{url}/authorize?" + "&".join(f"{name}={value}" for name, value in (fields | others).items())


def become(page: Page, name: str) -> None:
    """Chooses a name, and keeps the recovery secret that is shown before anything is consented to."""
    page.get_by_role("button", name="Say who you are").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_role("heading", name=f"Keep these, {name}")).to_be_visible()
    assert page.locator("#identity-recovery").input_value().startswith("codille_recovery_")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#player")).to_have_text(name)


def let_in(page: Page, elsewhere: str, service_url: str, name: str) -> Locator:
    """Logs in on the client's page, as somebody new. What the page says then."""
    page.goto(elsewhere)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("A program on this computer")).to_be_visible()
    assert page.url.startswith(f"{service_url}/authorize?")
    expect(page.get_by_role("button", name="Let 127.0.0.1 in")).to_be_disabled()
    become(page, name)
    page.get_by_role("button", name="Let 127.0.0.1 in").click()
    # No address keeps the code.
    page.wait_for_url(elsewhere)
    return page.locator("output")


def kept(page: Page) -> list[int]:
    """How many things the client's page keeps in each of its stores."""
    numbers: list[int] = page.evaluate("[localStorage.length, sessionStorage.length]")
    return numbers


def test_a_page_elsewhere_logs_in_plays_and_is_ended_in_the_middle(
    page: Page, service_url: str, elsewhere: str
) -> None:
    said = let_in(page, elsewhere, service_url, "Zoe")
    expect(said).to_contain_text("Deal 2", timeout=120_000)
    # Its player ends it in another tab.
    own = page.context.new_page()
    own.goto(service_url)
    own.locator("#identity summary").click()
    own.get_by_role("button", name="Devices and programs").click()
    row = own.locator(".tokens li", has_text="http://127.0.0.1/client.html")
    expect(row).to_contain_text("ends on")
    row.get_by_role("button", name="Revoke").click()
    expect(own.get_by_text("1 token is revoked.")).to_be_visible()
    expect(said).to_have_text("You have ended this client.")
    assert kept(page) == [1, 0]
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert kept(page) == [0, 0]


def test_who_has_logged_in_stays_so_until_logging_out(page: Page, service_url: str, elsewhere: str) -> None:
    said = let_in(page, elsewhere, service_url, "Yve")
    expect(said).to_contain_text("Deal")
    page.reload()
    expect(said).to_contain_text("Deal")
    token = page.evaluate("localStorage.getItem(localStorage.key(0))")
    me, headers = f"{service_url}/v1/players/me", {"Authorization": f"Bearer {token}"}
    assert httpx.get(me, headers=headers, trust_env=False).json()["name"] == "Yve"
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert kept(page) == [0, 0]
    assert httpx.get(me, headers=headers, trust_env=False).status_code == 401


def test_the_client_gets_no_for_an_answer_by_a_click_alone(page: Page, elsewhere: str) -> None:
    page.goto(elsewhere)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="No, go back").click()
    page.wait_for_url(elsewhere)
    expect(page.locator("output")).to_have_text("nobody has logged in: access_denied")
    assert kept(page) == [0, 0]


def test_an_answer_of_another_issuer_is_none_and_one_to_another_request_is_not_taken(
    page: Page, elsewhere: str
) -> None:
    tokens: list[str] = []
    page.on("request", lambda request: tokens.append(request.url) if request.url.endswith("/token") else None)
    for query, said in (
        ("code=c&state={state}&iss=https%3A%2F%2Fother.example", re.compile("^this is no answer from http://")),
        ("code=c&state={state}", re.compile("^this is no answer from http://")),
        ("code=c&state=another&iss=https%3A%2F%2Fother.example", ""),
    ):
        page.goto(f"{elsewhere}?table=7#there")
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/authorize?*")
        state = parse_qs(urlsplit(page.url).query)["state"][0]
        page.goto(f"{elsewhere}?{query.format(state=state)}")
        expect(page.get_by_role("button", name="Log in")).to_be_visible()
        expect(page.locator("output")).to_have_text(said)
        # A login's answer leads back to where it began.
        assert page.url.endswith("?table=7#there") == bool(said)
        assert kept(page) == [0, 0 if said else 1]
    assert tokens == []


def test_a_terminal_logs_in_and_plays(page: Page, service_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # No browser opens by itself: the player opens the address that is printed.
    monkeypatch.setenv("BROWSER", "true")
    with python_kit().Client(service_url) as host:
        host.register("Host")
        table = host.open_table("crocodile", deals=3, bots={"1": "random", "2": "random"})
        terminal = Keyboard(service_url, table.id, "", random.Random(1))  # noqa: S311 (typing)
        try:
            page.goto(printed_address(terminal))
            become(page, "Xia")
            page.get_by_role("button", name="Let 127.0.0.1 in").click()
            expect(page.get_by_text("Go back to the program.")).to_be_visible()
            terminal.wait()
        finally:
            terminal.process.kill()
        view = table.view()
        assert view["status"] == "finished"
        assert list(host.names(view["seats"][0]["player"]).values()) == ["Xia"]


def printed_address(terminal: Keyboard) -> str:
    """The address at which the terminal has its player log in."""
    for _ in range(600):
        if found := re.search(r"^Log in at (\S+)\s", terminal.output, re.MULTILINE):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(terminal.output)


@pytest.fixture
def sent(page: Page) -> list[str]:
    """The addresses of the client to which the browser was sent."""
    found: list[str] = []

    def answer(route: Route) -> None:
        found.append(route.request.url)
        route.fulfill(body="You are back.")

    page.route("https://client.example/**", answer)
    return found


def test_the_page_sends_state_issuer_and_code_and_nothing_before_a_click(
    page: Page, service_url: str, sent: list[str]
) -> None:
    page.goto(asking(service_url))
    become(page, "Yan")
    button = page.get_by_role("button", name="Let client.example in")
    expect(button).to_be_enabled()
    # A script's click is none.
    page.evaluate(
        "document.querySelectorAll('main .buttons button').forEach((one) => one.dispatchEvent(new Event('click')))"
    )
    assert sent == []
    button.click()
    expect(page.get_by_text("You are back.")).to_be_visible()
    (url,) = sent
    assert url.startswith(f"{CLIENT}?")
    query = parse_qs(urlsplit(url).query)
    assert query.keys() == {"code", "state", "iss"}
    assert (query["state"], query["iss"]) == (["s7"], [service_url])
    # No earlier consent counts.
    page.goto(asking(service_url, prompt="none"))
    expect(page.get_by_text("asked in a way that is not granted")).to_be_visible()
    page.get_by_role("button", name="Go back to client.example").click()
    expect(page.get_by_text("You are back.")).to_be_visible()
    assert parse_qs(urlsplit(sent[1]).query) == {"error": ["invalid_request"], "state": ["s7"], "iss": [service_url]}


def test_buttons_work_once_the_page_was_seen_for_a_second(page: Page, service_url: str, sent: list[str]) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(asking(service_url))
    no = page.get_by_role("button", name="No, go back")
    # The page's script has begun to wait.
    expect(page.locator("#become")).to_be_visible()
    page.clock.run_for(900)
    expect(no).to_be_disabled()
    page.clock.run_for(200)
    expect(no).to_be_enabled()
    # Whenever it is left, the second begins anew.
    page.evaluate("dispatchEvent(new Event('blur'))")
    expect(no).to_be_disabled()
    page.clock.run_for(1100)
    expect(no).to_be_enabled()
    page.evaluate(
        "() => { Object.defineProperty(document, 'visibilityState', { value: 'hidden' });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    page.clock.run_for(5000)
    expect(no).to_be_disabled()
    assert sent == []


def test_what_is_no_client_has_no_way_on(page: Page, service_url: str, sent: list[str]) -> None:
    page.goto(asking(service_url, redirect_uri="https://client.example/out"))
    expect(page.get_by_text("not one of a client that can be let in")).to_be_visible()
    assert page.locator("main button, main a").count() == 0
    assert sent == []


def test_clients_are_let_in_at_the_issuers_address_alone(page: Page, service_url: str, sent: list[str]) -> None:
    page.goto(asking(service_url.replace("127.0.0.1", "localhost")))
    expect(page.get_by_text(f"This service is at {service_url}")).to_be_visible()
    assert page.locator("main button").count() == 0
    assert sent == []


def test_no_page_shows_it_in_a_frame(page: Page, service_url: str, elsewhere: str) -> None:
    page.goto(elsewhere)
    page.evaluate(
        "(url) => document.body.append(Object.assign(document.createElement('iframe'), { src: url }))",
        asking(service_url),
    )
    page.wait_for_timeout(500)
    assert [frame.url for frame in page.frames[1:] if "authorize" in frame.url] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_fit_for_all(page: Page, service_url: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    watched = Watched(page, service_url)
    page.goto(asking(service_url, scope="read+seat+webhooks"))
    expect(page.get_by_role("button", name="No, go back")).to_be_enabled()
    assert watched.faults() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    host, whole = page.locator(".who b"), page.locator(".who")
    expect(whole).to_have_text(re.compile(r"^https://client\.example/in$"))
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert host.evaluate(size) > whole.evaluate(size)
    watched.assert_clean()
