"""What calls a player on every page: own turns and rematches; of many tabs of one browser, one reads the news.

A browser has few connections, and all tabs play.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import httpx
import pytest
from playwright.sync_api import Browser, Dialog, Error, Page, Request, expect

from tests.support.browser import PATIENCE_MS, browser
from tests.support.games import chance
from tests.support.picking import pick
from tests.support.play_page import POLLING_MS, READY, Player, picked
from tests.support.registry import GAMES

__all__ = ["browser"]

SOUNDS = """
window.sounds = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function () {
  window.sounds += 1;
  return start.call(this);
};
Object.defineProperty(document, "hidden", { get: () => window.unseen === true });
"""


@pytest.fixture
def ada(browser: Browser, service_url: str) -> Iterator[Player]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_init_script(SOUNDS)
    player = Player(context, service_url)
    yield player
    player.assert_clean()
    context.close()


def calls(ada: Player, game: str) -> str:
    """A table with bots at which Ada is to act."""
    seats = GAMES[game].course.seats(GAMES[game].options())
    table = ada.opens(game, bots={f"{seat}": "random" for seat in range(1, seats)})
    ada.sits(table)
    return table


def acts(ada: Player, table: str, headers: dict[str, str]) -> None:
    """A player does something at the table, without the page."""
    offers = ada.http.get(f"/tables/{table}/offers", headers=headers).json()["offers"]
    action = pick(offers, chance("turns"))
    answer = ada.http.post(f"/tables/{table}/actions", json=action, headers=headers)
    assert answer.is_success, answer.text


def see(ada: Player, *, hidden: bool) -> None:
    """Hides the page, or shows it."""
    ada.page.evaluate("it => { window.unseen = it; document.dispatchEvent(new Event('visibilitychange')); }", hidden)


def test_own_turns_are_listed_with_a_key_to_the_next(ada: Player) -> None:
    tables = [calls(ada, game) for game in ("crocodile", "tetka", "ombre")]
    page = ada.page
    page.goto(ada.url)
    rows = page.locator("#turns li")
    expect(rows).to_have_count(3)
    order = rows.evaluate_all("rows => rows.map(row => row.dataset.table)")
    assert sorted(order) == sorted(tables)
    expect(page.locator(f'#turns [data-table="{tables[1]}"]')).to_contain_text("Tëtka")
    expect(page).to_have_title("(3) codille: card games to play, watch and replay")
    assert ada.faults() == []
    for table in [*order, order[0]]:
        page.keyboard.press("Alt+n")
        page.wait_for_url(f"**/play/{table}")
        expect(page).to_have_title(re.compile(r"^\(2\) ● Your turn · "))
    page.locator("own-turns summary").click()
    expect(page.locator("own-turns li")).to_have_count(2)
    assert ada.faults() == []


def test_a_turn_that_comes_elsewhere_is_shown_and_heard(ada: Player) -> None:
    berta = ada.http.post("/players", json={"name": "Berta"}).json()["token"]
    hers = {"Authorization": f"Bearer {berta}"}
    table, other = ada.opens("diloti"), ada.opens("crocodile")
    ada.sits(table)
    ada.sits(other)
    ada.http.post(f"/tables/{table}/seats", json={}, headers=hers)

    def until_turn_of(seat: int) -> None:
        while seat not in ada.view(table)["to_act"]:
            acts(ada, table, ada.headers if 0 in ada.view(table)["to_act"] else hers)

    until_turn_of(1)
    page = ada.visit(other).page
    turns, sound = page.locator("own-turns"), page.locator("#sound")
    expect(turns).to_be_hidden()
    expect(sound).to_have_text("Sound off")
    sound.click()
    expect(sound).to_have_text("Sound on")
    expect(sound).to_have_attribute("aria-pressed", "true")
    see(ada, hidden=True)
    heard = page.evaluate("sounds")
    until_turn_of(0)
    page.wait_for_function("heard => sounds > heard", arg=heard)
    expect(page).to_have_title("(1) Crocodile · codille")
    # In another browser of hers she acts.
    until_turn_of(1)
    see(ada, hidden=False)
    expect(turns).to_be_hidden()
    expect(page).to_have_title("Crocodile · codille")
    page.reload()
    expect(sound).to_have_text("Sound on")


def test_who_wants_a_rematch_is_named_with_the_kept_seat(ada: Player) -> None:
    berta = ada.http.post("/players", json={"name": "Berta"}).json()["token"]
    hers = {"Authorization": f"Bearer {berta}"}
    before = ada.opens("diloti")
    ada.sits(before)
    ada.http.post(f"/tables/{before}/seats", json={}, headers=hers)
    for headers in (ada.headers, hers):
        assert ada.http.post(f"/tables/{before}/end", json={"agree": True}, headers=headers).is_success
    page = ada.page
    with page.expect_response("**/players/me/stream*"):
        page.goto(ada.url)
    table = ada.http.post(f"/tables/{before}/rematch", headers=hers).json()["table"]
    wanted = page.locator(".rematches p")
    expect(wanted).to_contain_text("Berta would like to play Diloti again. A seat is kept for you.")
    assert ada.faults() == []
    # It stays on other pages until it is answered.
    page.goto(f"{ada.url}/tables")
    wanted.get_by_role("link", name="Take the seat").click()
    page.wait_for_url(f"**/play/{table}")
    assert ada.view(table)["you"] is not None
    expect(page.locator("play-hand")).to_be_visible()
    expect(wanted).to_have_count(0)


def test_what_is_listed_is_of_whom_this_browser_is(ada: Player) -> None:
    calls(ada, "crocodile")
    ada.page.goto(ada.url)
    # Neither tab has a token of its own.
    ada.page.evaluate("token => { localStorage.setItem('codille-token', token); sessionStorage.clear(); }", ada.token)
    page, other = (ada.page.context.new_page() for _ in range(2))
    # A browser's console notes every answer of 401.
    ada.page.close()
    for one in (page, other):
        one.goto(ada.url)
        expect(one.locator("#turns li")).to_have_count(1)
    berta = Player(ada.page.context, ada.url, "Berta")
    page.evaluate("token => localStorage.setItem('codille-token', token)", berta.token)
    expect(other.locator("#turns")).to_be_hidden()
    calls(berta, "crocodile")
    calls(berta, "crocodile")
    expect(other.locator("#turns li")).to_have_count(2)
    (token,) = berta.http.get("/tokens", headers=berta.headers).json()["items"]
    assert berta.http.delete(f"/tokens/{token['id']}", headers=berta.headers).is_success
    expect(other.locator("#turns")).to_be_hidden()
    expect(other.locator(".stranger")).to_be_visible()


TABS = 12
SEEN = """
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
window.see = (seen) => {
  hidden = !seen;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Without windows a browser takes each page as seen: this one does as a test says."""
DENIED = """
delete window.BroadcastChannel;
Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("denied", "SecurityError"); } });
"""
NO_LOCKS = "delete Navigator.prototype.locks;"
"""As over plain HTTP in a home network."""


class Tabs:
    """The tabs of one player's browser, one of which is seen at a time."""

    def __init__(self, browser: Browser, url: str, *, locks: bool) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.add_init_script(SEEN + ("" if locks else NO_LOCKS))
        self.url = url
        self.streams: list[Request] = []
        self.context.on("request", lambda request: self.streams.append(request) if "/stream" in request.url else None)
        for end in ("requestfinished", "requestfailed"):
            self.context.on(end, self._ended)
        self.token = httpx.post(f"{url}/v1/players", json={"name": "Ada"}, trust_env=False).json()["token"]
        self.players: list[Player] = []

    def _ended(self, request: Request) -> None:
        if request in self.streams:
            self.streams.remove(request)

    def opens(self, table: str) -> Player:
        """Opens a tab with the table's page, which is seen from now on."""
        self.sees(None)
        player = Player(self.context, self.url, token=self.token)
        self.players.append(player)
        return player.visit(table)

    def sees(self, seen: Player | None) -> None:
        """Shows one tab, and hides the others."""
        for player in self.players:
            player.page.evaluate("seen => window.see(seen)", player is seen)

    def lose(self, page: Page) -> None:
        """Forgets a tab that is gone, of whose requests nothing more is heard."""
        self.streams = [one for one in self.streams if one.frame.page is not page]
        self.players = [player for player in self.players if player.page is not page]

    def news(self) -> list[Page]:
        """The tabs that read the player's stream."""
        return [one.frame.page for one in self.streams if one.url.endswith("/players/me/stream")]

    def reader(self, *before: Page) -> Page:
        """The one tab that reads the player's stream, once it is none of these."""
        return self.once(lambda news: len(news) == 1 and news[0] not in before)

    def once(self, condition: Callable[[list[Page]], bool]) -> Page:
        """The last tab of those that read the player's stream, once they are as wanted."""
        deadline = time.monotonic() + 30
        while not condition(self.news()):
            assert time.monotonic() < deadline, self.news()
            self.players[-1].page.wait_for_timeout(50)
        return (self.news() or [self.players[-1].page])[-1]

    def reads_without(self, silent: Page) -> Page:
        """Another tab that reads the player's stream, while this one may still do so."""
        return self.once(lambda news: any(page is not silent for page in news))


@pytest.fixture(params=[True, False], ids=["locks", "no locks"])
def tabs(request: pytest.FixtureRequest, browser: Browser, service_url: str) -> Iterator[Tabs]:
    tabs = Tabs(browser, service_url, locks=request.param)
    yield tabs
    tabs.context.close()


@contextmanager
def asleep(page: Page, other: Page) -> Iterator[None]:
    """The page runs nothing, and lets go of nothing, while the other goes on."""
    dialogs: list[Dialog] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog))  # noqa: PLW0108 (Playwright marks what it calls)
    page.evaluate("void setTimeout(() => alert('sleep'))")
    while not dialogs:
        other.wait_for_timeout(10)
    yield
    dialogs[0].accept()


def test_twelve_tabs_play_and_one_of_them_reads_the_news(tabs: Tabs) -> None:
    host = httpx.Client(base_url=f"{tabs.url}/v1", headers={"Authorization": f"Bearer {tabs.token}"}, trust_env=False)
    table = {"game": "crocodile", "deals": 3, "bots": {"1": "random", "2": "random"}}
    tables = [host.post("/tables", json=table).json()["table"] for _ in range(TABS)]
    for one in tables:
        host.post(f"/tables/{one}/seats", json={"seat": 0})
        tabs.opens(one)
    rng = chance("tabs")
    for player in tabs.players:
        tabs.sees(player)
        page = player.page
        page.wait_for_function(READY, timeout=PATIENCE_MS, polling=POLLING_MS)
        before = player.view(page.url.rpartition("/")[2])["version"]
        while player.view(page.url.rpartition("/")[2])["version"] == before:
            page.wait_for_function(READY, timeout=PATIENCE_MS, polling=POLLING_MS)
            player.chooses(picked(player.state(), rng), "mouse")
        reader = tabs.reader()
        followed = [one.url.split("/")[-3] for one in tabs.streams if "/events/stream" in one.url]
        assert followed == [page.url.rpartition("/")[2]]
    # All others wait for this player. Hidden tabs know it of their own tables, too.
    for player in tabs.players:
        expect(player.page).to_have_title(f"({TABS - 1}) ● Your turn · Crocodile")
    reader.close()
    tabs.lose(reader)
    crashing = tabs.reader(reader)
    with suppress(Error):
        crashing.goto("chrome://crash")
    tabs.lose(crashing)
    frozen = tabs.reader(crashing)
    # A browser without windows freezes no page.
    frozen.evaluate("document.dispatchEvent(new Event('freeze'))")
    silent = tabs.reader(frozen)
    frozen.evaluate("document.dispatchEvent(new Event('resume'))")
    with asleep(silent, next(player.page for player in tabs.players if player.page is not silent)):
        tabs.reads_without(silent)
    assert tabs.reader() is not silent
    for player in tabs.players:
        expect(player.page).to_have_title(re.compile(rf"^\({TABS - 1}\) "))


def test_without_a_channel_a_page_reads_its_own_news_as_long_as_it_is_seen(browser: Browser, service_url: str) -> None:
    """As in a private window that denies storage, too."""
    tabs = Tabs(browser, service_url, locks=True)
    tabs.context.add_init_script(DENIED)
    first = Player(tabs.context, service_url, token=tabs.token)
    second = Player(tabs.context, service_url, token=tabs.token)
    tabs.players = [first, second]
    for player in tabs.players:
        player.page.goto(service_url)
    seen = lambda *players: tabs.once(lambda news: news == [player.page for player in players])  # noqa: E731
    seen(first, second)
    tabs.sees(second)
    seen(second)
    tabs.sees(first)
    seen(first)
    # So it is with a page that a browser keeps to come back to.
    first.page.evaluate("dispatchEvent(new Event('pagehide'))")
    seen()
    first.page.evaluate("dispatchEvent(new Event('pageshow'))")
    seen(first)
    first.assert_clean()
    tabs.context.close()
