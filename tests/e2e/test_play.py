"""A table at which a person plays in a real Chromium, against bots of a real service.

`make long` plays all games: by mouse on the desktop, by touch on a phone, and by keyboard alone.
"""

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Locator, Page, Route, ViewportSize, expect

from domain.kernel.ledger import signed
from domain.table.words import SECTIONS
from tests.support.browser import browser
from tests.support.games import Live, chance, step, willing
from tests.support.picking import pick
from tests.support.play_page import POLLING_MS, READY, Player, picked
from tests.support.registry import GAMES, fewest_deals
from tests.support.repetition import times
from tests.support.waiting import PATIENCE_S

__all__ = ["browser"]

MARKUP = "<img src=x onerror=document.title='broken'>"
OFFERED = [name for name in GAMES if name != "toy"]
NOBODY = "01936d5c-0000-7000-8000-000000000000"
SHARED_OUT = [("crocodile", "mouse"), ("nuts", "mouse"), ("ombre", "touch"), ("don", "keyboard")]
TOGETHER = [
    pytest.param(game, by, marks=[] if (game, by) in SHARED_OUT else [pytest.mark.long])
    for game in OFFERED
    for by in ("mouse", "touch", "keyboard")
]
"""Games and how the one who opens the table plays them: in `make long` all in each way."""
LOOKS = 12
"""So often the page is looked at before a choice."""
SUMMED = 2
"""So many summaries are compared with the ledger before the last."""
LONGEST_MS = 200
"""So long a card moves at most."""
PAINTED_MS = 100
"""A page that is not kept from it is painted within this time, unless the machine is very slow."""
EARLIER_NEWS = "play-news p:nth-last-child(n+6)"
"""The news that are like the newest. At the end of a game axe looks at all."""
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
WINDOWS = ((390, 844), (844, 390), (1024, 768), (1366, 650), (1440, 900), (2560, 1440))


PRESS_BARRED = """() => {
  const hand = document.querySelector('[data-roving="hand"]');
  const [may, barred] = [".may", '[aria-disabled="true"]'].map(it => hand?.querySelector(it));
  if (may && barred) barred.click();
  return Boolean(may && barred);
}"""
"""Clicks on a card that can't be played, where another can."""


TOP = """() => document.querySelector('[data-roving="hand"]')?.getBoundingClientRect().y + scrollY"""
"""Where the own hand begins on the page."""
TALKATIVE = f"""() => {{
  const said = ["play-turn", "play-choices", "#why"].map(one => document.querySelector(one));
  const tops = ["", "a reason of many words ".repeat(20)].map(text => {{
    for (const one of said) one.textContent = text;
    return ({TOP})();
  }});
  return tops[1] - tops[0];
}}"""
"""How far the hand is moved by all that is said below it."""
CAUGHT_UP = """() =>
  document.querySelector("#play:not([data-lags]), play-summary:not([hidden])") && !document.querySelector(".moving")"""
"""Whether the page shows all that has happened, or waits for its player; and no card moves."""
TOP_AND_PRESS = f"() => {{ const top = ({TOP})(); return ({CAUGHT_UP})() && ({PRESS_BARRED})() ? top : null; }}"


def opened(browser: Browser, size: dict[str, int], scheme: Literal["light", "dark"]) -> BrowserContext:
    """A window of this size."""
    viewport: ViewportSize = {"width": size["width"], "height": size["height"]}
    return browser.new_context(viewport=viewport, color_scheme=scheme, has_touch=size is PHONE)


@pytest.fixture(scope="module")
def desktop(browser: Browser) -> Iterator[BrowserContext]:
    context = opened(browser, DESKTOP, "light")
    yield context
    context.close()


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = opened(browser, PHONE, "dark")
    yield context
    context.close()


@pytest.fixture
def ada(desktop: BrowserContext, service_url: str) -> Iterator[Player]:
    """A player on the desktop, of whose page the browser has no complaints in the end."""
    player = Player(desktop, service_url)
    yield player
    player.assert_clean()
    player.page.close()


def presses(thing: Locator, by: str) -> None:
    """Presses a button by mouse, by touch or by the keyboard."""
    if by == "keyboard":
        thing.press("Enter")
    elif by == "touch":
        thing.tap()
    else:
        thing.click()


def meet(host: Player, guest: Player, game: str, by: str) -> str:
    """Opens a table on the page for it, lets the guest in by the link, and fills it with bots. The table's id."""
    page = host.page
    page.goto(f"{host.url}/new?game={game}")
    opens = page.get_by_role("button", name="Open the table")
    expect(opens).to_be_enabled()
    page.locator("#deals").select_option(str(fewest_deals(GAMES[game])))
    presses(opens, by)
    page.wait_for_url(re.compile("/play/"))
    expect(page.locator("play-seating [data-seat='0']")).to_contain_text("Ada")
    assert host.faults() == []
    guest.page.goto(page.get_by_label("Link to the table").input_value())
    guest.page.get_by_role("button", name="Take seat 2").click()
    if GAMES[game].course.seats(GAMES[game].options()) > len((host, guest)):
        expect(page.locator("play-seating [data-seat='1']")).to_contain_text("Bob")
        page.get_by_label("Bots").select_option("random")
        presses(page.get_by_role("button", name="Fill with bots and start"), by)
    expect(page.locator("play-seating")).to_be_hidden()
    return page.url.split("/")[-1]


def written(amount: int) -> str:
    """A total as it stands in a summary."""
    return signed(amount) if amount else "0"


def assert_summed(player: Player, table: str) -> None:
    """The summary has each line of its deal in a row, with its amounts by seat, and the totals before and after."""
    summary = player.page.locator("play-summary")
    deal = int(re.findall(r"Deal (\d+)", summary.locator("h2").inner_text())[0])
    ends = [
        event
        for event in events_of(player, table)
        if (event["type"] == "deal-scored" and event["public"]["deal"] == deal) or event["type"] == "game-finished"
    ]
    ended = ends[-1] if summary.locator("[data-key='summary:replay']").count() else ends[0]
    after = ended["public"]["totals"]
    ledger = player.http.get(f"/tables/{table}/ledger", headers=player.headers).json()["lines"]
    rows: dict[str, list[int]] = {}
    for line in ledger:
        if line["seat"] is not None and (line["deal"] == deal or line["version"] == ended["version"]):
            rows.setdefault(line["text"], [0] * len(after))[line["seat"]] += line["amount"]
    before = [total - sum(row[seat] for row in rows.values()) for seat, total in enumerate(after)]
    told = [row.locator("td").all_text_contents() for row in summary.locator("tbody tr, tfoot tr").all()]
    assert told == [
        list(map(written, before)),
        *[[signed(each) if each else "" for each in row] for row in rows.values()],
        list(map(written, after)),
    ]
    size = player.page.viewport_size
    for width, height in ((390, 664), *WINDOWS):
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate("scrollTo(0, 0)")
        for part in ("tfoot", '[data-key="next-deal"]'):
            expect(summary.locator(part)).to_be_in_viewport(ratio=0.99)
    assert size
    player.page.set_viewport_size(size)


def finishes(browser: Browser, url: str, game: str, by: str) -> None:
    """Two people and bots play from `/new` to the end of the game, and look at the page's states on the way."""
    size, scheme = (PHONE, "dark") if by == "touch" else (DESKTOP, "light")
    windows = [opened(browser, size, "dark" if scheme == "dark" else "light"), opened(browser, PHONE, "dark")]
    host, guest = people = [
        Player(window, url, name=name) for window, name in zip(windows, ("Ada", "Bob"), strict=True)
    ]
    # Cards that move take most of a game's time, so one of the two wants less of that.
    guest.page.emulate_media(reduced_motion="reduce")
    if game == "nuts":
        for each in people:
            # NU-6.2: of two who go for one place the later is refused; so is who acts when the hand has ended.
            each.borne.append("status of 409")
    table = meet(host, guest, game, by)
    rng, looks, summed = chance((game, by)), 0, 0
    while not all(each.state()["over"] for each in people):
        host.page.wait_for_timeout(POLLING_MS)
        for each, way in zip(people, (by, "mouse"), strict=True):
            if not each.page.evaluate(READY) or each.state()["over"]:
                continue
            if each.state()["summary"] and summed < SUMMED:
                assert_summed(each, table)
                assert each.faults(EARLIER_NEWS) == []
                # The table shows the deal that is over: of the next one nothing is chosen there.
                expect(each.page.locator("play-board button")).to_have_count(0)
                summed += 1
            if each is host and looks < LOOKS:
                looks += 1
                assert looks % 4 or host.faults(EARLIER_NEWS) == []
                assert host.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
                assert_refusal_moves_nothing(host.page)
            each.plays(rng, by=way, most=1)
    for each, actor in zip(people, ("seat:0", "seat:1"), strict=True):
        expect(each.page.locator("play-turn")).to_contain_text("The game is over.")
        expect(each.page.get_by_role("button", name="Look at the table")).to_be_visible()
        assert_summed(each, table)
        assert [event for event in events_of(each, table) if event["actor"] == actor]
    assert host.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    view = host.view(table)
    assert view["status"] == "finished"
    shown_scores(host, view["totals"])
    assert host.faults() == []
    for each in people:
        each.assert_clean()
    for window in windows:
        window.close()


def assert_refusal_moves_nothing(page: Page) -> None:
    """Asks why a card can't be played, where one can't, once the page shows all that has happened."""
    page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
    before = page.evaluate(TOP_AND_PRESS)
    if before is not None:
        expect(page.locator("#why")).not_to_be_empty()
        assert page.evaluate(TOP) == before


def shown_scores(player: Player, totals: list[int]) -> None:
    """The plot of running scores names every player, with the total at the end of the line."""
    plot = player.page.locator("play-sheet running-scores svg")
    if not any(totals):
        return
    expect(plot).to_have_attribute("aria-label", re.compile(r"^Running scores\. .*Ada"))
    expect(plot.locator("[data-seat]")).to_have_count(len(totals))
    for curve in plot.locator("[data-seats]").all():
        seat = int((curve.get_attribute("data-seats") or "").split()[0])
        expect(curve.locator(".strong")).to_have_text(signed(totals[seat]) if totals[seat] else "0")


def events_of(player: Player, table: str) -> list[dict[str, Any]]:
    """All events of a table."""
    found: list[dict[str, Any]] = []
    while page := player.http.get(f"/tables/{table}/events", params={"after": len(found), "limit": 200}).json()[
        "items"
    ]:
        found += page
    return found


@pytest.mark.parametrize(("game", "by"), TOGETHER)
def test_two_people_and_bots_play_from_the_opening_of_a_table_to_its_end(
    browser: Browser, service_url: str, game: str, by: str
) -> None:
    finishes(browser, service_url, game, by)


def seated_with_bots(player: Player, game: str, **more: Any) -> str:
    """A table at which the player sits on the first seat, and bots on the others."""
    seats = GAMES[game].course.seats(GAMES[game].options())
    table = player.opens(game, bots={str(seat): "random" for seat in range(1, seats)}, **more)
    player.sits(table)
    return table


def bidding_with_bots(player: Player, game: str) -> str:
    """A table at which the player is asked to bid. Where bots end the auction before, another is opened."""
    while True:
        table, deadline = seated_with_bots(player, game), time.monotonic() + PATIENCE_S
        while (view := player.view(table))["to_act"] != [0]:
            assert time.monotonic() < deadline
            time.sleep(POLLING_MS / 1000)
        if view["phase"] == "auction":
            return table


def played_by_interface(player: Player, table: str, until: Callable[[dict[str, Any]], bool]) -> None:
    """Plays without the page until it is the player's turn and the table is as wanted."""
    rng, deadline = chance(table), time.monotonic() + PATIENCE_S
    while not ((view := player.view(table))["to_act"] == [0] and until(view)):
        assert time.monotonic() < deadline
        offers = player.http.get(f"/tables/{table}/offers", headers=player.headers).json()
        bound = [offer for offer in offers["offers"] if offer["type"] != "talk"]
        if 0 in offers["to_act"] and bound:
            player.http.post(f"/tables/{table}/actions", json=pick(bound, rng), headers=player.headers)
        else:
            time.sleep(POLLING_MS / 1000)


def test_a_row_that_is_played_in_turn_names_its_last_players(ada: Player) -> None:
    table = seated_with_bots(ada, "lorum")
    played_by_interface(ada, table, lambda view: view["kind"] == "train" and len(view["train"]) > 1)
    view = ada.visit(table).view(table)
    players = {played["seat"] for played in view["played"][-len(view["train"]) :]}
    shown = ada.page.locator('#play [data-pile="train"] figcaption')
    expect(shown).to_have_count(len(players))
    ada.plays(random.Random(1), most=1)  # noqa: S311 (a choice in a test)


def test_of_many_events_the_newest_are_told_and_any_is_selected(ada: Player, service_url: str) -> None:
    table = seated_with_bots(ada, "lorum")
    played_by_interface(ada, table, lambda view: view["version"] > 220)
    last, selected = ada.view(table)["version"], ada.page.locator("#events [aria-selected=true]")
    skipped = ada.visit(table).page.locator("play-news [data-skipped]")
    expect(skipped).to_contain_text(f"{last - 14} events are left out here.")
    expect(skipped.get_by_role("link")).to_have_attribute("href", f"/replay/{table}#1")
    expect(ada.page.locator("play-news p")).to_have_count(15)
    ada.page.goto(f"{service_url}/replay/{table}#{last}")
    expect(selected).to_have_attribute("data-version", str(last))
    for version in (1, last, 1):
        ada.page.evaluate("version => { location.hash = `#${version}`; }", version)
        expect(selected).to_have_attribute("data-version", str(version))


def test_people_see_each_other_sit_down(desktop: BrowserContext, phone: BrowserContext, service_url: str) -> None:
    ada, bob = people = Player(desktop, service_url), Player(phone, service_url, name="Bob")
    table = ada.opens("don", bots={"1": "random", "3": "quick"})
    for each in people:
        each.visit(table)
    ada.page.get_by_role("button", name="Take seat 1").click()
    expect(bob.page.locator("play-seating")).to_contain_text("Ada")
    bob.page.get_by_role("button", name="Take seat 3").click()
    expect(ada.page.locator('[data-place="top"] .name')).to_have_text("Bob")
    for each in people:
        each.assert_clean()
        each.page.close()


def test_who_has_no_name_sees_what_the_public_sees_and_sits_down_by_a_name(
    browser: Browser, service_url: str, desktop: BrowserContext
) -> None:
    host = Player(desktop, service_url)
    table = host.opens("don", bots={"1": "random", "2": "random", "3": "random"})
    context = opened(browser, PHONE, "light")
    page = context.new_page()
    page.goto(f"{service_url}/play/{table}")
    page.get_by_role("button", name="Take seat 1").click()
    page.get_by_label("Name", exact=True).fill("Zoe")
    page.get_by_role("button", name="That is me").click()
    expect(page.locator('[data-place="own"] .name')).to_have_text("Zoe")
    expect(page.locator('[data-place="own"] [data-card]')).to_have_count(9)
    spectator = context.new_page()
    spectator.add_init_script("localStorage.clear()")
    spectator.goto(f"{service_url}/play/{table}")
    expect(spectator.locator("play-board .seat")).to_have_count(4)
    expect(spectator.locator("play-hand")).to_be_hidden()
    expect(spectator.locator("button[data-card]")).to_have_count(0)
    context.close()
    host.page.close()


def test_the_page_of_a_table_that_is_closed_says_so(ada: Player) -> None:
    table = ada.opens("don")
    ada.visit(table)
    ada.page.get_by_role("button", name="Take seat 1").click()
    expect(ada.page.locator("play-turn")).to_have_text("The table waits for players.")
    ada.http.delete(f"/tables/{table}", headers=ada.headers).raise_for_status()
    expect(ada.page.locator("play-turn")).to_have_text("The table is closed.")
    expect(ada.page.locator("#gone")).to_contain_text("This table was closed before its game began.")
    expect(ada.page.locator("play-seating")).to_be_hidden()


@pytest.mark.parametrize("by", ["mouse", "space bar"])
def test_what_is_pressed_is_clicked_though_the_table_changes_meanwhile(
    by: str, browser: Browser, service_url: str, desktop: BrowserContext
) -> None:
    host = Player(desktop, service_url)
    table = host.opens("don")
    host.visit(table)
    # What follows fits into the time for which a press keeps a page from being painted.
    other = Player(desktop, service_url, "Zoe")
    mouse, keyboard, sit = host.page.mouse, host.page.keyboard, host.page.get_by_role("button", name="Take seat 1")
    if by == "mouse":
        sit.hover()
        mouse.down()
    else:
        sit.focus()
        keyboard.down(" ")
    # The news tells it as soon as the page has it.
    other.sits(table, 1)
    expect(host.page.locator('play-news [data-version="2"]')).to_be_visible()
    host.page.wait_for_timeout(PAINTED_MS)
    if by == "mouse":
        mouse.up()
    else:
        keyboard.up(" ")
    expect(host.page.locator("play-seating")).to_contain_text("Zoe")
    expect(host.page.get_by_role("button", name="Leave the table")).to_be_visible()
    assert [seat["player"] is not None for seat in host.view(table)["seats"]] == [True, True, False, False]
    for player in (host, other):
        player.page.close()


def test_others_are_invited_by_a_link_that_is_shown_as_a_code_too(phone: BrowserContext, service_url: str) -> None:
    host = Player(phone, service_url)
    table = host.opens("don", table={"visibility": "private"})
    host.sits(table).visit(table)
    # The browser opens the page without a token, and its console notes the status.
    host.complaints.clear()
    expect(host.page.get_by_label("Link to the table")).to_be_visible()
    link = host.page.get_by_label("Link to the table").input_value()
    assert link.startswith(f"{service_url}/play/{table}?invite=")
    assert host.token not in link
    code = host.page.get_by_role("img", name="The link as a code for a camera")
    expect(code).to_be_visible()
    shown = code.locator("path").get_attribute("d")
    made = "async text => (await import('/page/qr.js')).qr(text, '').querySelector('path').getAttribute('d')"
    assert shown == host.page.evaluate(made, link) != host.page.evaluate(made, f"{link}x")
    assert host.faults() == []
    assert host.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    guest = phone.new_page()
    guest.goto(link)
    expect(guest.get_by_role("button", name="Take seat 2")).to_be_visible()
    host.assert_clean()
    for page in (guest, host.page):
        page.close()


def test_after_a_break_the_page_has_the_scores_and_words_of_meanwhile(browser: Browser, service_url: str) -> None:
    context = opened(browser, DESKTOP, "light")
    context.add_init_script(BREAKABLE)
    ada = Player(context, service_url)
    table = seated_with_bots(ada, "lorum", table={"talk": True})
    ada.visit(table)
    expect(ada.page.locator("play-sheet tbody tr")).to_have_count(0)
    goes_offline(context, ada.page)
    played_by_interface(ada, table, lambda view: view["deal"] > 1)
    said = {"type": "talk", "text": "Still here."}
    assert ada.http.post(f"/tables/{table}/actions", json=said, headers=ada.headers).is_success
    context.set_offline(False)
    expect(ada.page.locator("play-sheet tbody tr")).to_have_count(ada.view(table)["deal"] - 1)
    expect(ada.page.locator('[data-place="own"] .talk')).to_have_text("Still here.")
    context.close()


def test_names_and_talk_that_try_to_be_markup_are_text(desktop: BrowserContext, service_url: str) -> None:
    ada = Player(desktop, service_url, name="<b>Ada</b>")
    table = ada.opens("ombre", table={"talk": True})
    others = [Player(desktop, service_url, name="<i>Bob</i>"), Player(desktop, service_url, name="Carl")]
    for seat, each in enumerate([ada, *others]):
        each.sits(table, seat)
    ada.visit(table)
    expect(ada.page.locator('[data-place="left"] .name')).to_have_text("<i>Bob</i>")
    said = {"type": "talk", "text": MARKUP}
    assert others[0].http.post(f"/tables/{table}/actions", json=said, headers=others[0].headers).is_success
    expect(ada.page.locator("play-news")).to_contain_text(MARKUP)
    expect(ada.page.locator('[data-place="left"] .talk')).to_have_text(MARKUP)
    ada.page.get_by_label("Say something at the table").fill(f"  {MARKUP}  ")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("play-news p", has_text=MARKUP)).to_have_count(2)
    expect(ada.page.get_by_label("Say something at the table")).to_have_value("")
    assert ada.page.locator("main img, main b:has-text('Ada')").count() == 0
    assert "broken" not in ada.page.title()
    heard, seen = ada.page.locator("play-news p", has_text=MARKUP), ada.page.locator('[data-place="left"] .talk')
    ada.page.get_by_text("Others’ words and names").click()
    for on, told in ((True, 1), (False, 2), (True, 1)):
        ada.page.get_by_label("hide what <i>Bob</i> says").set_checked(on)
        expect(heard).to_have_count(told)
        expect(seen).to_have_count(told - 1)
    ada.page.get_by_role("button", name="Report the name <i>Bob</i>").click()
    ada.page.get_by_role("button", name="Report it to the operator").click()
    expect(ada.page.locator("play-talk [role=status]")).to_have_text("Reported.")
    assert ada.faults() == []
    ada.page.goto(f"{service_url}/replay/{table}")
    events = ada.page.locator("#events li")
    expect(events.filter(has_text="<i>Bob</i> speaks.")).to_have_count(1)
    expect(events.filter(has_text=MARKUP)).to_have_count(1)
    ada.page.get_by_text("Others’ words and names").click()
    ada.page.get_by_label("hide what <i>Bob</i> says").uncheck()
    expect(events.filter(has_text=MARKUP)).to_have_count(2)
    ada.page.get_by_role("button", name="Report these words").click()
    ada.page.get_by_role("button", name="Report it to the operator").click()
    expect(ada.page.locator("#others [role=status]")).to_have_text(["Reported."])
    assert ada.faults() == []
    ada.assert_clean()
    for each in (ada, *others):
        each.page.close()


def test_two_windows_of_one_player_show_the_same(desktop: BrowserContext, service_url: str) -> None:
    one = Player(desktop, service_url)
    table = seated_with_bots(one, "don")
    other = Player(desktop, service_url, token=one.token).visit(table)
    one.visit(table)
    one.plays(random.Random(1), most=1)  # noqa: S311 (choices in a test)
    expect(one.page.locator('[data-place="own"] [data-card]')).to_have_count(8)
    expect(other.page.locator('[data-place="own"] [data-card]')).to_have_count(8)
    other.plays(random.Random(2), most=1)  # noqa: S311 (choices in a test)
    expect(one.page.locator('[data-place="own"] [data-card]')).to_have_count(7)
    for each in (one, other):
        each.assert_clean()
        each.page.close()


BREAKABLE = """(() => {
  const fetched = window.fetch;
  window.streams = new Set();
  window.fetch = (url, request) => {
    if (!`${url}`.includes("/stream")) return fetched(url, request);
    const broken = new AbortController();
    window.streams.add(broken);
    return fetched(url, { ...request, signal: AbortSignal.any([broken.signal, request.signal]) });
  };
})()"""
"""Lets streams of pages be broken: those that are open go on when a browser is set offline."""


def goes_offline(context: BrowserContext, page: Page) -> None:
    """No page has a connection any more."""
    context.set_offline(True)
    page.evaluate("streams.forEach((one) => one.abort(new TypeError('lost')))")


def test_a_lost_connection_is_said_and_comes_back_with_what_happened(browser: Browser, service_url: str) -> None:
    context = opened(browser, DESKTOP, "light")
    context.add_init_script(BREAKABLE)
    ada = Player(context, service_url)
    table = ada.opens("crocodile")
    ada.sits(table).visit(table)
    expect(ada.page.locator("#connected")).to_be_hidden()
    goes_offline(context, ada.page)
    expect(ada.page.locator("#connected")).to_contain_text("connection lost")
    bob = httpx.post(f"{service_url}/v1/players", json={"name": "Bob"}, trust_env=False).json()["token"]
    ada.http.post(f"/tables/{table}/seats", json={"seat": 1}, headers={"Authorization": f"Bearer {bob}"})
    context.set_offline(False)
    expect(ada.page.locator("#connected")).to_be_hidden()
    bobs = ada.page.locator('play-seating [data-seat="1"]')
    expect(bobs.locator(".name")).to_have_text("Bob")
    expect(ada.page.locator("play-news")).to_contain_text("Bob takes seat 2.")
    # Bob goes while Ada is away, and nothing else happens.
    with ada.http.stream("GET", f"/tables/{table}/events/stream", headers={"Authorization": f"Bearer {bob}"}):
        expect(bobs.locator(".here")).to_be_visible()
        goes_offline(context, ada.page)
    deadline = time.monotonic() + PATIENCE_S
    while ada.http.get(f"/tables/{table}/presence").json()["seats"][1]["connected"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    context.set_offline(False)
    expect(ada.page.locator("#connected")).to_be_hidden()
    expect(bobs.locator(".here")).to_have_count(0)
    context.close()


def test_a_table_that_ends_while_a_choice_is_open_says_so(desktop: BrowserContext, service_url: str) -> None:
    people = [Player(desktop, service_url, name=name) for name in ("Ada", "Bob", "Carl")]
    table = people[0].opens("crocodile")
    for seat, each in enumerate(people):
        each.sits(table, seat)
    for each in people:
        each.visit(table)
    (turn,) = people[0].http.get(f"/tables/{table}").json()["to_act"]
    acting = people[turn]
    expect(acting.page.locator("play-turn")).to_contain_text("Bid, or pass.")
    expect(acting.page).to_have_title(re.compile("^● Your turn"))
    for each in people:
        if each is not acting:
            each.page.locator('[data-key="end"]').click()
            expect(each.page.locator('[data-key="end"]')).to_have_text("Take back the offer to end")
    expect(acting.page.locator('[data-key="end"]')).to_have_text("Agree to end the game")
    expect(acting.page.locator("play-choices button")).not_to_have_count(0)
    me = people[0].http.get("/players/me", headers=people[0].headers).json()["player"]
    people[0].page.evaluate("kept => localStorage.setItem('codille-recovery', kept)", f"{me} codille_recovery_kept")
    offered = people[0].page.locator("[data-key=recovery]")
    expect(offered).to_have_count(0)
    acting.page.locator('[data-key="end"]').click()
    for each in people:
        expect(each.page.locator("play-turn")).to_contain_text("The game is over.")
        expect(each.page.locator("play-choices button")).to_have_count(0)
        each.assert_clean()
    expect(acting.page).to_have_title(re.compile("^Crocodile"))
    # Only who registered in this browser is offered what it keeps.
    expect(people[1].page.locator("[data-key=recovery]")).to_have_count(0)
    offered.click()
    expect(people[0].page.get_by_label("Recovery secret", exact=True)).to_have_value("codille_recovery_kept")
    people[0].page.get_by_role("button", name="I have kept them").click()
    expect(offered).to_have_count(0)
    people[0].page.locator('[data-key="rematch"]').click()
    people[0].page.wait_for_url(lambda address: "/play/" in address and table not in address)
    for each in people:
        each.page.close()


def test_clocks_do_not_believe_the_browsers_own(ada: Player) -> None:
    ada.page.add_init_script("const now = Date.now; Date.now = () => now() + 3_600_000;")
    bots = {"1": "random", "2": "random"}
    table = ada.opens("crocodile", bots=bots, table={"clock": {"seconds": 600}})
    ada.sits(table).visit(table)
    clock = ada.page.locator("[data-clock]:visible")
    expect(clock).to_have_text(re.compile(r"^(5\d\d|600) s left$"))


def test_why_a_card_cannot_be_played_is_said_with_its_rule(ada: Player) -> None:
    table = seated_with_bots(ada, "tetka")
    ada.visit(table)
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    while not ada.page.evaluate(PRESS_BARRED):
        ada.plays(rng, most=1)
    why, panel = ada.page.locator("#why"), ada.page.locator("#rules-panel")
    expect(why).to_contain_text("(TE-")
    cited, here = why.get_by_role("link").inner_text(), ada.page.url
    why.get_by_role("link").click()
    expect(panel.locator(".cited")).to_have_attribute("id", cited)
    expect(panel.locator(".cited")).to_be_focused()
    expect(panel.locator(".cited")).to_be_in_viewport()
    expect(ada.page.locator("play-hand")).to_be_in_viewport()
    assert ada.page.url == here
    introduction = GAMES["tetka"].words.introduction
    expect(panel.locator("play-rules > :first-child p").first).to_have_text(" ".join(introduction.aim))
    expect(panel.get_by_role("heading", level=3)).to_have_text([*GAMES["tetka"].words.sections, *SECTIONS])
    ada.page.keyboard.press("Escape")
    ada.page.locator('[data-roving="hand"] .may').first.focus()
    ada.page.keyboard.press("?")
    expect(why).to_contain_text("can be chosen")


def test_a_phase_that_comes_for_the_first_time_is_explained_where_that_is_preferred(ada: Player) -> None:
    ada.visit(bidding_with_bots(ada, "boston"))
    ada.page.evaluate("localStorage.removeItem('codille-firsts')")
    ada.page.reload()
    turn, play = ada.page.locator("play-turn"), ada.page.locator("#play")
    bidding = GAMES["boston"].words.purposes["auction"]
    expect(turn).to_contain_text(f". {bidding}")
    expect(play).to_have_class(re.compile("explained"))
    ada.page.evaluate("document.querySelector('play-preferences').parentElement.open = true")
    explain = ada.page.locator("play-preferences [name=explain]")
    explain.uncheck()
    expect(turn).not_to_contain_text(bidding)
    expect(play).not_to_have_class(re.compile("explained"))
    explain.check()
    expect(turn).to_contain_text(bidding)
    ada.visit(bidding_with_bots(ada, "boston"))
    expect(ada.page.locator("play-turn.mine")).to_be_visible()
    expect(turn).not_to_contain_text(bidding)


PROMISED = """promises => {
  const { textContent: name, dataset: { value }, title } = document.querySelector(".value.picked");
  const said = promises[JSON.parse(value)];
  return title === said && document.querySelector("#promise").textContent === `${name}: ${said}`;
}"""
"""Whether the page says what the contract that is picked promises and costs."""


def test_what_is_picked_can_be_undone_until_it_is_sent(ada: Player) -> None:
    table = seated_with_bots(ada, "boston")
    ada.visit(table)
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    ada.plays(rng, until=lambda state: len({key.split(":")[1] for key in state["values"]}) >= 2)
    # What was picked on the way would be taken back by a click.
    for key in ada.state()["undo"]:
        ada.chooses(key, "mouse")
    before = len(events_of(ada, table))
    ada.page.locator(".value").first.click()
    expect(ada.page.locator(".value.picked")).to_have_count(1)
    expect(ada.page.locator(".value.picked")).to_be_focused()
    assert ada.page.evaluate(PROMISED, ada.http.get("/games/boston").json()["words"]["promises"]["contract"])
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".picked")).to_have_count(0)
    expect(ada.page.locator("#promise")).to_be_hidden()
    ada.page.locator(".value").first.click()
    ada.page.get_by_role("button", name="Undo the selection").click()
    expect(ada.page.locator(".picked")).to_have_count(0)
    assert len(events_of(ada, table)) == before


def test_the_act_that_was_chosen_is_marked_before_the_service_answers(ada: Player) -> None:
    table = seated_with_bots(ada, "don")
    ada.visit(table)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/actions", hold, times=1)
    ada.page.locator('[data-roving="hand"] .may').first.click()
    expect(ada.page.locator('[data-roving="hand"] .sent')).to_have_count(1)
    expect(ada.page.locator(".sent-act")).to_have_text(re.compile(r"^Playing \S+ …$"))
    expect(ada.page.locator("button.may")).to_have_count(0)
    held[0].continue_()
    expect(ada.page.locator('[data-place="own"] [data-card]')).to_have_count(8)
    expect(ada.page.locator(".sent")).to_have_count(0)


PICK_ALL = """async ([cards, turns]) => {
  const { Choosing } = await import("/page/play/choosing.js");
  const { Offer } = await import("/page/kit/offers.js");
  // What is none may be left out.
  const fields = act => Object.entries(act).map(([name, value]) => [name, [value].flat().sort()]);
  const plain = act => JSON.stringify(fields(act).filter(([, values]) => values.length).sort());
  const isNone = value => [value ?? []].flat().length === 0;
  const pack = new Set(cards);
  // Whether the field leaves nothing to choose.
  const isOne = field => [...new Offer({ type: "", fields: { field } }).choices(2)].length < 2;
  const failed = [];
  let tried = 0;
  for (const offered of turns) {
    const said = offer => Object.values(offer.fields).some(field => field.text);
    const offers = offered.map(offer => new Offer(offer)).filter(offer => !said(offer));
    const isPicked = (act, name, token) =>
      token.card ? [act[name]].flat().includes(token.card) : token.type === act.type && token.field === name;
    const isChosen = (act, picked) => offers.some(offer => offer.admits(act) && Object.entries(offer.fields)
      .every(([name, field]) => isOne(field) || picked.some(token => isPicked(act, name, token))));
    for (const offer of offers) {
      for (const act of offer.choices(12)) {
        const parts = Object.entries(offer.fields).flatMap(([field, limits]) => {
          const values = isNone(act[field]) ? (isOne(limits) ? [] : [null]) : [act[field]].flat();
          return values.map(part => pack.has(part) ? { card: part } : { type: act.type, field, value: part });
        });
        const orders = [parts, parts.toReversed(), [...parts.slice(1), ...parts.slice(0, 1)]];
        for (const [place, tokens] of orders.entries()) {
          // Each second order with a button for every act.
          const choosing = new Choosing(card => pack.has(card), () => place % 2 === 1);
          choosing.use(offers);
          const shown = new Set(choosing.fields().map(({ type, field }) => `${type}:${field}`));
          let sent = null;
          const isShown = token => token.card || shown.has(`${token.type}:${token.field}`);
          const steps = [null, ...tokens.filter(isShown)];
          for (const token of steps) {
            if (sent || token && choosing.has(token)) continue;
            const whole = token && choosing.isWhole(token);
            if (token) choosing.pick(token);
            if (whole) sent = choosing.only();
            const early = sent ? [] : choosing.ready().filter(one => !isChosen(one, choosing.picked));
            if (early.length) failed.push(["early", early, choosing.picked, offered]);
          }
          tried += 1;
          const made = [sent, ...choosing.ready()].some(one => one && plain(one) === plain(act));
          if (!made) failed.push([act, tokens, choosing.picked, offered]);
        }
      }
    }
  }
  return [tried, failed];
}"""
"""For every act that is offered: picks its parts one after the other, in several orders, and looks whether that makes
the act, and whether an act is ready before each of its choices is made."""
RARE: dict[str, list[list[dict[str, Any]]]] = {
    "king": [
        [
            {"type": "name-trumps", "fields": {"trump": {"one_of": ["s", "h", "d", "c", None]}}},
            {"type": "auction", "fields": {}},
        ]
    ],
    "nuts": [
        [
            {"type": "found", "fields": {"card": {"one_of": ["0.2s"]}, "foundation": {"one_of": [1, 2]}}},
            {"type": "build", "fields": {"card": {"one_of": ["0.2s", "0.9h"]}, "column": {"one_of": [3]}}},
            {"type": "turn", "fields": {}},
            {"type": "stuck", "fields": {}},
        ]
    ],
}
"""Offers that are seldom made in the first turns."""


@pytest.fixture(scope="module")
def anywhere(desktop: BrowserContext, service_url: str) -> Iterator[Page]:
    """A page from which the modules can be loaded."""
    page = desktop.new_page()
    page.goto(f"{service_url}/play/{NOBODY}")
    yield page
    page.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_act_that_is_offered_can_be_picked(anywhere: Page, game: str) -> None:
    turns: list[Any] = list(RARE.get(game, []))
    played = GAMES[game]
    tables: type[Live] = type("Table", (Live,), {"game": played})
    live = tables.started()
    rng = chance(("picked", game))
    while live.table.status == "playing" and len(turns) < times(13):
        turns += [[wire(offer.describe()) for offer in live.offers(seat)] for seat in willing(played, live.table)]
        step(live, rng)
    tried, failed = anywhere.evaluate(PICK_ALL, [list(played.pack.faces), turns])
    assert failed == []
    assert tried >= len(turns)


NEWEST = """() => {
  const said = document.querySelector("play-news .said");
  return said.scrollHeight > said.clientHeight && said.scrollHeight - said.scrollTop - said.clientHeight < 2;
}"""
"""Whether the newest of many lines is in sight."""


UNTOLD = """() => {
  const said = document.querySelector(".said");
  const before = said.offsetHeight;
  said.replaceChildren();
  return before - said.offsetHeight;
}"""
"""How much less high the news are with nothing told."""


PAINTED = """async () => {
  dispatchEvent(new Event("preferred"));
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
}"""
"""Has the page painted, and waits for a frame with it."""


def test_no_refusal_moves_the_hand(phone: BrowserContext, service_url: str) -> None:
    ada = Player(phone, service_url)
    ada.visit(seated_with_bots(ada, "tetka"))
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    # So much is told by then that not all of it is in sight.
    ada.plays(rng, most=3)
    ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
    while (before := ada.page.evaluate(TOP_AND_PRESS)) is None:
        ada.plays(rng, most=1)
        ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
    expect(ada.page.locator("#why")).to_contain_text("(TE-")
    assert ada.page.evaluate(TOP) == before
    expect(ada.page.locator("#why")).to_be_in_viewport()
    refused = {"code": "illegal", "title": "Illegal", "detail": "a reason of many words " * 9, "status": 422}
    ada.page.route("**/actions", lambda route: route.fulfill(status=422, json=refused), times=1)
    ada.page.locator('[data-roving="hand"] .may').first.click()
    expect(ada.page.locator("play-turn")).to_contain_text("A reason of many words")
    assert ada.page.evaluate(TOP) == before
    for width, height in WINDOWS:
        ada.page.set_viewport_size({"width": width, "height": height})
        assert ada.page.evaluate(TALKATIVE) == 0, width
        ada.page.wait_for_function(NEWEST, polling=POLLING_MS)
    # The list becomes lower before the browser says that it was scrolled to its end.
    ada.page.evaluate("""() => {
      const said = document.querySelector(".said");
      said.scrollTop -= 1;
      said.scrollTop = said.scrollHeight;
      said.style.maxHeight = "4rem";
    }""")
    ada.page.evaluate(PAINTED)
    ada.page.wait_for_function(NEWEST, polling=POLLING_MS)
    assert ada.page.evaluate(UNTOLD) == 0
    ada.complaints.clear()
    ada.page.close()


def test_cards_that_are_laid_do_not_move_the_hand(phone: BrowserContext, service_url: str) -> None:
    ada = Player(phone, service_url)
    ada.visit(seated_with_bots(ada, "don"))
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    ada.plays(rng, most=1)
    tops = set()
    for _ in range(5):
        ada.page.wait_for_function(READY, polling=POLLING_MS)
        ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
        tops.add(
            ada.page.evaluate(f"({TOP})() - document.querySelector('play-board').getBoundingClientRect().y - scrollY")
        )
        ada.plays(rng, most=1)
    assert len(tops) == 1
    ada.assert_clean()
    ada.page.close()


ROOM = """() => {
  document.querySelector("play-status").textContent = "Deal 1 of 4";
  return innerHeight - document.querySelector("play-turn").getBoundingClientRect().y - scrollY;
}"""
"""How much of the first window is left below the own hand, beside a line of what sums up the deal."""


def layouts(inspector: CDPSession) -> int:
    """How often the browser has laid out the page."""
    metrics = inspector.send("Performance.getMetrics")["metrics"]
    return int(next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount"))


def layouts_of_a_paint(page: Page, inspector: CDPSession) -> int:
    """How often the browser lays out the page that is painted once."""
    before = layouts(inspector)
    page.evaluate(PAINTED)
    return layouts(inspector) - before


CHOSEN = """() => {
  const bottoms = [...document.querySelectorAll("play-choices button")].map(it => it.getBoundingClientRect().bottom);
  const hand = document.querySelector('[data-roving="hand"]').getBoundingClientRect();
  return Math.max(hand.bottom, ...bottoms) + scrollY - innerHeight;
}"""
"""How far hand and choices reach beyond the first window."""


def test_what_may_be_chosen_lies_in_the_window(browser: Browser, service_url: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    ada = Player(context, service_url)
    # So much is needed by fourteen contracts and four suits, and by two rows of choices.
    for game, needed in {"boston": 205, "solo": 140, "diloti": 140}.items():
        ada.visit(seated_with_bots(ada, game))
        ada.page.wait_for_function(READY, polling=POLLING_MS)
        assert ada.page.locator("play-status").inner_text().count("gains or costs") <= 1, game
        for width, height in ((1366, 650), (1280, 720), (1024, 690), (960, 700)):
            ada.page.set_viewport_size({"width": width, "height": height})
            assert ada.page.evaluate(CHOSEN) <= 0, (game, width)
        ada.page.set_viewport_size({"width": 1440, "height": 900})
        assert ada.page.evaluate(ROOM) >= needed, game
    ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
    ada.page.locator('[data-roving="hand"] [data-key]').first.focus()
    inspector = context.new_cdp_session(ada.page)
    inspector.send("Performance.enable")
    # A clock's second may pass meanwhile.
    assert min(layouts_of_a_paint(ada.page, inspector) for _ in range(5)) <= 3, "each part has the page laid out"
    ada.assert_clean()
    context.close()


BOXES = """() => {
  const all = ['[data-roving="hand"] .card', '.middle > .trick', '.middle .card', 'play-turn'];
  const boxes = all.map(one => [...document.querySelectorAll(one)].map(it => it.getBoundingClientRect()));
  const [hand] = boxes;
  const lefts = hand.filter(one => one.top === hand[0].top).map(one => one.left);
  return {
    beyond: document.documentElement.scrollWidth - innerWidth,
    top: Math.min(...boxes.flat().map(one => one.top)),
    bottom: Math.max(...boxes.flat().map(one => one.bottom)),
    share: (hand.at(-1).right - hand[0].left) / document.querySelector('play-hand').clientWidth,
    step: Math.min(...lefts.slice(1).map((left, place) => left - lefts[place])),
    above: document.querySelector('play-board').getBoundingClientRect().bottom <= hand[0].top,
  };
}"""
"""How far the page reaches beyond the window, where hand, trick and prompt lie, and how wide the hand is."""
HOLDS = """number => {
  const hand = document.querySelector('[data-roving="hand"]');
  const cards = [...hand.children];
  hand.replaceChildren(...Array.from({ length: number }, (_, place) => cards[place % cards.length].cloneNode(true)));
  document.querySelector('play-hand').fit(hand, number, -1);
}"""
"""Shows a hand of so many cards."""


UNMARKED = """() => [...document.querySelectorAll("#main *")].filter(one =>
  one.checkVisibility() && getComputedStyle(one).overflowY === "auto" && one.scrollHeight - one.clientHeight > 1 &&
  !one.matches("[data-more-above], [data-more-below]")).map(one => one.outerHTML.slice(0, 99))"""
"""What is scrolled by itself, and has no mark of it."""


def test_hands_fit_every_window(browser: Browser, service_url: str) -> None:
    context = opened(browser, DESKTOP, "light")
    ada = Player(context, service_url, name="W" * 60)
    for game in ("king", "khanhoo", "burraco", "lhombre"):
        laid = 1
        while laid:
            # Where others were first, what they have laid takes room by itself.
            ada.visit(seated_with_bots(ada, game))
            ada.page.wait_for_function(READY, polling=POLLING_MS)
            laid = ada.page.locator(".sides .card").count()
        expect(ada.page.locator("html.pictured")).to_be_attached()
        ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
        for cards in (None, 22) if game == "burraco" else (None,):
            if cards:
                ada.page.evaluate(HOLDS, cards)
            for width, height in WINDOWS:
                ada.page.set_viewport_size({"width": width, "height": height})
                places = ada.page.evaluate(BOXES)
                assert places["beyond"] <= 0, (game, width)
                # The page hears of the window's size with the next frame.
                ada.page.evaluate("new Promise(requestAnimationFrame)")
                assert ada.page.evaluate(UNMARKED) == [], (game, width)
                assert places["above"], (game, width)
                assert places["step"] >= 24, (game, width, places)
                if height < 900:
                    assert width == 1024 or 0 <= places["top"] <= places["bottom"] <= height, (game, width, places)
                if width == 2560:
                    assert places["share"] > 0.9, (game, places)
                if width == 844:
                    assert ada.faults(EARLIER_NEWS) == []
    pages = sum(request.startswith(f"{service_url}/play/") for request in ada.requests)
    assert 0 < sum("cards.svg" in request for request in ada.requests) <= pages, "it is loaded once a page"
    ada.assert_clean()
    context.close()


HELD = """() => [...document.querySelectorAll('[data-roving="hand"] .card')].map(one => [
  one.dataset.card.at(-1), getComputedStyle(one).color, one.offsetWidth, one.querySelector("svg").checkVisibility()])"""
"""Of each card in the own hand its suit, its colour, its width, and whether its picture is shown."""


def test_how_cards_look_is_chosen_and_stays_in_the_browser(browser: Browser, service_url: str) -> None:
    context = opened(browser, DESKTOP, "dark")
    ada = Player(context, service_url)
    ada.visit(seated_with_bots(ada, "king"))
    ada.page.wait_for_function(READY, polling=POLLING_MS)
    expect(ada.page.locator("html.pictured")).to_be_attached()
    before = ada.page.evaluate(HELD)
    suits = [suit for suit, *_ in before]
    assert suits == sorted(suits, key="shdc".index)
    assert len({colour for _, colour, *_ in before}) == len(set(suits))
    assert all(shown for *_, shown in before)
    heard = ada.page.locator("#play").aria_snapshot()
    names = ada.page.locator('[data-roving="hand"] .card').evaluate_all("all => all.map(it => it.ariaLabel)")
    assert [heard.count(f'"{name}"') for name in names] == [1] * len(before), "each card is heard once"
    ada.page.get_by_text("Preferences").click()
    ada.page.get_by_label("Colours of suits").select_option("two")
    ada.page.get_by_label("Order of suits in a hand").select_option("cdhs")
    ada.page.get_by_label("Size of cards").select_option("smaller")
    expect(ada.page.locator('[data-roving="hand"] .card').first).to_have_attribute(
        "data-card", re.compile(f"{min(suits, key='cdhs'.index)}$")
    )
    changed = ada.page.evaluate(HELD)
    assert [suit for suit, *_ in changed] == sorted(suits, key="cdhs".index)
    assert len({colour for _, colour, *_ in changed}) <= 2
    assert changed[0][2] < before[0][2]
    ada.page.reload()
    ada.page.wait_for_function(READY, polling=POLLING_MS)
    expect(ada.page.locator("html.pictured")).to_be_attached()
    assert ada.page.evaluate(HELD) == changed
    assert ada.faults(EARLIER_NEWS) == []
    ada.assert_clean()
    context.close()


def test_what_can_not_be_taken_back_is_asked_once_where_that_is_preferred(ada: Player) -> None:
    table = seated_with_bots(ada, "khanhoo")
    ada.visit(table)
    rng = random.Random(3)  # noqa: S311 (choices in a test)

    def to_discard(_: object) -> bool:
        offers = ada.http.get(f"/tables/{table}/offers", headers=ada.headers).json()["offers"]
        return any(offer["type"] == "discard" for offer in offers)

    ada.plays(rng, until=to_discard)
    before = len(events_of(ada, table))
    ada.page.locator('[data-roving="hand"] .may').first.click()
    expect(ada.page.locator("[data-act=discard]")).to_have_count(1)
    assert len(events_of(ada, table)) == before
    ada.page.get_by_text("Preferences").click()
    ada.page.get_by_label("Ask before a card is discarded").uncheck()
    ada.page.get_by_role("button", name="Undo the selection").click()
    ada.page.reload()
    ada.page.locator('[data-roving="hand"] .may').first.click()
    expect(ada.page.locator("[data-act=discard]")).to_have_count(0)
    assert len(events_of(ada, table)) > before
    ada.page.evaluate("localStorage.removeItem('codille-preferences')")


PLACES = """() => {
  const { x, y } = document.querySelector("play-choices").getBoundingClientRect();
  return ["turn", "stuck"].map(act => {
    const box = document.querySelector(`play-choices [data-key*="${act}"]`)?.getBoundingClientRect();
    return box ? [box.x - x, box.y - y, box.width] : null;
  });
}"""
"""Where two acts of Nuts stand among the choices."""


def test_what_needs_no_choice_keeps_its_place_and_the_stock_is_tapped(ada: Player) -> None:
    ada.visit(seated_with_bots(ada, "nuts"))
    ada.page.locator("[data-act=ready]").click()
    expect(ada.page.locator("[data-act=turn]")).to_be_visible()
    before = ada.page.evaluate(PLACES)
    assert None not in before
    held: list[Route] = []
    ada.page.route("**/actions", lambda route: held.append(route), times=1)  # noqa: PLW0108 (its arguments differ)
    ada.page.locator('[data-key="pile:stock"]').click()
    expect(ada.page.locator(".sent-act")).to_be_visible()
    assert ada.page.evaluate(PLACES) == before
    expect(ada.page.locator("play-choices .idle")).to_have_text(["Turn three", "Stuck"])
    held[0].continue_()
    expect(ada.page.locator(".sent-act")).to_have_count(0)
    assert ada.page.evaluate(PLACES) == before
    ada.complaints.clear()


def test_nothing_is_exchanged_before_it_is_chosen(ada: Player) -> None:
    ada.visit(seated_with_bots(ada, "ombre"))
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    none = "exchange:discard:null"
    ada.plays(rng, until=lambda state: none in state["values"])
    expect(ada.page.locator("[data-act=exchange]")).to_have_count(0)
    expect(ada.page.locator("play-choices")).to_contain_text(re.compile(r"Choose .* to exchange, or none\."))
    ada.chooses(none, "mouse")
    ada.page.locator("[data-act=exchange]").click()
    expect(ada.page.locator(".sent-act, [data-act=exchange]")).to_have_count(0)


SHEET = """async view => {
  await import("/page/play/sheet.js");
  const sheet = document.createElement("play-sheet");
  const books = { lines: [{ seat: 0, deal: 2, amount: 6 }, { seat: 1, deal: null, amount: -2 }] };
  sheet.scores.show = () => {};
  sheet.show({ view: { seats: [{ seat: 0 }, { seat: 1 }], totals: [6, -2], ...view }, words: {}, books, table: "" });
  return [...sheet.querySelectorAll("tr")].slice(1).map(row => [...row.cells].map(cell => cell.textContent));
}"""


def test_the_score_sheet_has_every_deal_and_a_finished_game_its_final_totals(anywhere: Page) -> None:
    # The first and the last deal were washed out.
    over = [["1", "0", "0"], ["2", "+6", "0"], ["3", "0", "0"], ["End", "0", "−2"]]
    finished = anywhere.evaluate(SHEET, {"status": "finished", "deal": 3, "phase": None})
    assert finished == [*over, ["Final total", "+6", "−2"]]
    for deal, phase in ((3, None), (4, "auction")):
        waiting = anywhere.evaluate(SHEET, {"status": "playing", "deal": deal, "phase": phase})
        assert waiting == [*over, ["Total", "+6", "−2"]]


GATHER = """async ([cards, offered]) => {
  const { Choosing } = await import("/page/play/choosing.js");
  const { Offer } = await import("/page/kit/offers.js");
  const choosing = new Choosing(card => cards.includes(card));
  choosing.use(offered.map(offer => new Offer(offer)));
  return choosing.gathers();
}"""


def test_offers_that_differ_only_in_numbers_are_one_control(anywhere: Page) -> None:
    cards = ["As", "Ks", "Qh", "Jd"]
    taking = [
        {"discard": {"some_of": cards[:2], "min": taken, "max": 2}}
        | ({"take": {"some_of": cards[2:], "min": taken, "max": taken}} if taken else {})
        for taken in range(3)
    ]
    found = anywhere.evaluate(GATHER, [cards, [{"type": "exchange", "fields": fields} for fields in taking]])
    assert found == [{"type": "exchange", "field": field, "min": 0, "max": 2} for field in ("discard", "take")]


def wire(value: object) -> Any:
    """The value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def test_a_race_that_is_lost_is_said_in_a_word(ada: Player) -> None:
    table = seated_with_bots(ada, "nuts")
    ada.visit(table)
    ada.page.locator("[data-act=ready]").click()
    lost = {"code": "lost-race", "title": "Lost", "detail": "another was first", "status": 409}
    ada.page.route("**/actions", lambda route: route.fulfill(status=409, json=lost), times=1)
    ada.page.locator("[data-act=turn]").click()
    expect(ada.page.locator("play-turn")).to_have_text("Somebody else was faster.")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    # A browser's console notes every refusal.
    ada.complaints.clear()


STEPS = """async () => {
  const { isActOf, Steps } = await import("/page/play/steps.js");
  const shown = [], found = [];
  let rests = 0;
  const steps = new Steps(async moment => {
    shown.push(moment.version);
    if (!steps.isPast(moment)) await steps.pause(Infinity);
  }, () => (rests += 1));
  const turn = async () => {
    await new Promise(resolve => setTimeout(resolve));
    found.push([...shown.splice(0), rests]);
  };
  const add = (...versions) => versions.forEach(version => steps.add({ version, event: {} }));
  add(1, 2, 3, 4);
  await turn();
  steps.wake();
  await turn();
  steps.hurry(3);
  await turn();
  steps.wake();
  await turn();
  add(5, 6);
  steps.add({ version: 9, event: null });
  steps.wake();
  await turn();
  steps.hurry(9);
  await turn();
  add(...Array.from({ length: 70 }, (_, at) => 10 + at));
  await turn();
  steps.wake();
  await turn();
  steps.end();
  await turn();
  const acts = ["seat:1", "clock", "bot:quick", "house"].map(actor => isActOf({ actor, public: { seat: 1 } }, 1));
  acts.push(isActOf({ actor: "house", public: {} }, null), isActOf({ actor: "seat:2", public: { seat: 2 } }, 1));
  return [found, acts];
}"""


def test_steps_are_shown_one_by_one_and_catch_up(anywhere: Page) -> None:
    found, acts = anywhere.evaluate(STEPS)
    many = [*range(11, 20)]
    assert found == [[1, 0], [2, 0], [3, 4, 0], [1], [5, 9, 1], [2], [10, 2], [*many, 2], [2 + 1]]
    assert acts == [True, True, True, False, False, False]


MADE = """async views => {
  const { madeBetween } = await import("/page/play/made.js");
  return views.map(([before, after, by, cost]) => {
    const words = { card: card => card, words: { terms: { cost } } };
    const seats = view => ({ seats: [{ seat: 0 }, { seat: 1 }], deal: 1, ...view });
    return [...madeBetween(seats(before), seats(after), by, words, "points")];
  });
}"""


def both(**fields: list[Any]) -> list[dict[str, Any]]:
    """Two seats with these fields."""
    return [{"seat": seat} | {name: values[seat] for name, values in fields.items()} for seat in range(2)]


def test_points_are_seen_from_views_as_they_are_made(anywhere: Page) -> None:
    sides = [{"seats": [0], "score": 10, "xeris": 0, "points": 0}, {"seats": [1], "score": 2, "xeris": 1, "points": 9}]
    partners = [{"seats": [0, 1], "score": 3}]
    cases: list[Any] = [
        [{"points": [0, 2]}, {"points": [3, 2]}, 0],
        [{"seats": both(points=[4, 0])}, {"seats": both(points=[4, -3])}, None],
        [{"sides": partners}, {"sides": [{"seats": [0, 1], "score": 4}]}, 1],
        [{"sides": sides}, {"sides": [{**sides[0], "xeris": 1, "points": 10}, sides[1]]}, 0],
        [{"seats": both(founded=[4, 9])}, {"seats": both(founded=[5, 9])}, 0],
        [{"seats": both(captured=[["Kh"], []])}, {"seats": both(captured=[["Kh", "Qh"], []])}, 0],
        [{"captured": [0, 1], "points": [0, 0]}, {"captured": [4, 1], "points": [0, 0]}, 0],
        [{"sides": sides, "points": [1, 1]}, {"sides": sides, "points": [1, 1]}, 0],
        [{"points": [9, 9], "deal": 1}, {"points": [0, 0], "deal": 2}, 0],
        [{"points": [1, 0]}, {"points": [3, 0]}, 0, {"points": "penalty points"}],
    ]
    assert anywhere.evaluate(MADE, cases) == [
        [[0, "3 points"]], [[1, "−3 points"]], [[1, "1 point"]], [[0, "a xeri, 10 points"]],
        [[0, "1 point"]], [[0, "Qh"]], [], [], [], [[0, "−2 points"]],
    ]  # fmt: skip


STATUS = """async ([rules, views]) => {
  await import("/page/play/board.js");
  const { wordsOf } = await import("/page/sentences.js");
  const words = wordsOf(rules, seat => `Seat ${seat}`);
  return views.map(view => {
    const status = document.createElement("play-status");
    status.show({ view, words, rules });
    return [...status.children].map(one => one.textContent);
  });
}"""


def test_the_status_says_which_trick_is_on_and_what_the_contract_promises(anywhere: Page, service_url: str) -> None:
    rules = httpx.get(f"{service_url}/v1/games/ombre", trust_env=False).json()
    contract = {"declarer": 1, "contract": "entrada", "trump": "d", "undertaken": False}
    table = {
        "status": "playing",
        "deal": 1,
        "deals": 12,
        "options": {},
        "phase": "play",
        "auction": [],
        "contract": contract,
    }

    def at(won: int, laid: int, acts: int) -> dict[str, Any]:
        """The table after so many tricks, with so many cards of the next and so many seats to act."""
        seats = [{"seat": seat, "tricks": won if seat == 2 else 0} for seat in range(3)]
        return table | {"seats": seats, "trick": [{}] * laid, "last_trick": None, "to_act": [0] * acts}

    asked = (at(0, 0, 1), at(3, 0, 1), at(3, 2, 1), at(3, 3, 0), at(9, 0, 0))
    found = anywhere.evaluate(STATUS, [rules, list(asked)])
    assert [phase for _, phase, *_ in found] == ["play", *["play, trick 4"] * 3, "play"]
    promise = f"Entrada: {GAMES['ombre'].words.promises['contract']['entrada']}"
    assert all(said.count(promise) == 1 for said in found)
    assert all("Seat 1 plays Entrada in diamonds ♦." in said for said in found)


OPEN_FIELDS = """async ([rules, offered, picked]) => {
  await import("/page/play/choices.js");
  const { Choosing } = await import("/page/play/choosing.js");
  const { Offer } = await import("/page/kit/offers.js");
  const { wordsOf } = await import("/page/sentences.js");
  const view = { to_act: [0], status: "playing", version: 1 };
  const choosing = new Choosing(() => false);
  choosing.use(offered.map(offer => new Offer(offer)));
  const choices = document.body.appendChild(document.createElement("play-choices"));
  const said = [null, ...picked].map(token => {
    if (token) choosing.pick(token);
    choices.show({ choosing, view, now: view, words: wordsOf(rules, String), sent: null, purpose: "" });
    return choices.querySelector(":scope > p")?.textContent ?? null;
  });
  choices.remove();
  return said;
}"""


def test_what_is_still_to_be_chosen_is_named(anywhere: Page, service_url: str) -> None:
    rules = httpx.get(f"{service_url}/v1/games/crocodile", trust_env=False).json()
    values = {"contract": ["solo", "play"], "bonus": [None, "tout"], "trump": ["s", "h"]}
    offers = [{"type": "declare", "fields": {name: {"one_of": each} for name, each in values.items()}}]
    picked = [{"type": "declare", "field": name, "value": each[0]} for name, each in values.items()]
    assert anywhere.evaluate(OPEN_FIELDS, [rules, offers, picked]) == [
        None,
        "Still to choose: bonus, trumps.",
        "Still to choose: trumps.",
        None,
    ]


VALUES = """async ([rules, view]) => {
  const { valueText } = await import("/page/play/choices.js");
  const { wordsOf } = await import("/page/sentences.js");
  const game = { now: view, words: wordsOf(rules, String) };
  return [["declarations", 1], ["value", 8], ["value", 1]].map(([field, value]) => valueText(game, field, value));
}"""


def test_a_group_is_named_by_its_cards_and_a_number_by_itself(anywhere: Page, service_url: str) -> None:
    rules = httpx.get(f"{service_url}/v1/games/diloti", trust_env=False).json()
    view = {"declarations": [{"declaration": 1, "value": 8, "sets": 1, "cards": ["7s", "Ad"], "owner": 0}]}
    assert anywhere.evaluate(VALUES, [rules, view]) == ["7♠ A♦", "8", "1"]


PILES = """async ([rules, view]) => {
  const { usePack } = await import("/page/dom.js");
  const { wordsOf } = await import("/page/sentences.js");
  const { piles } = await import("/page/table.js");
  usePack(rules.pack);
  const [pile] = piles(view, wordsOf(rules, String)).filter(Boolean);
  document.body.append(pile);
  const cards = [...pile.querySelectorAll(".card")];
  const row = pile.querySelector(".row");
  const boxes = cards.map(one => one.getBoundingClientRect());
  const covered = boxes.slice(1).every((box, place) => box.left < boxes[place].left && box.right > boxes[place].left);
  const above = cards.every((one, place) => !place || Number(one.style.zIndex) < Number(cards[place - 1].style.zIndex));
  const { isolation } = getComputedStyle(row);
  const found = [cards.map(one => one.dataset.card), row.matches(".stack"), covered && above, isolation];
  pile.remove();
  return found;
}"""


def test_a_pile_that_is_drawn_from_is_a_stack_with_its_first_card_on_top(anywhere: Page, service_url: str) -> None:
    rules = httpx.get(f"{service_url}/v1/games/khanhoo", trust_env=False).json()
    known = ["9h.1", "2s.1", "Kc.2"]
    view = {"discards": {"known": known, "hidden": 0, "ordered": True}, "to_act": [0]}
    # Its cards lie above each other, and above nothing else, such as what the deal came to.
    assert anywhere.evaluate(PILES, [rules, view]) == [known, True, True, "isolate"]


def test_a_seat_says_its_last_call_and_no_mark_of_it(anywhere: Page) -> None:
    said = """async ([auction, terms]) => {
      const { spoken } = await import("/page/play/board.js");
      const words = { words: { terms }, value: value => String(value) };
      return auction.map(({ seat }) => spoken({ auction }, words, seat));
    }"""
    calls = [
        {"seat": 0, "bid": "pass"},
        {"seat": 1, "bid": "vuelta", "held": True},
        {"seat": 2, "bid": "solo", "held": False},
        {"seat": 3, "contract": None, "suit": None},
        {"seat": 4, "number": 3},
    ]
    terms = {"contract": {"vuelta": "Vuelta", "solo": "Solo"}}
    assert anywhere.evaluate(said, [calls, terms]) == ["passes", "Vuelta", "Solo", "passes", "3"]


WATCHED = """() => {
  const seen = window.seen = { cards: [], made: [], lengths: [], read: 0 };
  const last = list => list[list.length - 1];
  new MutationObserver(() => {
    const cards = document.querySelectorAll(".middle > .trick [data-card]").length;
    if (cards !== last(seen.cards)) seen.cards.push(cards);
    seen.made.push(...[...document.querySelectorAll(".made")].map(one => one.textContent));
    seen.lengths.push(...document.getAnimations().map(one => one.effect.getTiming().duration));
    seen.read += document.querySelectorAll(".ghost:not([aria-hidden]), .ghost [data-card], .ghost[data-card]").length;
  }).observe(document.querySelector("#play"), { childList: true, subtree: true });
}"""
"""Notes how many cards lie in the trick, the points that are shown, and how long cards move."""


def test_cards_move_and_what_bots_do_in_a_burst_is_shown_one_by_one(ada: Player) -> None:
    table = seated_with_bots(ada, "don")
    ada.visit(table)
    ada.page.get_by_text("Preferences").click()
    ada.page.get_by_label("What others do in a row is shown").select_option("fast, one by one")
    rng, seen = random.Random(3), {}  # noqa: S311 (choices in a test)
    for motion in ("no-preference", "reduce"):
        ada.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
        ada.page.evaluate(WATCHED)
        for _ in range(4):
            # Whoever acts before would have the rest shown at once.
            ada.page.wait_for_function(READY, polling=POLLING_MS)
            ada.page.wait_for_function(CAUGHT_UP, polling=POLLING_MS)
            ada.plays(rng, most=1)
        seen[motion] = ada.page.evaluate("seen")
        assert all(after - before <= 1 for before, after in itertools.pairwise(seen[motion]["cards"])), motion
        assert seen[motion]["read"] == 0
    moved, still = seen["no-preference"]["lengths"], seen["reduce"]["lengths"]
    assert moved
    assert max(moved) <= LONGEST_MS
    assert not still
    scored = [event["public"] for event in events_of(ada, table) if event["type"] == "trick-won"]
    points = {sum(each["points"] for each in one["points"]) for one in scored} - {0}
    shown = {int(text.split()[0]) for each in seen.values() for text in each["made"] if "point" in text}
    assert shown
    assert shown <= points
    versions = ada.page.locator("play-news [data-version]").evaluate_all("all => all.map(one => one.dataset.version)")
    assert len(versions) == len(set(versions))
    ada.page.evaluate("localStorage.removeItem('codille-preferences')")


MARKED = """() => [
  document.querySelector("#play[data-lags]") !== null,
  [...document.querySelectorAll("play-hand [data-card]")]
    .filter(one => getComputedStyle(one).filter !== "none")
    .map(one => one.outerHTML),
]"""
"""Whether the page lags, and the own cards that are darkened since they may not be chosen."""


def test_an_act_while_the_page_lags_catches_up(ada: Player) -> None:
    table = seated_with_bots(ada, "don")
    ada.visit(table)
    ada.page.evaluate("localStorage.setItem('codille-preferences', JSON.stringify({ pace: 60_000 }))")
    ada.visit(table)
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    left, lagged = 9, 0
    while lagged < 3:
        ada.page.wait_for_function(READY, polling=POLLING_MS)
        lags, marked = ada.page.evaluate(MARKED)
        assert not lags or marked == [], "the trick to be seen is another"
        lagged += lags
        ada.plays(rng, most=1)
        left -= 1
        expect(ada.page.locator('[data-place="own"] [data-card]')).to_have_count(left)
    ada.page.evaluate("localStorage.removeItem('codille-preferences')")


def plays_to_summary(player: Player) -> None:
    """Plays on until the page shows what a deal came to."""
    rng = random.Random(3)  # noqa: S311 (choices in a test)
    while True:
        player.page.wait_for_function(READY, polling=POLLING_MS)
        state = player.state()
        if state["summary"]:
            break
        player.chooses(picked(state, rng), "mouse")


def acts_elsewhere(player: Player, table: str) -> None:
    """Acts once without the page, as soon as it is the player's turn."""
    deadline = time.monotonic() + PATIENCE_S
    while 0 not in (read := player.http.get(f"/tables/{table}/offers", headers=player.headers).json())["to_act"]:
        assert time.monotonic() < deadline
    act = pick([offer for offer in read["offers"] if offer["type"] != "talk"], chance(table))
    player.http.post(f"/tables/{table}/actions", json=act, headers=player.headers).raise_for_status()


def test_what_a_deal_came_to_is_shown_until_its_player_goes_on(ada: Player, browser: Browser, service_url: str) -> None:
    table = seated_with_bots(ada, "don", deals=3, table={"clock": {"seconds": 600}})
    window = browser.new_context()
    watching = window.new_page()

    ada.visit(table)
    watching.goto(f"{service_url}/play/{table}")
    expect(watching.locator("play-board .seat")).to_have_count(4)
    summary, watched = ada.page.locator("play-summary"), watching.locator("play-summary")
    plays_to_summary(ada)
    expect(summary.get_by_role("heading")).to_be_focused()
    assert_summed(ada, table)
    expect(watched.locator("tfoot")).to_be_visible()
    # The next deal runs meanwhile.
    expect(ada.page.locator('[data-roving="hand"] [data-card]')).to_have_count(9)
    expect(summary).to_contain_text(re.compile(r"Your clock runs meanwhile: \d+ s left"))
    assert ada.faults() == []
    expect(watched).to_be_hidden()
    # What the same player does elsewhere closes it.
    acts_elsewhere(ada, table)
    expect(summary).to_be_hidden()
    expect(ada.page.locator('[data-roving="hand"] [data-card]')).to_have_count(8)
    plays_to_summary(ada)
    expect(summary).to_contain_text("Deal 2 of 3")
    ada.types("next-deal")
    expect(summary).to_be_hidden()
    expect(ada.page.locator("play-turn")).to_be_focused()
    expect(ada.page.locator("play-status")).to_contain_text("Deal 3 of 3")
    window.close()
