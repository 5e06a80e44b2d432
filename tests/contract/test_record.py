"""A table's record: events, replay, ledger, and what of it is whose to see."""

from itertools import pairwise
from typing import Any

import httpx
import pytest

from domain.record.history import Reader
from domain.table.actions import LeaveSeat, TakeSeat
from domain.table.view import view
from service.app import create_app
from service.config import Settings
from service.describe.drawing.svg import POLICY
from service.http.operations import events as operations
from service.services import Services
from tests.contract.conftest import Caller, act, client_of, configured, deal_over, next_of, opened, problem, register
from tests.support.for_each import for_each
from tests.support.registry import GAMES


async def events_of(caller: Caller, table: str, query: str = "?limit=200") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (await caller.get(f"/tables/{table}/events{query}")).json()["items"]
    return items


async def test_events_are_paged_by_version(three: list[Caller], table: str) -> None:
    answer = await three[0].get(f"/tables/{table}/events?after=2&limit=3")
    assert answer.json()["version"] == 6
    assert [event["version"] for event in answer.json()["items"]] == [3, 4, 5]
    assert await events_of(three[0], table, "?after=6") == []
    assert await events_of(three[0], table, "?after=99") == []


async def test_events_of_some_types_are_listed_alone(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    listed = await events_of(three[0], table)
    wanted = [event for event in listed if event["type"] in ("cards-dealt", "deal-scored")]
    assert len(wanted) == 3
    assert await events_of(three[0], table, "?type=cards-dealt&type=deal-scored") == wanted
    assert await events_of(three[0], table, "?type=deal-scored&limit=1&after=3") == [wanted[1]]
    later = f"?type=cards-dealt&after={wanted[0]['version']}&limit=1"
    assert await events_of(three[0], table, later) == [wanted[2]]
    assert await events_of(three[0], table, "?type=nothing") == []
    too_many = "&".join(f"type={number}" for number in range(21))
    problem(await three[0].get(f"/tables/{table}/events?{too_many}"), 422, "invalid-query")


async def test_events_of_some_types_cost_what_is_looked_at(
    three: list[Caller], table: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "LOOKED_AT_S", 0.01)
    async with client_of(create_app(configured(Settings(rate_limit=50_000), services))) as client:

        async def left(query: str) -> int:
            """What is left after the cost of the request is settled."""
            assert (await client.get(f"/v1/tables/{table}/events{query}")).status_code == 200
            answer = await client.get("/v1/games")
            return int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0])

        before = await left("")
        plain = await left("")
        typed = await left("?type=nothing&after=2")
        assert before - plain < 10
        assert 400 < plain - typed < 420, "four events of six"


async def test_events_open_what_the_caller_may_see(three: list[Caller], table: str) -> None:
    (first, *_, dealt) = await events_of(three[1], table)
    assert (first["type"], first["sealed"], set(first["seals"])) == ("table-opened", {}, {"house"})
    assert set(dealt["sealed"]) == {"seat:1"}
    public = (await three[0].http.get(f"/v1/tables/{table}/events")).json()["items"]
    assert all(event["sealed"] == {} for event in public)
    assert [event["hash"] for event in public] == [event["hash"] for event in await events_of(three[1], table)]


async def test_only_deals_that_are_over_are_open_to_all(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    outsider = await register(three[0].http)
    opened_, *events = await events_of(outsider, table)
    dealt = {event["deal"]: event for event in events if event["type"] == "cards-dealt"}
    assert opened_["sealed"] == {}
    assert set(dealt[1]["sealed"]) == {"seat:0", "seat:1", "seat:2", "house"}
    assert dealt[2]["sealed"] == {}
    own = {event["deal"]: event for event in await events_of(three[2], table) if event["type"] == "cards-dealt"}
    assert set(own[2]["sealed"]) == {"seat:2"}


async def test_a_finished_game_is_open_wholly(three: list[Caller], table: str) -> None:
    for _ in range(3):
        await deal_over(three, table)
    events = await events_of(await register(three[0].http), table)
    assert all(set(event["sealed"]) == set(event["seals"]) for event in events)
    assert len(events[0]["sealed"]["house"]["data"]["seed"]) == 64


async def test_a_replay_equals_the_live_views(three: list[Caller], table: str) -> None:
    live: dict[tuple[int, int], object] = {}
    for action in ({"type": "bid", "contract": "play"}, {"type": "pass"}, {"type": "pass"}):
        for number, caller in enumerate(three):
            now = (await caller.get(f"/tables/{table}")).json()
            live[number, now["version"]] = now
        await act((await next_of(three, table))[1], table, action)
    for (number, version), then in live.items():
        answer = await three[number].get(f"/tables/{table}/replay/{version}")
        assert (answer.json(), answer.headers["etag"]) == (then, f'"{version}"')


@for_each("version", ["0", "-1", "7", "99999999999999999999"])
async def test_unknown_versions_are_404(three: list[Caller], table: str, version: str) -> None:
    problem(await three[0].get(f"/tables/{table}/replay/{version}"), 404, "no-such-version")


@for_each("eyes", ["you", "seat:", "seat:10", "seat:-1", "house", "", "Me", "seat:3", "me%0A", "all%0A"])
async def test_unknown_audiences_are_refused(three: list[Caller], table: str, eyes: str) -> None:
    problem(await three[0].get(f"/tables/{table}/replay/6?as={eyes}"), 422, "invalid-query")


async def test_other_views_are_open_when_the_deals_are_over(three: list[Caller], table: str) -> None:
    async def status(caller: Caller, version: int, eyes: str) -> int:
        return (await caller.get(f"/tables/{table}/replay/{version}?as={eyes}")).status_code

    assert [await status(three[0], 6, eyes) for eyes in ("me", "public", "seat:0", "seat:1", "all")] == [
        200, 200, 200, 409, 409,
    ]  # fmt: skip
    assert await status(three[0], 5, "all") == 200
    problem(await three[0].get(f"/tables/{table}/replay/6?as=all"), 409, "deal-not-over")
    head = (await deal_over(three, table)).json()["version"]
    assert [await status(three[0], head - 1, eyes) for eyes in ("seat:1", "all")] == [200, 200]
    assert [await status(three[0], head, eyes) for eyes in ("seat:0", "seat:1", "all")] == [200, 409, 409]
    answered = (await three[0].http.get(f"/v1/tables/{table}/replay/6?as=all")).json()
    assert [seat["hand"]["hidden"] for seat in answered["seats"]] == [0, 0, 0]
    assert answered["talon"]["hidden"] == 0


async def test_a_range_of_steps(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    head = (await three[0].get(f"/tables/{table}")).json()["version"]
    answer = (await three[0].get(f"/tables/{table}/replay?from=5&to=8&as=all")).json()
    assert answer["version"] == head
    assert [step["version"] for step in answer["steps"]] == [5, 6, 7, 8]
    for step in answer["steps"]:
        version = step["version"]
        assert step["event"]["version"] == version
        assert step["view"] == (await three[0].get(f"/tables/{table}/replay/{version}?as=all")).json()
    assert set(answer["steps"][1]["event"]["sealed"]) == {"seat:0", "seat:1", "seat:2", "house"}
    everything = (await three[0].get(f"/tables/{table}/replay")).json()["steps"]
    assert set(everything[0]["changed"]) == set(everything[0]["view"])
    for before, after in pairwise(everything):
        differing = {name for name, value in after["view"].items() if value != before["view"][name]}
        assert set(after["changed"]) == differing
    assert answer["steps"][0]["changed"] != sorted(answer["steps"][0]["view"])
    assert [step["version"] for step in everything] == list(range(1, head + 1))
    assert everything[0]["event"]["sealed"] == {}
    own = [set(step["event"]["sealed"]) for step in everything if step["event"]["type"] == "cards-dealt"]
    assert own == [{"seat:0"}, {"seat:0"}]


@for_each(
    "query, status",
    [
        ("from=7", 404),
        ("to=7", 404),
        ("from=3&to=2", 422),
        ("from=1&to=101", 404),
        ("from=0", 422),
        ("to=x", 422),
        ("from=1&from=2", 422),
    ],
)
async def test_impossible_ranges_are_refused(three: list[Caller], table: str, query: str, status: int) -> None:
    answer = await three[0].get(f"/tables/{table}/replay?{query}")
    problem(answer, status, {404: "no-such-version", 422: "invalid-query"}[status])


async def test_the_ledger_names_rules_and_events(three: list[Caller], table: str) -> None:
    scored = await deal_over(three, table)
    answer = await three[0].http.get(f"/v1/tables/{table}/ledger")
    ledger = answer.json()
    assert answer.headers["etag"] == f'"{scored.json()["version"]}"'
    assert ledger["unit"] == "points"
    assert {line["rule"] for line in ledger["lines"]} == {"CR-9.11"}
    assert all(line["events"] and line["deal"] == 1 for line in ledger["lines"])
    assert sum(line["amount"] for line in ledger["lines"]) == 0


async def test_a_view_is_the_fold_for_its_audience(services: Services, three: list[Caller], table: str) -> None:
    records = await services.log.store.stream(table)
    fold = Reader(GAMES).fold(None, records, "seat:1")
    answered = (await three[1].get(f"/tables/{table}")).json()
    assert answered["seats"][1]["hand"]["known"] == list(view(GAMES["crocodile"], fold, "seat:1").seats[1].hand.known)


async def test_a_player_who_left_a_seat_in_another_process_loses_its_view(
    services_elsewhere: Services, three: list[Caller]
) -> None:
    """The seat was taken by another player, in another process, and the game has started there."""
    table = await opened(three[0])
    await three[0].post(f"/tables/{table}/seats", {"seat": 0})
    rival = await register(three[0].http)
    elsewhere = services_elsewhere.tables.commands
    await elsewhere.handle(table, LeaveSeat(three[0].player))
    for seat, caller in enumerate((rival, three[1], three[2])):
        await elsewhere.handle(table, TakeSeat(caller.player, seat))
    for path in (f"/tables/{table}", f"/tables/{table}/replay/7", f"/tables/{table}/events"):
        assert '"known":["' not in (await three[0].get(path)).text
        assert '"seat:0":{"data"' not in (await three[0].get(path)).text


async def test_all_games_are_listed_and_described(client: httpx.AsyncClient) -> None:
    items = (await client.get("/v1/games")).json()["items"]
    assert [listed["game"] for listed in items] == list(GAMES)
    for listed in items:
        game = (await client.get(f"/v1/games/{listed['game']}")).json()
        assert {name: game[name] for name in listed} == listed
        assert game["unit"] in ("points", "chips")
        offered = GAMES[listed["game"]]
        deals = offered.course.deals(offered.options())
        numbers = {"default": deals.default, "least": deals.least, "most": deals.most, "multiple_of": deals.multiple_of}
        assert game["deals"] == numbers
        tables = offered.rulebook.tables
        assert len(game["contracts"]) == len(tables.get("contracts", ()))
        assert len(game["outcomes"]) == len(tables["outcomes"]) > 0
        assert game["rules"]
        assert set(game["options"]["properties"]) == set(GAMES[listed["game"]].options.__struct_fields__)
        assert {"options", "actions", "offers", "view", "events", "ledger-line"} <= set(game["schemas"])


async def test_a_game_is_described(client: httpx.AsyncClient) -> None:
    game = (await client.get("/v1/games/crocodile")).json()
    assert (game["game"], game["seats"], game["rules_version"]) == ("crocodile", 3, 2)
    assert game["deals"] == {"default": 3, "least": 3, "most": 99, "multiple_of": 3}
    assert len(game["contracts"]) == 10
    assert {bonus["bonus"] for bonus in game["bonuses"]} == {"talking", "cuatro", "primeras", "tout"}
    assert {"contract", "value"} <= set(game["contracts"][0])
    assert len(game["outcomes"]) == 10
    assert {"CR-1.1", "CR-10.7"} <= {rule["id"] for rule in game["rules"]}
    assert {"options", "actions", "offers", "view", "events"} <= set(game["schemas"])
    assert (await client.get("/v1/games/crocodile?rules_version=2")).json() == game
    problem(await client.get("/v1/games/crocodile?rules_version=3"), 404, "no-such-game")


async def test_a_version_is_drawn_with_the_rights_of_its_view(three: list[Caller], table: str) -> None:
    http, path = three[0].http, f"/v1/tables/{table}/replay"
    for eyes, status in (("me", 200), ("public", 200), ("seat:0", 200), ("seat:1", 409), ("all", 409), ("none", 422)):
        view, drawing = [await three[0].get(f"/tables/{table}/replay/6{suffix}?as={eyes}") for suffix in ("", ".svg")]
        assert view.status_code == drawing.status_code == status, eyes
    drawing = await three[0].get(f"/tables/{table}/replay/6.svg")
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert (drawing.headers["etag"], drawing.headers["cache-control"]) == ('"6"', "no-store")
    assert drawing.headers["content-security-policy"] == POLICY
    again = await three[0].get(f"/tables/{table}/replay/6.svg", headers={"If-None-Match": '"6"'})
    assert (again.status_code, again.content) == (304, b"")
    # Each hand is drawn for its own player alone.
    public = await http.get(f"{path}/6.svg")
    pictures = [(await caller.get(f"/tables/{table}/replay/6.svg")).content for caller in three]
    assert len({public.content, *pictures}) == 4
    assert b'class="face' not in public.content
    for number, picture in enumerate(pictures):
        view = (await three[number].get(f"/tables/{table}/replay/6")).json()
        assert picture.count(b'class="card"') == len(view["seats"][number]["hand"]["known"])
    head = await http.head(f"{path}/6.svg")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(public.content))
    assert (await http.options(f"{path}/6.svg")).headers["allow"] == "GET, HEAD, OPTIONS"


async def test_a_drawing_has_one_address(three: list[Caller], table: str) -> None:
    for wrong in ("06.svg", "+6.svg", "6/.svg", "6.png", ".svg", "6.svg.svg", "6.SVG", "6.svg/"):
        problem(await three[0].get(f"/tables/{table}/replay/{wrong}"), 404, "no-such-route")


async def test_no_version_beyond_the_last_is_drawn(three: list[Caller], table: str) -> None:
    for version in (0, 99):
        problem(await three[0].get(f"/tables/{table}/replay/{version}.svg"), 404, "no-such-version")
    problem(await three[0].get(f"/tables/{table}/replay/6.svg", headers={"Accept": "image/png"}), 406, "not-acceptable")
    assert (await three[0].get(f"/tables/{table}/replay/6.svg", headers={"Accept": "image/*"})).status_code == 200


async def test_running_scores_are_drawn_with_the_rights_and_the_version_of_the_ledger(
    three: list[Caller], table: str, client: httpx.AsyncClient
) -> None:
    empty = await client.get(f"/v1/tables/{table}/scores.svg")
    assert empty.headers["content-type"] == "image/svg+xml"
    assert empty.headers["content-security-policy"] == POLICY
    assert "Nothing is booked." in empty.text
    await deal_over(three, table)
    ledger = await client.get(f"/v1/tables/{table}/ledger")
    drawing = await client.get(f"/v1/tables/{table}/scores.svg")
    assert drawing.headers["etag"] == ledger.headers["etag"] != empty.headers["etag"]
    assert drawing.headers["cache-control"] == "no-store"
    for balance in ledger.json()["balances"]:
        if (seat := balance["seat"]) is not None:
            total = drawing.text.partition(f'data-seats="{seat}" data-total="')[2].partition('"')[0]
            assert int(total.replace("−", "-")) == balance["balance"]
    again = await client.get(f"/v1/tables/{table}/scores.svg", headers={"If-None-Match": drawing.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for wrong in ("scores/.svg", "scores", "scores.SVG", "scores.png", "scores.svg/"):
        problem(await client.get(f"/v1/tables/{table}/{wrong}"), 404, "no-such-route")
