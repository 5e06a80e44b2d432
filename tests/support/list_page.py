"""Pages of lists in a browser on a phone, and what the interface has for them."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browser import Watched
from tests.support.table_page import Party
from tests.support.waiting import PATIENCE_S

WIDTH, HEIGHT = 360, 740
SCHEMES = ("light", "dark")


class Lists(Watched):
    """A page with lists."""

    def open(self, path: str) -> "Lists":
        """Loads the page of this path, and waits until it shows all of it."""
        self.page.goto(f"{self.url}{path}")
        self.shown()
        return self

    def shown(self) -> None:
        """Waits until the page shows all of it."""
        expect(self.page.locator(".state:visible", has_text="Loading")).to_have_count(0)
        expect(self.page.locator("[aria-busy]")).to_have_count(0)

    def assert_in_order(self) -> None:
        """It fits a phone, and axe finds nothing."""
        assert self.page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        assert self.faults() == []


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A window as large as a phone."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True)
    yield context
    context.close()


@pytest.fixture
def lists(window: BrowserContext, service_url: str) -> Iterator[Lists]:
    """A page of the test's own, about which the browser does not complain."""
    lists = Lists(window.new_page(), service_url)
    yield lists
    lists.assert_clean()
    lists.page.close()


def has(party: Party, path: str, holds: Callable[[dict[str, Any]], object], **query: Any) -> dict[str, Any]:
    """What is served, once it holds: projections follow a moment later."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer: dict[str, Any] = party.http.get(f"/v1{path}", params=query).json()
        if holds(answer):
            return answer
        assert time.monotonic() < deadline, f"{path} stays as it is"
        time.sleep(0.05)


def player_of(party: Party, seat: int) -> str:
    """The id of the player of a seat."""
    return str(party.view["seats"][seat]["player"])
