"""A table's page while its game goes on, and while its ledger is disputed, in a real browser."""

import re
import subprocess
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import browser
from tests.support.service import CODILLE, Running, environment
from tests.support.table_page import Party, Visit, events_of, first, visit, window
from tests.support.waiting import PATIENCE_S

__all__ = ["browser", "visit", "window"]

AGAIN_MS = 1000
MARKUP = "<img src=x onerror=document.title='broken'>"


def use_token(page: Page, token: str) -> None:
    page.locator("#token-open").click()
    page.locator("#token").fill(token)
    page.get_by_text("Use it").click()


def last_step(page: Page, step: int) -> None:
    """Waits until this is the table's last step, and is shown."""
    expect(page.locator("#place")).to_have_text(f"{step} / {step}")


def ledger_of(party: Party) -> dict[str, Any]:
    books: dict[str, Any] = party.http.get(f"/v1/tables/{party.table}/ledger").json()
    return books


def test_a_running_tables_page_follows_the_game(visit: Visit) -> None:
    party = Party(visit.url)
    known = len(events_of(visit.url, party.table))
    stream = "/events/stream?view=true"
    with visit.page.expect_response(lambda answer: answer.url.endswith(stream)):
        page = visit.open(party.table).page
    last_step(page, known)
    expect(page.locator("#following")).to_be_visible()
    visit.requests.clear()
    party.act()
    now = len(events_of(visit.url, party.table))
    last_step(page, now)
    expect(page.locator("#events li")).to_have_count(now)
    asked = [url.partition(party.table)[2] for url in visit.requests if "/v1/" in url]
    assert f"/events?after={known}&limit=200" in asked
    assert not [path for path in asked if path.startswith(("/replay", "/ledger", "/events/stream"))]
    assert "" not in asked, "the stream brings the view"


def test_a_tab_that_nobody_sees_holds_no_stream(visit: Visit) -> None:
    party = Party(visit.url)
    streams = re.compile(r"/events/stream\?view=true$")
    with visit.page.expect_response(streams):
        page = visit.open(party.table).page
    hide = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.expect_event("requestfailed", lambda request: streams.search(request.url) is not None):
        page.evaluate(hide, True)
    party.act()
    with page.expect_response(streams):
        page.evaluate(hide, False)
    last_step(page, len(events_of(visit.url, party.table)))


def test_an_open_tables_page_shows_players_as_they_sit_down(visit: Visit) -> None:
    http = httpx.Client(base_url=visit.url, trust_env=False)
    ada, zoe = (http.post("/v1/players", json={"name": name}).json()["token"] for name in ("Ada", "Zoe"))
    headers = {"Authorization": f"Bearer {ada}"}
    table = http.post("/v1/tables", json={"game": "crocodile"}, headers=headers).json()["table"]
    page = visit.open(table).page
    expect(page.locator(".seat .name")).to_have_text(["free seat"] * 3)
    sat = http.post(f"/v1/tables/{table}/seats", json={"seat": 1}, headers={"Authorization": f"Bearer {zoe}"})
    assert sat.status_code == 201
    expect(page.locator(".seat .name")).to_have_text(["free seat", "Zoe", "free seat"])
    expect(page.locator("#title")).to_have_text("Crocodile: free, Zoe, free")


def test_a_reader_of_an_earlier_step_stays_there(visit: Visit) -> None:
    party = Party(visit.url)
    page = visit.open(party.table, 2).page
    party.act()
    now = len(events_of(visit.url, party.table))
    expect(page.locator("#events li")).to_have_count(now)
    expect(page.locator("#place")).to_have_text(f"2 / {now}")
    page.keyboard.press("End")
    last_step(page, now)


def test_the_page_follows_again_after_an_outage(visit: Visit) -> None:
    party = Party(visit.url)
    visit.page.clock.install()
    page = visit.open(party.table).page
    outage = {"detail": "the log cannot be reached"}
    page.route("**/events?*", lambda route: route.fulfill(status=503, json=outage), times=1)
    party.act()
    expect(page.get_by_role("alert")).to_have_text("The log cannot be reached.")
    page.clock.fast_forward(AGAIN_MS)
    last_step(page, len(events_of(visit.url, party.table)))
    expect(page.locator("#failure")).to_be_hidden()


def test_what_a_reader_has_unfolded_and_chosen_stays(visit: Visit, scored: Party) -> None:
    page = visit.open(scored.table).page
    page.locator("#eyes").select_option("public")
    page.locator("#ledger .line summary").first.click()
    page.evaluate("['#ledger .line', '#eyes option'].map(it => document.querySelector(it).dataset.kept = 'yes')")
    scored.act()
    last_step(page, len(events_of(visit.url, scored.table)))
    expect(page.locator("#eyes")).to_have_value("public")
    expect(page.locator("#ledger .line").first).to_have_attribute("open", "")
    expect(page.locator("[data-kept]")).to_have_count(2)


def test_a_deal_that_is_over_is_open_and_booked_without_loading_the_page_again(visit: Visit) -> None:
    party = Party(visit.url)
    page = visit.open(party.table).page
    expect(page.locator("#ledger")).to_contain_text("Nothing is booked yet")
    party.play_until("deal-scored")
    expect(page.locator("#audit .badge.intact")).to_have_count(1)
    expect(page.locator("#ledger .line")).not_to_have_count(0)
    page.evaluate(f"location.hash = '#{first(events_of(visit.url, party.table), 'cards-dealt')}'")
    expect(page.locator('.seat[data-seat="2"] .card:not(.back)')).to_have_count(9)


def test_a_player_follows_with_open_cards(visit: Visit) -> None:
    party = Party(visit.url)
    page = visit.open(party.table).page
    held = party.view["seats"][1]["hand"]["known"]
    use_token(page, party.tokens[1])
    expect(page.locator('.seat[data-seat="1"] [data-card]')).to_have_count(len(held))
    party.act()
    last_step(page, len(events_of(visit.url, party.table)))
    expect(page.locator('.seat[data-seat="1"] [data-card]')).to_have_count(len(held))


def test_a_browsers_cache_shows_no_player_what_the_public_saw(visit: Visit) -> None:
    party = Party(visit.url)
    page = visit.open(party.table).page
    seen = page.evaluate(
        """async ([address, token]) => {
          await (await fetch(address)).json();
          return (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).json();
        }""",
        [f"/v1/tables/{party.table}", party.tokens[1]],
    )
    assert seen == party.view


@pytest.fixture(scope="module")
def scored(service: Running) -> Party:
    """Players whose first deal is scored."""
    party = Party(service.url)
    party.play_until("deal-scored")
    return party


def undisputed(page: Page) -> Locator:
    """The first line that can be disputed, unfolded."""
    line = page.locator("#ledger .line:not(:has(.badge))").first
    line.locator("summary").click()
    line.locator("button").click()
    return line


def test_a_player_disputes_a_line_on_the_page(visit: Visit, scored: Party) -> None:
    page = visit.open(scored.table).page
    expect(page.locator("#ledger .line")).not_to_have_count(0)
    expect(page.locator("#ledger button")).to_have_count(0)
    use_token(page, scored.tokens[0])
    expect(page.locator("#ledger button")).not_to_have_count(0)
    key = str(undisputed(page).get_attribute("data-key"))
    page.locator("#dispute-reason").fill(f"Not so.\n{MARKUP}")
    page.locator("#dispute-raise").click()
    disputed = page.locator(f'#ledger .line[data-key="{key}"]')
    expect(disputed.locator(".badge.open")).to_have_text("dispute 1 open")
    expect(disputed.locator("button")).to_have_count(0)
    (raised,) = scored.http.get(f"/v1/tables/{scored.table}/disputes").json()["items"]
    version, place = map(int, key.split("."))
    assert {"version": version, "line": place} in raised["lines"]
    assert raised["reason"] == f"Not so. {MARKUP}"
    text = events_of(visit.url, scored.table)[version - 1]["public"]["lines"][place]["text"]
    name = page.locator(f'#felt [data-seat="{text[text.index("seat ") + 5]}"] .name').inner_text()
    in_words = re.sub(r"seat \d", name, text)
    assert disputed.locator(".text").inner_text() == in_words
    expect(page.locator("#sentence")).to_contain_text(f"disputes “{in_words}”")
    expect(page.locator("#sentence")).to_contain_text(f"of event {version}. “Not so. {MARKUP}”")
    assert page.title().endswith("codille")


def test_a_player_of_no_seat_is_offered_no_dispute(visit: Visit, scored: Party) -> None:
    stranger = scored.http.post("/v1/players", json={"name": "Zoe"}).json()["token"]
    page = visit.open(scored.table).page
    use_token(page, stranger)
    expect(page.locator('#eyes option[value="me"]')).to_have_count(1)
    expect(page.locator("#ledger .line")).not_to_have_count(0)
    expect(page.locator("#ledger button")).to_have_count(0)


def test_a_dispute_that_is_refused_says_why_and_keeps_the_words(visit: Visit) -> None:
    party = Party(visit.url)
    party.play_until("deal-scored")
    page = visit.open(party.table).page
    use_token(page, party.tokens[0])
    undisputed(page)
    raised = party.http.post(
        f"/v1/tables/{party.table}/disputes", json={"deal": 1, "reason": "All wrong."}, headers=party.headers[1]
    )
    assert raised.status_code == 201
    page.locator("#dispute-reason").fill("Not so.")
    page.locator("#dispute-raise").click()
    expect(page.locator("#dispute-failure")).to_have_text("The line is already disputed: dispute 1 about it is open.")
    expect(page.locator("#dispute-reason")).to_have_value("Not so.")
    expect(page.locator("#dispute-line .rule")).to_have_count(1)
    earlier = page.locator("#dispute-dialog").get_by_role("link", name="Dispute 1")
    expect(earlier).to_have_attribute("href", f"/disputes/{party.table}/1")
    page.get_by_text("Cancel").click()
    expect(page.locator("#dispute-dialog")).to_be_hidden()
    # A browser's console notes every refusal.
    visit.complaints.clear()


def test_the_token_stays_in_the_tab(visit: Visit, scored: Party) -> None:
    page = visit.open(scored.table).page
    use_token(page, scored.tokens[0])
    expect(page.locator('#eyes option[value="me"]')).to_have_count(1)
    kept = page.evaluate("[JSON.stringify(localStorage), document.cookie, location.href]")
    assert not [where for where in kept if scored.tokens[0] in where]
    assert not [url for url in visit.requests if scored.tokens[0] in url]


def run(service: Running, *arguments: str) -> str:
    """What the operator's command prints."""
    command, kept = [CODILLE, *arguments], environment(service.data_dir)
    return subprocess.run(command, env=kept, capture_output=True, text=True, timeout=120, check=True).stdout


def arbiter(service: Running) -> str:
    """The token of a new arbiter."""
    player = re.findall(r"^player +(\S+)$", run(service, "players", "add", "Judge"), re.MULTILINE)[0]
    return run(service, "tokens", "add", player, "--scope", "arbiter").strip()


@pytest.fixture(scope="module")
def corrected(service: Running) -> Party:
    """Players whose game is over, and was won by another one after a correction."""
    party = Party(service.url)
    party.play_until("game-finished")
    path, books = f"/v1/tables/{party.table}", ledger_of(party)
    loser = min(books["balances"], key=lambda one: (one["seat"] is None, one["balance"]))["seat"]
    line = {name: books["lines"][0][name] for name in ("kind", "rule")}
    raised = party.http.post(f"{path}/disputes", json={"deal": 1, "reason": "Not so."}, headers=party.headers[0])
    entry = {"account": loser, "with": "bank", "amount": 500, "text": "as it should have been"} | line
    ruled = party.http.post(
        f"{path}/disputes/{raised.json()['dispute']}/ruling",
        json={"ruling": "upheld", "text": "So be it.", "lines": [entry]},
        headers={"Authorization": f"Bearer {arbiter(service)}"},
    )
    assert ruled.status_code == 201, ruled.text
    return party


def in_order(visit: Visit) -> None:
    """The page fits a phone, and axe finds nothing."""
    assert visit.faults() == []
    visit.page.set_viewport_size({"width": 390, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.page.set_viewport_size({"width": 1280, "height": 900})


def test_an_arbiter_rules_at_the_desk(visit: Visit, corrected: Party, service: Running) -> None:
    party = Party(visit.url)
    party.play_until("deal-scored")
    booked = ledger_of(party)["lines"][0]
    body = {"lines": [{"version": booked["version"], "line": 0}], "reason": MARKUP}
    party.http.post(f"/v1/tables/{party.table}/disputes", json=body, headers=party.headers[0])
    page = visit.page
    page.goto(f"{visit.url}/disputes?game=crocodile&status=open")
    row = page.locator(f'[data-dispute="{party.table}/1"]')
    expect(row.locator(".words")).to_have_text(MARKUP)
    in_order(visit)
    row.locator("a").click()
    expect(page).to_have_url(f"{visit.url}/disputes/{party.table}/1")
    expect(page.locator("#reason")).to_have_text(MARKUP)
    expect(page.locator("#lines .rule")).to_have_text(booked["rule"])
    expect(page.locator("#audit .badge.intact")).to_have_count(1)
    expect(page.locator("#ruling")).to_contain_text("it waits for an arbiter")
    expect(page.locator("#earlier")).to_contain_text(booked["rule"])
    cited = sorted({booked["version"], *booked["events"]})
    expect(page.locator("#steps li")).to_have_count(len(cited))
    page.locator("#steps a").last.click()
    expect(page.locator("#sentence a")).to_have_text(f"#{cited[-1]}")
    page.get_by_role("button", name="Step before").click()
    expect(page.locator("#sentence a")).to_have_text(f"#{cited[-1] - 1}")

    page.get_by_role("button", name="Token").click()
    page.get_by_label("Token", exact=True).fill(arbiter(service))
    page.get_by_role("button", name="Use it").click()
    page.get_by_role("button", name="Report these words").click()
    page.get_by_role("button", name="Report it to the operator").click()
    expect(page.locator("#report")).to_have_text("Reported.")
    page.get_by_label("upheld").check()
    page.get_by_label("book these lines").check()
    page.get_by_label("Amount").fill("7")
    page.get_by_label("In words").fill("as it should have been")
    page.get_by_label("Reasons").fill(f"So be it.\n{MARKUP}")
    in_order(visit)
    page.get_by_role("button", name="Rule", exact=True).click()
    # The audit confirms the line, so the form asks once more, and again after a change.
    expect(page.get_by_role("alert").filter(has_text="The audit confirms")).to_be_visible()
    in_order(visit)
    assert any("status of 409" in complaint for complaint in visit.complaints)
    visit.complaints.clear()
    page.get_by_role("button", name="Rule", exact=True).click()
    expect(page.locator("#title .badge.upheld")).to_have_text("upheld")
    expect(page.locator("#ruling blockquote")).to_have_text(f"So be it. {MARKUP}")
    expect(page.locator("#ruling li .amount").last).to_have_text("+7")
    in_order(visit)
    page.get_by_role("link", name="The dispute on one page, to print").click()
    expect(page.locator("h1")).to_contain_text("Dispute 1")
    in_order(visit)
    (ruled,) = party.http.get("/v1/disputes", params={"rule": booked["rule"], "limit": 1}).json()["items"]
    assert (ruled["table"], ruled["status"], ruled["ruling"]["booked"]) == (party.table, "upheld", 2)

    # What was booked instead is disputed in turn; the table's own page leads to it.
    body = {"lines": [{"version": ruled["ruling"]["correction"], "line": 2}], "reason": "Still not so."}
    party.http.post(f"/v1/tables/{party.table}/disputes", json=body, headers=party.headers[0])
    visit.open(party.table)
    line = page.locator(f'#ledger .line[data-key="{ruled["ruling"]["correction"]}.2"]')
    line.locator("summary").click()
    line.get_by_role("link", name="Dispute 2").click()
    expect(page.locator("#reason")).to_have_text("Still not so.")
    expect(page.locator("#earlier li").first).to_have_text(re.compile("upheld .*So be it."))
    expect(page.locator("#audit")).to_contain_text("no audit")


def test_after_a_correction_the_winner_is_another(visit: Visit, corrected: Party) -> None:
    events = events_of(visit.url, corrected.table)
    finished = next(event for event in events if event["type"] == "game-finished")
    (winner,) = events[-1]["public"]["winners"]
    assert winner not in finished["public"]["winners"]
    page = visit.open(corrected.table).page
    name = page.locator(f'.seat[data-seat="{winner}"] .name').inner_text()
    expect(page.locator("#sentence")).to_contain_text(f"is corrected for dispute 1. Now {name} wins: ")
    expect(page.locator('.seat:has([data-role="winner"])')).to_have_attribute("data-seat", str(winner))
    page.evaluate(f"location.hash = '#{finished['version']}'")
    visit.at(finished["version"])
    before = [str(seat) for seat in finished["public"]["winners"]]
    marked = page.locator('.seat:has([data-role="winner"])')
    assert marked.evaluate_all("seats => seats.map(seat => seat.dataset.seat)") == before


def test_balances_follow_the_step(visit: Visit, corrected: Party) -> None:
    books, events = ledger_of(corrected), events_of(visit.url, corrected.table)
    page = visit.open(corrected.table).page
    booking = sorted({line["version"] for line in books["lines"]})
    for version in (1, booking[0] - 1, *booking, len(events)):
        page.evaluate(f"location.hash = '#{version}'")
        visit.at(version)
        expect(page.locator("#ledger caption")).to_contain_text(f"after step {version},")
        for account in (one["account"] for one in books["balances"]):
            amounts = (line["amount"] for line in books["lines"] if line["account"] == account)
            versions = (line["version"] for line in books["lines"] if line["account"] == account)
            balance = sum(amount for amount, at in zip(amounts, versions, strict=True) if at <= version)
            shown = page.locator(f'#ledger [data-account="{account}"] td').inner_text()
            assert int(shown.replace("−", "-")) == balance
        later = page.locator("#ledger .line.later")
        expect(later).to_have_count(
            sum(line["version"] > version and line["seat"] is not None for line in books["lines"])
        )
    assert {one["account"]: one["balance"] for one in books["balances"]} == {
        one["account"]: sum(line["amount"] for line in books["lines"] if line["account"] == one["account"])
        for one in books["balances"]
    }


def test_long_names_without_blanks_fit(visit: Visit) -> None:
    party = Party(visit.url, names=("W" * 64, "m" * 63 + "1", "<b>Carl</b>"))
    party.play_until("deal-scored")
    page = visit.open(party.table).page
    begin = first(events_of(visit.url, party.table), "cards-dealt")
    last = int(page.locator("#slider").get_attribute("max") or 0)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        for version in range(begin, last + 1):
            page.evaluate(f"location.hash = '#{version}'")
            expect(page.locator("#place")).to_have_text(f"{version} / {last}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            inside = "[...document.querySelectorAll('.felt *, #events li, #sentence')].filter(one => "
            box = "one.closest('section, li, p').getBoundingClientRect().right > innerWidth)"
            assert page.evaluate(f"{inside}{box}.length") == 0
    expect(page.locator(".seat .name b")).to_have_count(0)
    page.goto(f"{visit.url}/")
    expect(page.locator(f'[data-table="{party.table}"]')).to_contain_text("<b>Carl</b>")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("other", ["Ada", "\u0410d\u0430"])
def test_two_players_whose_names_look_alike_are_told_apart(visit: Visit, other: str) -> None:
    party = Party(visit.url, names=("Ada", other, "Carl"))
    page = visit.open(party.table).page
    names = page.locator(".seat .name").all_inner_texts()
    assert len(set(names)) == 3
    ids = [
        seat["player"] for seat in httpx.get(f"{visit.url}/v1/tables/{party.table}", trust_env=False).json()["seats"]
    ]
    for shown, name, player in list(zip(names, ("Ada", other, "Carl"), ids, strict=True))[:2]:
        letters = re.fullmatch(rf"{name} \((\S+)\)", shown)
        assert letters
        assert player.startswith(letters[1])


def test_a_person_who_is_called_as_a_bot_is_told_apart_from_it(visit: Visit, service: Running) -> None:
    # The operator may give such a name; players had them before they were refused.
    (token,) = re.findall(r"^token +(\S+)$", run(service, "players", "add", "Quick bot"), re.MULTILINE)
    with httpx.Client(
        base_url=f"{visit.url}/v1", headers={"Authorization": f"Bearer {token}"}, trust_env=False
    ) as http:
        table = http.post("/tables", json={"game": "crocodile", "bots": {"1": "quick", "2": "quick"}}).json()["table"]
        http.post(f"/tables/{table}/seats", json={"seat": 0})
        listed = http.get(f"/tables/{table}").json()
    assert [bool(seat["bot"]) for seat in listed["seats"]] == [False, True, True]
    shown = ["Quick bot", "ᴮᴼᵀ Quick bot 2", "ᴮᴼᵀ Quick bot 3"]
    page = visit.open(table).page
    assert page.locator(".felt .seat .name").all_text_contents() == shown
    expect(page.locator("#title").get_by_role("img", name="bot")).to_have_count(2)
    page.goto(f"{visit.url}/play/{table}?fbclid=x&utm_source=chat")
    expect(page.locator("play-board .name")).to_have_count(3)
    assert sorted(page.locator(".seat .name").all_text_contents()) == sorted(shown)
    for seat, marks in enumerate((0, 1, 1)):
        expect(page.locator(f'.seat[data-seat="{seat}"] .name').get_by_role("img", name="bot")).to_have_count(marks)
    expect(page).to_have_url(f"{visit.url}/play/{table}")
    page.goto(f"{visit.url}/tables")
    row = page.locator(f'[data-table="{table}"]')
    expect(row.get_by_role("img", name="bot")).to_have_count(2)
    expect(row.locator(".players > span").first).to_have_text(re.compile("^Quick bot"))


def test_a_private_tables_page_takes_an_invitation_in_its_address(visit: Visit) -> None:
    party = Party(visit.url)
    body = {"game": "crocodile", "table": {"visibility": "private"}}
    table = party.http.post("/v1/tables", json=body, headers=party.headers[0]).json()["table"]
    path = f"/v1/tables/{table}"
    made = party.http.post(f"{path}/invitations", json={}, headers=party.headers[0]).json()
    visit.page.goto(f"{visit.url}/replay/{table}?invite={made['invitation']}")
    last_step(visit.page, 1)
    party.http.post(f"{path}/seats?invite={made['invitation']}", json={}, headers=party.headers[1])
    last_step(visit.page, 2)
    expect(visit.page.locator("#title")).to_contain_text("Berta")


def test_the_page_marks_who_is_connected(visit: Visit) -> None:
    party = Party(visit.url)
    stream = f"/v1/tables/{party.table}/events/stream"
    with (
        httpx.Client(base_url=visit.url, trust_env=False, timeout=PATIENCE_S) as one,
        httpx.Client(base_url=visit.url, trust_env=False, timeout=PATIENCE_S) as other,
    ):
        with one.stream("GET", stream, headers=party.headers[0]):
            page = visit.open(party.table).page
            names = page.locator("#felt .seat .name")
            expect(names.nth(0)).to_have_class(re.compile("here"))
            expect(names.nth(2)).not_to_have_class(re.compile("here"))
            with other.stream("GET", stream, headers=party.headers[2]):
                expect(names.nth(2)).to_have_class(re.compile("here"))
                party.act()
                last_step(page, len(events_of(visit.url, party.table)))
                expect(names.nth(2)).to_have_class(re.compile("here"))
        expect(names.nth(0)).not_to_have_class(re.compile("here"))
