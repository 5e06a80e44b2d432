"""The first page, in a real browser against a real service."""

import re
import time
from collections.abc import Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, expect

from domain.table.rules import RULES as TABLE_RULES
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
        for status in ("playing", "open", "finished"):
            expect(self.page.locator(f"#{status}")).to_be_visible()
        return self


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


def test_finished_tables_name_their_winners(home: Home) -> None:
    party = Party(home.url)
    party.play_until("game-finished")
    view = httpx.get(f"{home.url}/v1/tables/{party.table}", trust_env=False).json()
    until_listed(party.http, party.table, "finished")
    row = home.open().page.locator(f'#finished [data-table="{party.table}"]')
    expect(row.locator(".winner")).to_have_count(len(view["winners"]))
    expect(row.locator("a")).to_have_attribute("href", f"/replay/{party.table}")
    expect(home.page.locator(f'#playing [data-table="{party.table}"]')).to_have_count(0)


def test_more_tables_are_listed_when_they_are_wanted(home: Home, running: Party) -> None:
    for _ in range(TABLES):
        opened = running.http.post("/v1/tables", json={"game": "crocodile"}, headers=running.headers[0])
        assert opened.status_code == 201
    until_listed(running.http, opened.json()["table"], "open")
    page = home.open().page
    rows = page.locator("#open li")
    expect(rows).to_have_count(TABLES - 1)
    page.locator("#open button").click()
    expect(rows.nth(TABLES - 1)).to_be_visible()
    listed = rows.evaluate_all("rows => rows.map(row => row.dataset.table)")
    assert len(set(listed)) == len(listed)


def test_every_game_is_listed_with_its_rules(home: Home) -> None:
    page = home.open().page
    for game in GAMES.values():
        listed = page.locator("#games details").filter(has=page.get_by_text(game.title, exact=True))
        listed.locator("summary").click()
        expect(listed.locator("dt")).to_have_text([rule.id for rule in (*game.rulebook.rules, *TABLE_RULES)])


def test_the_documentation_is_one_step_away(home: Home) -> None:
    page = home.open().page
    page.get_by_text("Documentation").click()
    expect(page).to_have_url(re.compile("/docs$"))


def test_a_failure_is_said(home: Home) -> None:
    home.page.route("**/v1/tables?*", lambda route: route.fulfill(status=503, json={"detail": "the read models rest"}))
    home.page.goto(home.url)
    expect(home.page.get_by_role("alert")).to_have_text("the read models rest")
    expect(home.page.locator("#games li")).to_have_count(len(GAMES))
    # A browser's console notes every refusal.
    home.complaints.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_in_either_colour_scheme(
    browser: Browser, service_url: str, running: Party, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme, has_touch=True)
    page = Home(context.new_page(), service_url).open().page
    expect(page.locator(f'[data-table="{running.table}"]')).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    red, green, blue = re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    assert (int(red) + int(green) + int(blue) < 200) == (scheme == "dark")
    context.close()


def test_an_error_is_a_page_with_a_way_back(home: Home) -> None:
    home.page.goto(f"{home.url}/nothing")
    expect(home.page.locator("h1")).to_have_text("There is no such route")
    home.page.get_by_text("Games and tables").click()
    expect(home.page.locator("#games")).to_be_visible()
    # A browser's console notes every answer of 404.
    home.complaints.clear()
