"""The pages of tables, of a player and of a leaderboard, in a real browser against a real service."""

import json
import re
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from service.cli.demo import choose
from tests.support.browser import browser
from tests.support.list_page import Lists, has, lists, player_of, window
from tests.support.scripted import all_of
from tests.support.service import Running
from tests.support.spoken import in_latin, made_up, made_up_texts, marked, members, strings
from tests.support.table_page import Party, events_of

__all__ = ["browser", "lists", "window"]

MARKUP = "<i>Berta</i>"


@pytest.fixture(scope="module")
def party(service: Running) -> Party:
    """Players who have finished a game among themselves, and one of them, who has lines there, another with bots."""
    party = Party(service.url, names=("Ada", MARKUP, "Carl"))
    party.play_until("game-finished")
    own, chance = party.headers[booked_seat(party)], Random(4)  # noqa: S311 (choices in a test)
    bots = {"game": "ombre", "deals": 3, "bots": {"1": "random", "2": "random"}}
    table = party.http.post("/v1/tables", json=bots, headers=own).json()["table"]
    party.http.post(f"/v1/tables/{table}/seats", json={"seat": 0}, headers=own)
    while party.http.get(f"/v1/tables/{table}", headers=own).json()["status"] == "playing":
        if offers := party.http.get(f"/v1/tables/{table}/offers", headers=own).json()["offers"]:
            party.http.post(f"/v1/tables/{table}/actions", json=choose(offers, chance), headers=own)
    player = player_of(party, booked_seat(party))
    has(party, "/tables", lambda answer: len(answer["items"]) == 2, status="finished", player=player)
    has(party, f"/players/{player}", lambda answer: answer["record"]["by_game"])
    ledgers = [party.http.get(f"/v1/tables/{one}/ledger").json()["lines"] for one in (party.table, table)]
    booked = sum(line["account"] == f"player:{player}" for lines in ledgers for line in lines)
    has(party, f"/players/{player}/ledger", lambda answer: len(answer["items"]) == booked, limit="200")
    return party


def booked_seat(party: Party) -> int:
    """The first seat for which the game among people booked a line."""
    lines = party.http.get(f"/v1/tables/{party.table}/ledger").json()["lines"]
    return min(int(line["seat"]) for line in lines if line["seat"] is not None)


def test_a_finished_table_names_its_winners(lists: Lists, party: Party) -> None:
    view = party.http.get(f"/v1/tables/{party.table}").json()
    row = lists.open("/tables?status=finished&game=crocodile").page.locator(f'[data-table="{party.table}"]')
    expect(row.locator(".winner")).to_have_count(len(view["winners"]))
    expect(row).to_contain_text(MARKUP)
    expect(row.locator("a")).to_have_attribute("href", f"/replay/{party.table}")
    lists.assert_in_order()
    # The date that is shown is the one by which tables are in order.
    days = lists.page.locator("#found time").evaluate_all("times => times.map(time => time.dateTime)")
    assert days == sorted(days, reverse=True)
    items = party.http.get("/v1/tables?status=finished&game=crocodile").json()["items"]
    assert {one["opened_at"] for one in items} >= {*days}


def test_tables_are_found_by_game_state_and_player(lists: Lists, party: Party) -> None:
    # One who has not played with bots.
    player = player_of(party, (booked_seat(party) + 1) % 3)
    name = party.http.get(f"/v1/players/{player}").json()["name"]
    page = lists.open(f"/tables?player={player}").page
    expect(page.locator("#player-name")).to_have_text(f"Tables of {name}")
    expect(page.locator("#found li")).to_have_count(1)
    page.get_by_label("Game").select_option("ombre")
    expect(page.locator("#found .state")).to_have_text("There is no such table.")
    expect(page).to_have_url(f"{lists.url}/tables?player={player}&game=ombre")
    page.get_by_label("State").select_option("finished")
    page.get_by_role("button", name="Anybody").click()
    expect(page).to_have_url(f"{lists.url}/tables?game=ombre&status=finished")
    expect(page.locator("#found li").filter(has_text="Random bot 2").first).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.locator("#found .state")).to_have_text("There is no such table.")
    expect(page.get_by_label("State")).to_have_value("")


def test_tables_are_found_by_day_and_result(lists: Lists, party: Party) -> None:
    won = party.http.get(f"/v1/tables/{party.table}").json()["winners"]
    page = lists.open(f"/tables?game=crocodile&player={player_of(party, won[0])}").page
    row = page.locator(f'#found [data-table="{party.table}"]')
    page.get_by_label("Result").select_option("other")
    expect(page.locator("#found .state")).to_have_text("There is no such table.")
    page.get_by_label("Result").select_option("won")
    expect(row).to_be_visible()
    day = "days => { const day = new Date(); day.setDate(day.getDate() + days); return day.toLocaleDateString('sv'); }"
    today, tomorrow, yesterday = [page.evaluate(day, days) for days in (0, 1, -1)]
    for name, no, yes in (("Opened since", tomorrow, today), ("until", yesterday, today)):
        page.get_by_label(name).fill(no)
        expect(page.locator("#found .state")).to_have_text("There is no such table.")
        page.get_by_label(name).fill(yes)
        expect(row).to_be_visible()
    assert page.url.endswith(f"&result=won&since={today}&until={today}")
    lists.assert_in_order()
    page.get_by_role("button", name="Anybody").click()
    expect(page).to_have_url(f"{lists.url}/tables?game=crocodile&since={today}&until={today}")


def test_a_players_page_shows_record_balance_and_marked_lines(lists: Lists, party: Party) -> None:
    player = player_of(party, booked_seat(party))
    profile = has(party, f"/players/{player}", lambda answer: answer["record"]["by_game"])
    (game,) = profile["record"]["by_game"]
    page = lists.open(f"/players/{player}").page
    expect(page.locator("h1")).to_have_text(str(profile["name"]))
    expect(page.locator("main > section").first).to_have_attribute("id", "finished")
    cells = page.locator('#record [data-game="crocodile"] td')
    expect(cells).to_have_text([re.compile(rf"^[+−]?{abs(game['total'])}$"), "1", str(game["wins"])])
    drawn = page.locator("#plot svg")
    expect(drawn).to_have_attribute("aria-label", re.compile(r"^Crocodile: .*after \d deals?, between "))
    ledger = party.http.get(f"/v1/tables/{party.table}/ledger").json()["lines"]
    own = [line for line in ledger if line["account"] == f"player:{player}"]
    cells = page.locator("[data-results=seat] tbody").locator("th, td")
    total = re.compile(rf"^[+−]?{abs(game['total'])}$")
    deals = len({line["deal"] for line in own if line["deal"] is not None})
    expect(cells).to_have_text([f"Seat {own[0]['seat'] + 1}", str(deals), total])
    contracts = [line["text"].partition(" by ")[0] for line in own if line["kind"] == "contract"]
    rows = page.locator("[data-results=contract] tbody tr")
    played = rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
    assert {row[0] for row in played} == set(contracts)
    assert sum(int(row[1]) + int(row[3]) for row in played) == len(contracts)
    expect(page.locator("#finished [data-table]")).to_have_count(2)
    expect(page.locator("#playing .state")).to_have_text("Plays at no table.")
    lines = party.http.get(f"/v1/players/{player}/ledger?limit=20").json()["items"]
    rows = page.locator("#lines tbody tr")
    expect(rows).to_have_count(len(lines))
    marked = rows.evaluate_all("rows => rows.map(row => row.querySelector('.mark') !== null)")
    assert marked == [line["bots"] for line in lines]
    assert True in marked
    expect(rows.first.locator("a")).to_have_attribute("href", f"/replay/{lines[0]['table']}#{lines[0]['version']}")
    lists.assert_in_order()


def test_a_name_that_tries_to_be_markup_is_text(lists: Lists, party: Party) -> None:
    page = lists.open(f"/players/{player_of(party, 1)}").page
    expect(page.locator("h1")).to_have_text(MARKUP)
    assert page.locator("i").count() == 0


def test_a_page_kept_open_over_an_upgrade_says_that_another_is_there(lists: Lists) -> None:
    page = lists.open("/tables").page
    online = "dispatchEvent(new Event('online'))"
    with page.expect_response("**/page/version.json"):
        page.evaluate(online)
    expect(page.locator("#upgrade")).to_have_count(0)
    page.route("**/page/version.json", lambda route: route.fulfill(json={"pages": "other"}))
    page.evaluate(online)
    expect(page.get_by_text("There is a newer version of this page.")).to_be_visible()
    lists.assert_in_order()
    page.get_by_role("button", name="Load it").click()
    expect(page.locator("#found")).to_be_visible()
    expect(page.locator("#upgrade")).to_have_count(0)


SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) window.shifts += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.usefixtures("party")
def test_nothing_jumps_while_the_first_page_is_loaded(lists: Lists) -> None:
    """By the measure of Lighthouse (cumulative layout shift), which counts up to 0.1 as good.

    Before its script runs, what follows a list is hidden, too: it would be moved when the list is there.
    """
    held: list[Route] = []
    lists.page.add_init_script(SHIFTS)
    lists.page.route("**/home.js*", lambda route: held.append(route))  # noqa: PLW0108 (it takes functions of its own)
    lists.page.goto(f"{lists.url}/", wait_until="commit")
    expect(lists.page.locator("#open")).to_be_visible()
    expect(lists.page.locator("#playing")).to_be_hidden()
    while not held:
        lists.page.wait_for_timeout(20)
    held[0].continue_()
    expect(lists.page.locator("#games li").first).to_be_visible()
    assert lists.page.evaluate("window.shifts") < 0.1


def test_a_leaderboard_has_the_best_first(lists: Lists, party: Party) -> None:
    ranks = has(party, "/leaderboard", lambda answer: len(answer["items"]) > 2, game="crocodile")["items"]
    page = lists.open("/leaderboard/crocodile").page
    expect(page.locator("h1")).to_have_text("The best at Crocodile")
    shown = page.locator("#board tbody tr").evaluate_all("rows => rows.map(row => row.dataset.player)")
    assert shown == [rank["player"] for rank in ranks]
    expect(page.locator(f'[data-player="{player_of(party, 1)}"] a')).to_contain_text(MARKUP)
    lists.assert_in_order()
    # Other tests of this process may have finished a game of any kind.
    nobody = {"items": [], "next": None}
    page.route("**/v1/leaderboard?*", lambda route: route.fulfill(json=nobody))
    page.get_by_label("Game").select_option("nuts")
    expect(page.locator("#board .state")).to_have_text("Nobody has finished a game that counts here.")
    assert httpx.get(f"{lists.url}/leaderboard/whist", trust_env=False).status_code == httpx.codes.NOT_FOUND


def test_what_fails_is_said_and_tried_again(lists: Lists, party: Party) -> None:
    page = lists.page
    page.route("**/v1/players/*/ledger?*", lambda route: route.abort())
    lists.open(f"/players/{player_of(party, booked_seat(party))}")
    expect(page.locator("#lines .state")).to_have_text("The service cannot be reached.")
    page.unroute("**/v1/players/*/ledger?*")
    page.locator("#lines").get_by_role("button", name="Try again").click()
    expect(page.locator("#lines tbody tr").first).to_be_visible()
    lists.open("/players/01936d5c-0000-7000-8000-000000000000")
    expect(page.locator("#failure")).to_have_text("No player has this id.")
    # A browser's console notes every refusal.
    lists.complaints.clear()


SAID = """() => {
  const found = [document.title], unsaid = "script, style, code, noscript, time";
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(unsaid)) found.push(walk.currentNode.data);
  for (const name of ["title", "aria-label", "aria-description", "placeholder", "alt"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) found.push(one.getAttribute(name));
  }
  return found;
}"""
NO_TEXT = re.compile(
    rf"{MARKUP}|\b(?:Ada|Berta|Carl)\b|\b[A-Z][a-z]{{2}} (?:\d{{1,2}}, )?\d{{4}}\b"
    r"|(?: \()?\b[0-9a-f]{8}(?:-[0-9a-f]{1,4})*\b(?!-)\)?"
)
"""Names, a day or a month as this browser writes it, and the first letters of an id, also behind a name that several
have.
"""


def translated(value: Any) -> Any:
    """An answer of the interface with what the game says in the made-up language."""
    match value:
        case dict():
            said = ("text", "heading", "title", "unit", "sentence", "description")
            texts = {name: marked(value[name]) for name in said if isinstance(value.get(name), str)}
            terms = {name: marked(value[name]) for name in ("acts", "terms", "marks", "actors", "aim") if name in value}
            called = ("name",) if "contract" in value or "outcome" in value else ()
            called = ("contract_name", "outcome_name", *called)
            terms |= {name: marked(value[name]) for name in called if isinstance(value.get(name), str)}
            row = {"row": translated(value["row"]) | {"name": marked(value["row"]["name"])}} if value.get("row") else {}
            # Lines are said by the texts that they were recorded with.
            lines = {"lines": {}} if "acts" in value and "lines" in value else {}
            return {name: translated(one) for name, one in value.items()} | texts | terms | row | lines
        case list():
            return [translated(one) for one in value]
        case _:
            return value


def items(http: httpx.Client, listed: str) -> list[Any]:
    """All items of a list."""
    page = http.get(f"/v1/{listed}", params={"limit": 100}).json()
    found: list[Any] = page["items"]
    while page["next"] is not None:
        page = http.get(f"/v1/{listed}", params={"limit": 100, "cursor": page["next"]}).json()
        found += page["items"]
    return found


def test_pages_speak_from_the_file_of_their_language_alone(browser: Browser, party: Party, service_url: str) -> None:
    pages = all_of(made_up())
    running = Party(service_url)
    finished, player = party.table, player_of(party, booked_seat(party))
    view = running.http.get(f"/v1/tables/{running.table}").json()
    # What an audit calls its checks is a name, as a rule's number is; what was said at the table is the players'.
    ran = party.http.get(f"/v1/tables/{finished}").json()
    audits = [party.http.get(f"/v1/tables/{finished}/deals/{deal}/audit").json() for deal in range(1, ran["deal"] + 1)]
    # Tests of other files leave tables and disputes of their own at the same service.
    tables, disputes = items(party.http, "tables"), items(party.http, "disputes")
    ids = sorted({one for table in tables for one in table["players"] if one})
    others = [disputes]
    for at in range(0, len(ids), 100):
        others += [party.http.get("/v1/players", params={"id": ids[at : at + 100]}).json()]
    known = list(strings([view, audits, others, [event["sealed"] for event in events_of(service_url, finished)]]))
    known += members(ran)
    # An option and its values are names too, and so are those of a fact.
    options = party.http.get("/v1/games/crocodile").json()["options"]["properties"]
    known += ["Conceded", "Played", "Declarer", "Opponents"]
    known += [name.replace("_", " ").capitalize() for name in options]
    known += [value.replace("-", " ").capitalize() for option in options.values() for value in option["enum"]]
    shown = {
        "/": pages["home"],
        "/new?game=crocodile": pages["new"],
        "/games/crocodile/score": pages["sheet"],
        "/tables": pages["tables"],
        f"/players/{player}": pages["player"],
        "/leaderboard/crocodile": pages["leaderboard"],
        "/archive?game=crocodile": pages["archive"],
        f"/games/crocodile/statistics?player={player}": pages["statistics"],
        "/disputes": pages["disputes"],
        f"/replay/{finished}": pages["replay"],
        f"/play/{running.table}": pages["play"],
    }

    def answered(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps(translated(answer.json())))

    def rendered(route: Route) -> None:
        file = shown[route.request.url.removeprefix(service_url)]
        route.fulfill(body=file.body, headers={**file.headers, "Content-Type": file.media_type})

    window = browser.new_context()
    page = window.new_page()
    page.route("**/page/sentences.en.json", lambda route: route.fulfill(json=made_up_texts()))
    page.route(re.compile("/v1/(games|archive|tables/[^/]+/ledger|players/[^/]+/ledger|tables/[^/]+/deals)"), answered)
    for path in shown:
        page.route(f"{service_url}{path}", rendered)
        page.goto(f"{service_url}{path}")
        expect(page.locator("[aria-busy]")).to_have_count(0)
        expect(page.locator("#place:empty, #loading:visible")).to_have_count(0)
        said = [NO_TEXT.sub("", text) for text in page.evaluate(SAID)]
        assert in_latin(said, known) == [], path
    page.unroute_all(behavior="wait")
    window.close()
