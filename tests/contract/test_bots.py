"""Bots over HTTP: tables opened with them, seated and removed bots, substitutes, rematches, and what counts of it."""

import asyncio
from csv import DictReader
from itertools import pairwise
from typing import Any

from msgspec import to_builtins

from domain.opponents import VERSION
from domain.opponents.choosing import LEVELS, STRONGEST
from domain.registry import GAMES
from domain.table.actions import ActAsBot
from domain.table.seat_offers import default_action
from domain.table.state import bots_playing
from domain.table.view import to_act
from service.services import Services
from tests.contract.conftest import Caller, next_of, opened, problem
from tests.contract.test_lists import services, until_listed
from tests.contract.test_record import events_of
from tests.support.for_each import for_each

__all__ = ["services"]

QUICK, STRONG = ({"level": level, "version": VERSION} for level in ("quick", "strong"))
KEY = {"Idempotency-Key": "once"}
STRONGER = 12
"""The games, at least, in which a level wins more than the one below. In Nuts `quick` and `strong` are the same."""


def seats_of(view: dict[str, Any]) -> list[Any]:
    """The bots by seat; the player's id for a person, null for a free seat."""
    return [seat["bot"] or seat["player"] for seat in view["seats"]]


async def seated_bot(caller: Caller, table: str, level: str = "quick", **body: object) -> dict[str, Any]:
    answer = await caller.post(f"/tables/{table}/seats", {"bot": level} | body)
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view


async def bots_acted(services: Services, table: str) -> bool:
    """Whether a bot took the mildest act, as the game waited for one."""
    history = await services.tables.cache.current(table)
    game, state = services.reader.of(history.table), history.table
    due = [seat for seat in to_act(game, state) if seat in bots_playing(state)]
    if due:
        await services.tables.commands.handle(table, ActAsBot(due[0], default_action(game, state, due[0])))
    return bool(due)


async def played_on(services: Services, table: str, *people: Caller) -> None:
    """The game to its end: people and bots take the first of their offers, or the mildest."""
    while True:
        if await bots_acted(services, table):
            continue
        history = await services.tables.cache.current(table)
        if history.table.over:
            return
        seat = to_act(services.reader.of(history.table), history.table)[0]
        caller = next(one for one in people if history.table.players[seat] == one.player)
        action = default_action(services.reader.of(history.table), history.table, seat)
        assert (await caller.post(f"/tables/{table}/actions", to_builtins(action))).status_code == 201


async def test_the_levels_are_listed(ada: Caller) -> None:
    answer = await ada.http.get("/v1/bots")
    listed = answer.json()
    assert listed["items"] == [{"level": level, "version": VERSION} for level in LEVELS]
    assert listed["worlds"] == LEVELS
    assert {one["game"] for one in listed["strength"]} == set(GAMES)
    same = await ada.http.get("/v1/bots", headers={"If-None-Match": answer.headers["etag"]})
    assert same.status_code == 304


async def test_each_level_wins_more_than_the_one_below_in_most_games(ada: Caller) -> None:
    strength = (await ada.get("/bots")).json()["strength"]
    for against, level in pairwise(LEVELS):
        measured = [one for one in strength if (one["level"], one["against"]) == (level, against)]
        assert {one["game"] for one in measured} == set(GAMES)
        assert sum(one["interval"][0] > 0 for one in measured) >= STRONGER
    assert list(LEVELS)[-1] == STRONGEST
    assert all(one["difference"] >= 0 for one in strength if one["level"] == STRONGEST)


async def test_a_person_opens_a_full_table_alone_and_plays_it_to_the_end(ada: Caller, services: Services) -> None:
    answer = await ada.post("/tables", {"game": "crocodile", "deals": 3, "bots": {"2": "strong", "1": "quick"}})
    view, table = answer.json(), answer.json()["table"]
    assert (answer.status_code, view["version"], view["status"]) == (201, 3, "open")
    assert seats_of(view) == [None, QUICK, STRONG]
    assert len({seat["player"] for seat in view["seats"]}) == 3
    started = (await ada.post(f"/tables/{table}/seats", {})).json()
    assert (started["status"], started["you"]) == ("playing", 0)
    await played_on(services, table, ada)
    over = (await ada.get(f"/tables/{table}")).json()
    assert (over["status"], "leaving" in over) == ("finished", False)
    assert {event["actor"] for event in await events_of(ada, table)} == {"house", "seat:0", "bot:1", "bot:2"}
    for deal in (1, 2, 3):
        assert (await ada.get(f"/tables/{table}/deals/{deal}/audit")).json()["verdict"] == "intact"
    again = await ada.post(f"/tables/{table}/rematch", {})
    assert seats_of(again.json()) == [STRONG, ada.player, QUICK]
    assert again.json()["status"] == "playing"
    assert {seat["player"] for seat in again.json()["seats"]} == {seat["player"] for seat in over["seats"]}


async def test_lines_with_bots_are_marked_and_count_nowhere(three: list[Caller], services: Services) -> None:
    ada, stranger = three[0], three[1]
    table = (await ada.post("/tables", {"game": "ombre", "deals": 3, "bots": {"1": "quick", "2": "quick"}})).json()[
        "table"
    ]
    view = (await ada.post(f"/tables/{table}/seats", {})).json()
    await played_on(services, table, ada)
    await until_listed(ada, table)
    lines = (await ada.get(f"/players/{ada.player}/ledger?limit=200")).json()["items"]
    booked = (await ada.get(f"/tables/{table}/ledger")).json()["lines"]
    own = [line for line in booked if line["account"] == f"player:{ada.player}"]
    assert own
    assert len(lines) == len(own)
    assert {(line["bots"], line["balance"]) for line in lines} == {(True, 0)}
    record = (await stranger.get(f"/players/{ada.player}")).json()["record"]
    assert record == {"games": 0, "wins": 0, "by_game": []}
    assert (await ada.get("/leaderboard?game=ombre")).json()["items"] == []
    csv = (await ada.get(f"/players/{ada.player}/ledger", headers={"Accept": "text/csv"})).text.splitlines()
    assert {row["bots"] for row in DictReader(csv)} == {"true"}
    bot = view["seats"][1]["player"]
    problem(await ada.get(f"/players/{bot}"), 404, "no-such-player")
    problem(await ada.get(f"/players/{bot}/ledger"), 404, "no-such-player")
    (listed,) = (await ada.get(f"/tables?player={ada.player}")).json()["items"]
    assert (listed["table"], listed["bots"]) == (table, [None, QUICK, QUICK])
    assert listed["players"] == [seat["player"] for seat in view["seats"]]
    assert (await ada.get(f"/tables?player={bot}")).json()["items"] == []


async def test_a_table_of_bots_alone_starts_at_once(ada: Caller, services: Services) -> None:
    bots = {"0": "random", "1": "random", "2": "random"}
    opening = await ada.post("/tables", {"game": "crocodile", "bots": bots}, headers=KEY)
    assert (opening.status_code, opening.json()["status"]) == (201, "playing")
    same = await ada.post("/tables", {"game": "crocodile", "bots": bots}, headers=KEY)
    assert (same.content, same.headers["idempotency-replayed"]) == (opening.content, "true")
    assert await bots_acted(services, opening.json()["table"])


@for_each(
    "bots",
    [{"1": "best"}, {"1": None}, {"x": "quick"}, {"-1": "quick"}, {"16": "quick"}, {"01": "quick"}, ["quick"], "quick"],
)
async def test_levels_and_seats_that_there_are_not(ada: Caller, bots: object) -> None:
    problem(await ada.post("/tables", {"game": "crocodile", "bots": bots}), 422, "invalid-body")


async def test_a_bot_on_a_seat_that_the_game_has_not(ada: Caller) -> None:
    problem(await ada.post("/tables", {"game": "crocodile", "bots": {"3": "quick"}}), 422, "no-such-seat")


async def test_bots_are_seated_and_removed(three: list[Caller]) -> None:
    ada, berta, zoe = three
    table = await opened(ada)
    seats = f"/tables/{table}/seats"
    problem(await zoe.post(seats, {"bot": "quick"}), 403, "not-seated")
    for body in ({"bot": "best"}, {"bot": 1}, {"bot": "quick", "level": 2}, {"bot": "quick", "entropy": "5eed"}):
        problem(await ada.post(seats, body), 422, "invalid-body")
    problem(await ada.post(seats, {"bot": "quick", "seat": 9}), 422, "no-such-seat")
    view = await seated_bot(ada, table, seat=1)
    assert (seats_of(view), view["you"]) == ([None, QUICK, None], None)
    problem(await ada.post(seats, {"bot": "quick", "seat": 1}), 409, "seat-taken")
    assert (await berta.post(seats, {})).status_code == 201
    problem(await berta.delete(f"{seats}/1"), 403, "not-opener")
    problem(await zoe.delete(f"{seats}/1"), 403, "not-seated")
    for seat in (0, 2, 7):
        problem(await ada.delete(f"{seats}/{seat}"), 404, "no-such-bot")
    problem(await ada.delete(f"{seats}/01"), 404, "no-such-route")
    problem(await ada.delete(f"{seats}/1", headers={"If-Match": '"1"'}), 412, "precondition-failed")
    removed = await ada.delete(f"{seats}/1")
    assert (removed.status_code, seats_of(removed.json()), removed.json()["you"]) == (
        200,
        [berta.player, None, None],
        None,
    )
    view = await seated_bot(berta, table, "strong")
    assert (seats_of(view), view["you"]) == ([berta.player, STRONG, None], 0)
    # The opener may remove it too, and its player has nothing to say.
    own = await berta.delete(f"{seats}/1")
    assert own.json()["you"] == 0
    await seated_bot(berta, table, seat=1)
    view = await seated_bot(berta, table)
    assert view["status"] == "playing"
    problem(await berta.delete(f"{seats}/1"), 409, "already-started")
    problem(await berta.post(seats, {"bot": "quick"}), 409, "table-full")


async def test_an_opener_who_sits_elsewhere_closes_a_table_with_bots(ada: Caller) -> None:
    table = await opened(ada, bots={"0": "quick"})
    assert (await ada.post(f"/tables/{table}/seats", {})).json()["you"] == 1
    assert (await ada.delete(f"/tables/{table}/seats/me")).status_code == 200
    assert seats_of(await seated_bot(ada, table)) == [QUICK, QUICK, None]
    assert (await ada.delete(f"/tables/{table}")).json()["status"] == "closed"
    problem(await ada.post(f"/tables/{table}/seats", {"bot": "quick"}), 409, "table-closed")
    problem(await ada.delete(f"/tables/{table}/seats/0"), 409, "table-closed")


async def test_a_bot_is_seated_once_with_a_key(ada: Caller) -> None:
    table = await opened(ada, table={"spectator_delay": {"seconds": 5}})
    answers = await asyncio.gather(
        *(ada.post(f"/tables/{table}/seats", {"bot": "quick"}, headers=KEY) for _ in range(3))
    )
    assert len({answer.content for answer in answers}) == 1
    assert sorted("idempotency-replayed" in answer.headers for answer in answers) == [False, True, True]
    assert seats_of((await ada.get(f"/tables/{table}")).json()).count(None) == 2


async def test_bots_at_a_private_table(three: list[Caller]) -> None:
    ada, zoe = three[0], three[2]
    table = await opened(ada, table={"visibility": "private"}, bots={"1": "quick"})
    problem(await zoe.post(f"/tables/{table}/seats", {"bot": "quick"}), 404, "no-such-table")
    problem(await zoe.delete(f"/tables/{table}/seats/1"), 404, "no-such-table")
    invitation = (await ada.post(f"/tables/{table}/invitations", {})).json()["invitation"]
    problem(await zoe.post(f"/tables/{table}/seats?invite={invitation}", {"bot": "quick"}), 403, "not-seated")
    assert (await zoe.post(f"/tables/{table}/seats?invite={invitation}", {})).status_code == 201
    assert seats_of(await seated_bot(zoe, table)) == [zoe.player, QUICK, QUICK]


async def test_a_bot_plays_on_for_who_has_left(three: list[Caller], table: str, services: Services) -> None:
    seat, caller = await next_of(three, table)
    others = [one for one in three if one is not caller]
    seats = f"/tables/{table}/seats"
    refused = problem(await caller.post(seats, {"bot": "quick"}), 409, "table-full")
    assert refused["rule"] == "TL-7.3"
    await caller.post(f"{seats}/me/abandon", None)
    problem(await caller.post(seats, {"bot": "quick"}), 409, "abandoned")
    problem(await others[0].post(seats, {"bot": "quick", "seat": (seat + 1) % 3}), 409, "seat-taken")
    for level in LEVELS.keys() - {STRONGEST}:
        for where in ({}, {"seat": seat}):
            refused = problem(await others[0].post(seats, {"bot": level} | where), 422, "rule-violation")
            assert refused["rule"] == "TL-7.3"
    view = await seated_bot(others[0], table, "strong", seat=seat)
    assert (view["seats"][seat]["bot"], view["seats"][seat]["player"]) == (STRONG, caller.player)
    assert view["leaving"] == {"agreed": [], "abandoned": [seat], "bots": [seat]}
    event = (await events_of(others[0], table))[-1]
    assert (event["type"], event["public"]) == ("substitute-seated", {"seat": seat, "opponent": STRONG})
    problem(await others[0].delete(f"{seats}/{seat}"), 404, "no-such-bot")
    await played_on(services, table, *others)
    export = await others[0].get(f"/tables/{table}/export")
    assert export.status_code == 200
    for deal in (1, 2, 3):
        assert (await others[0].get(f"/tables/{table}/deals/{deal}/audit")).json()["verdict"] == "intact"


@for_each("body", [{"bot": True}, {"bot": STRONGEST}])
async def test_a_bot_of_no_named_level_is_of_the_strongest(three: list[Caller], body: dict[str, Any]) -> None:
    table = await opened(three[0], bots={"1": "quick"})
    seats = f"/tables/{table}/seats"
    assert (await three[0].post(seats, {"bot": False})).json()["you"] == 0
    assert (await three[1].post(seats, {"bot": None})).json()["you"] == 2
    assert (await three[1].post(f"{seats}/me/abandon", None)).status_code == 200
    view = (await three[0].post(seats, body)).json()
    assert seats_of(view) == [three[0].player, QUICK, STRONG]


async def test_nobody_acts_or_leaves_for_a_bot(ada: Caller, services: Services) -> None:
    table = (await ada.post("/tables", {"game": "crocodile", "bots": {"1": "quick", "2": "quick"}})).json()["table"]
    await ada.post(f"/tables/{table}/seats", {})
    while await bots_acted(services, table):
        pass
    offers = (await ada.get(f"/tables/{table}/offers")).json()
    assert (offers["you"], offers["to_act"]) == (0, [0])
    ended = await ada.post(f"/tables/{table}/end", {"agree": True})
    assert (ended.json()["status"], ended.json()["winners"]) == ("finished", [])
