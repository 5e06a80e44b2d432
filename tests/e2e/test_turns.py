"""What calls a player on every page: tables at which it is the player's turn, and those to play again at."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import browser
from tests.support.games import chance
from tests.support.picking import pick
from tests.support.play_page import Player
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
