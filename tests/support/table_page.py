"""A table's page in a browser, and players whose game it shows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from service.cli.demo import choose
from tests.support.browser import Watched
from tests.support.waiting import PATIENCE_S

CARD = re.compile(r'data-card="([^"]+)"')
NO_TABLE = "There is no table here, or it is private. If somebody invited you, open their link."
NAMES = ("Ada", "Berta", "Carl", "Dora")


class Visit(Watched):
    """A watched page of a table."""

    def open(self, table: str, step: int | None = None) -> "Visit":
        """Goes to the table's page, and waits until it shows a step."""
        self.page.goto(f"{self.url}/replay/{table}" + ("" if step is None else f"#{step}"))
        expect(self.page.locator("#place")).not_to_be_empty()
        if step is not None:
            self.at(step)
        return self

    @property
    def step(self) -> int:
        """The step that is shown."""
        return int(self.page.locator("#place").inner_text().split("/")[0])

    def at(self, step: int) -> None:
        """Waits until this step is shown, in the address too."""
        expect(self.page.locator("#place")).to_have_text(re.compile(rf"^{step} /"))
        expect(self.page).to_have_url(re.compile(rf"#{step}(&as=|$)"))

    def cards(self) -> set[str]:
        """All cards that are anywhere in the page."""
        return set(CARD.findall(self.page.content()))


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """The browser's window in which a module's tests open their pages: it has loaded before what they share."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    yield context
    context.close()


@pytest.fixture
def visit(window: BrowserContext, service_url: str) -> Iterator[Visit]:
    """A page of the test's own."""
    visit = Visit(window.new_page(), service_url)
    yield visit
    visit.assert_clean()
    visit.page.close()


def events_of(url: str, table: str) -> list[dict[str, Any]]:
    """All events of a table."""
    found: list[dict[str, Any]] = []
    while True:
        query = {"after": len(found), "limit": 200}
        page = httpx.get(f"{url}/v1/tables/{table}/events", params=query, trust_env=False).json()
        found += page["items"]
        if len(found) == page["version"]:
            return found


def first(events: list[dict[str, Any]], kind: str) -> int:
    """The version of the first event of this type."""
    return next(int(event["version"]) for event in events if event["type"] == kind)


class Party:
    """Players to whom the first cards are dealt."""

    def __init__(
        self,
        url: str,
        game: str = "crocodile",
        seats: int = 3,
        *,
        names: Sequence[str] = NAMES,
        table: Mapping[str, Any] | None = None,
    ) -> None:
        self.http = httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE_S)
        made = [self.http.post("/v1/players", json={"name": name}).json() for name in names[:seats]]
        self.tokens = [player["token"] for player in made]
        self.headers = [{"Authorization": f"Bearer {token}"} for token in self.tokens]
        opened = self.http.post("/v1/tables", json={"game": game, "table": table or {}}, headers=self.headers[0])
        self.table: str = opened.json()["table"]
        for each in self.headers:
            self.http.post(f"/v1/tables/{self.table}/seats", json={}, headers=each)
        self.view: dict[str, Any] = self.http.get(f"/v1/tables/{self.table}", headers=self.headers[1]).json()

    def act(self) -> list[str]:
        """Whoever is to act passes, or does the first thing that is offered. The types of what comes of it."""
        path = f"/v1/tables/{self.table}"
        headers = self.headers[self.http.get(f"{path}/offers").json()["to_act"][0]]
        offers = self.http.get(f"{path}/offers", headers=headers).json()["offers"]
        offer = min(offers, key=lambda offer: offer["type"] != "pass")
        action = {"type": offer["type"]} | {name: field["one_of"][0] for name, field in offer["fields"].items()}
        done = self.http.post(f"{path}/actions", json=action, headers=headers)
        return [event["type"] for event in done.json()["events"]]

    def play_until(self, kind: str) -> None:
        """Players pick from what they are offered until an event of this type has happened."""
        chance = Random(4)  # noqa: S311 (choices in a test)
        path = f"/v1/tables/{self.table}"
        while True:
            headers = self.headers[self.http.get(f"{path}/offers").json()["to_act"][0]]
            offers = self.http.get(f"{path}/offers", headers=headers).json()["offers"]
            done = self.http.post(f"{path}/actions", json=choose(offers, chance), headers=headers)
            if kind in [event["type"] for event in done.json()["events"]]:
                return
