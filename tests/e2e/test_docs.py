"""The documentation, and the pages that are read without JavaScript, in a real browser against a real service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from playwright.sync_api import Browser, Frame, FrameLocator, Page, ViewportSize, expect

from tests.support.browser import AXE, FAULTS, Watched, browser
from tests.support.kits import needs_npm, served_kits
from tests.support.openapi import operation_at
from tests.support.registry import GAMES
from tests.support.table_page import Party

__all__ = ["browser"]

DESKTOP: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def document(built: Path, service_url: str) -> dict[str, Any]:
    """The document that the service serves."""
    served: dict[str, Any] = httpx.get(f"{service_url}/v1/openapi/generic.json", trust_env=False).json()
    return served


def viewer(page: Page) -> FrameLocator:
    """The viewer within the page."""
    return page.frame_locator("#viewer")


def within(page: Page) -> Frame:
    """The viewer's frame, to run scripts in."""
    (frame,) = (frame for frame in page.frames if frame.url.endswith("/docs/viewer"))
    return frame


@pytest.fixture(scope="module")
def docs(built: Path, browser: Browser, service_url: str) -> Iterator[Watched]:
    """One page for all tests: it takes seconds to load, and each test opens another operation."""
    watched = Watched(browser.new_context(viewport=DESKTOP, has_touch=True).new_page(), service_url)
    watched.page.goto(f"{service_url}/docs")
    expect(viewer(watched.page).locator(".opblock").first).to_be_visible()
    yield watched
    watched.assert_clean()
    watched.page.context.close()


METHOD_AND_PATH = """rows => rows.map(row => [
  row.querySelector(".opblock-summary-method").innerText, row.querySelector("[data-path]").dataset.path,
])"""
"""What each of the rows says. To ask for each by itself takes longer."""


def test_every_operation_is_shown(docs: Watched, document: dict[str, Any]) -> None:
    requests = document["paths"] | document["webhooks"]
    expected = {(method.upper(), path) for path, methods in requests.items() for method in methods}
    rows = viewer(docs.page).locator(".opblock-summary")
    expect(rows).to_have_count(len(expected))
    assert set(map(tuple, rows.evaluate_all(METHOD_AND_PATH))) == expected


def test_an_operation_opens_with_its_parameters_and_answers_and_fits_a_phone(
    docs: Watched, document: dict[str, Any]
) -> None:
    described = operation_at(document, "post", "/v1/tables/{table}/actions")
    shown = viewer(docs.page).locator("#operations-Play-act")
    shown.locator(".opblock-summary-control").tap()
    expect(shown.locator(".opblock-description")).to_contain_text(described["description"])
    for parameter in described["parameters"]:
        expect(shown.locator(f'tr[data-param-name="{parameter["name"]}"]')).to_contain_text(parameter["example"])
    statuses = shown.locator(".responses-table > tbody > tr.response > .response-col_status")
    expect(statuses).to_have_text(list(described["responses"]))
    docs.page.set_viewport_size({"width": 360, "height": 740})
    expect(shown.locator(".responses-table")).to_be_visible()
    for shown_in in (docs.page, within(docs.page)):
        assert shown_in.evaluate("document.documentElement.scrollWidth") <= 360
    docs.page.set_viewport_size(DESKTOP)


def test_an_operation_is_tried_with_a_token(docs: Watched) -> None:
    made = httpx.post(f"{docs.url}/v1/players", json={"name": "Ada"}, trust_env=False).json()
    page = viewer(docs.page)
    page.get_by_role("button", name="Authorize", exact=True).click()
    page.get_by_label("auth-bearer-value").fill(made["token"])
    page.get_by_role("button", name="Apply credentials").click()
    page.locator(".btn-done").click()
    shown = page.locator("#operations-Tables-openTable")
    shown.locator(".opblock-summary-control").click()
    shown.get_by_role("button", name="Try it out").click()
    shown.get_by_role("button", name="Execute").click()
    expect(shown.locator(".live-responses-table .response-col_status").last).to_contain_text("201")
    expect(shown.locator(".live-responses-table")).to_contain_text('"table"')


def test_a_visitor_logs_in_and_out(built: Path, browser: Browser, service_url: str) -> None:
    watched = Watched(browser.new_context(viewport=DESKTOP).new_page(), service_url)
    page = watched.page
    page.goto(f"{service_url}/docs?game=lorum")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Say who you are").click()
    page.get_by_label("Name", exact=True).fill("Ada")
    page.get_by_role("button", name="That is me").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Let 127.0.0.1 in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    # No code is left in the address, and the game is chosen still.
    assert page.url == f"{service_url}/docs?game=lorum"
    assert page.evaluate("Object.values(sessionStorage).join() + document.cookie") == ""
    expect(viewer(page).locator(".opblock").first).to_be_visible()
    me = "url => fetch(url).then(answer => answer.status)"
    shown = viewer(page).locator("#operations-Players-getMe")
    shown.locator(".opblock-summary-control").first.click()
    shown.get_by_role("button", name="Try it out").click()
    shown.get_by_role("button", name="Execute").click()
    expect(shown.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
    own = page.evaluate("localStorage.getItem('codille-token')")
    listed = f"{service_url}/v1/tokens"
    held = httpx.get(listed, headers={"Authorization": f"Bearer {own}"}, trust_env=False).json()["items"]
    assert [one["client"] for one in held] == [None, "http://127.0.0.1/docs"]
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    shown.get_by_role("button", name="Execute").click()
    expect(shown.locator(".live-responses-table .response-col_status").last).to_contain_text("401")
    held = httpx.get(listed, headers={"Authorization": f"Bearer {own}"}, trust_env=False).json()["items"]
    assert [one["client"] for one in held] == [None]
    assert within(page).evaluate(me, f"{service_url}/v1/players/me") == 401
    watched.page.context.close()


def test_a_game_is_chosen(docs: Watched) -> None:
    page = docs.page
    choice = page.get_by_label("Described for")
    expect(choice.locator("option")).to_have_text(["any game", *(game.title for game in GAMES.values()), "all games"])
    for value, query, summary in (
        ("lorum", "game=lorum", "Lórum over HTTP"),
        ("all", "game=all", "Card games over HTTP"),
        ("", "", "Card games over HTTP"),
    ):
        choice.select_option(value)
        expect(page).to_have_url(f"{docs.url}/docs?{query}")
        expect(viewer(page).locator(".info__summary")).to_have_text(summary)
        expect(choice).to_have_value(value)
        expect(viewer(page).locator(".opblock").first).to_be_visible()


def test_the_viewer_reads_nothing_that_pages_keep_and_sends_to_the_interface_alone(docs: Watched) -> None:
    page = docs.page.context.new_page()
    page.goto(f"{docs.url}/docs")
    expect(viewer(page).locator(".opblock").first).to_be_visible()
    page.evaluate("localStorage.setItem('token', 'secret')")
    frame = within(page)
    assert frame.evaluate("self.origin") == "null"
    for kept in ("localStorage", "sessionStorage", "document.cookie", "indexedDB.open('x')", "parent.document"):
        assert frame.evaluate(f"(() => {{ try {{ {kept}; return '' }} catch (error) {{ return error.name }} }})()") == (
            "SecurityError"
        ), kept
    # The page sends for it what goes to the interface, without anything of its own.
    asked = "url => fetch(url).then(answer => answer.status, error => error.message)"
    assert frame.evaluate(asked, f"{docs.url}/v1/games") == 200
    assert frame.evaluate(asked, f"{docs.url}/v1/players/me") == 401
    for elsewhere in (f"{docs.url}/page/say.js", f"{docs.url}/v1/../docs", "http://192.0.2.1/v1/games", "data:,x"):
        assert isinstance(frame.evaluate(asked, elsewhere), str), elsewhere
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_viewer_is_as_light_as_the_readers_system_and_axe_finds_no_fault(
    built: Path, browser: Browser, service_url: str, scheme: Literal["light", "dark"]
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `make typescript` installs it where there is npm")
    page = Watched(browser.new_context(color_scheme=scheme, viewport=DESKTOP).new_page(), service_url).page
    page.goto(f"{service_url}/docs")
    shown = viewer(page).locator("#operations-Tables-openTable")
    shown.locator(".opblock-summary-control").click()
    shown.get_by_role("button", name="Try it out").click()
    shown.get_by_role("button", name="Execute").click()
    expect(shown.locator(".live-responses-table .response-col_status").last).to_contain_text("401")
    frame = within(page)
    assert frame.evaluate("document.documentElement.classList.contains('dark-mode')") == (scheme == "dark")
    faults = []
    for where in (page, frame):
        where.evaluate(AXE.read_text())
        faults += where.evaluate(FAULTS, "iframe, .opblock:not(.is-open)")
    viewer(page).get_by_role("button", name="Authorize", exact=True).click()
    expect(viewer(page).locator(".modal-ux")).to_be_visible()
    faults += frame.evaluate(FAULTS, ".opblock")
    assert faults == []
    page.context.close()


def test_without_javascript_there_is_a_link_to_the_document(browser: Browser, service_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service_url}/docs")
    link = page.get_by_role("link", name="OpenAPI document")
    expect(link).to_be_visible()
    assert link.get_attribute("href") == "/v1/openapi.json"
    context.close()


@pytest.fixture
def reader(browser: Browser, service_url: str) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    reader = Watched(context.new_page(), service_url)
    yield reader
    reader.assert_clean()
    context.close()


def test_the_rules_of_a_game_are_read_without_scripts(browser: Browser, service_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service_url}/games/crocodile#CR-7.3")
    expect(page.locator(":target")).to_contain_text("Then both opponents, the one on declarer's left first.")
    expect(page.locator(":target")).to_be_in_viewport()
    context.close()


def test_axe_finds_nothing_in_the_rules(reader: Watched) -> None:
    reader.page.goto(f"{reader.url}/games/crocodile")
    assert reader.faults() == []
    # On a phone wide tables scroll by themselves.
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@needs_npm
def test_axe_finds_nothing_in_the_kits(reader: Watched) -> None:
    served_kits()
    reader.page.goto(f"{reader.url}/kits/")
    expect(reader.page.locator("section")).to_have_count(4)
    assert reader.faults() == []
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_in_a_deal_and_its_events_are_links(reader: Watched) -> None:
    party = Party(reader.url)
    party.play_until("deal-scored")
    reader.page.goto(f"{reader.url}/replay/{party.table}/deal/1")
    event = reader.page.locator(".events a").first
    expect(event).to_have_attribute("href", f"/replay/{party.table}#{event.inner_text()}")
    assert reader.faults() == []
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_picture_of_a_table_has_its_styles_by_itself(reader: Watched) -> None:
    party = Party(reader.url)
    reader.page.goto(f"{reader.url}/v1/tables/{party.table}/replay/6.svg")
    expect(reader.page.locator("svg")).to_have_attribute("role", "img")
    expect(reader.page.locator(".paper")).to_have_css("fill", "rgb(246, 244, 238)")
    reader.page.emulate_media(color_scheme="dark")
    expect(reader.page.locator(".paper")).to_have_css("fill", "rgb(20, 24, 22)")
