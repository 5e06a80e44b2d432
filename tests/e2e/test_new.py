"""The page at which a table is set up, the waiting room to which it leads, and what is said where no table is."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.support.browser import Watched, browser
from tests.support.play_page import Player
from tests.support.registry import GAMES
from tests.support.table_page import NO_TABLE
from tests.support.waiting import PATIENCE_S

__all__ = ["browser"]

PHONE: ViewportSize = {"width": 360, "height": 740}
NOBODY = "01936d5c-0000-7000-8000-000000000000"
UNCLIPPED = """Object.defineProperty(navigator, "clipboard", { value: undefined });
addEventListener("copy", () => { window.copied = document.activeElement.value; });"""
"""A browser as it is where a page came over plain HTTP."""


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, color_scheme="dark", has_touch=True)
    context.add_init_script(UNCLIPPED)
    yield context
    context.close()


def tabs_to(page: Page, selector: str) -> None:
    """Goes on by Tab until the focus is on this element."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def ready(page: Page, url: str, query: str = "") -> None:
    """Goes to the page, and waits until it offers a game."""
    page.goto(f"{url}/new{query}")
    expect(page.locator("#new")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Open the table|Start the game"))).to_be_enabled()


def assert_fits(watched: Watched) -> None:
    """Nothing is wrong with the page, and it does not scroll sideways."""
    assert watched.faults() == []
    assert watched.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_table_is_set_up_by_keyboard_and_starts_with_a_guest_and_a_bot(
    browser: Browser, phone: BrowserContext, service_url: str
) -> None:
    host = Watched(phone.new_page(), service_url)
    page, keyboard = host.page, host.page.keyboard
    ready(page, service_url)
    steps = {"#game": "Croc", "[value=public]": "", "[name='seat.1']": "", "#deals": "6", "#clock": "30"}
    for selector, typed in {**steps, "#own > summary": ""}.items():
        tabs_to(page, selector)
        keyboard.type(typed)
        if selector == "#game":
            expect(page.locator("#rules")).to_have_attribute("href", "/games/crocodile")
    keyboard.press("Enter")
    tabs_to(page, "#option-casco_stock")
    keyboard.type("Face")
    expect(page.locator("#changed")).to_have_text("1 changed")
    assert_fits(host)
    page.get_by_role("radio", name="Only those you invite").focus()
    keyboard.press(" ")
    tabs_to(page, "[type=submit]")
    keyboard.press("Enter")
    page.get_by_label("Name", exact=True).fill(" ")
    keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("Please type a name.")
    page.get_by_label("Name", exact=True).fill("Zoe")
    keyboard.press("Enter")
    page.wait_for_url(re.compile("/play/"))
    expect(page.locator("play-seating [data-seat='0']")).to_contain_text("Zoe")
    chosen = "6 deals · Casco stock: face up · 30 seconds for an act, 2 minutes in reserve"
    expect(page.get_by_text(chosen)).to_be_visible()
    expect(page.get_by_role("img", name="The link as a code for a camera")).to_be_visible()
    assert_fits(host)
    page.get_by_role("button", name="Copy the link").press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    link = page.evaluate("window.copied")
    assert link == page.url
    window = browser.new_context()
    guest = Player(window, service_url, name="Ada")
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Take seat 3").click()
    expect(page.locator("play-seating [data-seat='2']")).to_contain_text("Ada")
    fills = page.get_by_role("button", name="Fill with bots and start")
    fills.focus()
    keyboard.press("Enter")
    expect(page.locator("play-turn")).to_be_focused()
    for each in (page, guest.page):
        expect(each.locator("play-hand [data-card]")).not_to_have_count(0)
        expect(each.locator("play-seating")).to_be_hidden()
    # A browser opens the page of a private table without a token, and its console notes the status.
    host.complaints.clear()
    guest.assert_clean()
    window.close()
    ready(page, service_url)
    assert page.locator("#new").evaluate("form => [form.game.value, form.visibility.value, form.deals.value]") == [
        "crocodile", "private", "6",
    ]  # fmt: skip
    expect(page.get_by_label("Casco stock")).to_have_value('"face-up"')
    page.close()


def test_every_game_is_set_up_with_what_it_offers(phone: BrowserContext, service_url: str) -> None:
    visitor = Watched(phone.new_page(), service_url)
    page = visitor.page
    page.add_init_script("localStorage.clear()")
    ready(page, service_url)
    for name, game in GAMES.items():
        page.get_by_label("Game", exact=True).select_option(name)
        expect(page.locator("#rules")).to_have_attribute("href", f"/games/{name}")
        described = httpx.get(f"{service_url}/v1/games/{name}", trust_env=False).json()
        options = described["options"]["properties"]
        texts = page.locator(".option").all_text_contents()
        assert len(texts) == len(options)
        for (option, schema), text in zip(options.items(), texts, strict=True):
            assert schema["description"] in text, option
            assert any(rule["text"] in text for rule in described["rules"] if rule["option"] == option), option
        expect(page.locator("#seats select")).to_have_count(described["seats"])
        offered = page.locator("#deals option").evaluate_all("all => all.map(one => Number(one.value))")
        assert page.locator("#deals").input_value() == str(described["deals"]["default"])
        target = "target" in options
        expect(page.locator("#deals").get_by_text("Until the game is won")).to_have_count(int(target))
        assert all(game.course.deals(game.options()).allows(deals) for deals in offered)
    ready(page, service_url, "?game=khanhoo")
    page.locator("#own > summary").click()
    page.get_by_label("Players").select_option("4")
    expect(page.locator("#seats select")).to_have_count(4)
    for seat, chosen in enumerate(["Quick bot", "You", "Random bot", "Quick bot"], 1):
        page.get_by_label(f"Seat {seat}").select_option(chosen)
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    page.get_by_label("Target").fill("501")
    page.locator("#own > summary").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Target")).to_be_focused()
    visitor.assert_clean()
    page.close()


def test_a_table_that_is_refused_says_why_and_stays_set_up(browser: Browser, service_url: str) -> None:
    window = browser.new_context()
    ada = Player(window, service_url)
    page = ada.page
    ready(page, service_url, "?game=nuts")
    page.locator("#own > summary").click()
    page.get_by_label("Stall").fill("5")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("Stall is 0, or 10 or more.")
    assert page.url == f"{service_url}/new?game=nuts"
    ada.complaints.clear()
    page.get_by_label("Stall").fill("15")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("play-seating")).to_contain_text("Stall: 15")
    ada.assert_clean()
    window.close()


def test_where_no_table_is_to_be_seen_the_page_says_so_and_leads_on(phone: BrowserContext, service_url: str) -> None:
    ada = Player(phone, service_url)
    private = ada.opens("don", table={"visibility": "private"})
    visitor = Watched(phone.new_page(), service_url)
    for path in (f"/play/{NOBODY}", f"/play/{private}"):
        visitor.page.goto(f"{service_url}{path}")
        expect(visitor.page.locator("#gone")).to_contain_text(NO_TABLE)
        for each in ("#connected", "#loading", "#play"):
            expect(visitor.page.locator(each)).to_be_hidden()
        assert_fits(visitor)
    for path in (f"/replay/{NOBODY}", f"/replay/{private}", f"/disputes/{private}/1"):
        visitor.page.goto(f"{service_url}{path}")
        expect(visitor.page.locator("#failure")).to_have_text(NO_TABLE)
    visitor.page.goto(f"{service_url}/replay/{private}/deal/1")
    expect(visitor.page.get_by_role("main")).to_contain_text(NO_TABLE)
    # Who opened it and becomes known here sees it after all.
    visitor.page.goto(f"{service_url}/play/{private}")
    expect(visitor.page.locator("#gone")).to_be_visible()
    visitor.page.evaluate("token => sessionStorage.setItem('codille-token', token)", ada.token)
    expect(visitor.page.locator("play-seating")).to_be_visible()
    expect(visitor.page.locator("#gone")).to_be_hidden()
    for each in (ada, visitor):
        each.page.close()


def test_who_has_left_is_told_so_and_led_on(phone: BrowserContext, service_url: str) -> None:
    ada = Player(phone, service_url)
    table = ada.opens("crocodile", table={"visibility": "private"})
    bob = Player(phone, service_url, name="Bob").sits(ada.opens("crocodile"))
    invitation = ada.http.post(f"/tables/{table}/invitations", json={}, headers=ada.headers).json()["invitation"]
    bob.page.goto(f"{service_url}/play/{table}?invite={invitation}")
    bob.page.get_by_role("button", name="Take seat 1").click()
    bob.page.get_by_role("button", name="Leave the table").click()
    gone = bob.page.locator("#gone")
    expect(gone).to_contain_text("You have left this table.")
    expect(bob.page.locator("#play")).to_be_hidden()
    assert ada.view(table)["seats"][0]["player"] is None
    running = bob.opens("crocodile", bots={"1": "random", "2": "random"})
    bob.sits(running).visit(running)
    bob.page.get_by_role("button", name="Abandon the game").click()
    bob.page.locator("[data-key=confirm]").click()
    expect(gone).to_contain_text(re.compile("You have left this game|This game is over"))
    expect(gone.get_by_role("link", name="New table")).to_have_attribute("href", "/new?game=crocodile")
    expect(bob.page.locator("[data-key=abandon]")).to_have_count(0)
    assert_fits(bob)
    for each in (ada, bob):
        each.page.close()


def test_without_javascript_it_is_said_what_is_needed(browser: Browser, service_url: str) -> None:
    window = browser.new_context(java_script_enabled=False)
    page = window.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(f"{service_url}/new")
    assert "Opening a table needs JavaScript." in page.locator("noscript").inner_text()
    expect(page.locator("#new")).to_be_hidden()
    window.close()
