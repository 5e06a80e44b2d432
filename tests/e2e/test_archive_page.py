"""The pages of finished deals and of a game's statistics, in a real browser against a real service."""

import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import browser
from tests.support.list_page import SCHEMES, Lists, has, lists, player_of, window
from tests.support.service import CODILLE, Running
from tests.support.table_page import Party

__all__ = ["browser", "lists", "window"]

MARKUP = "<b>Archibald</b>"
UNBUILT = "The archive of finished deals is being built."
NOBODY = "01936d5c-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def party(service: Running) -> Party:
    """Players, two of whom have one name, who have finished a game that the archive has."""
    party = Party(service.url, names=("Wolfhilde", MARKUP, "Wolfhilde"))
    party.play_until("game-finished")
    deals = party.http.get(f"/v1/tables/{party.table}").json()["deal"]
    found_by(party, lambda answer: answer["count"] == deals, player=player_of(party, 0))
    return party


def found_by(party: Party, holds: Any, **query: Any) -> list[dict[str, Any]]:
    """The deals that the interface finds, once it holds for the answer."""
    items: list[dict[str, Any]] = has(party, "/archive/deals", holds, **query)["items"]
    return items


def deals_of(party: Party, **query: Any) -> list[dict[str, Any]]:
    """The party's deals that the interface finds."""
    return found_by(party, lambda _: True, player=player_of(party, 0), **query)


def shown(page: Page) -> list[str]:
    """The deals that the page shows, by table and number."""
    return [str(one) for one in page.locator("#found li").evaluate_all("rows => rows.map(row => row.dataset.deal)")]


def places(deals: list[dict[str, Any]]) -> list[str]:
    """Deals by table and number."""
    return [f"{deal['table']}/{deal['deal']}" for deal in deals]


def query_of(page: Page) -> list[tuple[str, str]]:
    """What the address asks for."""
    return parse_qsl(urlsplit(page.url).query)


def test_a_deal_has_words_results_and_links_to_its_moment_and_its_ledger(lists: Lists, party: Party) -> None:
    (newest, *_) = deals = deals_of(party)
    page = lists.open(f"/archive?player={player_of(party, 0)}").page
    assert shown(page) == places(deals)
    row = page.locator("#found li").first
    outcome = newest["outcome_name"]
    expect(row.locator(".title")).to_contain_text(re.compile(rf"^{newest['title']}: .*, {re.escape(outcome)}"))
    expect(row.locator(".title")).to_contain_text(newest["contract_name"], ignore_case=True)
    for seat in newest["seats"]:
        result = re.compile(rf"{re.escape(seat['name'])}.*[+−]?{abs(seat['result'])}$")
        expect(row.locator(".players > span").nth(seat["seat"])).to_have_text(result)
    expect(row.locator(".declarer")).to_have_count(sum(seat["declarer"] for seat in newest["seats"]))
    expect(row.locator("a").first).to_have_attribute("href", newest["page"])
    expect(page.locator("#found b", has_text="Archibald")).to_have_count(0)
    lists.assert_in_order()
    row.get_by_role("link", name="Ledger").click()
    expect(page.locator("#ledger")).to_be_in_viewport()
    page.go_back()
    lists.shown()
    row.locator("a").first.click()
    expect(page.locator("#place")).to_have_text(re.compile(rf"^{newest['version']} /"))


def test_a_game_offers_what_it_is_searched_by_and_the_address_holds_it(lists: Lists, party: Party) -> None:
    contract = deals_of(party)[0]["contract"]
    page = lists.open(f"/archive?player={player_of(party, 0)}").page
    everything = shown(page)
    expect(page.get_by_label("Contract")).to_be_hidden()
    page.locator("#game").select_option("crocodile")
    page.get_by_label("Contract").select_option(contract)
    page.get_by_label("Order").select_option("largest")
    wanted = {"game": "crocodile", "contract": contract, "order": "largest"}
    expect(page).to_have_url(re.compile("order=largest"))
    assert dict(query_of(page)) == {"player": player_of(party, 0), **wanted}
    lists.shown()
    assert shown(page) == places(deals_of(party, **wanted))
    # Whoever gets the address sees the same.
    page.reload()
    lists.shown()
    expect(page.get_by_label("Contract")).to_have_value(contract)
    assert shown(page) == places(deals_of(party, **wanted))
    page.locator("#game").select_option("don")
    expect(page.get_by_label("Contract")).to_be_hidden()
    expect(page.get_by_label("Trumps")).to_be_visible()
    assert dict(query_of(page)) == {"player": player_of(party, 0), "game": "don"}
    expect(page.locator("#found .state")).to_have_text("No deal is like this.")
    page.go_back()
    expect(page.get_by_label("Contract")).to_have_value(contract)
    page.get_by_role("button", name="Clear all").click()
    assert query_of(page) == []
    for _ in range(4):
        page.go_back()
    lists.shown()
    assert shown(page) == everything


def test_seldom_conditions_are_folded_away_until_one_is_asked_for(lists: Lists, party: Party) -> None:
    page = lists.open(f"/archive?game=crocodile&player={player_of(party, 0)}").page
    expect(page.get_by_label("Amount, from")).to_be_hidden()
    page.get_by_text("More conditions").click()
    page.get_by_label("Amount, from").fill("1")
    page.keyboard.press("Tab")
    page.get_by_label("Players are").select_option("false")
    page.get_by_label("Disputed").select_option("false")
    page.get_by_label("Bonus stacking").select_option(index=1)
    page.locator("#rule").fill("cr-1.1")
    page.keyboard.press("Enter")
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    page.get_by_label("Played since").fill(today)
    page.get_by_label("until").fill(today)
    expect(page).to_have_url(re.compile("until="))
    wanted = {
        "amount_from": "1",
        "bots": "false",
        "disputed": "false",
        "rule": "CR-1.1",
        "since": today,
        "until": today,
    }
    asked = dict(query_of(page))
    assert asked.items() >= wanted.items()
    assert asked["option"].startswith("bonus_stacking:")
    # The state says what is refused, and nothing is.
    expect(page.locator("#found .state.loss")).to_have_count(0)
    lists.open(f"/archive?{urlsplit(page.url).query}")
    expect(page.get_by_label("Amount, from")).to_have_value("1")
    expect(page.get_by_label("Bonus stacking")).to_have_value(asked["option"])
    page.locator("#option-bonus_stacking").select_option("")
    page.locator("#rule").fill("")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("rule="))
    lists.shown()
    assert shown(page) == places(deals_of(party, game="crocodile", amount_from="1"))
    lists.assert_in_order()


def test_players_are_looked_up_by_name_and_chosen_by_keyboard(lists: Lists, party: Party) -> None:
    page = lists.open("/archive").page
    page.get_by_label("Player’s name").focus()
    page.keyboard.type("wolfhilde")
    page.keyboard.press("Enter")
    expect(page.locator("#alike")).to_contain_text("Which wolfhilde?")
    buttons = page.locator("#alike button")
    expect(buttons).to_have_count(2)
    texts = buttons.all_inner_texts()
    assert len({*texts}) == 2, texts
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#players li")).to_have_count(1)
    expect(page.get_by_label("Player’s name")).to_be_focused()
    first = query_of(page)
    assert first in [[("player", player_of(party, seat))] for seat in (0, 2)]
    page.keyboard.type(MARKUP)
    page.keyboard.press("Enter")
    expect(page.locator("#players li")).to_have_count(2)
    page.get_by_label("They play").select_option("declarer")
    lists.shown()
    assert query_of(page) == [*first, ("player", player_of(party, 1)), ("among", "declarer")]
    ids = [value for name, value in query_of(page) if name == "player"]
    assert shown(page) == places(found_by(party, lambda _: True, player=ids, among="declarer"))
    lists.assert_in_order()
    for _ in ids:
        page.get_by_role("button", name="Without").first.focus()
        page.keyboard.press("Enter")
    expect(page.locator("#players li")).to_have_count(0)
    assert query_of(page) == []
    page.keyboard.type("nobody is called this")
    page.keyboard.press("Enter")
    expect(page.locator("#alike")).to_have_text("No player is called nobody is called this.")


def test_a_saved_record_is_checked_by_the_command_that_the_page_names(
    lists: Lists, party: Party, tmp_path: Path
) -> None:
    page = lists.open(f"/archive?player={player_of(party, 0)}").page
    row = page.locator("#found li").first
    with page.expect_download() as saved:
        row.get_by_role("button", name="Save the record").click()
    name = saved.value.suggested_filename
    assert name == f"{party.table}.ndjson"
    saved.value.save_as(tmp_path / name)
    expect(row.locator("code")).to_be_visible()
    (program, *arguments) = row.locator("code").inner_text().split()
    assert program == CODILLE.name
    verified = subprocess.run([CODILLE, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    lists.assert_in_order()


def test_the_next_deals_come_by_a_button(lists: Lists, party: Party) -> None:
    deals = places(deals_of(party))
    page = lists.page
    page.route(
        re.compile("/v1/archive/deals"),
        lambda route: route.continue_(url=route.request.url.replace("limit=20", "limit=1")),
    )
    lists.open(f"/archive?player={player_of(party, 0)}")
    for number in range(1, len(deals)):
        assert shown(page) == deals[:number]
        page.get_by_role("button", name="More").click()
        lists.shown()
    assert shown(page) == deals
    expect(page.get_by_role("button", name="More")).to_be_hidden()


def test_unlisted_deals_are_shown_to_their_players_alone(lists: Lists, service: Running) -> None:
    party = Party(service.url, names=("Ingeburg", "Notburga", "Walburga"), table={"visibility": "unlisted"})
    party.play_until("game-finished")
    own = player_of(party, 0)
    address = f"{service.url}/v1/archive/deals"
    page = lists.open(f"/archive?player={own}").page
    expect(page.locator("#found .state")).to_have_text("No deal is like this.")
    expect(page.get_by_role("button", name="Add me")).to_be_hidden()
    page.evaluate("token => sessionStorage.setItem('codille-token', token)", party.tokens[0])
    deals = party.http.get(f"/v1/tables/{party.table}").json()["deal"]
    waiting = {"params": {"player": own}, "headers": party.headers[0], "trust_env": False}
    while httpx.get(address, **waiting).json()["count"] != deals:
        page.wait_for_timeout(50)
    lists.open("/archive")
    page.get_by_role("button", name="Add me").click()
    expect(page.locator("#found li")).to_have_count(deals)
    expect(page.locator("#found li").first.locator(".mark")).to_have_text("not in lists")
    lists.assert_in_order()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").first.click()
    assert saved.value.suggested_filename == f"{party.table}.ndjson"


def test_what_fails_is_said_and_tried_again(lists: Lists, party: Party) -> None:
    page = lists.page
    problem = {"status": 503, "title": "Unavailable", "code": "unavailable", "detail": UNBUILT[:-1].lower()}
    page.route(
        re.compile("/v1/(archive|games/crocodile/statistics)"),
        lambda route: route.fulfill(
            status=503, json=problem, headers={"Retry-After": "60"}, content_type="application/problem+json"
        ),
    )
    for path, section in (("/archive", "#found"), ("/games/crocodile/statistics", "#statistics")):
        lists.open(path)
        expect(page.locator(f"{section} .state")).to_have_text(UNBUILT)
        lists.assert_in_order()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-part=contracts]")).to_be_visible()
    lists.open("/archive?contract=solo")
    expect(page.locator("#found .state.loss")).to_contain_text("name the game, too")
    lists.open(f"/archive?player={NOBODY}")
    expect(page.locator("#found .state")).to_have_text("No deal is like this.")
    lists.open(f"/games/crocodile/statistics?player={NOBODY}")
    expect(page.locator("#statistics .state")).to_have_text("No player has this id.")
    # A browser's console notes every refusal.
    lists.complaints.clear()


def test_an_erased_player_has_no_name(lists: Lists, service: Running) -> None:
    party = Party(service.url, names=("Kunigunde", "Radegund", "Hildegund"))
    party.play_until("game-finished")
    deals = party.http.get(f"/v1/tables/{party.table}").json()["deal"]
    erased, other = player_of(party, 0), player_of(party, 1)
    found_by(party, lambda answer: answer["count"] == deals, player=other)
    assert party.http.delete("/v1/players/me", headers=party.headers[0]).is_success
    page = lists.open(f"/archive?player={other}").page
    expect(page.locator("#found .players").first).to_contain_text("(erased)")
    assert "Kunigunde" not in page.content()
    lists.open(f"/archive?player={erased}")
    expect(page.locator("#players")).to_contain_text("(erased)")
    expect(page.locator("#found .state")).to_have_text("No deal is like this.")


def test_statistics_are_those_of_the_interface_with_a_players_beside(lists: Lists, party: Party) -> None:
    own = player_of(party, 1)
    page = lists.open(f"/games/crocodile/statistics?player={own}").page
    answer = party.http.get("/v1/games/crocodile/statistics", params={"player": own}).json()
    expect(page.locator("h1")).to_have_text("Statistics of Crocodile")
    expect(page.locator("#player-name")).to_have_text(MARKUP)
    rows = page.locator("[data-part=contracts] tbody tr").evaluate_all(
        "rows => rows.map(row => [row.dataset.row, ...[...row.cells].slice(1).map(cell => cell.textContent)])"
    )
    owns = {one["contract"]: one for one in answer["own"]["contracts"]}
    for row, one in zip(rows, answer["everybody"]["contracts"], strict=True):
        mine = owns.get(one["contract"], {"deals": 0, "declarers": {"won": 0, "lost": 0}})
        assert row[:2] == [one["contract"] or "", str(one["deals"])]
        assert row[4:6] == [str(one["declarers"]["won"]), str(one["declarers"]["lost"])]
        assert row[8:11] == [str(mine["deals"]), str(mine["declarers"]["won"]), str(mine["declarers"]["lost"])]
    drawn = page.locator("[data-part=seats] svg")
    expect(drawn.locator("circle.range-0")).to_have_count(len(answer["everybody"]["seats"]))
    expect(drawn.locator("circle.range-1")).to_have_count(len(answer["own"]["seats"]))
    expect(drawn).to_have_attribute("aria-label", re.compile(r"Seat 1: [+−]?[\d.]+, spread [\d.]+\."))
    month = answer["everybody"]["months"][-1]
    results = page.locator("[data-part=months] tbody tr").first.locator("td")
    expect(results.first).to_have_text(str(month["results"]["deals"]))
    lists.assert_in_order()
    page.get_by_role("button", name="Everybody alone").click()
    expect(page).to_have_url(f"{lists.url}/games/crocodile/statistics")
    lists.shown()
    expect(page.locator("circle.range-1")).to_have_count(0)
    contract = answer["everybody"]["contracts"][0]["contract"]
    page.locator(f'[data-row="{contract}"] th a').click()
    lists.shown()
    assert query_of(page) == [("game", "crocodile"), ("contract", contract), ("bots", "false")]
    count = answer["everybody"]["contracts"][0]["deals"]
    expect(page.locator("#found li")).to_have_count(min(count, 20))


def test_months_are_a_line_and_a_game_without_contracts_has_outcomes(lists: Lists, party: Party) -> None:
    results = [{"deals": 4, "won": 1, "lost": 1, "points": points, "squares": 400} for points in (0, -20, 8)]
    ends = [
        {"outcome": "most-cards", "name": "most cards", "deals": 2},
        {"outcome": "even", "name": "even", "deals": 2},
    ]
    none = {"deals": 0, "won": 0, "lost": 0, "points": 0, "squares": 0}
    everybody = {
        "deals": 4,
        "contracts": [{"contract": None, "name": None, "deals": 4, "outcomes": ends, "declarers": none}],
        "seats": [{"seat": seat, "results": results[seat], "declarers": none} for seat in range(2)],
        "months": [
            {"month": f"2026-{month:02}", "results": one} for month, one in zip((9, 10, 11), results, strict=True)
        ],
    }
    page = lists.page
    answer = {"game": "diloti", "unit": "points", "everybody": everybody, "player": None, "own": None}
    page.route("**/v1/games/diloti/statistics", lambda route: route.fulfill(json=answer))
    lists.open("/games/diloti/statistics")
    rows = page.locator("[data-part=contracts] tbody tr")
    expect(rows.locator("th")).to_have_text(["Most cards", "Even"])
    drawn = page.locator("[data-part=months] svg")
    expect(drawn).to_have_attribute("aria-label", re.compile(r"Sep 2026: 0, spread 10\. Oct 2026: −5, spread 8\.7\."))
    points = drawn.locator("polyline.line-0").get_attribute("points") or ""
    assert len(points.split()) == 3
    expect(page.locator("[data-part=months] tbody th")).to_have_text(["Nov 2026", "Oct 2026", "Sep 2026"])
    lists.assert_in_order()


@pytest.mark.usefixtures("party")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_fit_a_phone_and_a_desk_in_both_colours(lists: Lists, scheme: Any) -> None:
    lists.page.emulate_media(color_scheme=scheme)
    for width, height in ((390, 844), (1280, 900)):
        lists.page.set_viewport_size({"width": width, "height": height})
        for path in ("/archive?game=crocodile&amount_from=0", "/games/crocodile/statistics"):
            lists.open(path)
            expect(lists.page.locator("#found li, [data-part]").first).to_be_visible()
            assert lists.page.evaluate("document.documentElement.scrollWidth") <= width
            assert lists.faults() == []


@pytest.mark.parametrize(
    ("path", "name", "wanted"),
    [
        ("/", "Finished deals", "/archive"),
        ("/tables", "Finished deals", "/archive"),
        ("/games/crocodile", "Finished deals", "/archive?game=crocodile"),
        ("/games/crocodile", "Statistics", "/games/crocodile/statistics"),
        ("/leaderboard/crocodile", "Statistics", "/games/crocodile/statistics"),
    ],
)
def test_people_come_there_from_where_they_look(lists: Lists, path: str, name: str, wanted: str) -> None:
    page = lists.page
    page.goto(f"{lists.url}{path}")
    page.get_by_role("link", name=name, exact=True).first.click()
    expect(page).to_have_url(f"{lists.url}{wanted}")
    lists.shown()
