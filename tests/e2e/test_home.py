"""The first page, in a real browser against a real service."""

import re
import time
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.browser import Watched, browser
from tests.support.registry import GAMES
from tests.support.service import Running
from tests.support.table_page import Party
from tests.support.waiting import PATIENCE_S

__all__ = ["browser"]

TABLES = 21
"""One more than the page lists at once."""


class Home(Watched):
    """The first page."""

    def open(self) -> "Home":
        """Loads the page, and waits until it shows all lists."""
        self.page.goto(self.url)
        expect(self.page.locator("#games li")).to_have_count(len(GAMES))
        expect(self.page.locator("[aria-busy]")).to_have_count(0)
        return self

    def name(self, name: str) -> None:
        """Says who the visitor is, as is asked before the first game."""
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="That is me").click()

    def table(self) -> dict[str, Any]:
        """The table to whose page the visitor was led."""
        self.page.wait_for_url(re.compile("/play/"))
        found: dict[str, Any] = httpx.get(
            f"{self.url}/v1/tables/{self.page.url.rpartition('/')[2]}", trust_env=False
        ).json()
        return found


@pytest.fixture
def home(browser: Browser, service_url: str) -> Iterator[Home]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    home = Home(context.new_page(), service_url)
    yield home
    home.assert_clean()
    context.close()


@pytest.fixture(scope="module")
def running(service: Running) -> Party:
    """Players whose game is on."""
    party = Party(service.url, names=("Ada", "<i>Berta</i>", "Carl"))
    until_listed(party.http, party.table, "playing")
    return party


def until_listed(http: httpx.Client, table: str, status: str) -> None:
    """Waits until the projected lists show the table with this status: the first page reads them once."""
    deadline = time.monotonic() + PATIENCE_S
    while table not in (item["table"] for item in http.get(f"/v1/tables?status={status}").json()["items"]):
        assert time.monotonic() < deadline, f"{table} is not listed as {status}"
        time.sleep(0.05)


def test_running_tables_lead_to_their_pages(home: Home, running: Party) -> None:
    row = home.open().page.locator(f'#playing [data-table="{running.table}"]')
    expect(row).to_contain_text("Crocodile, deal 1 of 3")
    expect(row).to_contain_text("<i>Berta</i> 0")
    row.locator("a").click()
    expect(home.page).to_have_url(f"{home.url}/replay/{running.table}")
    expect(home.page.locator("#place")).not_to_be_empty()
    home.page.locator(".home").click()
    expect(home.page.locator("#playing")).to_be_visible()


def test_more_tables_are_listed_when_they_are_wanted(home: Home, running: Party) -> None:
    for _ in range(TABLES):
        opened = running.http.post("/v1/tables", json={"game": "crocodile"}, headers=running.headers[0])
        assert opened.status_code == 201
    until_listed(running.http, opened.json()["table"], "open")
    page = home.open().page
    rows = page.locator("#open li")
    expect(rows).to_have_count(TABLES - 1)
    page.locator("#open button.more").click()
    expect(rows.nth(TABLES - 1)).to_be_visible()
    listed = rows.evaluate_all("rows => rows.map(row => row.dataset.table)")
    assert len(set(listed)) == len(listed)


def test_every_game_is_listed_and_leads_to_its_rules(home: Home) -> None:
    page = home.open().page
    for game in GAMES.values():
        listed = page.locator(f'#games a[href="/games/{game.name}"]')
        expect(listed).to_contain_text(game.title)
        expect(listed).to_contain_text(" ".join(game.words.introduction.aim))
        expect(listed).to_contain_text(f"counted in {game.unit}")
        expect(page.locator(f'#games a[href="/new?game={game.name}"]')).to_have_text("New table")
    assert home.faults() == []


@pytest.fixture
def playing(home: Home) -> Home:
    """The first page, without the page to which it leads, which has tests of its own."""
    home.page.route("**/play/*", lambda route: route.fulfill(content_type="text/html", body="<title>play</title>"))
    return home.open()


def test_a_game_with_bots_is_a_click_away(playing: Home) -> None:
    page = playing.page
    expect(page.locator("#play-about")).to_have_text("You against 3 bots, 4 deals.")
    page.get_by_label("Game", exact=True).select_option("ombre")
    expect(page.locator("#play-about")).to_have_text("You against 2 bots, 3 deals.")
    page.get_by_role("button", name="Play now").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#play-now")).to_be_enabled()
    page.get_by_role("button", name="Play now").click()
    playing.name("Zoe")
    table = playing.table()
    assert (table["game"], table["status"], table["deals"]) == ("ombre", "playing", 3)
    assert [seat["bot"] and seat["bot"]["level"] for seat in table["seats"]] == [None, "quick", "quick"]
    row = playing.open().page.locator(f'#mine [data-table="{table["table"]}"]')
    row.get_by_role("button", name="Play on").click()
    assert playing.table()["table"] == table["table"]


def test_a_table_that_waits_is_joined(playing: Home, running: Party) -> None:
    opened = running.http.post("/v1/tables", json={"game": "diloti"}, headers=running.headers[0]).json()["table"]
    until_listed(running.http, opened, "open")
    page = playing.open().page
    page.locator(f'#open [data-table="{opened}"]').get_by_role("button", name="Join").click()
    playing.name("Zoe")
    table = playing.table()
    assert (table["table"], table["status"]) == (opened, "open")
    assert table["seats"][0]["player"]


def test_the_documentation_is_one_step_away(home: Home) -> None:
    page = home.open().page
    page.get_by_text("Documentation").click()
    expect(page).to_have_url(re.compile("/docs$"))
    for link, heading in (("Leaderboards", re.compile("^The best at ")), ("Games to look at", "Tables")):
        home.open().page.get_by_role("navigation", name="More").get_by_role("link", name=link).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_that_no_table_waits_is_said_only_where_none_does(home: Home) -> None:
    waiting: list[dict[str, Any]] = []

    def listed(route: Route) -> None:
        route.fulfill(json={"items": waiting, "next": None})

    home.page.route("**/v1/tables?*status=open*", listed)
    page = home.open().page
    opens = page.locator("#open").get_by_role("link", name="Open one")
    expect(page.locator("#open .state")).to_have_text("No public table waits for players.")
    expect(opens).to_have_attribute("href", "/new")
    waiting.append(
        {"table": "01936d5c-0000-7000-8000-000000000000", "game": "don", "status": "open", "deals": 99, "deal": None,
         "players": [None] * 4, "bots": [None] * 4, "totals": [0] * 4, "winners": None, "version": 1,
         "opened_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    )  # fmt: skip
    # It is looked at again.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#open li")).to_have_count(1)
    expect(page.locator("#open .state")).to_be_hidden()
    expect(opens).to_be_hidden()


def test_a_failure_is_said(home: Home) -> None:
    home.page.route("**/v1/tables?*", lambda route: route.fulfill(status=503, json={"detail": "the read models rest"}))
    page = home.open().page
    expect(page.get_by_role("alert")).to_have_text(["The read models rest."] * 2)
    page.unroute("**/v1/tables?*")
    page.locator("#open").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(1)


def test_a_short_outage_is_waited_for(home: Home, running: Party) -> None:
    asked = []

    def rest(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503, json={"detail": "the read models rest"}, headers={"Retry-After": "1"})

    home.page.route("**/v1/tables?*", rest, times=2)
    page = home.open().page
    expect(page.locator(f'#playing [data-table="{running.table}"]')).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(asked) == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_in_either_colour_scheme(
    browser: Browser, service_url: str, running: Party, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme, has_touch=True)
    home = Home(context.new_page(), service_url).open()
    page = home.page
    expect(page.locator(f'[data-table="{running.table}"]')).to_be_visible()
    assert home.faults() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    red, green, blue = re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    assert (int(red) + int(green) + int(blue) < 200) == (scheme == "dark")
    context.close()


def test_an_error_is_a_page_with_a_way_back(home: Home) -> None:
    home.page.goto(f"{home.url}/nothing")
    expect(home.page.locator("h1")).to_have_text("Page not found")
    home.page.get_by_text("Games and tables").click()
    expect(home.page.locator("#games")).to_be_visible()
    # A browser's console notes every answer of 404.
    home.complaints.clear()
