"""Asking why an act is not offered."""

import httpx
import pytest

from domain.table.talk import action_types_of
from service.http.parameters import HEADERS
from tests.contract.conftest import Caller, act, next_of, opened, problem, register
from tests.contract.shared import ada, client, in_one_loop, table, three
from tests.support.for_each import for_each
from tests.support.registry import GAMES

__all__ = ["ada", "client", "table", "three"]

pytestmark = in_one_loop


async def why(caller: Caller, table: str, **query: object) -> dict[str, object]:
    answer = await caller.get(f"/tables/{table}/offers", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["why"])


async def test_an_act_that_is_offered_needs_no_reason(three: list[Caller], table: str) -> None:
    _, caller = await next_of(three, table)
    answer = await why(caller, table, why="bid", contract="solo")
    assert answer == {"type": "bid", "offered": True, "code": None, "rule": None, "text": None, "detail": None}
    plain = (await caller.get(f"/tables/{table}/offers")).json()
    asked = (await caller.get(f"/tables/{table}/offers?why=pass")).json()
    assert "why" not in plain
    assert asked == plain | {"why": answer | {"type": "pass"}}


async def test_the_answer_names_the_rule_and_says_its_text(three: list[Caller], table: str) -> None:
    rules = {rule.id: rule.text for rule in GAMES["crocodile"].rulebook.rules}
    _, first = await next_of(three, table)
    waiting = next(caller for caller in three if caller is not first)
    turn = await why(waiting, table, why="pass")
    assert (turn["code"], turn["rule"], turn["text"]) == ("not-your-turn", "CR-4.1", rules["CR-4.1"])
    phase = await why(first, table, why="play", card="Ks")
    assert (phase["code"], phase["text"]) == ("wrong-phase", rules[str(phase["rule"])])
    await act(first, table, {"type": "bid", "contract": "solo"})
    _, second = await next_of(three, table)
    low = await why(second, table, why="bid", contract="play")
    assert (low["code"], low["rule"], low["text"]) == ("rule-violation", "CR-4.3", rules["CR-4.3"])
    assert "contract must be" in str(low["detail"])
    assert (await why(second, table, why="bid"))["offered"] is True
    refused = problem(
        await second.post(f"/tables/{table}/actions", {"type": "bid", "contract": "play"}), 422, "rule-violation"
    )
    assert (refused["rule"], refused["detail"]) == (low["rule"], low["detail"])


async def test_items_of_a_list_are_named_one_by_one(three: list[Caller], table: str) -> None:
    _, declarer = await next_of(three, table)
    await act(declarer, table, {"type": "bid", "contract": "play"})
    for _ in range(2):
        await act((await next_of(three, table))[1], table, {"type": "pass"})
    await act(declarer, table, {"type": "declare", "contract": "play", "trump": "s"})
    seat, caller = await next_of(three, table)
    hand = (await caller.get(f"/tables/{table}")).json()["seats"][seat]["hand"]["known"]
    assert (await why(caller, table, why="exchange", discard=hand[:2]))["offered"] is True
    assert (await why(caller, table, why="exchange", discard=""))["offered"] is True
    twice = await why(caller, table, why="exchange", discard=[hand[0], hand[0]])
    assert (twice["offered"], twice["code"]) == (False, "rule-violation")
    assert twice["detail"] == f"{GAMES['crocodile'].pack.faces[hand[0]].written} is named twice"
    refused = await caller.post(f"/tables/{table}/actions", {"type": "exchange", "discard": [hand[0]] * 2, "take": []})
    assert refused.json()["detail"] == twice["detail"]


async def test_beside_a_game_no_rule_is_named(three: list[Caller], ada: Caller, table: str) -> None:
    outsider = await register(ada.http, "Zoe")
    stranger = await why(outsider, table, why="pass")
    assert (stranger["code"], stranger["rule"], stranger["text"]) == ("not-seated", None, None)
    anonymous = await ada.http.get(f"/v1/tables/{table}/offers?why=pass")
    assert anonymous.json()["why"] == stranger
    waiting = await opened(ada)
    await ada.post(f"/tables/{waiting}/seats", {})
    assert (await why(ada, waiting, why="pass"))["code"] == "not-started"


BAD = [
    "why=dance", "why=", "why=Pass", "why=pass&why=pass", "why=bid&card=Ks", "why=bid&contract=everything",
    "why=bid&contract=solo&contract=play", "why=bid&contract=", "contract=solo", "why=bid&contract=%00",
    "why=bid&contract=%ff", "why=exchange&discard=Zz", "why=pass&bogus=1", "why=pass&limit=1",
]  # fmt: skip


@pytest.mark.parametrize("query", BAD)
async def test_a_question_is_about_an_act_of_the_game(
    client: httpx.AsyncClient, three: list[Caller], query: str
) -> None:
    table = await opened(three[0])
    problem(await client.get(f"/v1/tables/{table}/offers?{query}"), 422, "invalid-query")


@for_each("query", ["why=play&card=1s", "why=play&card=0.2c", "why=exchange&discard=Ks&discard=Jo.1"])
async def test_cards_are_those_of_the_games_own_pack(three: list[Caller], table: str, query: str) -> None:
    refusal = problem(await three[0].get(f"/tables/{table}/offers?{query}"), 422, "invalid-query")
    (error,) = refusal["errors"]
    assert error["detail"].startswith(f"must be one of {', '.join(GAMES['crocodile'].pack.cards[:8])} and ")


async def test_no_field_of_an_act_has_the_name_of_a_parameter() -> None:
    fields = {name for game in GAMES.values() for action in action_types_of(game) for name in action.__struct_fields__}
    assert not fields & {"why", "min_version", "after", "wait", *HEADERS}
