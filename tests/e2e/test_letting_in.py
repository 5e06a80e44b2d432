"""A client of somebody else's, let in on a page of the service, in a real browser."""

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.support.browser import Watched, browser
from tests.support.letting_in import CLIENT

__all__ = ["browser"]

HERE = Path(__file__).parent


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Where the client's page is: on another origin than the service."""
    serve = functools.partial(Quiet, directory=str(HERE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/letting_in.html"
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


def test_a_page_elsewhere_logs_in_plays_and_is_ended_in_the_middle(
    page: Page, service_url: str, elsewhere: str
) -> None:
    page.goto(f"{elsewhere}#service={service_url}")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("A program on this computer")).to_be_visible()
    assert page.url.startswith(f"{service_url}/authorize?")
    expect(page.get_by_role("button", name="Let 127.0.0.1 in")).to_be_disabled()
    become(page, "Zoe")
    page.get_by_role("button", name="Let 127.0.0.1 in").click()
    page.wait_for_url(elsewhere)
    expect(page.locator("#said")).to_contain_text("deals are over", timeout=120_000)
    # Its player ends it in another tab.
    own = page.context.new_page()
    own.goto(service_url)
    own.locator("#identity summary").click()
    own.get_by_role("button", name="Devices and programs").click()
    row = own.locator(".tokens li", has_text="http://127.0.0.1/letting_in.html")
    expect(row).to_contain_text("ends on")
    row.get_by_role("button", name="Revoke").click()
    expect(own.get_by_text("1 token is revoked.")).to_be_visible()
    expect(page.locator("#said")).to_have_text("I was ended.")


def test_the_client_gets_no_for_an_answer_by_a_click_alone(page: Page, elsewhere: str, service_url: str) -> None:
    page.goto(f"{elsewhere}#service={service_url}")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="No, go back").click()
    page.wait_for_url(elsewhere)
    expect(page.locator("#said")).to_have_text("I was not let in: access_denied.")


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
    page.clock.install()
    page.goto(asking(service_url))
    no = page.get_by_role("button", name="No, go back")
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
    page.goto(f"{elsewhere}#service={service_url}")
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
