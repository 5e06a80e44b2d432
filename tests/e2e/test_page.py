"""The page on which people step through a game, in a real browser against a real service."""

import random
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import httpx
import pytest
from playwright.sync_api import BrowserContext, expect

from deploy.embedded import Servers
from domain.kernel.game import Game
from domain.kernel.line_words import line_text
from domain.kernel.words import Filled, said
from domain.record.history import record_command, record_opening
from domain.record.recorded import GENESIS, Recorded
from domain.table.actions import Act, Command, OpenTable, TakeSeat
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.seat_offers import offers
from domain.table.view import to_act
from domain.table.words import complete
from service.cli.demo import choose
from service.cli.operate import with_services
from service.config import Settings
from service.moments import moment, new_id
from service.pages import FILES
from service.services import Services
from service.store.store import Append
from tests.support.browser import PATIENCE_MS, browser
from tests.support.games import by_default, chance, parsed, willing
from tests.support.helpers import helper
from tests.support.registry import GAMES, REGISTRY, fewest_deals
from tests.support.repetition import TIMES, times
from tests.support.service import Running
from tests.support.table_page import NAMES, NO_TABLE, Party, Visit, events_of, first, visit, window
from tests.support.waiting import PATIENCE_S

__all__ = ["browser", "visit", "window"]

UNTOLD = re.compile(r"undefined|null|\[object|[{}]")
"""What stands in a text for which a value was missing."""


class Tables(dict[str, str]):
    """The table of a whole game of each kind, by the kind's name; played when it is first looked up."""

    def __init__(self, service: Running) -> None:
        super().__init__()
        self._service = service

    def __missing__(self, name: str) -> str:
        self[name] = table = played(self._service, GAMES[name])
        return table


@pytest.fixture(scope="module")
def tables(service: Running) -> dict[str, str]:
    """The table of a whole game of each kind."""
    return Tables(service)


def played(service: Running, game: Game) -> str:
    """The table of a whole game, which is played here and appended to the log: through the service it takes seconds."""
    records = whole_game(game, registered(service.url, game.course.seats(game.options())), chance((game.name, 5)))
    table = records[0].table

    async def append(services: Services, _: Servers) -> None:
        await services.log.store.append([Append(table, 0, GENESIS, tuple(records), None)])

    # In a thread of its own: in this one Playwright has an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(with_services, Settings(data_dir=service.data_dir, registry=REGISTRY), append).result()
    deadline = time.monotonic() + PATIENCE_S
    while httpx.get(f"{service.url}/v1/tables/{table}", trust_env=False).status_code != httpx.codes.OK:
        assert time.monotonic() < deadline, "the table is not there"
        time.sleep(0.02)
    return table


def registered(url: str, number: int) -> list[str]:
    """So many players."""
    made = [httpx.post(f"{url}/v1/players", json={"name": name}, trust_env=False) for name in NAMES[:number]]
    return [str(answer.json()["player"]) for answer in made]


def whole_game(game: Game, players: Sequence[str], rng: random.Random) -> list[Recorded]:
    """The record of a game of the fewest deals, played as the demonstration plays."""
    opening = OpenTable(players[0], fewest_deals(game), game.options(), rng.randbytes(32))
    history, records = record_opening(game, new_id(), opening, moment())
    whole = list(records)
    seats = iter(players)
    while history.table.status in ("open", "playing"):
        if (player := next(seats, None)) is not None:
            command: Command = TakeSeat(player)
        else:
            seat = rng.choice(willing(game, history.table))
            default = None if to_act(game, history.table) else by_default(game, history.table, seat)
            offered = [offer.describe() for offer in offers(game, history.table, seat)]
            wire = default[1] if default and rng.random() < 0.5 else choose(offered, rng)
            command = Act(players[seat], parsed(wire, game))
        history, records = record_command(game, history, command, moment())
        whole += records
    return whole


@pytest.fixture(scope="module")
def finished(tables: dict[str, str]) -> str:
    """The table of a whole game."""
    return tables["crocodile"]


@pytest.fixture(scope="module")
def party(service: Running) -> Party:
    return Party(service.url)


STEP_THROUGH = """
async ([first, patienceMs]) => {
  const text = (id) => document.getElementById(id).innerText;
  const place = document.getElementById("place");
  const shown = (step) => new Promise((resolve, reject) => {
    const there = () => place.textContent.startsWith(`${step} /`) && location.hash === `#${step}`;
    if (there()) return resolve();
    const timer = setTimeout(() => reject(new Error(`step ${step} is not shown`)), patienceMs);
    const watch = new MutationObserver(() => {
      if (!there()) return;
      watch.disconnect();
      clearTimeout(timer);
      resolve();
    });
    watch.observe(place, { childList: true });
  });
  const last = Number(document.getElementById("slider").max);
  const steps = [];
  for (let step = first; step <= last; step += 1) {
    await shown(step);
    steps.push([text("status"), text("sentence")]);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", code: "ArrowRight", bubbles: true }));
  }
  return steps;
}
"""
"""Presses the key at each step from the first one, and gives the texts of all. Each call from here would cost time."""
MOST_LISTED = 600
"""Of a long game so many events stand in the document at most."""
MOST_STEPS = times(50)
"""A longer game is stepped through from later on."""
REST_OF_LIST = "#events li:nth-child(n+40):not([aria-selected=true])" if TIMES == 1 else "#nothing"
"""The events of a list that are like those before them: `make long` looks at them, too."""


class Whole(NamedTuple):
    """A whole game, and the page that shows it."""

    name: str
    table: str
    visit: Visit


@pytest.fixture(scope="module")
def shared(window: BrowserContext, service_url: str) -> Iterator[Visit]:
    """One page for many tests: to make one and load it takes longer than most of what is done there."""
    visit = Visit(window.new_page(), service_url)
    yield visit
    visit.page.close()


@pytest.fixture(scope="module", params=GAMES)
def whole(request: pytest.FixtureRequest, shared: Visit, tables: dict[str, str]) -> Iterator[Whole]:
    """A whole game of each kind. Its tests leave the page as it was, but for the step."""
    table = tables[request.param]
    yield Whole(request.param, table, shared.open(table, 1))
    shared.assert_clean()


@pytest.fixture
def shown(shared: Visit, finished: str) -> Iterator[Visit]:
    """A whole game, for tests that leave the page as it was, but for the step."""
    shared.open(finished, 1).page.evaluate("document.activeElement.blur()")
    yield shared
    shared.assert_clean()


def test_a_whole_game_is_stepped_through_by_keyboard(whole: Whole) -> None:
    page = whole.visit.page
    last = int(page.locator("#slider").get_attribute("max") or 0)
    first = max(1, last - MOST_STEPS + 1)
    page = whole.visit.open(whole.table, first).page
    steps = page.evaluate(STEP_THROUGH, [first, PATIENCE_MS])
    assert len(steps) == last - first + 1
    assert not [text for texts in steps for text in texts if UNTOLD.search(text)]
    assert sum(one != other for (_, one), (_, other) in pairwise(steps)) > len(steps) // 2
    assert page.locator("#sentence").inner_text().startswith("The game is over.")
    expect(page.locator("#forward")).to_be_disabled()


# The page says them by the kit's `words.js`, which tests/kits/typescript/test_words.py holds against every game.
in_two_games = pytest.mark.parametrize("whole", ["crocodile", "burraco"], indirect=True)


@in_two_games
def test_events_are_told_in_the_games_own_words(whole: Whole) -> None:
    name, table, visit = whole
    events = events_of(visit.url, table)
    words = complete(GAMES[name])
    told = listed(visit, len(events))
    seated = seated_at(visit.url, table)
    assert len(told) == len(events)
    for event, line in zip(events, told, strict=True):
        parts = said(words.events[event["type"]].sentences, event["public"])
        assert parts is not None
        seats = [part.value for part in parts if isinstance(part, Filled) and part.kind == "seat"]
        pieces = [part for part in parts if isinstance(part, str)]
        assert line.startswith("".join(pieces[:1]) if isinstance(parts[0], str) else seated[seats[0]]), line
        assert all(piece.strip() in line for piece in pieces), (line, pieces)
        assert all(seated[seat] in line for seat in seats), line
        assert not UNTOLD.search(line), line


def seated_at(url: str, table: str) -> list[str]:
    """The names of the table's players, by seat."""
    view = httpx.get(f"{url}/v1/tables/{table}", trust_env=False).json()
    ids = [seat["player"] for seat in view["seats"]]
    players = httpx.get(f"{url}/v1/players", params={"id": ids}, trust_env=False).json()["items"]
    names = {player["player"]: player["name"] for player in players}
    return [names[player] for player in ids]


@in_two_games
def test_lines_of_the_ledger_are_told_in_the_games_own_words(whole: Whole) -> None:
    seated = seated_at(whole.visit.url, whole.table)
    expected = [in_words(line, GAMES[whole.name], seated) for line in booked(whole.visit.url, whole.table)]
    assert whole.visit.page.locator("#ledger .line .text").all_text_contents() == expected


def booked(url: str, table: str) -> list[dict[str, Any]]:
    """The lines of the table's ledger that are booked on players' accounts."""
    ledger = httpx.get(f"{url}/v1/tables/{table}/ledger", trust_env=False).json()
    return [line for line in ledger["lines"] if line["seat"] is not None]


def in_words(line: dict[str, Any], game: Game, seated: Sequence[str]) -> str:
    """The sentence of a line, with the names of those who are seated."""
    return line_text(complete(game).lines, line, game.pack, seated.__getitem__)


IN_VIEW = """it => {
  const [one, list] = [it, it.parentElement].map(each => each.getBoundingClientRect());
  return one.top >= list.top - 1 && one.bottom <= list.bottom + 1;
}"""
"""Whether an event's place in the list is in view, but for the fraction of a pixel."""
LISTED = "() => [...document.querySelectorAll('#events li')].map(it => [Number(it.dataset.version), it.innerText])"


def listed(visit: Visit, last: int) -> list[str]:
    """What is said of each event in the list, of which some pages stand in the document at a time."""
    texts: dict[int, str] = {}
    while len(texts) < last:
        version = min(set(range(1, last + 1)) - texts.keys())
        visit.page.evaluate("step => { location.hash = `#${step}`; }", version)
        visit.at(version)
        expect(visit.page.locator("#events [aria-selected=true]")).to_have_attribute("data-version", str(version))
        shown = visit.page.evaluate(LISTED)
        assert len(shown) <= MOST_LISTED
        texts |= dict(shown)
    return [texts[version] for version in range(1, last + 1)]


def test_the_buttons_between_steps_and_deals_have_the_name_of_the_games_rows(whole: Whole) -> None:
    rows = [words.row for words in complete(GAMES[whole.name]).events.values()]
    names = {row.name for row in rows if row is not None and row.ends}
    buttons = whole.visit.page.locator("#row-back:visible, #row-forward:visible")
    spoken = [button.get_attribute("aria-label") for button in buttons.all()]
    assert spoken == [f"A {name} {way}" for name in sorted(names) for way in ("back", "forward")]


def test_when_all_is_over_all_hands_are_open(whole: Whole) -> None:
    name, table, visit = whole
    events = events_of(visit.url, table)
    version = first(events, "cards-dealt")
    dealt = events[version - 1]
    sections = {to: section["data"] for to, section in dealt["sealed"].items()}
    page = visit.open(table, version).page
    visit.at(version)
    expect(page.locator(".seat .back")).to_have_count(0)
    shown = cards_opened(dealt["public"]).union(helper(name, "habits").open)
    assert visit.cards() == shown.union(*map(cards_opened, sections.values()))
    page.locator("#eyes").select_option("public")
    unseen = seats_seen(visit.url, table, version, "public")
    expect(page.locator(".seat .back")).to_have_count(sum(map(backs, unseen)))
    assert visit.cards() == shown
    if sections.keys() == {"house"}:
        page.locator("#eyes").select_option("open")
        return  # No seat knows more than another.
    one, other = sorted(sections.keys() - {"house"})[:2]
    page.locator("#eyes").select_option(one)
    seen = seats_seen(visit.url, table, version, one)
    assert set(seen[int(one[-1])]["hand"]["known"]) <= cards_opened(sections[one])
    assert backs(seen[int(other[-1])]) > 0
    for seat in (one, other):
        place = page.locator(f'.seat[data-seat="{seat[-1]}"]')
        expect(place.locator(".card:not(.back)")).to_have_count(faces(seen[int(seat[-1])]))
        expect(place.locator(".back")).to_have_count(backs(seen[int(seat[-1])]))
    assert visit.cards() == shown | cards_opened(sections[one])
    page.locator("#eyes").select_option("open")


def test_keys_and_buttons_lead_by_step_trick_and_deal(shown: Visit, finished: str) -> None:
    page = shown.open(finished, 1).page
    sentence = page.locator("#sentence")
    page.keyboard.press("PageDown")
    expect(sentence).to_have_text(re.compile("^Deal 1:"))
    first = shown.step
    page.locator("#deal-forward").click()
    expect(sentence).to_have_text(re.compile("^Deal 2:"))
    page.keyboard.press("PageUp")
    shown.at(first)
    page.keyboard.press("Shift+ArrowRight")
    expect(sentence).to_have_text(re.compile("wins trick 1"))
    page.locator("#row-back").click()
    expect(sentence).to_have_text(re.compile("^Deal 1:"))
    page.keyboard.press("End")
    expect(sentence).to_have_text(re.compile("^The game is over"))
    page.locator("#first").click()
    shown.at(1)
    page.locator("#forward").click()
    shown.at(2)
    page.locator("#back").click()
    shown.at(1)


def test_the_slider_and_the_list_lead_to_any_step(shown: Visit, finished: str) -> None:
    page = shown.open(finished, 1).page
    page.locator("#slider").fill("30")
    shown.at(30)
    expect(page.locator("#events [aria-selected=true]")).to_have_attribute("data-version", "30")
    page.locator('#events li[data-version="12"]').click()
    shown.at(12)


def test_the_list_of_events_is_one_place_for_the_keyboard(visit: Visit, tables: dict[str, str]) -> None:
    last = len(events_of(visit.url, tables["king"]))
    page = visit.open(tables["king"], 30).page
    events = page.get_by_role("listbox", name="Events")
    expect(events.get_by_role("option", selected=True)).to_have_count(1)
    assert page.locator("#events [tabindex], #events a, #events button").count() == 0
    events.focus()
    for key, step in (
        ("ArrowDown", 31), ("ArrowUp", 30), ("PageDown", 40), ("PageUp", 30), ("End", last), ("ArrowDown", last),
        ("PageUp", last - 10), ("Home", 1), ("ArrowUp", 1),
    ):  # fmt: skip
        page.keyboard.press(key)
        visit.at(step)
        expect(events).to_have_attribute("aria-activedescendant", f"event-{step}")
        active = page.locator(f"#event-{step}")
        expect(active).to_have_attribute("aria-selected", "true")
        expect(active).to_have_attribute("aria-posinset", str(step))
        expect(active).to_have_attribute("aria-setsize", str(last))
        expect(events.get_by_role("option", selected=True)).to_have_count(1)
        assert active.evaluate(IN_VIEW), step


def test_events_are_loaded_by_the_page_as_they_are_looked_at(visit: Visit, tables: dict[str, str]) -> None:
    last = len(events_of(visit.url, tables["king"]))
    assert last > 400
    page = visit.open(tables["king"], last).page
    expect(page.locator("#events [aria-selected=true]")).to_have_attribute("data-version", str(last))
    read = [url for url in visit.requests if "/events?" in url and "type=" not in url]
    assert read
    assert all(int(re.findall(r"after=(\d+)", url)[0]) >= 200 for url in read), read
    expect(page.locator("#event-1")).to_have_count(0)
    events = page.locator("#events")
    while not page.locator("#event-1").count():
        events.evaluate("it => { it.scrollTop = 0; }")
        page.wait_for_timeout(50)
    expect(page.locator("#events li").first).to_have_attribute("data-version", "1")
    assert page.locator("#events li").count() <= MOST_LISTED
    # What was scrolled to is chosen like any other.
    page.locator("#event-3").click()
    visit.at(3)


def test_the_last_trick_and_the_result_stay_on_the_felt(visit: Visit, finished: str) -> None:
    events = events_of(visit.url, finished)
    played = {event["deal"] for event in events if event["type"] == "trick-won"}
    scored = next(one["version"] for one in events if one["type"] == "deal-scored" and one["deal"] in played)
    trick = next(event for event in reversed(events[:scored]) if event["type"] == "trick-won")
    ledger = httpx.get(f"{visit.url}/v1/tables/{finished}/ledger", trust_env=False).json()
    page = visit.open(finished, trick["version"]).page
    shown = page.locator(".trick [data-card]").evaluate_all("all => all.map(it => it.dataset.card)")
    assert len(shown) == 3
    expect(page.locator(".result")).to_have_count(0)
    for step in (scored, len(events)):
        visit.open(finished, step).at(step)
        deal = events[scored - 1]["deal"] if step == scored else events[-2]["deal"]
        # The last deal may be one that nobody played, or that was conceded during a trick.
        kinds = [event["type"] for event in events if event["deal"] == deal]
        tricks, begun = kinds.count("trick-won"), kinds.count("card-played") % 3
        expect(page.locator(".trick .winner")).to_have_count(1 if tricks and not begun else 0)
        expect(page.locator(".trick .card")).to_have_count(begun or (3 if tricks else 0))
        expect(page.locator(".result h2")).to_have_text([f"Deal {deal}", *(["Final total"] if step != scored else [])])
        sums = [
            sum(line["amount"] for line in ledger["lines"] if (line["deal"], line["seat"]) == (deal, seat))
            for seat in range(3)
        ]
        sums += events[-1]["public"]["totals"] if step != scored else []
        written = [f"+{one}" if one > 0 else str(one).replace("-", "−") for one in sums]
        expect(page.locator(".result dd")).to_have_text(written)
    winners = len(events[-1]["public"]["winners"])
    assert page.locator(".result p").inner_text().count(",") == winners - 1
    visit.open(finished, scored + 1)
    expect(page.locator(".result")).to_have_count(0)


def test_lines_that_are_not_booked_yet_are_hidden_unless_they_are_asked_for(shown: Visit, finished: str) -> None:
    events = events_of(shown.url, finished)
    ledger = httpx.get(f"{shown.url}/v1/tables/{finished}/ledger", trust_env=False).json()
    lines = [line for line in ledger["lines"] if line["seat"] is not None]
    step = first(events, "deal-scored")
    booked = sum(line["version"] <= step for line in lines)
    assert booked < len(lines)
    page = shown.open(finished, step).page
    expect(page.locator("#ledger .line:visible")).to_have_count(booked)
    expect(page.locator("running-scores svg")).to_be_hidden()
    page.get_by_label("booked after this step").check()
    expect(page.locator("#ledger .line:visible")).to_have_count(len(lines))
    expect(page.locator("running-scores svg")).to_be_visible()
    expect(page.get_by_text("booked later").locator("visible=true")).to_have_count(len(lines) - booked)
    page.keyboard.press("ArrowRight")
    shown.at(step + 1)
    expect(page.locator("#ledger .line:visible")).to_have_count(len(lines))
    page.get_by_label("booked after this step").uncheck()
    expect(page.locator("#ledger .line:visible")).to_have_count(booked)


def test_a_moments_link_has_its_eyes_and_is_shared_with_its_picture(visit: Visit, finished: str) -> None:
    page, eyes = visit.open(finished, 17).page, visit.page.locator("#eyes")
    assert page.url.endswith("#17")
    eyes.select_option("seat:1")
    page.wait_for_url(re.compile("#17&as=seat:1$"))
    page.reload()
    expect(eyes).to_have_value("seat:1")
    visit.at(17)
    page.evaluate("location.hash = '#21'")
    visit.at(21)
    page.wait_for_url(re.compile("#21&as=seat:1$"))
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog.get_by_label("Link to this moment")).to_have_value(page.url)
    expect(dialog.locator("svg")).to_be_visible()
    assert visit.faults() == []
    with page.expect_download() as saved:
        dialog.get_by_role("link", name="Save the picture").click()
    picture = f"{visit.url}/v1/tables/{finished}/replay/21.svg?as=seat:1"
    assert saved.value.path().read_bytes() == httpx.get(picture, trust_env=False).content
    dialog.get_by_role("button", name="Done").click()
    page.evaluate("location.hash = '#22&as=public'")
    visit.at(22)
    expect(eyes).to_have_value("public")


def test_it_plays_by_itself_and_stops(shown: Visit, finished: str) -> None:
    page = shown.open(finished, 5).page
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    shown.at(7)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def cards_opened(part: dict[str, Any]) -> set[str]:
    """The cards whose openings stand in a part of `cards-dealt`."""
    lists = [value for value in part.values() if isinstance(value, list)]
    return {each["card"] for one in lists for each in one if isinstance(each, dict) and "card" in each}


def seats_seen(url: str, table: str, version: int, eyes: str) -> list[dict[str, Any]]:
    """The seats of a view, as the audience saw them."""
    query: dict[str, str | int] = {"from": version, "to": version, "as": eyes}
    replay = httpx.get(f"{url}/v1/tables/{table}/replay", params=query, trust_env=False).json()
    seats: list[dict[str, Any]] = replay["steps"][0]["view"]["seats"]
    return seats


def piles(seat: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The hand and the piles of a seat, by the names of the fields."""
    return {field: value for field, value in seat.items() if isinstance(value, dict) and "known" in value}


def faces(seat: dict[str, Any]) -> int:
    """How many cards of a seat are seen."""
    return sum(len(held["known"]) for held in piles(seat).values())


def backs(seat: dict[str, Any]) -> int:
    """How many backs are shown of a seat: one for each hidden card of the hand, one for all those of another pile."""
    return sum(held["hidden"] if field == "hand" else bool(held["hidden"]) for field, held in piles(seat).items())


def test_piles_have_the_names_of_the_views_fields(visit: Visit) -> None:
    # Where all pass, eldest must take the talon and lay five cards, and the opponents draw from what eldest discarded.
    party = Party(visit.url)
    while "casco-taken" not in party.act():
        pass
    version = first(events_of(visit.url, party.table), "casco-taken")
    page = visit.open(party.table, version - 1).page
    expect(page.locator('[data-pile="talon"]')).to_have_attribute("aria-label", "Talon, 13")
    page.keyboard.press("ArrowRight")
    visit.at(version)
    expect(page.locator("[data-pile]")).to_have_count(1)
    expect(page.locator('[data-pile="face_down"]')).to_have_attribute("aria-label", "Face Down, 8")


def test_four_sit_around_the_table_and_who_sits_out_is_said(visit: Visit, tables: dict[str, str]) -> None:
    version = first(events_of(visit.url, tables["lhombre"]), "cards-dealt")
    page = visit.open(tables["lhombre"], version).page
    boxes = [page.locator(f'.seat[data-seat="{seat}"]').bounding_box() for seat in range(4)]
    upper, lower = [box["y"] for box in boxes[:2] if box], [box["y"] for box in boxes[2:] if box]
    assert len(set(upper)) == len(set(lower)) == 1
    assert upper < lower
    expect(page.locator(".seat.out")).to_have_count(1)
    expect(page.locator(".seat.out")).to_contain_text("sits out this deal")
    expect(page.locator(".seat.out .card")).to_have_count(0)


def test_the_pool_and_the_chips_are_shown(visit: Visit, tables: dict[str, str]) -> None:
    version = first(events_of(visit.url, tables["ombre"]), "cards-dealt")
    page = visit.open(tables["ombre"], version).page
    expect(page.locator(".pool")).to_have_text("Pool 5")
    expect(page.locator(".seat", has=page.locator('[data-role="dealer"]')).locator(".chips")).to_have_text("95 ")
    page.evaluate("location.hash = '#1'")
    visit.at(1)
    expect(page.locator(".pool")).to_have_text("Pool 0")


def test_contracts_have_the_names_of_the_rule_book(visit: Visit, tables: dict[str, str]) -> None:
    events = events_of(visit.url, tables["solo"])
    version = first(events, "contract-declared")
    level = events[version - 1]["public"]["level"]
    rules = httpx.get(f"{visit.url}/v1/games/solo", trust_env=False).json()
    name = next(row["name"] for row in rules["contracts"] if row["level"] == level)
    page = visit.open(tables["solo"], version).page
    expect(page.locator("#sentence")).to_contain_text(f"declares {name},")
    expect(page.locator("#status .summary").first).to_contain_text(f" plays {name}, with ")


def test_the_called_card_is_shown_and_the_partner_only_when_it_was_played(visit: Visit) -> None:
    # Where all may pass, the queen's holder must call a partner.
    party = Party(visit.url, "solo", 4)
    while "partner-shown" not in party.act():
        pass
    version = first(events_of(visit.url, party.table), "partner-shown")
    page = visit.open(party.table, version - 1).page
    expect(page.locator("#status .summary").first).to_contain_text(" has called ")
    expect(page.locator('.seat [data-role="partner"]')).to_have_count(0)
    page.keyboard.press("ArrowRight")
    visit.at(version)
    expect(page.locator('.seat [data-role="partner"]')).to_have_count(1)
    expect(page.locator("#sentence")).to_contain_text("is the partner")


def test_no_script_knows_a_game_or_what_happens_in_it() -> None:
    # The kit's verifier has the packs of all games, and no page loads it.
    scripts = {
        name: file.body.decode()
        for name, file in FILES.items()
        if name.endswith(".js") and "swagger" not in name and name != "kit/verify.js"
    }
    own = {payload.TYPE for game in GAMES.values() for payload in game.events} - {one.TYPE for one in TABLE_EVENTS}
    # A rank has the name of a game; the game's title is looked for all the same.
    names = {game.name for game in GAMES.values()} - {"king"} | {game.title for game in GAMES.values()}
    assert own
    for name, script in scripts.items():
        assert [word for word in own | names if re.search(rf"\b{re.escape(word)}\b", script)] == [], name


def test_while_a_deal_is_on_no_hidden_card_is_in_the_page(visit: Visit, party: Party) -> None:
    page = visit.open(party.table).page
    public = httpx.get(f"{visit.url}/v1/tables/{party.table}", trust_env=False).text
    known = set(re.findall(r'"([KQJA2-7][shdc])"', public))
    assert visit.cards() <= known
    held = set(party.view["seats"][1]["hand"]["known"]) - known
    assert held
    assert not held & visit.cards()
    page.locator("#token-open").click()
    page.locator("#token").fill(party.tokens[1])
    page.get_by_text("Use it").click()
    expect(page.locator(f'.seat[data-seat="1"] [data-card="{min(held)}"]')).to_be_visible(timeout=20_000)
    assert held <= visit.cards()
    eyes = page.locator("#eyes")
    eyes.select_option("me")
    page.wait_for_url(re.compile("&as=seat:1$"))
    page.reload()
    expect(eyes).to_have_value("me")
    page.locator("#token-open").click()
    page.get_by_text("Forget it").click()
    expect(page.locator('.seat[data-seat="1"] .back').first).to_be_visible(timeout=20_000)
    assert not held & visit.cards()
    # Others who open the link see what is open.
    page.reload()
    expect(eyes).to_have_value("open")
    expect(page.locator('.seat[data-seat="1"] .back').first).to_be_visible(timeout=20_000)
    assert not held & visit.cards()
    # A browser's console notes every refusal.
    visit.complaints.clear()


def test_the_ledger_explains_each_line(visit: Visit, finished: str) -> None:
    page = visit.open(finished).page
    lines = booked(visit.url, finished)
    expect(page.locator("#ledger .line")).to_have_count(len(lines))
    line = page.locator("#ledger .line").first
    line.locator("summary").click()
    expect(line).to_contain_text(in_words(lines[0], GAMES["crocodile"], seated_at(visit.url, finished)))
    expect(line).to_contain_text(lines[0]["rule"])
    link = line.locator(f'a[href="#{lines[0]["events"][0]}"]')
    link.click()
    visit.at(lines[0]["events"][0])
    expect(link).to_be_visible()


def test_the_audit_of_every_deal_is_shown(visit: Visit, finished: str, party: Party) -> None:
    page = visit.open(finished).page
    expect(page.locator("#audit .badge.intact")).to_have_count(3)
    page.locator("#audit summary").first.click()
    expect(page.locator("#audit .passed").first).to_be_visible()
    visit.open(party.table)
    expect(page.locator("#audit")).to_contain_text("is checked when it is over")


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture
def on_phone(whole: Whole) -> Iterator[Whole]:
    """A whole game of each kind, shown on a phone from its middle."""
    page = whole.visit.page
    wide = page.viewport_size
    assert wide is not None
    page.set_viewport_size({"width": 360, "height": 740})
    whole.visit.open(whole.table, int(page.locator("#slider").get_attribute("max") or 0) // 2)
    yield whole
    page.set_viewport_size(wide)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def test_it_fits_a_phone_in_either_colour_scheme(on_phone: Whole) -> None:
    visit, page = on_phone.visit, on_phone.visit.page
    middle = visit.step
    for step, scheme in enumerate(SCHEMES, middle):
        page.emulate_media(color_scheme=scheme, reduced_motion="no-preference")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        red, green, blue = re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
        assert (int(red) + int(green) + int(blue) < 200) == (scheme == "dark")
        page.locator("#forward").tap()
        visit.at(step + 1)
    # The steps stay in sight, whatever is looked at.
    for width, height in ((844, 390), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for place in ("0", "document.body.scrollHeight"):
            page.evaluate(f"scrollTo(0, {place})")
            for shown in ("#sentence", "#play", "#slider"):
                expect(page.locator(shown)).to_be_in_viewport(ratio=1)


def test_axe_finds_no_fault(on_phone: Whole) -> None:
    visit, page = on_phone.visit, on_phone.visit.page
    last = int(page.locator("#slider").get_attribute("max") or 0)
    for step, scheme in zip((last // 2, last), SCHEMES, strict=True):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate("step => { location.hash = `#${step}`; }", step)
        visit.at(step)
        assert visit.faults(but=REST_OF_LIST) == []


def test_a_private_table_is_shown_with_the_token_that_the_browser_holds(visit: Visit) -> None:
    http = httpx.Client(base_url=visit.url, trust_env=False)
    headers = {"Authorization": f"Bearer {http.post('/v1/players', json={'name': 'Ada'}).json()['token']}"}
    request = {"game": "crocodile", "table": {"visibility": "private"}}
    table = http.post("/v1/tables", json=request, headers=headers).json()["table"]
    page = visit.page
    opened = page.goto(f"{visit.url}/replay/{table}")
    assert opened is not None
    assert opened.status == 404
    expect(page.get_by_role("alert")).to_have_text(NO_TABLE)
    page.locator("#token-open").click()
    page.locator("#token").fill(headers["Authorization"].removeprefix("Bearer "))
    page.get_by_text("Use it").click()
    expect(page.locator(".seat .name")).to_have_text(["free seat"] * 3)
    page.reload()
    expect(page.locator(".seat .name")).to_have_text(["free seat"] * 3)
    visit.complaints.clear()


def test_everything_that_can_be_pressed_has_a_name(shown: Visit, finished: str) -> None:
    page = shown.open(finished, 30).page
    for control in page.locator("button:visible, select:visible, input:visible").all():
        named = control.evaluate("it => it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent")
        assert str(named).strip(), control.evaluate("it => it.outerHTML")
    assert page.locator("[role=img]:not([aria-label])").count() == 0


ALL_FACES = """async cards => {
  const { face } = await import('/page/dom.js');
  document.getElementById('felt').append(...cards.map(face));
}"""
"""Puts every card of the game on the table."""

CONTRAST = """selector => [...document.querySelectorAll(selector)].map(one => {
  let behind = one;
  while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
  return [one.textContent, getComputedStyle(one).color, getComputedStyle(behind).backgroundColor];
})"""
"""Of each element its text, its colour, and the colour behind it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["crocodile", "toy"])
def test_every_card_can_be_read(
    visit: Visit, tables: dict[str, str], name: str, scheme: Literal["light", "dark"]
) -> None:
    visit.page.emulate_media(color_scheme=scheme)
    visit.open(tables[name])
    visit.page.evaluate(ALL_FACES, list(GAMES[name].pack.faces))
    seen = visit.page.evaluate(CONTRAST, ".card:not(.back), #events [class^=ink], #status [class^=ink]")
    assert len(seen) > len(GAMES[name].pack.faces)
    assert [one for one in seen if contrast(one[1], one[2]) < 4.5] == []


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2), from 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    shares = (int(share) / 255 for share in re.findall(r"\d+", colour)[:3])
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
